"""Tiles: small pictures to choose from, cut from one sheet that is sent once."""

from collections.abc import Callable, Mapping, Sequence

from pages._ui.panels import component
from pages._ui.state.fields import read_value

_tiles = component("ia_tiles", "tiles")
_sheet = component("ia_tile_sheet", "tile_sheet", styled=False)


def show_tiles(
    tiles: Sequence[tuple[str, str, str]],
    families: Mapping[str, str],
    columns: int,
    *,
    key: str,
    chosen: Sequence[str],
    on_toggle: Callable[[str], None],
    small: bool = False,
) -> None:
    """Show tiles in the order of the sheet, each with its name, title and family.

    `families` has the title of each family, `columns` is the number of columns of the sheet, and
    `on_toggle` receives the name of a clicked tile.
    """

    def toggled() -> None:
        name = read_value(key, dict[str, str]()).get("toggled")
        if name:
            on_toggle(name)

    _tiles(
        key=key,
        data={
            "tiles": [list(tile) for tile in tiles],
            "families": dict(families),
            "columns": columns,
            "chosen": list(chosen),
            "small": small,
        },
        on_toggled_change=toggled,
    )


def send_tile_sheet(png: bytes, key: str) -> None:
    """Send the sheet with the pictures of all tiles of the page."""
    _sheet(key=key, data=png, height=1)
