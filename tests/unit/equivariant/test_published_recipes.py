"""The recipes of the attentive networks agree with the text of appendix B."""

import re
from dataclasses import replace

import pytest

from ia_engine.equivariant.architectures import RATE
from ia_engine.equivariant.recipes import OURS, PUBLISHED, TrainingConfig, list_differences

B1 = "Any missing parameter specification ... the default value of the corresponding parameter."
TEXTS = {
    "rot-mnist": "Adam, batches of size 128, weight decay of 0.0001, learning rate of 0.001, "
    "drop-out rate of 0.3, 100 epochs, train 10000",
    "all-cnn": "stochastic gradient descent, batches of size 128, weight decay of 0.001, "
    "350 epochs, learning rate in {0.01, 0.05, 0.1, 0.25}, factor of 10 at epochs 200, 250 and "
    "300, train 40000",
    "resnet44": "stochastic gradient descent, batches of size 128, learning rate of 0.05, "
    "300 epochs, factor of 10 at epochs 50, 100 and 150, train 40000",
    "pcam": "Adam, batches of size 64, weight decay of 0.0001, learning rate of 0.001, 100 epochs, "
    "factor of 2 after 20 epochs of no improvement, train 262144",
}
"""Values from B.2 to B.4 and sizes from section 4; for PCam, the size of the published split."""
DEFAULTS = {"momentum": 0.0, "decay": 0.0}
"""PyTorch's defaults, to which B.1 refers."""


def number(text, pattern, default=None):
    found = re.search(pattern, text)
    return default if found is None else float(found[1])


def read_text(text):
    """The fields of a config that the text states."""
    epochs = number(text, r"(\d+) epochs(?! of)")
    batch = int(number(text, r"size (\d+)"))
    marks = re.search(r"at epochs (\d+), (\d+) and (\d+)", text)
    return {
        "optimiser": "adam" if "Adam" in text else "sgd",
        "batch": batch,
        "decay": number(text, r"weight decay of ([\d.]+\d)", DEFAULTS["decay"]),
        "momentum": DEFAULTS["momentum"],
        "iterations": int(epochs) * (int(number(text, r"train (\d+)")) // batch),
        "schedule": "steps" if marks else "constant",
        "drops": tuple(int(mark) / epochs for mark in marks.groups()) if marks else (),
        "patience": int(number(text, r"after (\d+) epochs of no improvement", 0)),
        "augment": "none",
        "dropout": 1.0,
        "every": 0,
        "pooling": "exact",
    }


@pytest.mark.parametrize("name", TEXTS)
def test_every_value_that_the_paper_states_is_in_the_published_recipe(name):
    expected = read_text(TEXTS[name])
    config = PUBLISHED[name]
    if config.optimiser == "adam":  # Adam has no momentum of this kind
        del expected["momentum"]
    assert {key: getattr(config, key) for key in expected} == expected


@pytest.mark.parametrize("name", TEXTS)
def test_a_published_learning_rate_is_one_of_those_in_the_paper(name):
    text = TEXTS[name]
    grid = re.search(r"rate in \{(.*?)\}", text)
    rates = (
        [float(x) for x in grid[1].split(", ")] if grid else [number(text, r"rate of (0\.0\d*)")]
    )
    assert PUBLISHED[name].rate in rates


def test_the_dropout_rate_agrees_with_the_paper():
    assert RATE * PUBLISHED["rot-mnist"].dropout == number(
        TEXTS["rot-mnist"], r"drop-out rate of (0.3)"
    )


def test_augmented_recipes_differ_only_in_augmentation():
    for name in ("all-cnn", "resnet44"):
        assert PUBLISHED[f"{name}+"] == replace(PUBLISHED[name], augment="shift-flip")


@pytest.mark.parametrize("name", OURS)
def test_every_difference_between_our_recipes_and_the_published_ones_is_listed(name):
    published, own = OURS[name]
    different = [
        key for key in vars(own) if getattr(own, key) != getattr(PUBLISHED[published], key)
    ]
    listed = list_differences(name)
    assert [text.split()[0] for text in listed] == different
    assert different


def test_a_listed_difference_contains_both_values():
    assert "dropout 0.0 instead of 1.0" in list_differences("quick")
    assert "schedule 'one-cycle' instead of 'constant'" in list_differences("quick")
    assert TrainingConfig(dropout=0.0) == OURS["quick"][1]
