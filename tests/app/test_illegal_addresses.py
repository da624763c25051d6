"""A page explains every illegal value in its address and states the value used instead."""

import pytest

from tests.app.driving import ROOT, open_page

CASES = [
    ("data", {"way": "nothing"}),
    ("iterations", {"view": "nothing", "job": "lesson-mush-1"}),
    ("iterations", {"group": "nothing"}),
    ("iterations", {"images": "nothing"}),
    ("iterations", {"beta": "1e9"}),
    ("iterations", {"i": "0"}),
    ("iterations", {"step": "nothing", "job": "lesson-mush-1"}),
    ("mean", {"class": "nothing", "data": "experiment-1"}),
    ("manifolds", {"sigma": "1e9"}),
    ("manifolds", {"sigma": "nothing"}),
    ("clustering", {"modules": "nothing"}),
    ("clustering", {"model": "nothing"}),
    ("equivariance", {"turn": "nothing"}),
    ("equivariance", {"turn": "1e999"}),
    ("equivariance", {"layer": "0"}),
    ("equivariance", {"layer": "0000019"}),
    ("equivariance", {"layer": "000001" + 4400 * "9"}),
    ("equivariance", {"network": "nothing"}),
    ("equivariance", {"side": "nothing", "view": "Stride and parity"}),
    ("compare", {"methods": "nothing"}),
    ("compare", {"marked": "nothing"}),
    ("compare", {"measure": "nothing"}),
    ("compare", {"order": "nothing"}),
    ("papers", {"entry": "nothing"}),
]
LONGEST = 40
"""Number of characters of a value that a message repeats."""


@pytest.mark.parametrize(("page", "address"), CASES)
def test_exactly_one_message_explains_an_illegal_value_and_its_replacement(page, address):
    app = open_page(ROOT / "pages" / f"{page}.py", **address)
    assert not app.exception
    name, value = next(iter(address.items()))
    notes = [note.value.replace("\\", "") for note in app.warning if "address" in note.value]
    assert len(notes) == 1, notes
    shown = value[:LONGEST]
    assert notes[0].startswith(f"The address contains {name} = {shown}, which must be "), notes
    assert ": " in notes[0]
