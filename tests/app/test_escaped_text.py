"""Text from files and folders is shown literally, even if it is markup or very long."""

import io
import json
import re
import unicodedata

import pytest
from PIL import Image
from streamlit.runtime.context import ContextProxy

from ia_engine.runs.folder import Record
from ia_engine.runs.library import Library, Note
from pages._ui.panels import LONGEST, escape
from pages._ui.runs.current import library
from tests.app.driving import ROOT, open_page

HOSTILE = {
    "picture": "![x](http://192.0.2.1/x.png)",
    "link": "[x](http://192.0.2.1/) http://192.0.2.1/a www.example.org a@example.org",
    "html": "<img src=x onerror=alert(1)><b>",
    "marks": "# **bold** _it_ `code` ~~no~~ | a | - 1. > &amp; \\ $x^2$ :red[r] :material/home:",
    "directions": "abc\u202egnp.exe\u202c \u2066x\u2069 \u200f",
    "controls": "a\x00b\x07c\nd\r\te\x1b[31m\u2028f\u2029\x85",
    "long": "word " * 2048,
    "unbroken": "x" * 10_240,
}
ACTIVE = re.compile(r"(?<!\\)[`*_\[\]<>#|~$:&!]|https?:/|www\.|\w@\w")
"""Text that Markdown or the browser would interpret as markup or as a link."""


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: {}))
    monkeypatch.setenv("IA_RUNS", str(tmp_path))
    monkeypatch.delenv("IA_DATA", raising=False)
    library.cache_clear()
    yield tmp_path
    library.cache_clear()


@pytest.mark.parametrize("name", HOSTILE)
def test_no_markup_in_a_string_is_interpreted(name):
    shown = escape(HOSTILE[name])
    assert not ACTIVE.search(shown), shown[:200]
    assert not any(unicodedata.bidirectional(letter) in BIDI for letter in shown)
    assert not any(unicodedata.category(letter) == "Cc" for letter in shown)
    assert len(shown.replace("\\", "")) <= LONGEST + 10


BIDI = {"RLE", "LRE", "RLO", "LRO", "PDF", "RLI", "LRI", "FSI", "PDI"}


@pytest.mark.parametrize("text", ["αF, β = 2, ½ – “x”", "Ærø 🦀", "مرحبا", "two  spaces", ""])
def test_ordinary_text_is_unchanged_apart_from_backslashes(text):
    assert escape(text).replace("\\", "") == text


@pytest.mark.parametrize("name", HOSTILE)
def test_the_runs_page_shows_every_field_of_a_run_as_plain_text(folder, name):
    text = HOSTILE[name]
    writer = Library().begin(text, Record("{}", "{}", 0, "", "cpu", text), {})
    writer.append({})
    writer.end(text, text)
    Library().write_note(writer.id, Note(text, (text, "tag"), text))
    app = open_page(ROOT / "pages" / "runs.py")
    assert not app.exception
    shown = [
        one.value
        for one in (*app.markdown, *app.caption)
        if "Equivariance is kept" not in one.value
    ]
    for value in shown:
        own = (
            value.replace(":material/terminal:", "").replace(":blue-badge[", "").replace("]  ", "")
        )
        own = re.sub(r"(?<!\\)\]|\d\d:\d\d:\d\d", "", own)
        assert not ACTIVE.search(own), own[:300]


def test_the_page_shows_the_names_of_uploaded_files_as_plain_text():
    app = open_page(ROOT / "pages" / "data.py", way="Upload")
    files = [
        (f"{HOSTILE['picture'].replace('/', '')}{k}.png", _picture(k), "image/png")
        for k in range(2)
    ] + [("bad![x](http:192.0.2.1).png", b"no picture", "image/png")]
    app.file_uploader(key="files").set_value(files)
    app.run()
    assert not app.exception
    for one in (*app.markdown, *app.caption, *app.warning, *app.error, *app.success):
        assert "![x](" not in one.value


def _picture(k):
    content = io.BytesIO()
    Image.linear_gradient("L").rotate(90 * k).save(content, "PNG")
    return content.getvalue()


def test_the_names_of_damaged_folders_are_shown_as_plain_text(folder):
    (folder / "![x](http:192.0.2.1)").mkdir()
    run = folder / "20260101-000000-000000-![x](http:192.0.2.1)"
    run.mkdir()
    (run / "run.json").write_text(json.dumps({"format": "<b>"}))
    app = open_page(ROOT / "pages" / "runs.py")
    assert not app.exception
    assert len(app.warning) == 2
    assert not any("![x](" in one.value for one in app.warning)
