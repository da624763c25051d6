"""Make checksums.json: the SHA-256 of every included data file, checked when the file is read."""

import hashlib
import json

from ia_engine.files import ASSETS, CHECKSUMS

# Results in papers/tables are checked by their own digests.
PARTS = ("*.npz", "*.png", "bases.json", "lessons/*.zip", "networks/*", "papers/papers.*", "runs/*")


def sum_files() -> dict[str, str]:
    """Return the checksums by path below assets."""
    paths = sorted(path for part in PARTS for path in ASSETS.glob(part))
    return {
        path.relative_to(ASSETS).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
    }


def main() -> None:
    """Write the list; call this again whenever an included file has changed."""
    text = json.dumps(sum_files(), indent=1)
    (ASSETS / CHECKSUMS).write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
