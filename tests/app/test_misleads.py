"""Every page explains how its views can mislead; the button of each note shows an example."""

import pytest

from tests.app.driving import ROOT, finish, open_page, press

PAGES = ROOT / "pages"
SHORT = {"budget": "1", "modules": "affine", "k": "4"}
VIEWS = {
    "iterations": (
        "Distances",
        "Contraction",
        "Clusters",
        "Merge tree",
        "Plane",
        "Weights, first and last",
        "True poses",
    ),
    "clustering": ("Prototype", "Outliers", "Confusion"),
    "equivariance": (
        "Layer by layer",
        "Answers",
        "Stride and parity",
        "Inside a convolution",
        "Train",
    ),
}
RUN = {"iterations": {"steps": "2"}, "clustering": SHORT}


def open_with_run(name):
    """Open the page, with a finished run if its views need one."""
    app = open_page(PAGES / f"{name}.py", **RUN.get(name, {}))
    return finish(press(app, "Run")) if name in RUN else app


def screen(app):
    """Everything on the page except buttons, byte for byte."""
    shown = [
        (element.type, element.proto.SerializeToString(deterministic=True))
        for element in app.main
        if element.type != "button" and element.proto is not None
    ]
    return shown, dict(app.query_params.items())


def kinds(app):
    return [element.type for element in app.main]


def buttons(app):
    return [button.key for button in app.button if button.label == "Show me"]


def press_key(app, key):
    app.button(key=key).click()
    app.run()
    assert not app.exception
    return app


@pytest.mark.parametrize(
    "name", ["data", "iterations", "mean", "manifolds", "clustering", "equivariance", "compare"]
)
def test_every_button_that_shows_a_misleading_view_changes_the_page(name):
    app = open_with_run(name)
    seen = 0
    for view in VIEWS.get(name, (None,)):
        if view:
            app.button_group(key="view").set_value(view)
            app.run()
        notes = [e for e in app.expander if e.label == "How this can mislead"]
        assert len(buttons(app)) == len(notes) > 0, "every note has a button"
        for key in buttons(app):
            before = screen(app)
            app = press_key(app, key)
            assert screen(app) != before, key
            seen += 1
    assert seen


def test_an_example_of_a_misleading_figure_can_be_hidden_again():
    app = open_page(PAGES / "data.py")
    before = kinds(app)
    app = press_key(app, "misleads brightness")
    assert kinds(app) != before
    assert app.button(key="misleads brightness").label == "Hide it"
    app = press_key(app, "misleads brightness")
    assert kinds(app) == before


def test_the_button_below_the_plane_selects_a_pair_of_images():
    app = open_with_run("iterations")
    app.button_group(key="view").set_value("Plane")
    app = press_key(app.run(), "misleads Plane")
    assert {"i", "j"} <= set(app.query_params)


def test_the_button_below_the_distances_sets_the_smoothing_to_8_pixels():
    app = press_key(open_page(PAGES / "manifolds.py"), "misleads blur")
    assert app.query_params["sigma"] in ("8", ["8"])
