"""The state of Data: the draft of generated data, the uploaded files, and the drawn gallery."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Final, NamedTuple

from ia_engine.datasets.distortions import Distortion
from ia_engine.datasets.generated import SEED, GeneratedConfig
from ia_engine.datasets.recipes import RECIPES, load_recipe
from ia_engine.datasets.uploads import Refusal, Upload, UploadConfig, UploadResult
from ia_engine.errors import EngineError
from ia_engine.figures.mosaic import Gallery
from ia_engine.params import Range
from pages._ui.state.dataset import choose_data, requested_recipe
from pages._ui.state.fields import InSession

LATE_S: Final = 2.0
"""Seconds during which a request may contain an address that a slider has replaced."""


class Draft(NamedTuple):
    """The generated data that the controls show."""

    recipe: str = ""
    """The recipe in the address when the controls were last drawn."""
    config: GeneratedConfig = GeneratedConfig()
    stamp: int = 0
    """Part of the keys of the controls: a higher number makes new ones."""


@dataclass(frozen=True)
class UploadedConfig(UploadConfig):
    """The settings used to read and copy an upload, and a digest that identifies it."""

    copies: Annotated[
        int, Range("n_b", 0, 100, "transformed copies of each image; 0 for the images themselves")
    ] = 0
    seed: Annotated[int, SEED] = 0
    distortions: tuple[Distortion, ...] = (Distortion(),)
    digest: str = ""


@dataclass(frozen=True, eq=False)
class UploadedFiles:
    """The files of an upload, their settings, and the images read from them.

    Files without images are removed from `files`, so that their memory is free.
    """

    ids: tuple[str, ...]
    files: tuple[Upload, ...]
    config: UploadedConfig
    result: UploadResult | None = None
    """None if the files have not been read yet."""
    hopeless: tuple[Refusal, ...] = ()
    """The reasons why files were refused and removed from `files`."""
    dropped: frozenset[str] = frozenset()
    """The ids of the removed files, which the browser still shows."""
    error: str = ""
    stamp: int = 0
    """Part of the keys of the controls: a higher number makes new ones."""
    previous: "UploadedFiles | None" = None
    """The result with the previous settings, restored if reading is cancelled."""
    cancelled: bool = False


class DataState:
    """State of the Data page."""

    ready_made = InSession[str | None]("ready", None)
    """The selected entry of the list of ready-made sets."""
    settings = InSession("settings of ready-made sets", ("", 0))
    """The recipe whose settings were drawn last, and the stamp in the keys of its controls."""
    draft = InSession("generated draft", Draft())
    """The generated data that the controls show."""
    replaced = InSession[Mapping[str, float]](
        "addresses that a slider change has just replaced", {}
    )
    """Recipes that a slider has replaced in the address, and when."""
    uploaded = InSession[UploadedFiles | None]("files brought", None)
    """The viewer's last upload."""
    gallery = InSession[tuple[str, Gallery | None]]("gallery drawn last", ("", None))
    """The digest of the data and their gallery, so that a rerun without changes draws nothing."""

    def update_draft(self) -> Draft:
        """Return the draft, or a new draft if the address contains different generated data.

        While a key moves a slider, a request may still contain an address that the slider has
        replaced. In this case the address is corrected.
        """
        draft = self.draft
        if draft.recipe != requested_recipe() and self._is_late(requested_recipe()):
            choose_data(draft.recipe)
        if draft.recipe == requested_recipe():
            return draft
        return Draft(
            requested_recipe(), find_generated(requested_recipe()) or draft.config, draft.stamp + 1
        )

    def replace_recipe(self, recipe: str) -> None:
        """Show the data of a recipe, and note the recipe that it replaces."""
        self.replaced = {**self.replaced, requested_recipe(): time.monotonic()}
        choose_data(recipe)

    def cancel_reading(self) -> None:
        """Restore the result with the previous settings, if there is one."""
        files = self.uploaded
        if files is not None:
            self.uploaded = (
                replace(files.previous, stamp=files.stamp + 1)
                if files.previous
                else replace(files, cancelled=True)
            )

    def read_again(self, config: UploadedConfig, *, new_controls: bool = False) -> None:
        """Request that the files are read again with these settings."""
        files = self.uploaded
        if files is not None:
            again = replace(files, config=config, result=None, previous=files, cancelled=False)
            self.uploaded = replace(again, stamp=files.stamp + new_controls)

    def _is_late(self, recipe: str) -> bool:
        now = time.monotonic()
        self.replaced = {name: at for name, at in self.replaced.items() if now - at < LATE_S}
        return recipe in self.replaced


def find_generated(recipe: str) -> GeneratedConfig | None:
    """Return the config of generated data, or None for other data or an illegal recipe."""
    try:
        known = RECIPES[recipe] if recipe in RECIPES else load_recipe(recipe)
    except EngineError:
        return None
    if known.source not in ("generated", "experiment-1"):
        return None
    return GeneratedConfig.from_json(known.config.to_json())


data_state = DataState()
