"""Saved races are restored with their networks and resume as if they had not been interrupted."""

from contextlib import closing
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
import torch
from safetensors.numpy import save

from ia_engine.equivariant.race import NETWORKS_RACED, RaceConfig, count_steps, run_race
from ia_engine.errors import EngineError
from ia_engine.runs.catalogue import last_numbers
from ia_engine.runs.folder import Record
from ia_engine.runs.kinds.kind import OWN
from ia_engine.runs.kinds.races import RACES
from ia_engine.runs.kinds.saving import Destination, save_items
from ia_engine.runs.library import Library

pytestmark = [
    pytest.mark.cpu_only("files would be read onto the default device"),
    pytest.mark.usefixtures("short_races"),
]
CONFIG = RaceConfig(iterations=10, digits=200)


@pytest.fixture(scope="module", autouse=True)
def few_files(tmp_path_factory):
    """Always use scikit-learn's digits, regardless of the machine's data."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IA_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.delenv("IA_DATA", raising=False)
        yield


def keep(folder, items, count=None):
    library = Library(folder)
    record = Record(OWN, CONFIG.to_json(), 0, "", "cpu", "a race")
    destination = Destination(library, "named", "ann")
    with closing(save_items(destination, RACES, lambda: (record, {}), iter(items))) as kept:
        list(islice(kept, count))
    return library.find("named")


@pytest.fixture(scope="module")
def raced(tmp_path_factory, short_races):
    """All moments of a race, and the run in which they were saved."""
    moments = []

    def race():
        for moment in run_race(CONFIG):
            moments.append(moment)
            yield moment

    kept = keep(tmp_path_factory.mktemp("whole"), race())
    return moments, kept


@pytest.fixture
def whole(raced):
    return raced[0]


def errors(race):
    return {name: [(p.iteration, p.loss, p.error, p.test) for p in lane]
            for name, lane in race.curves.items()}  # fmt: skip


def assert_same_networks(one, other):
    assert one.networks.keys() == other.networks.keys()
    for name, network in one.networks.items():
        wanted = other.networks[name].state_dict()
        for key, found in network.state_dict().items():
            assert torch.equal(found, wanted[key]), f"{name}: {key}"


def test_a_race_is_restored_with_its_curves_and_networks(raced):
    whole, kept = raced
    assert (kept.kind, kept.state, kept.steps) == ("race", "done", len(whole))
    again = RACES.unpack(kept)
    assert [errors(race) for race in again] == [errors(race) for race in whole]
    assert_same_networks(again[-1], whole[-1])
    assert set(last_numbers(kept)) >= {f"{name}: test error" for name in NETWORKS_RACED}


@pytest.mark.parametrize("count", [1, 4])
def test_a_resumed_race_ends_with_the_weights_of_an_uninterrupted_one(tmp_path, whole, count):
    kept = keep(tmp_path, run_race(CONFIG), count)
    begun = RACES.unpack(kept)[-1]
    rest = list(run_race(CONFIG, begun))
    assert len(rest) == count_steps(CONFIG, begun) == len(whole) - count
    assert errors(rest[-1]) == errors(whole[-1])
    assert_same_networks(rest[-1], whole[-1])


def test_a_race_saved_on_another_machine_can_be_resumed(tmp_path, whole):
    begun = RACES.unpack(keep(tmp_path, run_race(CONFIG), 4))[-1]
    pixels = "0123456789abcdef" * 4
    kept = {name: replace(c, digest=pixels) for name, c in begun.checkpoints.items()}
    rest = list(run_race(CONFIG, replace(begun, digest=pixels, checkpoints=kept)))
    assert errors(rest[-1]) == errors(whole[-1])
    with pytest.raises(EngineError, match="got different digits"):
        next(run_race(RaceConfig(iterations=10, digits=200, seed=1), replace(begun, digest=pixels)))


def test_a_race_can_be_resumed_twice_from_the_same_moment(tmp_path, whole):
    begun = RACES.unpack(keep(tmp_path, run_race(CONFIG), 1))[-1]
    for _ in range(2):
        rest = list(run_race(CONFIG, begun))
        assert len(rest) == len(whole) - 1
        assert errors(rest[-1]) == errors(whole[-1])
        assert_same_networks(rest[-1], whole[-1])


def test_killing_a_race_between_writing_weights_and_curves_loses_nothing(tmp_path, whole):
    kept = keep(tmp_path, run_race(CONFIG), 4)
    (kept.folder / "step-00004.safetensors").unlink()
    begun = RACES.unpack(Library(tmp_path).find("named"))[-1]
    assert errors(begun) == errors(whole[3])
    assert errors([*run_race(CONFIG, begun)][-1]) == errors(whole[-1])


@pytest.mark.parametrize(
    "content", [b"no", save({"known": np.zeros(3, np.uint8)})], ids=["no file", "no text"]
)
def test_a_damaged_state_is_reported_in_one_message(tmp_path, whole, content):
    kept = keep(tmp_path, whole[:1])
    (kept.folder / "state.safetensors").write_bytes(content)
    with pytest.raises(EngineError, match=r"is damaged .*compute"):
        RACES.unpack(kept)


def test_a_race_is_not_resumed_with_different_digits(whole):
    with pytest.raises(EngineError, match="got different digits"):
        next(run_race(RaceConfig(iterations=10, digits=300), whole[0]))
