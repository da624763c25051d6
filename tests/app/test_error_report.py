"""An unexpected error is shown as a reference number, and the log has its traceback."""

import logging
import re
import tomllib

from streamlit.testing.v1 import AppTest

from tests.app.driving import ROOT


def failing():
    from pages._ui.page import report

    report(ValueError("in /home/somebody/secret.py"))


def test_the_page_shows_a_reference_number_and_the_log_has_the_traceback_under_that_number(caplog):
    with caplog.at_level(logging.ERROR):
        app = AppTest.from_function(failing, default_timeout=60).run()
    (shown,) = app.error
    reference = re.search(r"reference ([0-9a-f]{8})", shown.value)
    assert reference
    assert "secret.py" not in shown.value
    (record,) = [one for one in caplog.records if reference[1] in one.getMessage()]
    assert record.exc_info
    assert "secret.py" in str(record.exc_info[1])


def test_the_configuration_hides_tracebacks_and_allows_only_local_hosts():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert config["client"]["showErrorDetails"] == "none"
    assert {"localhost", "127.0.0.1", "[::1]"} <= {*config["server"]["allowedHosts"]}
    assert "*" not in config["server"]["allowedHosts"]
