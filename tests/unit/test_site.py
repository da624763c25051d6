"""The texts of the site, and the folder that it is written into."""

import pytest

from assets.site.build import build
from assets.site.frame import Frame
from assets.site.text import inline, plain, to_html, to_mathml
from ia_engine.errors import EngineError
from pages._ui.lessons.catalogue import LESSONS

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


def test_the_address_of_the_app_must_be_one_of_the_web(tmp_path):
    with pytest.raises(EngineError, match="must begin with http"):
        build(tmp_path, "app.example")


def test_pages_link_to_the_app_or_explain_how_to_start_it():
    assert Frame("https://app.example").link("mean?lesson=mean.1", "Open") == (
        '<a href="https://app.example/mean?lesson=mean.1">Open</a>'
    )
    assert "start the app</a> at <code>/papers</code>" in Frame().link("papers", "Open")
