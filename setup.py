"""Builds the package: copies the app, and the files that it and the engine read, into `ia_engine`.

All other metadata are in pyproject.toml. A checkout reads these files from their own folders.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

MAPPED = {
    "ia_engine/_app": (".", ("app.py", "server.py", ".streamlit/config.toml", "pages/**/*.py")),
    "ia_engine/_assets": (
        "assets",
        (
            *("README.md", "LICENSES/*.txt", "icon.svg", "checksums.json", "bases.json"),
            *("*.png", "*.npz", "bundles/*.js", "bundles/*.css"),
            *("lessons/*.zip", "networks/*.safetensors", "runs/*.safetensors"),
            *("papers/*.json", "papers/*.npz", "papers/tables/*/*.json"),
        ),
    ),
}
"""For each folder of the package: the folder of the project that is copied, and its files."""


def list_copies() -> list[tuple[str, str]]:
    """Return the source and the target of every file, relative to the project and to the build."""
    return [
        (path.as_posix(), f"{target}/{path.relative_to(source).as_posix()}")
        for target, (source, patterns) in MAPPED.items()
        for pattern in patterns
        for path in sorted(Path(source).glob(pattern))
    ]


class BuildPackage(build_py):
    """Also copies the mapped files. Files of an earlier build are removed first."""

    def run(self) -> None:
        if self.editable_mode:
            super().run()
            return
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        for source, target in list_copies():
            path = Path(self.build_lib, target)
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, path)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        copied = [] if self.editable_mode else [target for _, target in list_copies()]
        return [
            *super().get_outputs(include_bytecode),
            *(str(Path(self.build_lib, path)) for path in copied),
        ]

    def get_source_files(self) -> list[str]:
        return [*super().get_source_files(), *(source for source, _ in list_copies())]


setup(cmdclass={"build_py": BuildPackage})
