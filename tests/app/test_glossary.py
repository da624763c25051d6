"""Every symbol on the screen is in the glossary; formulas contain the numbers on their page."""

import json
import re

import pytest

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.attention.manifolds.pair import PairConfig
from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.clustering.config import ClusterConfig
from ia_engine.params import parameters
from ia_engine.runs.comparison.config import ComparisonConfig
from ia_engine.runs.comparison.sweep import SweepConfig
from pages._ui.state.iterations import Kernel, Limits
from pages._ui.wording import GLOSSARY
from tests.app.driving import ROOT, open_page

PAGES = ROOT / "pages"
CONFIGS = (
    *(AttentionConfig, Kernel, Limits, MeanConfig, PairConfig),
    *(ClusterConfig, ComparisonConfig, SweepConfig),
)
IN_CAPTIONS = ("β", "σ", "κ", "d", "W", "μ", "τ", "K", "α", "R", "ARI", "NMI", "ACC")
NAMES = ("data", "iterations", "mean", "manifolds", "clustering", "equivariance", "compare")


def formulas(app):
    """The text of every formula on the page, and the names of its terms."""
    found = []
    for element in app.main:
        if element.type == "bidi_component" and "ia_formula" in element.proto.component_name:
            parts = json.loads(element.proto.json)
            text = "".join(part[0] for part in parts)
            found.append((text, {part[1] for part in parts if len(part) > 1}))
    return found


def formula(app, start):
    (found,) = [(text, names) for text, names in formulas(app) if text.startswith(start)]
    return found


@pytest.mark.parametrize("symbol", IN_CAPTIONS)
def test_every_symbol_in_the_captions_is_in_the_glossary(symbol):
    assert len(GLOSSARY[symbol]) > 10


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.__name__)
def test_the_symbol_of_every_control_is_in_the_glossary(config):
    symbols = {p.about.symbol for p in parameters(config) if len(p.about.symbol) in (1, 2)}
    assert symbols <= set(GLOSSARY)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_lists_its_symbols(name):
    text, names = formula(open_page(PAGES / f"{name}.py"), "On this page: ")
    assert len(names) >= 5
    assert all(symbol in text for symbol in re.findall(r"\S+", text.partition(": ")[2]))


def test_the_formula_for_the_landscape_ends_with_the_global_distance_shown_on_the_page():
    app = open_page(PAGES / "manifolds.py", i="3", j="5")
    text, names = formula(app, "d²_σ")
    best = next(metric.value for metric in app.metric if metric.label == "d², global")
    assert text.endswith(f"= {best}")
    assert {"d2", "sigma", "pose", "vi", "vj"} <= names


def test_the_formula_for_a_row_of_weights_names_the_selected_pair():
    app = open_page(PAGES / "manifolds.py", i="3", j="5")
    text, names = formula(app, "W_{3,")
    assert text.startswith("W_{3,\u00a05}")
    assert {"W", "kappa", "sum"} <= names


def test_the_formula_for_a_convolution_names_the_selected_filter():
    app = open_page(PAGES / "equivariance.py", view="Inside a convolution", conv_filter="2")
    text, names = formula(app, "[f ⋆ ψ_{2}]")
    assert "(19)" in text
    assert {"attention", "response", "filter", "result"} <= names
