"""One item of each kind that can be added with one file and one entry in a catalogue.

The files in `items` are the examples of CONTRIBUTING.md. `tests/extend.py` adds them to a copy of
the project, and `loading.py` to a process.
"""

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ITEMS: Final = Path(__file__).parent / "items"


@dataclass(frozen=True)
class Extension:
    """An item: its name, the folder of its file, and its entry in a catalogue."""

    name: str
    folder: str
    catalogue: str
    """The file of the catalogue."""
    table: str
    """The dictionary in this file."""
    value: str
    """What the file of the item defines: a name that is imported, called if it ends in ()."""

    @property
    def text(self) -> str:
        """The text of its file."""
        return (ITEMS / f"{self.name}.py").read_text("utf-8")

    @property
    def path(self) -> str:
        return f"{self.folder}/{self.name}.py"

    @property
    def module(self) -> str:
        return f"{self.folder}.{self.name}".replace("/", ".")

    @property
    def catalogue_module(self) -> str:
        return self.catalogue.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def entry(self) -> str:
        return f'"{self.name}": {self.value},'

    def enter(self, text: str) -> str:
        """Return the text of the catalogue with the entry at the end of its dictionary."""
        lines = text.splitlines(keepends=True)
        tree = ast.parse(text)
        (table,) = (
            node.value
            for node in tree.body
            if isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == self.table
        )
        lines.insert(table.end_lineno - 1, f"    {self.entry}\n")
        first = next(
            node.lineno
            for node in tree.body
            if isinstance(node, ast.ImportFrom) and node.module.startswith("ia_engine")
        )
        imported = self.value.removesuffix("()")
        lines.insert(first - 1, f"from {self.module} import {imported}\n")
        return "".join(lines)


EXTENSIONS: Final = (
    Extension(
        "zoom",
        "ia_engine/transforms",
        "ia_engine/transforms/__init__.py",
        "GROUPS",
        "Zoom()",
    ),
    Extension(
        "rational",
        "ia_engine/attention/kernels",
        "ia_engine/attention/kernels/__init__.py",
        "KERNELS",
        "RATIONAL",
    ),
    Extension("median", "ia_engine/attention", "ia_engine/attention/rules.py", "RULES", "MEDIAN"),
    Extension("disks", "ia_engine/datasets", "ia_engine/datasets/recipes.py", "DATASETS", "DISKS"),
    Extension(
        "agglomerative",
        "ia_engine/runs/comparison",
        "ia_engine/runs/comparison/catalogue.py",
        "METHODS",
        "AGGLOMERATIVE",
    ),
)
