"""The pages of the lessons: captions beside their films, and an exercise at the end."""

import json
from html import escape

from assets.site.drawings import draw_caption, settings_of_layers
from assets.site.films import SiteFilm, film_run
from assets.site.frame import SiteFrame
from assets.site.questions import question_of, write_prediction
from ia_engine.files import read_checksums
from pages._ui.lessons.catalogue import LESSONS, run_of
from pages._ui.lessons.html import inline, plain, to_html
from pages._ui.lessons.lesson import ADDRESS, Lesson, Place

COMMON = "common"
"""The poses of the player if the caption does not set them."""


def file_of(lesson: Lesson) -> str:
    """Return the name of the file of a lesson."""
    return f"lesson-{lesson.name}.html"


def film_of(place: Place) -> tuple[str, SiteFilm] | None:
    """Return what a caption shows and its name; None if its page needs the app."""
    run = run_of(place)
    if run:
        return (run, film_run(run)) if f"lessons/{run}.zip" in read_checksums() else None
    return draw_caption(place.caption, f"caption-{place.name.replace('.', '-')}")


def write_lesson(lesson: Lesson, films: dict[str, SiteFilm], frame: SiteFrame) -> bytes:
    """Return the page of a lesson; the films that it shows are added to `films`."""
    captions = []
    for index in range(len(lesson.captions)):
        place = Place(lesson, index)
        shown = film_of(place)
        if shown:
            films[shown[0]] = shown[1]
        captions.append(_caption(place, shown[0] if shown else "", frame))
    body = f"""<div class="captions" tabindex="0" role="region" aria-label="Caption"
 aria-live="polite">
{"".join(captions)}</div>
<div class="stage" role="region" aria-label="What the caption describes"></div>
<nav class="steps" aria-label="Captions"><a class="back">Back<kbd>PageUp</kbd></a>
<span class="where"></span><a class="next">Next<kbd>PageDown</kbd></a></nav>"""
    return frame.write(file_of(lesson), lesson.title, body, kind="lesson")


def _caption(place: Place, film: str, frame: SiteFrame) -> str:
    """Return a caption; if it has a question, its text is hidden until the user answers."""
    lesson, caption, question = place.lesson, place.caption, question_of(place)
    number, count = LESSONS.index(lesson) + 1, len(lesson.captions)
    path = f"{caption.page}?{ADDRESS}={place.name}"
    told = caption.step if question is None or question.step is None else question.step
    data = {
        "film": film,
        "settings": _write_settings(place, told),
        "back": _neighbour(place, -1),
        "next": _neighbour(place, 1),
        "where": f"Lesson {number} of {len(LESSONS)}, caption {place.index + 1} of {count}",
    }
    if question is not None and question.step is not None:
        data["asked"] = _write_settings(place, 0, " asked")
    attributes = " ".join(f'data-{name}="{escape(value)}"' for name, value in data.items())
    label = "Change the settings yourself" if film else "The picture of this caption needs the app"
    last = place.neighbour(1) is None
    return f"""<article class="caption" id="caption-{place.index + 1}" {attributes}>
<h1>{number}. {escape(plain(lesson.title))}</h1>
{write_prediction(question) if question else ""}<div class="told"><h2>{inline(caption.title)}</h2>
{to_html(caption.text)}
<p class="needs">{frame.link(path, label)}</p>
{_write_trial(lesson) if last else ""}</div></article>
"""


def _write_settings(place: Place, step: int, suffix: str = "") -> str:
    """Return the initial state of a caption's film as JSON. For each key, the film remembers its
    position."""
    caption = place.caption
    settings: dict[str, object] = {
        "key": place.name + suffix,
        "start": step,
        "autoplay": False,
    }
    if caption.page == "iterations":
        settings["poses"] = caption.poses or COMMON
    if caption.page == "equivariance":
        settings |= {"request": place.name, **settings_of_layers(caption)}
    return json.dumps(settings)


def _write_trial(lesson: Lesson) -> str:
    trial = lesson.trial
    return f"""<section><h3>Try it in the app</h3>
{to_html(trial.task)}
<details><summary>What to expect, and why</summary>
{to_html(f"**{trial.expect}**")}
{to_html(trial.why)}</details></section>
"""


def _neighbour(place: Place, offset: int) -> str:
    """Return the address of the caption before or after this one, also in another lesson."""
    near = place.neighbour(offset)
    if near is not None:
        return f"#{near.index + 1}"
    at = LESSONS.index(place.lesson) + offset
    if at == len(LESSONS):
        return "index.html#lessons"
    if at < 0:
        return ""
    return f"{file_of(LESSONS[at])}{'' if offset > 0 else '#last'}"
