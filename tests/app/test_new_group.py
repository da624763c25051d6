"""A group that is only added to the catalogue appears under its own name everywhere."""

import json
import os
import subprocess
import sys

import pytest

from tests.app.driving import ROOT
from tests.waits import MAX_WAIT_S

SCRIPT = """
import contextlib, io, json, sys
from ia_engine import transforms
from ia_engine.transforms.rotation import Rotation


class Spin(Rotation):
    name = "spin"


transforms.GROUPS["spin"] = transforms.TRANSFORMS["spin"] = Spin()

from streamlit.runtime.context import ContextProxy

from ia_engine.figures.formats import write_csv
from ia_engine.runs.comparison.compare import results_of
from ia_engine.runs.comparison.compare import to_row
from ia_engine.shell.main import main
from tests.app.driving import ROOT, finish, open_page, press, runs, words

ContextProxy.cookies = property(lambda _: {})
distortion = {"transform": "spin", "low": [-0.5], "high": [0.5]}
config = {"bases": ["crab", "seven"], "copies": 2, "distortions": [distortion]}
recipe = json.dumps({"source": "generated", "config": config})
with open("recipe.json", "w") as file:
    file.write(recipe)


def read(app):
    assert not app.exception, [error.value for error in app.exception]
    assert not app.error, [error.value for error in app.error]
    links = [link.proto.label for link in app.get("page_link")]
    options = [option for box in app.selectbox for option in box.options]
    pills = [option.content for group in app.get("button_group") for option in group.proto.options]
    return " | ".join([words(app), *links, *options, *pills])


def page(name, **address):
    return open_page(ROOT / "pages" / f"{name}.py", **address)


def shell(*argv):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main([*argv, "--data", "recipe.json"]) == 0, argv
    return out.getvalue()


shown = {}
app = page("iterations", data=recipe, group="spin", steps="1", view="Clusters")
shown["iterations"] = read(finish(press(app, "Run")))
shown["runs"] = read(app.switch_page("pages/runs.py").run())
shown["mean"] = read(finish(press(page("mean", data=recipe, group="spin", steps="1"), "Run")))
shown["data"] = read(page("data", data=recipe))
app = finish(press(page("compare", data=recipe, methods="ia-spin", k="2"), "Run"))
shown["compare"] = read(app)
shown["csv"] = write_csv([*map(to_row, results_of(runs(app)[-1].history))]).decode()
for command in ("align", "attend", "mean"):
    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()) as out:
        main([command, "--help"])
    shown[f"{command} --help"] = out.getvalue()
    shell(command, "--group", "spin", *(() if command == "align" else ("--steps", "1")))
shown["compare --json"] = shell("compare", "--methods", "ia-spin", "--json")
json.dump(shown, sys.stdout)
"""
SHOWN = {
    "iterations": "spin",
    "runs": "spin, β",
    "mean": "group spin",
    "data": "spin",
    "compare": "Invariant attention, spin",
    "csv": "ia-spin",
    "align --help": "projective, spin",
    "attend --help": "projective, spin",
    "mean --help": "projective, spin",
    "compare --json": '"ia-spin"',
}


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """The output of the pages and commands in a process whose catalogue has one more group."""
    folder = tmp_path_factory.mktemp("group")
    known = {name: value for name, value in os.environ.items() if name != "IA_DATA"}
    found = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=folder,
        env={**known, "PYTHONPATH": str(ROOT), "IA_CACHE": str(folder), "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
        timeout=MAX_WAIT_S,
    )
    assert found.returncode == 0, found.stderr[-3000:]
    return json.loads(found.stdout.splitlines()[-1])


@pytest.mark.parametrize("place", SHOWN)
def test_a_group_without_a_label_appears_under_its_own_name(shown, place):
    text = " ".join(shown[place].split())
    assert SHOWN[place] in text, text[:2000]
