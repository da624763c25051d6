"""The notebooks in examples: plain JSON without outputs, whose cells run in order."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
RUN = """
import ast, json, sys
sys.path.insert(0, sys.argv[1])
names = {"__name__": "__main__"}
for at, cell in enumerate(json.load(sys.stdin), 1):
    tree = ast.parse(cell, f"cell {at}")
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, f"cell {at}", "exec"), names)
    if last is not None:  # what a notebook displays
        value = eval(compile(ast.Expression(last.value), f"cell {at}", "eval"), names)
        getattr(value, "_repr_html_", value.__repr__)()
"""


def read(path):
    return json.loads(path.read_text("utf-8"))


def code(path):
    return ["".join(cell["source"]) for cell in read(path)["cells"] if cell["cell_type"] == "code"]


def test_there_are_four_notebooks():
    names = ["attention_layer", "quick_start", "three_papers", "your_images"]
    assert [path.stem for path in NOTEBOOKS] == names
    assert len(code(ROOT / "examples" / "three_papers.ipynb")) == 10


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_committed_without_outputs(path):
    notebook = read(path)
    assert notebook["nbformat"] == 4
    for cell in notebook["cells"]:
        assert cell.get("outputs", []) == []
        assert cell.get("execution_count") is None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_result_of_a_notebook_depends_on_the_speed_of_the_machine(path):
    assert "budget=" not in "".join(code(path))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_all_cells_of_a_notebook_run_in_order(path, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", RUN, str(ROOT)],
        input=json.dumps(code(path)),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
