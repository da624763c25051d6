"""Makes checksums.json: the SHA-256 of every shipped file of data, checked when it is read."""

import hashlib
import json

from ia_engine.files import ASSETS, CHECKSUMS

# Results in papers/tables are checked by their own digests.
PARTS = ("*.npz", "*.png", "bases.json", "lessons/*.zip", "networks/*", "papers/papers.*", "runs/*")


def sum_files() -> dict[str, str]:
    """The checksums by the names below assets."""
    paths = sorted(path for part in PARTS for path in ASSETS.glob(part))
    return {
        path.relative_to(ASSETS).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
    }


def main() -> None:
    """Write the list; call it again whenever a shipped file has changed."""
    text = json.dumps(sum_files(), indent=1)
    (ASSETS / CHECKSUMS).write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
