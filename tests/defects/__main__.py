"""Draws small defects from the sources, and reports for each whether the tests detect it.

    python -m tests.defects draw                       # from the tree of the current folder
    python -m tests.defects run --suite new --tree COPY --coverage COPY/.coverage

`draw` writes `drawn.json`. It does not depend on the tests: a seed chooses the sites.

`run` applies the defects one at a time to COPY, a copy of the project that nobody else uses (`git
worktree add COPY`), and restores the file afterwards. A defect is killed if a test that passes
without it fails. For Python, the tests come from a coverage file with one context per test (`pytest
--cov=ia_engine --cov=pages --cov-context=test`, which needs pytest-cov), those closest to the
changed lines first; without that file, only the test that killed the defect before is run. For
JavaScript, they are the browser tests of the pages that load the file.
"""

import argparse
import random
from pathlib import Path
from typing import Final

from tests.defects.javascript_sites import find_javascript_sites
from tests.defects.python_sites import find_python_sites
from tests.defects.results import Drawn, format_table, read_drawn, write_drawn
from tests.defects.running import Tree, run_defect
from tests.defects.sites import Defect, make_defect

SEED: Final = 20261119
PYTHON_DEFECTS, JAVASCRIPT_DEFECTS = 30, 10


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.defects", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("draw", help="draw forty defects from this tree")
    runs = commands.add_parser("run", help="apply them one at a time and run the tests")
    runs.add_argument("--suite", choices=("old", "new"), required=True, help="column of the table")
    runs.add_argument("--tree", type=Path, required=True, help="copy of the project to change")
    runs.add_argument("--coverage", type=Path, help="coverage file with one context per test")
    runs.add_argument("--only", type=int, nargs="*", help="numbers of the defects; by default, all")
    runs.add_argument("--limit", type=float, default=900, help="seconds per defect")
    commands.add_parser("table", help="print the results")
    asked = parser.parse_args()
    if asked.command == "draw":
        write_drawn([Drawn(n, defect) for n, defect in enumerate(draw(Path.cwd()), 1)])
    elif asked.command == "run":
        tree = Tree(asked.tree.resolve(), asked.coverage, asked.limit)
        run(tree, asked.suite, asked.only)
    else:
        print(format_table(read_drawn()))


def run(tree: Tree, suite: str, only: list[int] | None) -> None:
    """Store the result of each defect at once, so that `only` can continue an interrupted run."""
    for number in only or [one.number for one in read_drawn()]:
        drawn = read_drawn()
        one = drawn[number - 1]
        if suite == "new":
            result = run_defect(tree, one.today, one.closest)
        else:
            result = run_defect(tree, one.defect)
        one.results[suite] = result
        write_drawn(drawn)
        print(number, result, flush=True)


def draw(root: Path, seed: int = SEED) -> list[Defect]:
    """Draw defects of the engine and the pages, then of the browser code; all sites are equally
    likely.
    """
    python = [*root.glob("ia_engine/**/*.py"), *root.glob("pages/**/*.py")]
    javascript = root.glob("assets/components/**/*.js")
    drawn = []
    for files, find, count in (
        (python, find_python_sites, PYTHON_DEFECTS),
        (javascript, find_javascript_sites, JAVASCRIPT_DEFECTS),
    ):
        names = sorted(path.relative_to(root).as_posix() for path in files)
        sources = {name: (root / name).read_bytes() for name in names}
        generator = random.Random(seed)
        sites = [(name, site) for name in names for site in find(sources[name])]
        for name, site in generator.sample(sites, count):
            drawn.append(make_defect(name, sources[name], site))
    return drawn


if __name__ == "__main__":
    main()
