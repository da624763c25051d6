"""Lists the bundles of browser code that are stale: `make bundles` makes them again.

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
    """Sources and bundles that are not those of the last build, as paths below the folder."""
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
    """Line ends do not count, since git may change them."""
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
