"""The state of the lessons: the caption that is open, requested by a button, or left."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages._ui.state.fields import InAddress, InSession

Setting = float | int | str | tuple[str, ...]
"""The value of a control."""


@dataclass(frozen=True)
class Left:
    """A caption as the viewer left it."""

    place: str
    """The caption, such as mush.2."""
    settings: Mapping[str, Setting]
    """The controls of its page."""
    data: str
    """Its data set: a recipe or its name."""
    run: str
    """The id of its run; "" without one."""


class LessonsState:
    """What the lessons remember. Captions are named as in the address: mush.2."""

    address = InAddress("lesson")
    """The caption that the address names."""
    open = InSession("caption that is open", "")
    """The caption that is open on the page; "" without one."""
    left: InSession[Left | None] = InSession("lesson as it was left", None)
    """The caption that was open last, with its page's settings."""
    requested: InSession[tuple[str, frozenset[str]]] = InSession(
        "caption that a button asked for", ("", frozenset())
    )
    """The caption that a button asked for ("" closes the lesson), and those that it replaced."""
    run_pending = InSession("a caption waits for its run", False)
    """True if the caption that was opened just now has no precomputed run: the page starts one."""

    def take_pending_run(self) -> bool:
        """True, once, if a caption that was opened just now waits for the page to start its run."""
        pending = self.run_pending
        del self.run_pending
        return pending

    def request(self, name: str) -> None:
        """Open this caption, or none if the name is empty; meant as a button's on_click.

        The address follows when the page is drawn. Until the browser has it, each request still
        names a caption that was replaced; such a request does not cancel this one.
        """
        _, replaced = self.requested
        self.requested = (name, (replaced | {self.address or "", self.open}) - {name})

    def read_request(self) -> str | None:
        """The caption that a button asked for; None once the browser has received it."""
        context = get_script_run_ctx()
        if context is not None and context.is_history_navigation:
            del self.requested
        name, replaced = self.requested
        return name if (self.address or "") in replaced else None


lessons_state: Final = LessonsState()
