"""Helpers that open a page, press its buttons, wait for its runs and read its text."""

from functools import cache
from pathlib import Path

from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from pages._ui.runs.current import jobs
from tests.waits import MAX_WAIT_S

ROOT = Path(__file__).resolve().parents[2]

# AppTest reads the metadata of every installed package whenever it opens an app.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def open_page(page, **address):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=MAX_WAIT_S)
    app.switch_page(f"pages/{page.name}")
    for name, value in address.items():
        app.query_params[name] = value
    return app.run()


def press(app, label):
    """Press the button with this label, or else the first whose label starts with it."""
    found = [button for button in app.button if button.label.startswith(label)]
    min(found, key=lambda button: button.label != label).click()
    return app.run()


def runs(app):
    return jobs().list(app.session_state["ia_viewer"])


def finish(app):
    """Wait until the viewer's newest run is done, then run the page again."""
    job = runs(app)[-1]
    assert job.wait(MAX_WAIT_S), f"still {job.state} after {MAX_WAIT_S} s"
    assert job.state == "done", job.error
    app.run()
    assert not app.exception
    return app


def open_section(app, name, *, is_open=True):
    """Open a section of `panels.section`, or close it, as a click on its title does."""
    key = f"section {name}"
    assert app.session_state[key] is not is_open
    app.session_state[key] = is_open
    return app.run()


def words(app):
    """All text on the page outside its widgets and charts."""
    kinds = (app.caption, app.markdown, app.info, app.success, app.warning, app.error)
    found = [element.value for kind in kinds for element in kind]
    return " | ".join(text.replace("\\", "") for text in found)
