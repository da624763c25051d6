"""The viewer: id, last upload, open lesson; and the frame of every page with its projector mode."""

import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ia_engine.datasets.data import Data, PointSet
from pages._ui.state.fields import (
    Collected,
    InAddress,
    InSession,
    has_value,
    is_new_request,
    note_written,
    read_value,
    set_value,
)

COOKIE: Final = "ia_viewer"
ID_FORM: Final = re.compile(r"[A-Za-z0-9_-]{22}")

_set_cookie: Final = st.components.v2.component(
    "remember_viewer",
    js="""
    export default function ({ data }) {
      const year = 365 * 24 * 60 * 60
      const secure = location.protocol === "https:" ? "; Secure" : ""
      document.cookie =
        `${data.name}=${data.id}; Path=/; Max-Age=${year}; SameSite=Strict${secure}`
    }
    """,
)


def viewer() -> str:
    """Return the viewer's id: that in the cookie, or a new id for this session."""
    if not has_value(COOKIE):
        set_value(COOKIE, _read_cookie() or secrets.token_urlsafe(16))
    return read_value(COOKIE, "")


def remember() -> None:
    """Set the browser's cookie unless it has one; every page calls this once, at its end."""
    if _read_cookie() is None:
        _set_cookie(data={"name": COOKIE, "id": viewer()}, key="remember_viewer", height=1)


def _read_cookie() -> str | None:
    cookie = st.context.cookies.get(COOKIE)
    return cookie if isinstance(cookie, str) and ID_FORM.fullmatch(cookie) else None


MAX_BYTES: Final = 1 << 30
"""Maximum size of all uploads. The oldest are removed first; the last upload is never removed."""


class Upload(NamedTuple):
    """An upload: the name of its recipe, and its data."""

    name: str
    data: Data
    lent: bool = False
    """True if the data belong to another user's run."""


class Uploads:
    """The last upload of each viewer, oldest first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[str, Upload] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, owner: str, upload: Upload) -> None:
        """Replace the owner's last upload."""
        with self._lock:
            self._held.pop(owner, None)
            self._held[owner] = upload
            while len(self._held) > 1 and sum(map(_bytes, self._held.values())) > self._most:
                self._held.popitem(last=False)

    def forget(self, owner: str) -> None:
        """Remove the owner's last upload."""
        with self._lock:
            self._held.pop(owner, None)

    def of(self, owner: str) -> Upload | None:
        """Return the owner's last upload, or None if it has been removed."""
        return self._held.get(owner)


def keep_upload(owner: str, name: str, data: Data, *, lent: bool = False) -> None:
    """Store uploaded data under their recipe; a viewer's own upload never becomes lent."""
    held = upload_of(owner)
    own = held is not None and held.name == name and not held.lent
    _uploads().keep(owner, Upload(name, data, lent=lent and not own))


def upload_of(owner: str) -> Upload | None:
    """Return the viewer's last upload."""
    return _uploads().of(owner)


def forget_upload(owner: str) -> None:
    """Remove the viewer's last upload from memory."""
    _uploads().forget(owner)


@st.cache_resource(show_spinner=False)
def _uploads() -> Uploads:
    return Uploads(MAX_BYTES)


def _bytes(upload: Upload) -> int:
    data = upload.data
    return (data.points if isinstance(data, PointSet) else data.images).nbytes


PROJECTOR: Final = "projector"


class FrameState:
    """State of the frame."""

    entered = InSession("entered through app.py", False)
    """True once app.py has run in this session."""
    notes: InSession[DeltaGenerator | None] = InSession("place of notes", None)
    """The container for notes above the controls of the page."""
    missing_files = Collected("missing files that the page has listed", set[str])
    """The error messages about missing files that the page already shows."""
    open_sections = Collected("sections that are open", dict[str, bool])
    """Whether each section of `panels.section` was open when it was last drawn."""
    projected = InSession("projector mode", False)
    """True while the projector mode is on."""
    requested_projector = InAddress(PROJECTOR)
    """ "1" or "0"; an address without this parameter does not change the mode."""

    def read_projector_mode(self) -> bool:
        """True if the projector mode is on; a new address can turn it on or off."""
        requested = self.requested_projector
        if requested is not None and is_new_request(PROJECTOR, requested):
            self.projected = requested == "1"
        else:
            self.requested_projector = "1" if self.projected else None
        return self.projected

    def set_projector_mode(self, on: bool) -> None:
        """Turn the projector mode on or off, in the address as well."""
        self.projected = on
        note_written(PROJECTOR, *((None, "1") if on else ("1", None)))
        self.requested_projector = "1" if on else "0"
        if not on:  # written before it is removed, since the browser may have just received "1"
            self.requested_projector = None


frame_state = FrameState()


Setting = float | int | str | tuple[str, ...]
"""The value of a control."""


@dataclass(frozen=True)
class Left:
    """A caption with the settings that the viewer left."""

    place: str
    """The caption, such as mush.2."""
    settings: Mapping[str, Setting]
    """The controls of its page."""
    data: str
    """Its data set: a recipe or its name."""
    run: str
    """The id of its run, "" if it has none."""


class LessonsState:
    """State of the lessons. Captions are named as in the address: mush.2."""

    address = InAddress("lesson")
    """The caption in the address."""
    open = InSession("caption that is open", "")
    """The caption that is open on the page, "" if none is."""
    left: InSession[Left | None] = InSession("lesson as it was left", None)
    """The caption that was open last, with its page's settings."""
    requested: InSession[tuple[str, frozenset[str]]] = InSession(
        "caption that a button asked for", ("", frozenset())
    )
    """The caption that a button requested ("" closes the lesson), and the captions it replaced."""
    answers = Collected("answers to the questions of the lessons", dict[str, int])
    """The index of the chosen answer, by the name of the lesson; kept for this session only."""
    run_pending = InSession("a caption waits for its run", False)
    """True if the newly opened caption has no precomputed run, so that the page must start one."""

    def take_pending_run(self) -> bool:
        """Return True, once, if the newly opened caption waits for the page to start its run."""
        pending = self.run_pending
        del self.run_pending
        return pending

    def answer(self, lesson: str, index: int | None) -> None:
        """Choose an answer of a lesson's question, or ask it again; meant as a button's
        on_click."""
        self.answers.pop(lesson, None)
        if index is not None:
            self.answers[lesson] = index

    def request(self, name: str) -> None:
        """Open this caption, or none if the name is empty; meant as a button's on_click.

        The address follows when the page is drawn. Until the browser has it, each request still
        contains a caption that was replaced; such a request does not cancel this one.
        """
        _, replaced = self.requested
        self.requested = (name, (replaced | {self.address or "", self.open}) - {name})

    def read_request(self) -> str | None:
        """Return the caption that a button requested, or None once the browser has received it."""
        context = get_script_run_ctx()
        if context is not None and context.is_history_navigation:
            del self.requested
        name, replaced = self.requested
        return name if (self.address or "") in replaced else None


lessons_state: Final = LessonsState()
