"""List stale bundles of browser code, which `make bundles` rebuilds.

The digests are those that `assets/components/build.js` writes. Comparing them needs no Node.
"""

import hashlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path

from ia_engine.files import ASSETS

SUFFIXES = (".js", ".css")


def find_stale(assets: Path = ASSETS) -> list[str]:
    """Return the paths of sources and bundles that differ from the last build."""
    recorded = json.loads((assets / "bundles" / "digests.json").read_text("utf-8"))
    sources = (p for p in (assets / "components").rglob("*") if not p.name.endswith(".test.js"))
    found = {
        "components": _digest(sources, assets / "components"),
        "bundles": _digest((assets / "bundles").iterdir(), assets / "bundles"),
    }
    wanted = {"components": recorded["sources"], "bundles": recorded["bundles"]}
    return sorted(
        f"{folder}/{name}"
        for folder, digests in found.items()
        for name in digests.keys() | wanted[folder].keys()
        if digests.get(name) != wanted[folder].get(name)
    )


def _digest(paths: Iterable[Path], folder: Path) -> dict[str, str]:
    """Return the digests of the files; line endings are ignored, since git may change them."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(
            path.read_bytes().replace(b"\r\n", b"\n")
        ).hexdigest()
        for path in paths
        if path.suffix in SUFFIXES
    }


def main() -> int:
    stale = find_stale()
    if stale:
        print(f"stale bundles: {', '.join(stale)}; run `make bundles`")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
