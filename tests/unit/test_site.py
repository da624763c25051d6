"""The texts of the site, and the folder that it is written into."""

import pytest

from assets.site.build import CONTENTS, build
from assets.site.frame import SiteFrame
from ia_engine.errors import EngineError
from pages._ui.lessons.catalogue import LESSONS
from pages._ui.lessons.html import inline, plain, to_html, to_mathml

TEXTS = [
    text
    for lesson in LESSONS
    for trial in [lesson.trial]
    for text in (
        *(lesson.about, trial.task, trial.expect, trial.why),
        *(part for caption in lesson.captions for part in (caption.title, caption.text)),
    )
]


@pytest.mark.parametrize(
    ("latex", "mathml"),
    [
        ("1.39", "<mn>1.39</mn>"),
        ("n + 2p", "<mi>n</mi><mo>+</mo><mn>2</mn><mi>p</mi>"),
        (r"\rho_{\min}", "<msub><mi>ρ</mi><mrow><mi>min</mi></mrow></msub>"),
        ("W_i^2", "<msubsup><mi>W</mi><mi>i</mi><mn>2</mn></msubsup>"),
        (r"\frac{1}{x}", "<mfrac><mrow><mn>1</mn></mrow><mrow><mi>x</mi></mrow></mfrac>"),
        ("a < b", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>"),
        (r"\lambda \Lambda", "<mi>λ</mi><mi>Λ</mi>"),
        (r"\text{a b}", '<mi mathvariant="normal">a b</mi>'),
    ],
)
def test_a_formula_becomes_mathml(latex, mathml):
    assert to_mathml(latex) == mathml


@pytest.mark.parametrize("latex", [r"\unknown x", "x^", "{x", r"\text{x"])
def test_a_formula_that_the_site_cannot_draw_is_refused_with_its_text(latex):
    with pytest.raises(EngineError) as caught:
        to_mathml(latex)
    assert latex in str(caught.value)


def test_markdown_becomes_html_and_nothing_in_it_is_taken_for_html():
    text = "A **b $x$** `**c**` *d* 2 * 3 <i> :material/star: e\n\n- one\n- two [l](a.html)"
    assert to_html(text) == (
        "<p>A <strong>b <math><mi>x</mi></math></strong> <code>**c**</code> <em>d</em> 2 * 3 "
        '&lt;i&gt; e</p>\n<ul><li>one</li><li>two <a href="a.html">l</a></li></ul>'
    )
    assert inline("a & b") == "a &amp; b"
    assert plain("**a** $x$") == "a x"


def test_every_text_of_the_lessons_is_converted_without_a_remainder():
    for text in TEXTS:
        html = to_html(text)
        assert not [mark for mark in ("**", "$", "`", ":material") if mark in html], text


def test_a_folder_with_other_files_is_left_alone(tmp_path):
    (tmp_path / "own.txt").write_text("own")
    with pytest.raises(EngineError, match="choose another folder"):
        build(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["own.txt"]


@pytest.mark.cpu_only("the pictures of the site are on the CPU")
def test_a_site_replaces_its_own_files_and_no_others(tmp_path, monkeypatch):
    monkeypatch.setattr("assets.site.build.write_overview", lambda films, frame: b"overview")
    monkeypatch.setattr("assets.site.build.write_gallery", lambda films, frame: b"gallery")
    monkeypatch.setattr("assets.site.build.write_quizzes", lambda frame: {"quiz.html": b"quiz"})
    monkeypatch.setattr("assets.site.build.LESSONS", ())
    folder, outside = tmp_path / "site", tmp_path / "outside.txt"
    build(folder)
    outside.write_text("own")
    (folder / "CNAME").write_text("own")
    (folder / "old.html").write_text("of an earlier site")
    with (folder / CONTENTS).open("a") as contents:
        contents.write("old.html\n../outside.txt\n")
    build(folder)
    assert (folder / "CNAME").read_text() == outside.read_text() == "own"
    assert not (folder / "old.html").exists()
    named = (folder / CONTENTS).read_text().splitlines()
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert written == {CONTENTS, "CNAME", *named}


def test_a_folder_with_a_script_of_the_same_name_is_left_alone(tmp_path):
    script = tmp_path / "files" / "site.js"
    script.parent.mkdir()
    script.write_text("own")
    with pytest.raises(EngineError, match="choose another folder"):
        build(tmp_path)
    assert script.read_text() == "own"


def test_a_file_as_the_folder_of_the_site_is_refused(tmp_path):
    (tmp_path / "site").write_text("own")
    with pytest.raises(EngineError, match="must be a folder"):
        build(tmp_path / "site")


def test_the_address_of_the_app_must_be_one_of_the_web(tmp_path):
    with pytest.raises(EngineError, match="must begin with http"):
        build(tmp_path, "app.example")


def test_pages_link_to_the_app_or_explain_how_to_start_it():
    assert SiteFrame("https://app.example").link("mean?lesson=mean.1", "Open") == (
        '<a href="https://app.example/mean?lesson=mean.1">Open</a>'
    )
    assert "start the app</a> at <code>/papers</code>" in SiteFrame().link("papers", "Open")
