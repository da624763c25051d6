"""Loads the engine with the extensions, without changing any file.

An import of an item's module reads its example file, and an import of a catalogue reads its file
with the entry.
"""

import os
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import Final

from tests.extensions import EXTENSIONS, ITEMS

ROOT: Final = Path(__file__).parents[2]
STARTUP: Final = ROOT / "tests" / "extensions" / "startup"


class _Catalogue(SourceFileLoader):
    """Loads the file of a catalogue with one more entry."""

    def get_code(self, fullname: str):
        text = Path(self.path).read_text("utf-8")
        (extension,) = (one for one in EXTENSIONS if one.catalogue_module == fullname)
        return self.source_to_code(extension.enter(text).encode(), self.path)


class Extended(MetaPathFinder):
    """Finds the modules of the items, and the catalogues."""

    def find_spec(self, fullname: str, path: object = None, target: object = None):
        for extension in EXTENSIONS:
            if fullname == extension.module:
                return spec_from_file_location(fullname, ITEMS / f"{extension.name}.py")
            if fullname == extension.catalogue_module:
                return _locate(fullname, ROOT / extension.catalogue)
        return None


def _locate(fullname: str, path: Path) -> ModuleSpec | None:
    loader = _Catalogue(fullname, str(path))
    is_package = path.name == "__init__.py"
    folders = [str(path.parent)] if is_package else None
    return spec_from_file_location(
        fullname, path, loader=loader, submodule_search_locations=folders
    )


def install() -> None:
    """Add the extensions to this process; it must not have imported the engine."""
    loaded = [name for name in sys.modules if name.startswith("ia_engine")]
    assert not loaded, f"the engine must not be imported yet; found {loaded}"
    sys.meta_path.insert(0, Extended())


def environment() -> dict[str, str]:
    """The environment of a process that starts with the extensions, like all of its children."""
    known = {name: value for name, value in os.environ.items() if name != "IA_DATA"}
    return {**known, "PYTHONPATH": os.pathsep.join([str(STARTUP), str(ROOT)])}
