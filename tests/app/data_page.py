"""Helpers that operate the Data page and read what it shows."""

from pages._ui.state.dataset import CHOSEN


def calm(app):
    app.run()
    assert not app.exception
    return app


def go(app, way):
    app.button_group(key="way").set_value(way)
    return calm(app)


def chosen(app):
    return app.session_state[CHOSEN][1]


def address(app):
    (data,) = (
        app.query_params["data"]
        if isinstance(app.query_params["data"], list)
        else [app.query_params["data"]]
    )
    return data


def text(app):
    kinds = (app.error, app.warning, app.info, app.success, app.markdown, app.caption)
    found = [element.value for kind in kinds for element in kind]
    return "\n".join([*found, *(head.value for head in app.subheader)]).replace("\\", "")
