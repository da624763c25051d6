"""The gallery: a dozen films, one of which is shown at a time."""

from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Final

from assets.site.drawings import film_dial
from assets.site.films import (
    SiteFilm,
    draw_poster,
    film_digits,
    film_example,
    film_run,
)
from assets.site.frame import SiteFrame


@dataclass(frozen=True)
class GalleryEntry:
    """A film with a title and a sentence on what to look at."""

    name: str
    title: str
    about: str
    film: Callable[[], SiteFilm]


def _run(name: str, title: str, about: str) -> GalleryEntry:
    return GalleryEntry(name, title, about, partial(film_run, name))


EXAMPLE: Final = GalleryEntry(
    "experiment-1",
    "Three classes, two methods",
    "Invariant attention finds crabs, sevens and snails; kernel attention blurs them.",
    film_example,
)
GALLERY: Final = (
    EXAMPLE,
    _run("lesson-beta-1", "3s and 7s", "Handwritten digits form two clusters."),
    _run("lesson-beta-2", "β too small", "3s and 7s become one blend."),
    _run("lesson-basin-2", "Wrong poses", "Descent misses many poses, so ten clusters remain."),
    _run(
        "lesson-basin-3",
        "Decreasing smoothing",
        "The same descent finds enough right poses for three clusters.",
    ),
    _run("lesson-six-nine-1", "Only translations", "Rotated copies of a 6 stay apart."),
    _run("lesson-six-nine-2", "6 and 9", "If rotations are ignored, 6 and 9 become one."),
    _run("lesson-mean-1", "From a blot to a 3", "The mean of ten rotated 3s becomes sharp."),
    _run("lesson-mean-2", "Translations only", "If 3s are not rotated, their mean stays blurred."),
    GalleryEntry(
        "clustering-digits",
        "Ten learned prototypes",
        "Prototypes of handwritten digits and their transformations are learned together.",
        film_digits,
    ),
    _run("lesson-order-3", "In the wrong order", "Thickness first, poses later: blots remain."),
    GalleryEntry(
        "dial",
        "Attention that rotates",
        "Maps of an equivariant network follow the picture; those of a plain one do not.",
        film_dial,
    ),
)


def write_gallery(films: dict[str, SiteFilm], frame: SiteFrame) -> bytes:
    """Return the page of the gallery; its films are added to `films`."""
    choices = []
    for entry in GALLERY:
        film = films[entry.name] = films.get(entry.name) or entry.film()
        poster = b64encode(draw_poster(film)).decode()
        choices.append(
            f'<li><a class="card choice" href="#{entry.name}">'
            f'<img src="data:image/png;base64,{poster}" alt="" width="72" height="72">'
            f"<span><b>{escape(entry.title)}</b> "
            f'<span class="about">{escape(entry.about)}</span></span></a></li>'
        )
    body = f"""<section class="film" aria-label="Animation">
<h1>Gallery: <span class="film-title"></span></h1>
<p class="film-about"></p>
<div class="stage" role="region" aria-label="Selected animation"></div>
<p class="needs">{frame.link("data?way=Upload", "Animate your own images")}</p></section>
<section aria-label="Choose an animation"><h2>{len(GALLERY)} animations</h2>
<ul class="cards">{"".join(choices)}</ul></section>"""
    return frame.write("gallery.html", "Gallery", body, kind="gallery-page")
