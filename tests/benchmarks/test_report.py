"""The figures that the project quotes match the stored results."""

import re

from ia_engine.equivariant.networks import find_network
from ia_engine.runs.papers.attentive_tables import DIGITS
from tests.benchmarks import report, results
from tests.benchmarks.results import Result

ONE = Result(
    {
        "name": "one",
        "figures": {"floors": 8.3, "sizes": {"n = 100": 1, "n = 200": 2}},
        "claims": {"at most 4": False, "below 1 GB": True},
        "cpu_seconds": 3.2,
        "processor": "abacus",
        "date": "2026-11-19",
    }
)
QUOTED = re.compile(r"(p4|BIG 11|α_RH|α_F|Z²) (\d+\.\d+) %")
NETWORKS = {
    "p4": "p4", "BIG 11": "big11-p4", "α_RH": "alpha-rh-p4", "α_F": "alpha-f-p4", "Z²": "z2"
}  # fmt: skip


def test_the_page_of_benchmarks_agrees_with_the_stored_results():
    """If this fails, `python -m tests.benchmarks.report` rewrites the page."""
    assert report.DOCUMENT.read_text("utf-8") == report.document(results.read_all())


def test_a_missed_claim_is_shown_as_missed_beside_its_figures():
    page = report.document([ONE])
    assert "1 of 2 claims are missed" in page
    assert "| one | at most 4 | floors: 8.3<br>sizes, n = 100: 1<br>sizes, n = 200: 2 |" in page
    assert "**missed**: at most 4<br>held: below 1 GB" in page


def test_the_papers_page_quotes_the_stored_errors_at_equal_cpu_time():
    stored = results.read("Table 1 at equal CPU time").content["figures"]
    quoted = QUOTED.findall(DIGITS.about)
    assert len(quoted) == len(NETWORKS)
    for name, error in quoted:
        assert float(error) == stored[find_network(NETWORKS[name]).title]["test error [%]"], name
