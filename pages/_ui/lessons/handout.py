"""The printable handout: one page for each lesson, as a single HTML file with its pictures."""

import base64
from collections.abc import Iterator
from functools import cache
from html import escape
from typing import Any, Final, NamedTuple

from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.equivariant.digits import draw_digit
from ia_engine.errors import EngineError
from ia_engine.figures.clustering.export import draw_film
from ia_engine.figures.export import draw_moment
from ia_engine.figures.mean_figures import draw_mean
from ia_engine.figures.mosaic import draw_gallery, draw_row
from ia_engine.runs.catalogue import RUN_KINDS
from ia_engine.runs.kinds.clusterings import summarise
from pages._ui.lessons.catalogue import LESSONS, run_of
from pages._ui.lessons.html import inline
from pages._ui.lessons.lesson import Lesson, Place
from pages._ui.lessons.notes import NOTES
from pages._ui.lessons.questions import QUESTIONS
from pages._ui.runs.current import find_saved

MOST: Final = 4
"""Maximum number of pictures per lesson, so that they fit on its page."""
STYLE: Final = """
@page { size: A4; margin: 16mm; }
body { max-width: 178mm; margin: 1rem auto; padding: 0 1rem; color: #000; background: #fff;
       font: 11pt/1.4 system-ui, sans-serif; }
section { break-after: page; break-inside: avoid; padding-bottom: 1.5rem; }
section:last-of-type { break-after: auto; }
h1 { font-size: 18pt; margin: 0 0 0.3rem; } h2 { font-size: 12pt; margin: 0.9rem 0 0.2rem; }
p, ul { margin: 0.2rem 0; } ul { list-style: "☐ "; padding-left: 1.3rem; }
.pictures { display: flex; flex-wrap: wrap; gap: 4mm; margin: 0.5rem 0; }
figure { margin: 0; max-width: 84mm; } figcaption { font-size: 9pt; }
img { display: block; max-width: 100%; max-height: 34mm; background: #000; }
.line { border-bottom: 1px solid #777; height: 1.5rem; }
.fold { margin-top: 1rem; border-top: 1px dashed #777; font-size: 9pt; text-align: center; }
nav { font-size: 9pt; } @media print { nav { display: none; } body { margin: 0; padding: 0; }
  section { padding: 0; } }
"""


class HandoutPicture(NamedTuple):
    """A picture as PNG or GIF, and the text below it."""

    file: bytes
    about: str


@cache
def write_handout() -> bytes:
    """Return the handout as HTML that needs no network connection; it has one page per lesson."""
    pages = "".join(_write_page(at, lesson) for at, lesson in enumerate(LESSONS, start=1))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>Invariant attention: handout</title><style>{STYLE}</style></head><body>"
        "<nav>Print this page, or save it as PDF. Each lesson fits on one A4 page.</nav>"
        f"{pages}</body></html>"
    ).encode()


def _write_page(number: int, lesson: Lesson) -> str:
    notes, question = NOTES[lesson.name], QUESTIONS[lesson.name]
    answers = "".join(f"<li>{inline(answer.text)}</li>" for answer in question.answers)
    pictures = "".join(map(_write_picture, list_pictures(lesson)))
    ask = "".join(
        f'<p>{inline(one.question)}</p><div class="line"></div>' for one in notes.expected
    )
    return (
        f"<section><h1>{number}. {inline(lesson.title)}</h1><p>{inline(lesson.about)}.</p>"
        f"<h2>Predict</h2><p>{inline(question.text)}</p><ul>{answers}</ul>"
        f'<p>Why?</p><div class="line"></div><div class="line"></div>'
        f"<h2>Questions</h2>{ask}"
        f"<h2>Try it</h2><p>{inline(lesson.trial.task)}</p><p>What I expect:</p>"
        f'<div class="line"></div><p>What I saw:</p><div class="line"></div>'
        f'<p class="fold">Fold here before you predict</p>'
        f'<div class="pictures">{pictures}</div></section>'
    )


def list_pictures(lesson: Lesson) -> list[HandoutPicture]:
    """Return pictures of the data and of the runs that the lesson shows."""
    found: list[HandoutPicture] = []
    seen = set[str]()
    for at, caption in enumerate(lesson.captions):
        run = run_of(Place(lesson, at))
        if run and run not in seen:
            seen.add(run)
            kernel = any("kernel attention" in one.text.lower() for one in lesson.captions)
            found += _picture_run(run, caption.title, first=len(seen) == 1, kernel=kernel)
    return (found or [_picture_data(lesson)])[:MOST]


def _picture_run(run: str, title: str, *, first: bool, kernel: bool) -> Iterator[HandoutPicture]:
    """Yield the last step of a run. If it is the first run of a lesson, yield before it the data
    and, if `kernel` is true, the last step of kernel attention."""
    kept = find_saved(run)
    if kept is None:
        raise EngineError(f"the run {run} must be among the precomputed runs; it was not found")
    items: list[Any] = list(RUN_KINDS[kept.kind].open(kept))
    if kept.kind == "iterations":
        start, end = items[0].shown, items[-1].shown
        if first:
            yield HandoutPicture(draw_moment(start["ka"].frame), "The images")
        if first and kernel:
            yield HandoutPicture(draw_moment(end["ka"].frame), "Kernel attention, last iteration")
        yield HandoutPicture(draw_moment(end["ia"].frame), f"Invariant attention: {title}")
    elif kept.kind == "mean":
        yield HandoutPicture(draw_mean(items[-1]), f"Mean and plain average: {title}")
    else:
        yield HandoutPicture(draw_film(summarise(items).pictures[-1:]), title)


def _picture_data(lesson: Lesson) -> HandoutPicture:
    """Return the images of a lesson without runs."""
    if lesson.captions[0].page == "equivariance":
        return HandoutPicture(draw_row(draw_digit(3), 1), "The picture")
    data = make(RECIPES[lesson.captions[0].data])
    return HandoutPicture(draw_gallery(data).png, "The images of Experiment 1")


def _write_picture(picture: HandoutPicture) -> str:
    code, about = base64.b64encode(picture.file).decode(), escape(picture.about)
    kind = "gif" if picture.file.startswith(b"GIF") else "png"
    source = f"data:image/{kind};base64,{code}"
    return f'<figure><img src="{source}" alt="{about}"><figcaption>{about}</figcaption></figure>'
