"""The first page: Experiment 1 in the player, the lessons, the papers, and how to start the app."""

from html import escape
from typing import Final

from assets.site.drawings import THEMES, draw
from assets.site.films import SiteFilm
from assets.site.frame import TITLE, SiteFrame
from assets.site.gallery import EXAMPLE
from assets.site.lessons import file_of
from ia_engine.figures.matrices import ramp_for
from ia_engine.figures.papers.drawing import draw_pictures
from ia_engine.figures.papers.panels import Pictures
from ia_engine.runs.papers.shipped import load_shipped_results
from pages._ui.lessons.catalogue import LESSONS
from pages._ui.lessons.html import inline, plain
from pages._ui.overview import PICTURES, PaperPicture

NUMBERS: Final = {8: "Eight", 9: "Nine", 10: "Ten", 11: "Eleven", 12: "Twelve"}
HOW_TO_START: Final = """<p>You need Python 3.11 or newer and <code>make</code>. In the folder of
the project:</p>
<pre tabindex="0"><code>make run</code></pre>
<p>The app opens in your browser. To open a page of the app that this site refers to, add its
path to the address of the app.</p>"""


def write_overview(films: dict[str, SiteFilm], frame: SiteFrame) -> bytes:
    """Return the first page; its films are added to `films`."""
    films[EXAMPLE.name] = films.get(EXAMPLE.name) or EXAMPLE.film()
    count = NUMBERS.get(len(LESSONS), str(len(LESSONS)))
    lessons = "".join(
        f'<li class="card"><a href="{file_of(lesson)}">{at}. {escape(plain(lesson.title))}</a>'
        f"<p>{inline(lesson.about)}</p></li>"
        for at, lesson in enumerate(LESSONS, start=1)
    )
    papers = "".join(_paper(picture, films) for picture in PICTURES)
    body = f"""<h1>See invariance</h1>
<p>The images are six crabs, six sevens and six snails, each rotated and translated.
<strong>Invariant attention</strong> compares them up to rotation and translation: the weights
form three blocks, and every image becomes the mean of its class. <strong>Kernel attention</strong>
compares pixels, and the images become one blot. Move the slider for β to change the
weights.</p>
<div class="stage" data-film="{EXAMPLE.name}" role="region" aria-label="Experiment 1"></div>
<p class="needs">{frame.link("iterations", "Change the group, σ and the data yourself")}</p>
<h2 id="lessons">{count} lessons</h2>
<ul class="cards">{lessons}</ul>
<h2>Three papers</h2>
<ul class="cards">{papers}</ul>
{_explain_app(frame)}"""
    return frame.write("index.html", TITLE, body)


def _paper(picture: PaperPicture, films: dict[str, SiteFilm]) -> str:
    panel = load_shipped_results()[picture.entry].outcome.panels[picture.panel]
    stage = ""
    if isinstance(panel, Pictures) and not panel.foreign:
        name = f"paper-{picture.entry}"
        films[name] = draw(*(draw_pictures(panel, ramp_for(is_dark)) for is_dark in THEMES))
        stage = f'<div class="stage" data-film="{name}"></div>'
    return (
        f'<li class="card">{stage}<a href="papers.html">{escape(picture.name)}</a>'
        f"<p>{escape(picture.idea)}</p></li>"
    )


def _explain_app(frame: SiteFrame) -> str:
    how = f'<p><a href="{escape(frame.app)}">Open the app</a>.</p>' if frame.app else HOW_TO_START
    return f"""<section id="app"><h2>The app</h2>
<p>These pages show precomputed animations. The app computes new ones, with your own images and
with other settings, groups and methods.</p>
{how}</section>"""
