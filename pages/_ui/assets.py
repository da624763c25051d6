"""The scripts and styles of the components that run in the browser."""

from pathlib import Path
from typing import Final

ASSETS: Final = Path(__file__).parents[2] / "assets"


def script(*names: str) -> str:
    """These files below assets, one after the other: what one declares, the next may use."""
    return "\n".join((ASSETS / f"{name}.js").read_text("utf-8") for name in names)


def style(name: str) -> str:
    return (ASSETS / f"{name}.css").read_text("utf-8")
