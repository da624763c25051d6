"""The state of Iterations: its settings, the run that is shown, and the pending run."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Final, cast

from streamlit.errors import StreamlitAPIException

from ia_engine.attention.clusters.measures import Numbers
from ia_engine.attention.iteration import KERNEL_BETA, AttentionConfig
from ia_engine.errors import EngineError
from ia_engine.params import Config, Range, parameters
from ia_engine.runs.attend import Iteration, MethodStep, Plan
from ia_engine.runs.job import Job
from pages._ui.panels import note_unused
from pages._ui.state.fields import (
    Collected,
    InAddress,
    InSession,
    has_value,
    read_parameter,
    read_value,
    replace_controls,
    write_parameter,
)
from pages._ui.state.selection import selected
from pages._ui.wording import number

IMAGES: Final = "images"
RECOMPUTES: Final = "recompute"
"""The control that turns off recomputing when a setting changes."""
Runs = Mapping[str, Sequence[MethodStep]]
"""Settings of the iterations, for each method."""
Setting = float | str


@dataclass(frozen=True)
class Kernel(Config):
    """The bandwidth of kernel attention, whose distances are larger than invariant distances."""

    kernel_beta: Annotated[
        float, Range("β", 0.1, 200, "bandwidth of kernel attention", log=True)
    ] = KERNEL_BETA


@dataclass(frozen=True)
class Limits(Config):
    """The part of a data set that is used."""

    images: Annotated[
        int, Range("n", 2, 400, "maximum number of images, spread evenly over the classes")
    ] = 60


DEFAULTS: Final[Mapping[str, Any]] = {
    parameter.name: parameter.default
    for config in (AttentionConfig, Kernel, Limits)
    for parameter in parameters(config)
    if parameter.name != "method"
}
"""Values of all controls of the page."""


@dataclass(frozen=True, eq=False)
class ShownRun:
    """The run that the player shows, and its selected images."""

    plan: Plan
    runs: Runs
    key: str
    """The name of the run."""
    rows: Sequence[int]
    """The row of each image in the data."""
    step: int | None
    """The iteration on which the player has stopped; None while it plays."""
    beside: str = ""
    """The name of the run beside it, whose steps replace those of the second method, if any."""

    @property
    def view_control(self) -> str:
        """The name of the control of the plot. That of the example is different, because the
        browser would send its value for a run that has replaced the example."""
        return "example_view" if self.key.startswith("example ") else "view"

    @property
    def numbers(self) -> dict[str, list[Numbers]]:
        return {method: [step.numbers for step in steps] for method, steps in self.runs.items()}

    @property
    def pair(self) -> tuple[int, int] | None:
        """The selected pair, as indices of the run's images."""
        return selected().pair(self.rows)


@dataclass(frozen=True)
class SeenSettings:
    """The settings in the controls when a result was last on the page."""

    source: str
    """The run or the example that was shown."""
    configs: Mapping[str, AttentionConfig]
    moved: bool = False
    """True if the user has changed a control since this result was shown first."""


@dataclass(frozen=True, eq=False)
class PendingRun:
    """A run with changed settings, computed while its page shows another run."""

    job: Job[Iteration]
    plan: Plan
    source: str
    """The run, or the example, that is shown."""
    on_page: tuple[str, str]
    """The run and the data on the page at its start. If they change, the run is discarded."""
    player: str
    p: int | None
    """The iteration on which the user stopped the player; None if it plays."""
    shown: Mapping[str, AttentionConfig]
    """The settings of the source."""


@dataclass(frozen=True)
class Replacement:
    """The run that this run has replaced on the page."""

    replaced: str
    first: str
    """The first of the replaced runs, which is never deleted."""
    p: int
    """The iteration from which the player continues."""
    former: str = ""
    """The settings of the replaced run that differ, with their values."""


class IterationsState:
    """State of the Iterations page other than the values of its controls."""

    link = InAddress("job")
    """The run in the address."""
    link_noted = InSession("link to a run that was followed", "")
    """The link whose run has been opened. Its settings are not adopted again."""
    preset_pressed = InSession("a preset was pressed", False)
    """True until the run of a preset has been started."""
    view = InSession("view", "")
    """The name of the plot that is shown."""
    pending = InSession[PendingRun | None]("run that follows the settings", None)
    """The run that will replace the one that is shown."""
    seen_settings = InSession[SeenSettings | None]("settings seen last", None)
    """The settings in the controls when the page was last drawn."""
    replacements = Collected[dict[str, Replacement]]("runs that a setting has started", dict)
    """The runs that have replaced others, by name."""
    drawn_items = InSession("iterations seen", ("", 0))
    """The name of the run that was drawn last, and the number of its iterations then."""
    wanted_images = InSession("images wanted", Limits().images)
    """The number of images that the user wants, even if the data set has fewer."""
    drawn_images = InSession[int | None]("number of images when the slider was last drawn", None)
    """The value of the slider for the number of images when it was last drawn."""

    @property
    def recomputes(self) -> bool:
        """True if a changed setting computes a small run again at once."""
        return bool(read_value(RECOMPUTES, True))

    def set_settings(self, values: Mapping[str, Setting]) -> None:
        """Set the controls, in the address if they are not on the page yet."""
        replace_controls(values)
        for name, value in values.items():
            with suppress(StreamlitAPIException):  # controls on the page write the address
                write_parameter(name, str(value) if value != DEFAULTS.get(name) else None)

    def may_adopt(self, name: str, *, opened: bool) -> bool:
        """True if a run may set this control.

        On a new page, the address takes precedence; later the user's choices do, unless a run was
        `opened`.
        """
        return opened if has_value(name) else read_parameter(name) is None

    def is_link_new(self) -> bool:
        """True if the address contains a different run from the one opened last."""
        return (self.link or "") != self.link_noted

    def note_link(self) -> None:
        """Note that the run in the address is shown, so that its settings are not adopted again."""
        self.link_noted = self.link or ""

    def take_preset_press(self) -> bool:
        """True once after a preset was pressed."""
        pressed = self.preset_pressed
        del self.preset_pressed
        return pressed

    def find_wanted_images(self) -> int:
        """Return the number of images last requested by the user, a preset or a new address."""
        value = read_value(IMAGES, None)
        if value is None:
            value = self._read_images()
        if value is not None and value != self.drawn_images:
            self.wanted_images = value
        return self.wanted_images

    def _read_images(self) -> int | None:
        """Return the number of images in the address, if it is legal."""
        text = read_parameter(IMAGES)
        if text is None:
            return None
        (parameter,) = parameters(Limits)
        with suppress(ValueError, EngineError):
            parameter.about.check(IMAGES, int(text))
            return int(text)
        about = cast(Range, parameter.about)
        legal = f"a whole number between {number(about.low)} and {number(about.high)}"
        note_unused(IMAGES, text, legal, f"{Limits().images} is used")
        write_parameter(IMAGES, None)
        return None

    def pending_of(self, source: str) -> PendingRun | None:
        """Return the pending run that will replace this run or example, if there is one."""
        pending = self.pending
        return pending if pending is not None and pending.source == source else None


iterations_state = IterationsState()
