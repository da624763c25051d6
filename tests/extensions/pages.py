"""Opens the pages and calls the commands that offer extensions, and prints what they show as JSON.

Run it in the environment of `loading.environment()`.
"""

import contextlib
import io
import json
import sys

from streamlit.runtime.context import ContextProxy

from ia_engine.figures.formats import write_csv
from ia_engine.runs.comparison.compare import results_of, to_row
from ia_engine.shell.main import main
from tests.app.driving import ROOT, finish, open_page, press, runs, words

DISTORTION = {"transform": "zoom", "low": [-0.5], "high": [0.5]}
CONFIG = {"bases": ["crab", "seven"], "copies": 2, "distortions": [DISTORTION]}
RECIPE = json.dumps({"source": "generated", "config": CONFIG})
DISKS = json.dumps({"source": "disks", "config": {"copies": 3}})


def read(app):
    """The text of a page, its links and the options of its lists."""
    assert not app.exception, [error.value for error in app.exception]
    assert not app.error, [error.value for error in app.error]
    links = [link.proto.label for link in app.get("page_link")]
    options = [option for box in (*app.selectbox, *app.radio) for option in box.options]
    pills = [option.content for group in app.get("button_group") for option in group.proto.options]
    return " | ".join([words(app), *links, *options, *pills])


def page(name, **address):
    return open_page(ROOT / "pages" / f"{name}.py", **address)


def shell(*argv):
    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()) as out:
        assert main([*argv]) == 0, argv
    return out.getvalue()


def collect():
    shown = {}
    app = page("iterations", data=DISKS, group="zoom", kernel="rational", bandwidth="median",
               steps="1", view="Clusters")  # fmt: skip
    shown["Iterations"] = read(finish(press(app, "Run")))
    shown["Runs"] = read(app.switch_page("pages/runs.py").run())
    app = page("iterations", data=DISKS, kernel="rational", beta="40", steps="1")
    shown["Iterations with a fixed β"] = read(finish(press(app, "Run")))
    app = page("mean", data=RECIPE, group="zoom", steps="1")
    shown["Mean"] = read(finish(press(app, "Run")))
    shown["Data"] = read(page("data", data="disks"))
    shown["Data, generated"] = read(page("data", data=RECIPE))
    app = page("compare", data=DISKS, methods=["agglomerative", "ia-zoom"], k="2")
    app = finish(press(app, "Run"))
    shown["Compare"] = read(app)
    shown["table"] = write_csv([*map(to_row, results_of(runs(app)[-1].history))]).decode()
    for command in ("align", "attend", "mean", "compare"):
        shown[f"{command} --help"] = shell(command, "--help")
    attention = ("--group", "zoom", "--kernel", "rational", "--bandwidth", "median")
    shown["attend"] = shell("attend", "--data", "disks", *attention, "--steps", "1", "--json")
    return shown


if __name__ == "__main__":
    ContextProxy.cookies = property(lambda _: {})
    json.dump(collect(), sys.stdout)
