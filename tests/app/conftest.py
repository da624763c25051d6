import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from tests.app.data_page import calm
from tests.app.driving import ROOT
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
