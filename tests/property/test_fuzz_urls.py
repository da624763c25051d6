"""No URL parameter makes a page raise an exception; illegal values are replaced by defaults."""

import pytest
from streamlit.runtime.context import ContextProxy

from tests.app.driving import ROOT, open_page
from tests.fuzz.urls import PAGES, draw_urls, open_url

CASES = 100
PARTS = 10
FAILED = [
    ("data", {"way": ""}),
    ("data", {"way": "None"}),
    ("compare", {"measure": ""}),
    ("equivariance", {"picture": ""}),
    ("equivariance", {"view": ""}),
    ("equivariance", {"view": "Stride and parity", "way": "", "side": ""}),
    ("manifolds", {"sigma": "1e-46"}),
    ("manifolds", {"sigma": "1e-320"}),
    ("compare", {"job": "x" * 10_000}),
]
"""URLs that once raised an exception."""


@pytest.fixture(autouse=True)
def no_data(monkeypatch, tmp_path):
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: {}))
    monkeypatch.setenv("IA_CACHE", str(tmp_path))
    monkeypatch.delenv("IA_DATA", raising=False)


@pytest.mark.parametrize("part", range(PARTS))
def test_pages_open_with_mutated_parameters(part):
    cases = list(draw_urls(CASES))[part::PARTS]
    assert [wrong for wrong in (open_url(*case) for case in cases) if wrong] == []


@pytest.mark.parametrize(("page", "address"), FAILED)
def test_urls_that_once_raised_an_exception_can_be_opened(page, address):
    assert open_url(page, address) == ""


def test_the_mutated_urls_cover_every_page():
    assert {page for page, _ in draw_urls(CASES)} == set(PAGES)


@pytest.mark.parametrize(
    ("page", "name", "usual"),
    [("data", "way", "Ready-made"), ("compare", "measure", "ARI"),
     ("equivariance", "picture", "scribbled 3")],
)  # fmt: skip
@pytest.mark.parametrize("asked", ["", "nonsense"])
def test_an_empty_or_unknown_choice_in_the_url_is_replaced_by_its_default(page, name, usual, asked):
    app = open_page(ROOT / "pages" / f"{page}.py", **{name: asked})
    assert app.button_group(key=name).value == usual
    assert app.run().button_group(key=name).value == usual
    assert not app.exception


def test_a_legal_choice_in_the_url_is_applied():
    app = open_page(ROOT / "pages" / "equivariance.py", picture="7")
    assert app.button_group(key="picture").value == "7"
