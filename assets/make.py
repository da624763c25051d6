"""Make the precomputed files that the repository contains: `python -m assets.make`."""

from assets import (
    make_checksums,
    make_clustering,
    make_comparison,
    make_component_values,
    make_images,
    make_lessons,
    make_means,
    make_runs,
)

if __name__ == "__main__":
    make_images.main()
    make_runs.main()
    make_means.main()
    make_clustering.main()
    make_comparison.main()
    make_lessons.main()
    make_component_values.main()
    make_checksums.main()
