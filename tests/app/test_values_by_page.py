"""Controls with the same name on two pages have separate values."""

import pytest

from tests.app.driving import ROOT, open_page


def go(app, page, **address):
    """Open another page in the same session, through a link with these parameters."""
    app.query_params.clear()
    for name, value in address.items():
        app.query_params[name] = value
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    return app


def control(app, name):
    """The linear or logarithmic slider with this key."""
    return next(found for found in (*app.slider, *app.select_slider) if found.key == name)


@pytest.mark.parametrize(
    ("name", "first", "value", "second", "default"),
    [
        ("steps", "iterations", 7, "mean", 5),
        ("steps", "mean", 9, "iterations", 4),
        ("sigma", "iterations", 2.0, "mean", 0.0),
        ("k", "clustering", 7, "compare", 3),
    ],
)
def test_a_page_does_not_take_a_value_from_a_different_page(name, first, value, second, default):
    data = {"data": "experiment-1"}
    app = open_page(ROOT / "pages" / f"{first}.py", **data)
    control(app, name).set_value(value)
    go(app.run(), "runs")
    go(app, second, **data)
    assert control(app, name).value == default
    assert control(app.run(), name).value == default


@pytest.mark.parametrize("page", ["iterations", "mean"])
def test_a_link_without_sigma_resets_it_to_the_default(page):
    app = open_page(ROOT / "pages" / f"{page}.py", sigma="2")
    assert control(app, "sigma").value == 2
    go(app, "runs")
    go(app, page, data="experiment-1")
    assert control(app, "sigma").value == 0
    assert control(app.run(), "sigma").value == 0


@pytest.mark.parametrize(("page", "default"), [("iterations", 4), ("mean", 5)])
def test_a_link_without_parameters_restores_the_previous_values_of_the_page(page, default):
    app = open_page(ROOT / "pages" / f"{page}.py")
    control(app, "steps").set_value(default + 3)
    go(app.run(), "runs")
    go(app, page)
    assert control(app, "steps").value == default + 3
    assert app.query_params["steps"] in (str(default + 3), [str(default + 3)])
    assert control(app.run(), "steps").value == default + 3


@pytest.mark.parametrize("page", ["iterations", "mean"])
def test_parameters_in_the_address_set_the_controls(page):
    app = open_page(ROOT / "pages" / f"{page}.py", steps="6", sigma="1")
    assert (control(app, "steps").value, control(app, "sigma").value) == (6, 1)
