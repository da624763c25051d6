"""Writes the site into a folder."""

from pathlib import Path
from typing import Final

from assets.site.films import SiteFilm, write_film
from assets.site.frame import SiteFrame
from assets.site.gallery import write_gallery
from assets.site.lessons import file_of, write_lesson
from assets.site.overview import write_overview
from assets.site.papers import write_papers
from assets.site.questions import write_quizzes
from ia_engine.errors import EngineError
from ia_engine.figures.page import STYLE, read_bundle
from ia_engine.files import APP, ASSETS
from pages._ui.lessons.catalogue import LESSONS

LARGEST: Final = 25_000_000
"""Maximum size of the site [bytes]."""
CONTENTS: Final = "invariant-attention-site.txt"
"""The file that names all other files of a site, one in each line."""


def build(folder: Path, app: str = "") -> int:
    """Write the site into a new or empty folder or instead of an earlier site, and return its size
    [bytes].

    `app` is the address of a running app, to which the pages link.
    """
    _refuse_other(folder)
    if app and not app.startswith(("http://", "https://")):
        raise EngineError(f"the address of the app must begin with http:// or https://; got {app}")
    films: dict[str, SiteFilm] = {}
    frame = SiteFrame(app.rstrip("/"))
    pages = {
        "index.html": write_overview(films, frame),
        "gallery.html": write_gallery(films, frame),
        "papers.html": write_papers(frame),
        **write_quizzes(frame),
        **{file_of(lesson): write_lesson(lesson, films, frame) for lesson in LESSONS},
    }
    files = {f"films/{name}.js": write_film(name, film) for name, film in films.items()}
    components = {part.component for film in films.values() for part in film.parts}
    styles = {f"files/{name}.css": read_bundle(f"{name}.css").encode() for name in components}
    shared = {
        "files/site.css": (STYLE + read_bundle("site_page.css")).encode(),
        "files/site.js": read_bundle("site_file.js").encode(),
        "files/icon.svg": (ASSETS / "icon.svg").read_bytes(),
        "files/LICENSE.txt": (APP / "LICENSE").read_bytes(),
        ".nojekyll": b"",  # GitHub publishes the files as they are
    }
    contents = pages | files | styles | shared
    contents[CONTENTS] = "".join(f"{name}\n" for name in contents).encode()
    _remove_earlier(folder)
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return sum(map(len, contents.values()))


def _refuse_other(folder: Path) -> None:
    """Raise an error if the path is a file, or a folder that contains anything other than an
    earlier site."""
    if folder.exists() and not folder.is_dir():
        raise EngineError(f"{folder} must be a folder; it is a file: choose another path")
    if folder.exists() and not (folder / CONTENTS).is_file() and any(folder.iterdir()):
        raise EngineError(
            f"{folder} must be new, empty or an earlier site; it contains other files: delete it, "
            "or choose another folder"
        )


def _remove_earlier(folder: Path) -> None:
    """Remove the files of an earlier site, and no others."""
    contents = folder / CONTENTS
    names = contents.read_text("utf-8").splitlines() if contents.is_file() else []
    for name in names:
        path = folder / name
        if path.resolve().is_relative_to(folder.resolve()):
            path.unlink(missing_ok=True)
