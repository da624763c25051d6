"""Pairs of patterns that find the same number in a caption and on its page.

The first pattern searches the caption, the second one the page; their first groups must be the same
number. If the first pattern is empty, the page must only match the second one.
"""

from typing import Final

Said = tuple[tuple[str, str], ...]


def row(method: str, iteration: int, column: str) -> str:
    """A pattern for a cell in the table of measurements."""
    return rf"\| {method} {iteration} \|[^|]*?{column}=([\d.]+)"


def within(method: str) -> str:
    """A pattern for the share of the weight within classes, which is in the label of the matrix."""
    return rf"matrix of {method} attention at iteration 0, .*?(\d+) % of the weight"


CLUSTERS: Final = r"(\d+) clusters?"
ACC: Final = r"ACC ~ ([\d.]+) %"
ENDS: Final = r"Descent ends at θ = (−?[\d.]+)°"
BEST: Final = r"global search at (−?[\d.]+)°"
BASIN: Final = r"basin ~ ([\d.]+)\s?%"
SHARP: Final = r"\[μ at iteration 5\] ~ k = 5 ~ sharpness ([\d.]+)"
BETA: Final = r"\[β of Invariant attention: [^\]]*\] ~ (\d+)"

SAID: Final[dict[str, Said]] = {
    "mush.1": (("", "18 images of Invariant attention at iteration 0"),),
    "mush.2": (
        (r"d\^2 = (1.42)", row("kernel", 0, "d² within")),
        (r"by ~ (1.39)", row("kernel", 0, "d² between")),
        (r"(28) %", within("Kernel")),
    ),
    "mush.3": (
        (r"d\^2 = (0.02)", row("invariant", 0, "d² within")),
        (r"d\^2 = (0.60)", row("invariant", 0, "d² between")),
        (r"(100) %", within("Invariant")),
    ),
    "mush.4": (
        (r"(3) clusters", row("invariant", 4, "clusters")),
        (r"(1) cluster ", row("kernel", 2, "clusters")),
    ),
    "beta.1": (
        (r"d\^2 = (0.18)", row("invariant", 0, "d² within")),
        (r"by ~ (0.36)", row("invariant", 0, "d² between")),
        (r"β = (15)", BETA),
        (r"(2) clusters", row("invariant", 2, "clusters")),
    ),
    "beta.2": ((r"β = (5)\.", BETA), (r"(1) cluster", row("invariant", 3, "clusters"))),
    "beta.3": ((r"β = (200)\.", BETA), (r"(8) ?~? ?clusters", row("invariant", 4, "clusters"))),
    "beta.4": (
        (r"β = (9.2)", r"Invariant attention at iteration 0, β = ([\d.]+)\."),
        (r"(2) clusters", row("invariant", 1, "clusters")),
    ),
    "sigma.1": ((r"(−103)°", BEST), (r"at (1)°", ENDS), (r"(2.7) %", BASIN)),
    "sigma.2": ((r"σ = (1) px", r"Smoothing σ ~ (\d) px"), (r"(45) %", BASIN), (r"(−31)°", ENDS)),
    "sigma.3": ((r"σ = (2) px", r"Smoothing σ ~ (\d) px"), (r"(58) %", BASIN), (r"(−99)°", ENDS)),
    "sigma.4": (
        (r"σ = (8) px", r"Smoothing σ ~ (\d) px"),
        (r"(34)°", ENDS),
        (r"(0.0054)", r"d², descent ~ ([\d.]+)"),
    ),
    "basin.1": (
        (r"at ~ (3)°", ENDS),
        (r"(−114)°", BEST),
        (r"of ~? ?(0.19)", r"d², descent ~ ([\d.]+)"),
    ),
    "basin.2": ((r"(10) clusters", row("invariant", 2, "clusters")),),
    "basin.3": ((r"(3) clusters", row("invariant", 2, "clusters")),),
    "basin.4": ((r"is (0.02) on", row("invariant", 0, "d² within")),),
    "mean.1": (
        (r"sharpness ~ (0.14)", r"same images: sharpness ([\d.]+)"),
        (r"(0.68)", r"k = 50 ~ sharpness ([\d.]+)"),
    ),
    "mean.2": ((r"(0.36)", SHARP),),
    "mean.3": ((r"(0.29)", SHARP),),
    "mean.4": ((r"(0.68)", r"k = 0 ~ sharpness ([\d.]+)"), ("", SHARP)),
    "six-nine.1": (
        (r"(99) %", within("Invariant")),
        (r"(5) clusters", row("invariant", 4, "clusters")),
    ),
    "six-nine.2": (
        (r"d\^2 = (0.17)", row("invariant", 0, "d² within")),
        (r"only ~ (0.25)", row("invariant", 0, "d² between")),
        (r"(1) cluster ", row("invariant", 4, "clusters")),
    ),
    "six-nine.3": ((r"β = (30)\.", BETA), (r"(3) clusters", row("invariant", 4, "clusters"))),
    "stride.1": (("", r"Exact"), ("", r"filter centres on 8 by 8")),
    "stride.2": ((r"error is (1.6)", r"relative error ([\d.]+) after"), ("", r"centres on 8 by 8")),
    "stride.3": (("", r"Exact"), ("", r"filter centres on 9 by 9")),
    "stride.4": (("", r"Exact"), (r"about ~ (0.3)", r"with strides: error up to ([\d.]+)")),
    "noise.1": ((r"sharpness ~ (0.035)", r"same images: sharpness ([\d.]+)"),),
    "noise.2": (("", r"k = 0 ~ sharpness [\d.]+"),),
    "noise.3": (("", r"changed settings"),),
    "noise.4": ((r"(0.047)", SHARP),),
    "arrows.1": (
        (r"d\^2 = (0.36)", row("invariant", 0, "d² within")),
        (r"directions by ~ (0.89)", row("invariant", 0, "d² between")),
        (r"(2) ?~? ?clusters", row("invariant", 2, "clusters")),
    ),
    "arrows.2": (
        (r"d\^2 = (0.16)", row("invariant", 0, "d² between")),
        (r"(0.18)", row("invariant", 0, "d² within")),
        (r"(1) cluster ", row("invariant", 1, "clusters")),
    ),
    "arrows.3": ((r"β = (60)", BETA), (r"(3) clusters", row("invariant", 4, "clusters"))),
    "choice.1": ((r"(1) cluster ", row("invariant", 4, "clusters")),),
    "choice.2": (
        (r"d\^2 = (0.10)", row("invariant", 0, "d² within")),
        (r"(4) ?~? ?clusters", row("invariant", 4, "clusters")),
    ),
    "choice.3": (
        (r"d\^2 = (0.01)", row("invariant", 0, "d² within")),
        (r"(0.33)", row("invariant", 0, "d² between")),
        (r"(3) ?~? ?clusters", row("invariant", 4, "clusters")),
    ),
    "choice.4": (
        (r"to ~ (0.03)", row("invariant", 0, "d² between")),
        (r"(1) cluster ", row("invariant", 4, "clusters")),
    ),
    "layers.1": (
        (r"average ~ (0.04)", r"layer 1: ([\d.]+)"),
        (r"and ~ (0.38)", r"layer 1: [\d.]+, ([\d.]+)"),
    ),
    "layers.2": (
        (r"(1.00)", r"layer 2: ([\d.]+)"),
        (r"(0.82)", r"layer 2: [\d.]+, ([\d.]+)"),
    ),
    "layers.3": (
        (r"(0.09)", r"layer 5: ([\d.]+)"),
        (r"and ~ (0.31)", r"layer 5: [\d.]+, ([\d.]+)"),
    ),
    "layers.4": (
        (r"by ~ (90)°", r"for the layers\] ~ ([\d.]+)°"),
        ("", r"relative error \d·10⁻[⁶⁷⁸⁹]"),
    ),
}

ACCURACY: Final = {"order.1": (50.0, 70.0), "order.2": (80.0, 100.0), "order.3": (55.0, 75.0)}
"""Bounds of the captions' "six in ten", "more than eight in ten" and "two thirds" [%]."""
