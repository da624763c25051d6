"""Make the site: `python -m assets.site [FOLDER] [--app ADDRESS]`."""

import argparse
import time
from pathlib import Path

from assets.site.build import LARGEST, build
from ia_engine.errors import EngineError


def main() -> None:
    """Write the site, and print its size and the time."""
    parser = argparse.ArgumentParser(prog="python -m assets.site")
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build", "site"))
    parser.add_argument("--app", default="", help="address of a running app, to which pages link")
    arguments = parser.parse_args()
    start = time.process_time()
    try:
        size = build(arguments.folder, arguments.app)
    except EngineError as error:
        raise SystemExit(str(error)) from None
    seconds = time.process_time() - start
    print(f"{arguments.folder}/index.html: {size / 1e6:.1f} MB in {seconds:.1f} CPU s")
    if size > LARGEST:
        raise SystemExit(
            f"the site must be at most {LARGEST / 1e6:.0f} MB; got {size / 1e6:.1f} MB"
        )


if __name__ == "__main__":
    main()
