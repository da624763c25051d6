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


def test_the_parameters_of_a_config_are_described_in_order():
    beta, steps, group = parameters(Outer)
    assert (beta.name, beta.kind, beta.default) == ("beta", float, 10.0)
    assert (beta.about.symbol, beta.about.log) == ("β", True)
    assert (steps.name, steps.kind, steps.about.high) == ("steps", int, 20)
    assert group.about.options == ("se2", "affine")


@pytest.mark.parametrize("beta", [0.1, 7, 50])
def test_a_range_includes_its_bounds(beta):
    assert Outer(beta=beta).beta == beta


@pytest.mark.parametrize("beta", [0.09, 50.1, math.nan, math.inf, -math.inf])
def test_a_number_out_of_range_is_refused_with_the_bounds_and_the_value(beta):
    with pytest.raises(EngineError, match=rf"^beta must be between 0\.1 and 50; got {beta:g}$"):
        Outer(beta=beta)


def test_the_error_contains_the_unit():
    with pytest.raises(EngineError, match=r"^sigma must be between 0 and 8 px; got 9$"):
        Inner(sigma=9)


@pytest.mark.parametrize("beta", ["10", None, True, [10]])
def test_a_value_that_is_not_a_number_is_refused(beta):
    with pytest.raises(EngineError, match=r"^beta must be a number; got .+$"):
        Outer(beta=beta)


@pytest.mark.parametrize("steps", [2.0, True])
def test_an_integer_parameter_refuses_fractions(steps):
    with pytest.raises(EngineError, match=r"^steps must be a whole number; got .+$"):
        Outer(steps=steps)


def test_an_unknown_choice_is_refused_with_the_valid_ones():
    with pytest.raises(EngineError, match=r"^group must be one of se2, affine; got 'SE2'$"):
        Outer(group="SE2")


def test_a_config_is_unchanged_after_conversion_to_json_and_back():
    config = Outer(beta=2.5, steps=3, group="affine", inner=Inner(1.5), names=("a", "β"))
    assert Outer.from_json(config.to_json()) == config
    assert "β" in config.to_json()


def test_equal_configs_have_the_same_json():
    assert Outer(beta=10.0).to_json() == Outer(inner=Inner()).to_json()


def test_integers_in_json_are_accepted_for_floats():
    config = Outer.from_json('{"beta": 3, "inner": {"sigma": 2}}')
    assert isinstance(config.beta, float)
    assert config.inner == Inner(2.0)


@pytest.mark.parametrize("text", ['{"bta": 3}', "[1]", "3", "null", '{"inner": {"beta": 1}}'])
def test_unknown_keys_are_refused_with_the_valid_ones(text):
    with pytest.raises(EngineError, match=r"^the keys of (Outer|Inner) must be among \["):
        Outer.from_json(text)


def test_values_read_from_json_are_validated():
    with pytest.raises(EngineError, match="must be between"):
        Outer.from_json('{"inner": {"sigma": 99}}')


LONG = 10**400


@pytest.mark.parametrize("number", [LONG, -LONG])
def test_numbers_too_large_for_a_float_are_refused_with_one_message(number):
    said = "must be between .+; got a number with hundreds of digits$"
    with pytest.raises(EngineError, match=said):
        Outer(steps=number)
    with pytest.raises(EngineError, match=said):
        Outer.from_json(f'{{"beta": {number}}}')
    with pytest.raises(EngineError, match=said):
        Inner(sigma=number)


@pytest.mark.parametrize("text", ["{", "", '{"steps": ' + "9" * 5000 + "}", "[" * 10**5])
def test_invalid_json_is_refused_with_one_short_message(text):
    with pytest.raises(EngineError, match=r"^expected JSON") as caught:
        Outer.from_json(text)
    assert len(str(caught.value)) < 200
