"""The claims of the lesson on the order of modules hold."""

import json

import pytest
import torch

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.recipes import ABLATIONS
from ia_engine.clustering.state import load_state
from ia_engine.clustering.training import restore, train
from ia_engine.datasets.recipes import load_recipe, make
from ia_engine.runs.clustering.result import read_part
from ia_engine.runs.folder import STATE
from ia_engine.runs.kinds.clusterings import CLUSTERINGS, read_plan
from ia_engine.transforms.morphology import WINDOW
from pages._ui.lessons.captions_learning import BUDGET, ORDER
from pages._ui.lessons.catalogue import run_of
from pages._ui.lessons.lesson import Place
from pages._ui.runs.current import find_saved

pytestmark = pytest.mark.cpu_only("the catalogue's data are on the CPU")
STEPS, BRIEF, SEED = 350, 120, 2
MORPHOLOGY, AFFINE_FIRST, MORPHOLOGY_FIRST = range(3)


def accuracy(at, steps=STEPS, curriculum="shares"):
    """The accuracy of a short clustering run that the test computes itself."""
    caption = ORDER.captions[at]
    data = make(load_recipe(caption.data))
    modules = ",".join(caption.settings["modules"])
    config = ClusterConfig(k=caption.settings["k"], sequence=modules, iterations=steps,
                           curriculum=curriculum)  # fmt: skip
    *_, last = train(config, data.images, SEED, rhythm=100.0)
    return read_part(last.state, data.images, data.labels, len(data.images)).agreement.acc


def test_training_affine_first_is_more_accurate_than_morphology_first():
    right = accuracy(AFFINE_FIRST)
    assert right > 0.8
    assert right > accuracy(MORPHOLOGY_FIRST) + 0.05


def test_if_both_modules_start_at_once_as_in_the_exercise_affine_first_has_no_advantage():
    assert "better only if the modules start one after the other" in ORDER.trial.why
    affine_first, morphology_first = (
        accuracy(at, BRIEF, "off") for at in (AFFINE_FIRST, MORPHOLOGY_FIRST)
    )
    assert affine_first < morphology_first + 0.05


@pytest.mark.parametrize(
    ("at", "low", "high"),
    [(MORPHOLOGY, 0.5, 0.7), (AFFINE_FIRST, 0.8, 1), (MORPHOLOGY_FIRST, 0.55, 0.75)],
)
def test_precomputed_runs_reach_the_accuracy_in_the_captions(at, low, high):
    place = Place(ORDER, at)
    kept = find_saved(run_of(place))
    plan, last = read_plan(kept), CLUSTERINGS.unpack(kept)[-1]
    assert plan.config.sequence == ",".join(place.caption.settings["modules"])
    assert (plan.budget, plan.config.k) == (BUDGET["budget"], BUDGET["k"])
    assert json.loads(plan.recipe) == json.loads(place.caption.data)
    assert low < last.newest.score.acc <= high


def test_the_caption_quotes_both_columns_of_the_table_in_the_paper():
    average, least = ABLATIONS["morphology, affine, tps"]
    text = ORDER.captions[MORPHOLOGY_FIRST].text
    assert f"{average} % on average over ten runs, but {least} % in the run with" in text


def translations(at):
    """The translation [px] by each window of a precomputed run: the position of its centre of
    mass.
    """
    caption = ORDER.captions[at]
    state = load_state(find_saved(run_of(Place(ORDER, at))).folder / STATE)
    data = make(load_recipe(caption.data))
    learner = restore(state)
    params = learner.predict(data.images, state.rows, state.stage)
    columns = learner.comparison.joint(learner.comparison.compare(data.images, params)).argmax(1)
    rows = torch.arange(len(columns), device="cpu")
    t = params[caption.settings["modules"].index("morphology")][columns, rows, 1:].clone()
    t[:, WINDOW**2 // 2] += 1
    a = t.clamp(0, 1)
    places = torch.arange(WINDOW, device="cpu") - WINDOW // 2
    grid = torch.cartesian_prod(places, places).float()
    return (a @ grid / a.sum(1, keepdim=True).clamp_min(1e-6)).norm(dim=1)


def test_predictors_translate_images_by_morphology_only_if_there_is_no_affine_module():
    assert translations(MORPHOLOGY).mean() > 1
    assert translations(AFFINE_FIRST).mean() < 0.5
