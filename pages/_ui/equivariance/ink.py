"""Whether attention keeps the digit or holds it back, in a sentence that is computed."""

from typing import Final

from ia_engine.equivariant.maps import weigh_ink
from ia_engine.shapes import Heat
from pages._ui.equivariance.pictures import Picture

SAME: Final = 0.01
"""Means that differ by less are called alike."""


def tell_ink(kept: Heat, picture: Picture, name: str) -> str:
    """What the kept share of attention [... y x], with this name, does to the digit."""
    on, beside = weigh_ink(kept, picture.v)
    told = f"On the digit {name} is {on:.2f} on average, beside it {beside:.2f}: the digit is "
    if abs(on - beside) < SAME:
        return f"{told}attenuated as much as what surrounds it."
    return f"{told}{'kept' if on > beside else 'attenuated'} more than what surrounds it."
