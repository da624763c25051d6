"""The comparison on Runs has the labels of the pages, titles of options, and units."""

import pytest

from ia_engine.params import Choice, Range
from ia_engine.runs.differences import DATA, Line
from ia_engine.runs.kinds.iterations import COMPARED
from pages._ui.runs.comparison import METRICS, format_value, make_label
from pages._ui.wording import size

NUMBERS = (*COMPARED, "iteration", "seconds", "loss", "ACC", "objective", "sharpness", "d2 mean")
SIGMA = Range("σ", 0, 8, "smoothing", "px")
GROUP = Choice("𝕋", ("se2", "affine"), "group")


@pytest.mark.parametrize(
    ("line", "label"),
    [
        (Line("sigma", (), SIGMA), "Smoothing σ"),
        (Line("group", (), GROUP), "Ignored transformations 𝕋"),
        (Line("beta", (), Range("β", 0, 1, ""), "invariant attention"),
         "Invariant attention: bandwidth β"),
        (Line("budget", (), Range("", 0, 1, "", "s")), "CPU time"),
        (Line("version of torch", ()), "Version of torch"),
        (Line("source", (), of=DATA), "Data"),
        (Line("digest", (), of=DATA), "Data: digest"),
        (Line("ia: block_mass", (), result=True), "Invariant attention: block mass"),
        (Line("K-means: ARI", (), result=True), "K-means: ARI"),
        (Line("unheard of", (), result=True), "unheard of"),
    ],
)  # fmt: skip
def test_a_line_has_the_label_of_its_page(line, label):
    assert make_label(line) == label


@pytest.mark.parametrize(
    ("line", "value", "shown"),
    [
        (Line("group", (), GROUP), "se2", "rotation + translation"),
        (Line("sigma", (), SIGMA), "2 px", "2 px"),
        (Line("methods", ()), "kmeans, ia-se2", "K-means, Invariant attention, SE(2)"),
        (Line("seconds", (), result=True), "1.5", "1.5 s"),
        (Line("ia: block_mass", (), result=True), "0.6543", "65.4 %"),
        (Line("ia: block_mass", (), result=True), "–", "–"),
        (Line("seconds", (), result=True), "nan", "nan"),
    ],
)
def test_a_value_has_the_title_of_its_option_or_its_unit(line, value, shown):
    assert format_value(line, value) == shown


def test_every_number_of_a_run_has_a_label():
    assert set(NUMBERS) <= METRICS.keys()


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, "0.0 MB"), (1, "less than 0.1 MB"), (123_456, "0.1 MB"), (9_949_999, "9.9 MB"),
     (9_960_000, "10 MB"), (999_400_000, "999 MB"), (3_000_000_000, "3.0 GB")],
)  # fmt: skip
def test_sizes_are_rounded_to_megabytes_or_gigabytes(count, shown):
    assert size(count) == shown
