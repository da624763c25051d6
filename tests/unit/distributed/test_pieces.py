"""Blocks that are already finished are not computed again."""

from dataclasses import replace

import pytest

from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.distances.shared import cut, fingerprint
from ia_engine.distributed.ranks import Workshop, clear, prepare
from ia_engine.errors import EngineError
from ia_engine.transforms import GROUPS
from tests.tensors import rand, tensor

NAME = "0123456789abcdef-squares"


class Stopped(Exception):
    pass


@pytest.fixture
def folder(tmp_path):
    prepare(tmp_path / "blocks")
    return tmp_path / "blocks"


def square(number):
    return {"x": tensor([float(number**2)])}


def numbers(pieces):
    return [float(piece["x"]) for piece in pieces]


def test_a_second_run_computes_only_the_unfinished_blocks(folder):
    made, said = [], []

    def make(number):
        made.append(number)
        if made == [0, 1, 2]:
            raise Stopped
        return square(number)

    with pytest.raises(Stopped):
        Workshop(folder=folder).compute(NAME, 4, make)
    found = Workshop(folder=folder, say=said.append).compute(NAME, 4, make)
    assert numbers(found) == [0, 1, 4, 9]
    assert made == [0, 1, 2, 2, 3]
    assert said == ["2 of 4 blocks were already finished"]


def test_blocks_of_a_different_computation_in_the_same_folder_are_not_used(folder):
    Workshop(folder=folder).compute(NAME, 2, square)
    other = Workshop(folder=folder).compute(NAME[::-1], 2, lambda number: {"x": tensor([7.0])})
    assert numbers(other) == [7, 7]


def test_blocks_of_different_rows_images_or_sizes_have_different_names():
    v, solver = rand(4, 1, 6, 6), GlobalSearch(GROUPS["se2"])
    halves, quarters = cut([slice(0, 2), slice(2, 4)]), cut([slice(k, k + 1) for k in range(4)])
    names = {
        fingerprint(solver, v, halves),
        fingerprint(solver, v, quarters),
        fingerprint(solver, v.float(), halves),
        fingerprint(solver, 1 - v, halves),
        fingerprint(replace(solver, sigma=1.0), v, halves),
    }
    assert len(names) == 5
    assert fingerprint(solver, v.clone(), halves) in names


def test_without_a_folder_nothing_is_saved():
    assert numbers(Workshop().compute(NAME, 3, square)) == [0, 1, 4]


def test_a_damaged_block_is_named(folder):
    workshop = Workshop(folder=folder)
    workshop.compute(NAME, 2, square)
    (folder / f"{NAME}-00001.safetensors").write_bytes(b"nothing")
    with pytest.raises(EngineError, match="squares-00001"):
        workshop.compute(NAME, 2, square)


def test_blocks_and_temporary_files_of_killed_processes_are_removed_and_other_files_kept(folder):
    Workshop(folder=folder).compute(NAME, 2, square)
    (folder / f".{NAME}-00003.safetensors.0a1b2c3d").write_bytes(b"half")
    (folder / "notes.txt").write_text("mine", "utf-8")
    clear(folder)
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
    (folder / "notes.txt").unlink()
    clear(folder)
    assert not folder.exists()


def test_a_folder_that_cannot_be_created_is_reported_in_one_message(tmp_path):
    with pytest.raises(EngineError, match="could not be created"):
        prepare(tmp_path / "missing" / "blocks")
