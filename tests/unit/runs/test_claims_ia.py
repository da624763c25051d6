"""Claims of Invariant Attention's entries: positive controls, and choices of settings."""

import pytest

from assets.choose_settings import CHOICES
from ia_engine.datasets.generated import generate
from ia_engine.runs.papers import invariant, invariant_iterations, invariant_manifolds
from ia_engine.runs.papers import invariant_theorems as theorems
from ia_engine.runs.papers.choices import CHOICE_SEEDS, Choice, compare, find_best
from tests.unit.runs.claims_ia import CONTROLS, ROWS

pytestmark = pytest.mark.cpu_only("computations begin with data on the CPU")


@pytest.fixture(autouse=True)
def no_files(monkeypatch, tmp_path):
    monkeypatch.setenv("IA_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("IA_DATA", raising=False)


@pytest.mark.parametrize("name", CONTROLS)
def test_all_claims_hold_without_an_alteration(name):
    claims = CONTROLS[name]()
    assert [claim.holds for claim in claims] == [True] * len(claims)


def test_every_altered_entry_has_a_control():
    assert {row.entry for row in ROWS} == set(CONTROLS)


def choice(*candidates, least=0):
    return Choice("n", candidates, lambda n, seed: seed % n == 0, "n divides the seed", least)


def test_the_first_of_the_best_candidates_is_chosen():
    found = list(compare(choice(4, 3, 2), (2, 4, 6, 9)))
    assert [(one.candidate, one.met, one.compared) for one in found] == [
        (4, 1, 4),
        (3, 2, 4),
        (2, 3, 4),
    ]
    assert find_best(found).candidate == 2


def test_a_candidate_is_given_up_when_it_cannot_become_the_best():
    found = list(compare(choice(2, 5), (2, 4, 6, 9)))
    assert [one.compared for one in found] == [4, 1]


def test_a_candidate_that_must_meet_all_seeds_is_given_up_at_the_first_failure():
    assert next(compare(choice(5, least=4), (2, 4, 6, 9))).compared == 1


def test_the_settings_of_the_entries_are_candidates_of_their_choices():
    blobs, figure_4 = invariant.BLOBS, invariant_iterations.UNFINISHED
    chosen = {
        "ia-figure-1": invariant_manifolds.BETA,
        "ia-figure-2": (blobs.spread, blobs.radius),
        "ia-figure-4": (figure_4.updates, figure_4.quantile),
        "ia-theorem-41": theorems.CONSTANT,
    }
    assert chosen.keys() == CHOICES.keys()
    assert all(chosen[name] in CHOICES[name].candidates for name in chosen)
    assert min(CHOICE_SEEDS) >= 100
    assert not set(CHOICE_SEEDS) & set(range(30))


def test_the_figure_2_setting_is_chosen_on_seeds_that_are_not_reported():
    found = find_best(list(compare(invariant.CHOICE)))
    assert found.candidate == (invariant.BLOBS.spread, invariant.BLOBS.radius)
    assert found.met == len(CHOICE_SEEDS)


def test_the_preset_of_figure_4_shows_an_imperfect_matrix_and_then_three_clusters():
    """The data set of the preset and of the picture, not only the number of successful seeds."""
    run = invariant_iterations.attend_to(generate(invariant_iterations.SHOWN))
    assert run.as_in_the_paper
