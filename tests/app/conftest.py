import pytest
import streamlit as st
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from pages._ui import panels
from tests.app.data_page import calm
from tests.app.driving import ROOT
from tests.figures import list_flaws_of_drawing, list_flaws_of_plot
from tests.waits import MAX_WAIT_S


@pytest.fixture
def page(monkeypatch, tmp_path):
    """Return a function that opens the Data page of the whole app, without published data sets."""
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: {}))
    monkeypatch.setenv("IA_CACHE", str(tmp_path))
    monkeypatch.delenv("IA_DATA", raising=False)

    def open_page(**address):
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=MAX_WAIT_S)
        for name, value in address.items():
            app.query_params[name] = value
        return calm(app.switch_page(str(ROOT / "pages" / "data.py")))

    return open_page


@pytest.fixture(autouse=True)
def flaws_of_figures(monkeypatch):
    """Check every figure of every page that a test opens (tests/figures.py)."""
    flaws = []
    draw_plot, register = st.plotly_chart, panels._register

    def check_plot(figure, *arguments, **options):
        flaws.extend((figure.layout.title.text, flaw) for flaw in list_flaws_of_plot(figure))
        return draw_plot(figure, *arguments, **options)

    def check_drawing(name):
        mount = register(name)

        def draw(**arguments):
            if name == "ia_drawing":
                found = list_flaws_of_drawing(arguments["data"]) or ()
                flaws.extend((arguments["key"], flaw) for flaw in found)
            return mount(**arguments)

        return draw

    check_drawing.cache_clear = register.cache_clear
    monkeypatch.setattr(st, "plotly_chart", check_plot)
    monkeypatch.setattr(panels, "_register", check_drawing)
    yield flaws
    assert not flaws, f"figures without {flaws}"
