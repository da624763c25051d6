import math
from dataclasses import dataclass, field
from typing import Annotated

import pytest

from ia_engine.errors import EngineError
from ia_engine.params import Choice, Config, Range, parameters


@dataclass(frozen=True)
class Inner(Config):
    sigma: Annotated[float, Range("σ", 0, 8, "how far is smoothed", "px")] = 0.0


@dataclass(frozen=True)
class Outer(Config):
    beta: Annotated[float, Range("β", 0.1, 50, "how sharp the kernel is", log=True)] = 10.0
    steps: Annotated[int, Range("N", 1, 20, "how many iterations")] = 5
    group: Annotated[str, Choice("G", ("se2", "affine"), "which transformations")] = "se2"
    inner: Inner = field(default_factory=Inner)
    names: tuple[str, ...] = ()


def test_fields_describe_themselves_in_their_order():
    beta, steps, group = parameters(Outer)
    assert (beta.name, beta.kind, beta.default) == ("beta", float, 10.0)
    assert (beta.about.symbol, beta.about.log) == ("β", True)
    assert (steps.name, steps.kind, steps.about.high) == ("steps", int, 20)
    assert group.about.options == ("se2", "affine")


@pytest.mark.parametrize("beta", [0.1, 7, 50])
def test_bounds_belong_to_the_range(beta):
    assert Outer(beta=beta).beta == beta


@pytest.mark.parametrize("beta", [0.09, 50.1, math.nan, math.inf, -math.inf])
def test_number_outside_says_what_was_expected_and_what_came(beta):
    with pytest.raises(EngineError, match=rf"^beta must be between 0\.1 and 50; got {beta:g}$"):
        Outer(beta=beta)


def test_unit_stands_in_the_sentence():
    with pytest.raises(EngineError, match=r"^sigma must be between 0 and 8 px; got 9$"):
        Inner(sigma=9)


@pytest.mark.parametrize("beta", ["10", None, True, [10]])
def test_what_is_no_number_is_refused(beta):
    with pytest.raises(EngineError, match=r"^beta must be a number; got .+$"):
        Outer(beta=beta)


@pytest.mark.parametrize("steps", [2.0, True])
def test_whole_number_must_be_whole(steps):
    with pytest.raises(EngineError, match=r"^steps must be a whole number; got .+$"):
        Outer(steps=steps)


def test_unknown_choice_lists_the_known_ones():
    with pytest.raises(EngineError, match=r"^group must be one of se2, affine; got 'SE2'$"):
        Outer(group="SE2")


def test_json_gives_back_the_same_config():
    config = Outer(beta=2.5, steps=3, group="affine", inner=Inner(1.5), names=("a", "β"))
    assert Outer.from_json(config.to_json()) == config
    assert "β" in config.to_json()


def test_equal_configs_give_equal_text():
    assert Outer(beta=10.0).to_json() == Outer(inner=Inner()).to_json()


def test_whole_numbers_in_json_may_stand_for_floats():
    config = Outer.from_json('{"beta": 3, "inner": {"sigma": 2}}')
    assert isinstance(config.beta, float)
    assert config.inner == Inner(2.0)


@pytest.mark.parametrize("text", ['{"bta": 3}', "[1]", "3", "null", '{"inner": {"beta": 1}}'])
def test_keys_that_are_not_known_are_refused_with_the_known_ones(text):
    with pytest.raises(EngineError, match=r"^an? (Outer|Inner) must have keys among \["):
        Outer.from_json(text)


def test_values_from_outside_are_checked_too():
    with pytest.raises(EngineError, match="must be between"):
        Outer.from_json('{"inner": {"sigma": 99}}')


LONG = 10**400


@pytest.mark.parametrize("number", [LONG, -LONG])
def test_numbers_that_no_float_can_hold_are_refused_in_a_sentence(number):
    said = "must be between .+; got a number of hundreds of digits$"
    with pytest.raises(EngineError, match=said):
        Outer(steps=number)
    with pytest.raises(EngineError, match=said):
        Outer.from_json(f'{{"beta": {number}}}')
    with pytest.raises(EngineError, match=said):
        Inner(sigma=number)


@pytest.mark.parametrize("text", ["{", "", '{"steps": ' + "9" * 5000 + "}", "[" * 10**5])
def test_what_is_no_json_or_cannot_be_read_is_refused_in_a_sentence(text):
    with pytest.raises(EngineError, match=r"^expected a text in JSON") as caught:
        Outer.from_json(text)
    assert len(str(caught.value)) < 200
