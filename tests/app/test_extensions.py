"""A group, a kernel, a weighting rule, a data set and a method, each added with one file and one
entry, pass the law tests and appear on every page that offers such items."""

import csv
import io
import json
import re
import subprocess
import sys

import pytest

from tests.app.driving import ROOT
from tests.extensions.loading import environment
from tests.waits import MAX_WAIT_S

SHOWN = {
    "Iterations": ("zoom", "Rational kernel", "β by the rule “median”"),
    "Iterations with a fixed β": ("Rational kernel",),
    "Runs": ("β by median", ", zoom"),
    "Mean": ("group zoom",),
    "Data": ("disks", "random numbers; no licence applies"),
    "Data, generated": ("Zoom",),
    "Compare": ("Agglomerative clustering", "Invariant attention, zoom"),
    "table": ("agglomerative", "ia-zoom"),
    "align --help": ("projective, zoom",),
    "attend --help": ("projective, zoom", "epanechnikov, rational", "topk, median"),
    "mean --help": ("projective, zoom",),
    "compare --help": ("agglomerative",),
    "attend": ("beta",),
}
LAWS = {
    "tests/property/test_group_laws.py": "zoom",
    "tests/property/test_kernel_laws.py": "rational",
    "tests/property/test_bandwidth.py": "median and rational",
    "tests/unit/datasets/test_recipes.py": "disks",
    "tests/unit/runs/test_comparison.py": "obvious and (agglomerative or ia-zoom)",
}


def run(folder, *argv):
    return subprocess.run(
        [sys.executable, *argv],
        cwd=folder,
        env={**environment(), "IA_CACHE": str(folder), "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
        timeout=MAX_WAIT_S,
    )


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """The output of the pages and commands in a process with the extensions."""
    found = run(tmp_path_factory.mktemp("extended"), "-m", "tests.extensions.pages")
    assert found.returncode == 0, found.stderr[-3000:]
    return json.loads(found.stdout.splitlines()[-1])


@pytest.mark.parametrize("place", SHOWN)
def test_extensions_appear_wherever_such_items_are_offered(shown, place):
    text = " ".join(shown[place].split())
    for part in SHOWN[place]:
        assert part in text, text[:3000]


def test_an_added_method_finds_the_disks_on_the_page_compare(shown):
    rows = {
        row["method"]: row
        for row in csv.DictReader(io.StringIO(shown["table"].removeprefix("\ufeff")))
    }
    assert set(rows) >= {"agglomerative", "ia-zoom"}
    assert all(row["clusters"] == "2" for row in rows.values()), rows


def test_extensions_pass_the_law_tests(tmp_path):
    counts = {}
    files = [str(ROOT / file) for file in LAWS]
    names = " or ".join(f"({expression})" for expression in LAWS.values())
    found = run(
        ROOT, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-rA",
        "--basetemp", str(tmp_path / "tests"), "-k", names, *files,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout[-3000:]
    for file in LAWS:
        counts[file] = len(re.findall(rf"^PASSED {re.escape(file)}", found.stdout, re.MULTILINE))
    assert all(counts.values()), counts
