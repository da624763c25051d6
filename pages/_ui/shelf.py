"""The kept runs as the lists see them: what they are called, and which were deleted."""

from contextlib import suppress
from functools import cache
from typing import Any, Final

from ia_engine.errors import EngineError
from ia_engine.runs.job import Job
from ia_engine.runs.library import DELETED, PARTS, Library, Note
from pages._ui.ready import is_ready

LINK: Final = "job"
"""The name in an address under which it asks for a run."""


@cache
def library() -> Library:
    """The folder of all runs."""
    return Library()


def is_kept(name: str) -> bool:
    """Whether a link to a run of this name opens it in any browser."""
    with suppress(EngineError):
        return is_ready(name) or library().find(name) is not None
    return False


def deleted() -> frozenset[str]:
    """The names of the runs that were put aside, and may be brought back."""
    bin_ = library().folder / DELETED
    names = (folder.name for folder in bin_.iterdir()) if bin_.is_dir() else ()
    return frozenset(name.split("-", PARTS - 1)[-1] for name in names)


def title_of(job: Job[Any]) -> str:
    """The name that its owner gave it since, or else its own."""
    with suppress(EngineError):
        if kept := library().find(job.id):
            return kept.title
    return job.title


def put_aside(old: str, new: str, owner: str) -> None:
    """The new run takes the place of the old one, and its name, if both are the owner's."""
    with suppress(EngineError, OSError):
        left, heir = library().find(old), library().find(new)
        if left is None or heir is None or not left.belongs_to(owner):
            return
        if left.note != Note() and heir.note == Note():
            library().write_note(heir.id, left.note)
        library().delete(left.id)
