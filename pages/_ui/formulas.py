"""Formulas whose terms highlight parts of the pictures, and the glossary of their symbols."""

from collections.abc import Sequence
from typing import Final

from pages._ui.components.bundles import component

WORDS: Final = {
    "v": "an image; vᵢ is the i-th. Its pixels are scaled to norm 1",
    "n": "how many images take part",
    "m": "with how many of its nearest images each is compared",
    "p": "how often every image has been replaced by its mean",
    "P": "how many times distances, weights and means are computed",
    "𝕋": "the group of transformations that do not count as a difference",
    "SE(2)": "the group of turns and shifts of the plane",
    "τ": "a pose: the coordinates in 𝕋 of a transformation; 0 leaves an image as it is",
    "θ": "a turn, positive anticlockwise, in degrees",
    "b": "a shift: rows down, then columns to the right, in pixels",
    "σ": "the width of the Gaussian blur under which images are compared, in pixels",
    "d": "the distance of two images up to 𝕋: the least ‖vᵢ∘τ − vⱼ‖ over all poses τ; no unit",
    "R": "the largest distance d of any two images; no unit",
    "β": "how sharply a distance is punished: κ = exp(−β d²); no unit",
    "κ": "the kernel: how alike two images are, 1 where their distance is 0",
    "γ": "the kernel of all pairs, before its columns are brought to the sum 1",
    "W": "the weights: Wᵢⱼ is the share of image i in mean j; every column adds up to 1",
    "μ": "a mean, plain or invariant: the invariant mean of images is taken in a common pose",
    "U": "U(τ)v is the image v, turned and shifted by τ",
    "f": "the objective (2.3): the sum of Wᵢ ‖U(τᵢ)vᵢ − μ‖²; no unit",
    "x": "the exponent that β punishes, where it is not d²; or an image that is clustered",
    "q": "β d² = 1 where this share of all pairs is nearer",
    "c′": "the constant of Theorem 4.1: β = c′/R²",
    "t": "the step size of a descent; no unit",
    "k": "counts: a neighbour, an iteration of Algorithm 1, or a cluster",
    "N": "how many steps a solver, or a training, takes",
    "K": "how many clusters, or prototypes, are sought",
    "c": "cₖ is the k-th prototype",
    "T": "T_β(c): the prototype c, transformed; or the steps between two checks of the clusters",
    "B": "how many images there are in a training step",
    "η": "the learning rate of Adam",
    "ρ": "a cluster below this share of n/K is given up; ρ_min: the bound of Theorem 3.1",
    "ε": "a cluster that is missed less than this is exchanged",
    "α": "attention in a group convolution, between 0 and 1: α⁺ = 1 − α⁻ is kept, "
    "α⁻ = αX·αC is removed",
    "ψ": "a filter of a convolution",
    "h": "a pose of the group H, such as p4: a quarter turn; h̃ is one of the input's",
    "p4": "the group of quarter turns and shifts; p4m knows mirrors as well",
    "s": "a seed, from which all that is drawn by chance follows; or a stride",
    "ARI": "adjusted Rand index of clusters and classes: 1 equal, 0 as by chance, below 0 worse",
    "NMI": "normalised mutual information of clusters and classes: 1 equal, 0 none",
    "ACC": "the share of images in the right class, under the best map of clusters to classes",
    "block mass": "the share of the weight off the diagonal of W that stays within classes",
}


Part = tuple[str, str, str] | tuple[str]
"""Text of a term, its name, and its tooltip; or only text."""

_formula = component("ia_formula", "formula")


def show_formula(parts: Sequence[Part], key: str) -> None:
    """A formula whose terms can be pointed at, or reached by Tab and the arrow keys."""
    _formula(key=key, data=[list(part) for part in parts])


def term(text: str, name: str, symbol: str, more: str = "") -> Part:
    """A term with the glossary's entry for its symbol; pictures use the same names."""
    return text, name, f"{symbol}: {WORDS[symbol]}" + (f"; {more}" if more else "")


def show_symbols(*symbols: str, terms: dict[str, str] | None = None) -> None:
    """The symbols of a page with their definitions as tooltips; `terms` names their pictures."""
    parts: list[Part] = [("On this page: ",)]
    for symbol in symbols:
        name = (terms or {}).get(symbol, f"word-{symbol}")
        parts += [term(symbol, name, symbol), ("   ",)]
    show_formula(parts, "words")
