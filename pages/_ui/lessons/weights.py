"""Lessons on the weights W: what makes blocks of them, how sharp β is, what invariance costs."""

from typing import Final

from ia_engine.datasets.data import Recipe
from ia_engine.datasets.distortions import Distortion
from ia_engine.datasets.generated import GeneratedConfig
from pages._ui.lessons.lesson import Caption, Lesson, Trial

FEW: Final = 6


MANY: Final = 60


def _write(digits: str, copies: int, size: int, fill: float) -> str:
    """So many of each digit, no two written alike, turned by up to 23° and shifted by 3 px."""
    config = GeneratedConfig(
        bases=tuple(f"digits:{digit}" for digit in digits),
        copies=copies,
        size=size,
        fill=fill,
        distortions=(Distortion("se2", (-0.4, -3.0), (0.4, 3.0)),),
    )
    return Recipe("generated", config).to_json()


THREES_SEVENS: Final = _write("37", FEW, 48, 0.6)


SIXES_NINES: Final = _write("69", FEW, 48, 0.6)


DIGITS: Final = _write("037", MANY, 28, 0.7)


PAGE: Final = "iterations"
EXPERIMENT: Final = "experiment-1"
BLOCKS: Final = "Weights, first and last"
TREE: Final = "Merge tree"

MUSH: Final = Lesson(
    "mush",
    "Mush, or three things",
    "Kernel attention makes mush of turned images, invariant attention does not",
    (
        Caption(
            "An average with weights",
            "A crab, a seven and a snail, **six times each**, every copy turned and shifted its "
            "own way. Each image will be replaced by an **average** of all eighteen, in which "
            "some count more than others.\n\n"
            "The square says who counts how much. **One column is one average**: its cells, from "
            "top to bottom, are the shares of images 1 to 18, adding up to 1. The scale beside the "
            "letter **W** runs from no share to a large one. The square's coloured edges say what "
            "an image shows: first come the crabs, then the sevens, then the snails.",
            PAGE,
            {},
            EXPERIMENT,
            runs=True,
            poses="own",
        ),
        Caption(
            "Compared unaligned",
            "The more alike two images are, the more they count for one another. **Kernel "
            "attention** compares them **unaligned**: their difference, written $d^2$, is the "
            "sum of the squared differences of all pixels. Click a cell of its square in which "
            "two crabs meet, and see one drawn over the other.\n\n"
            "A turned crab covers other pixels. So two images of one kind differ by "
            "$d^2 = 1.42$ on average, and of two kinds by $1.39$: a crab is as strange to a crab "
            "as to a snail. The diagonal stands out, since nothing is as like an image as itself. "
            "The other shares, which mix the images, are **scattered** over the whole square: "
            "**28 %** of them stay within a kind. Five of the seventeen other images are of its "
            "kind, "
            "so chance alone would put 29 % there.",
            PAGE,
            {"view": "Distances"},
            EXPERIMENT,
            runs=True,
            poses="own",
        ),
        Caption(
            "Aligned first, then compared",
            "**Invariant attention** first turns and shifts one image until it lies on the other "
            "as well as it can, and **then** compares. So its images are now shown aligned "
            "with the first of their kind (**poses: common**); the data are the same.\n\n"
            "Two crabs are the same drawing: within a kind $d^2 = 0.02$. A crab never becomes "
            "a seven, however one turns it: between kinds $d^2 = 0.60$. So in a crab's average the "
            "crabs count, and sevens and snails do not: **100 %** of the shares stay within a "
            "kind.\n\n"
            "Crabs stand beside crabs, down the side and along the top. So the shares fill **three "
            "blocks on the diagonal**, crabs with crabs, sevens with sevens, snails with snails: "
            "the square is **block-diagonal**. That of kernel attention is not. To be fair, its β "
            "is 2: unaligned, all distances are large, and with β = 15 nearly all the weight of an "
            "image would be its own.",
            PAGE,
            {"view": BLOCKS},
            EXPERIMENT,
            runs=True,
            poses="common",
        ),
        Caption(
            "What the averages become",
            "**Play**, and watch the pictures: each round of averaging is an **iteration**, and "
            "images that have become the same are a **cluster**.\n\nIn **invariant attention** "
            "the others of a kind are aligned with an image before they are averaged: it is still "
            "a "
            "crab, a seven, a snail. **3 clusters.**\n\nIn **kernel attention** every image "
            "is averaged with all others unaligned, again and again: after two iterations all "
            "eighteen are one grey blot. **1 cluster**, mush.",
            PAGE,
            {"view": TREE},
            EXPERIMENT,
            runs=True,
            poses="common",
        ),
    ),
    Trial(
        "Can a larger β save kernel attention? Set **Kernel bandwidth β** to 10 and press **Run**.",
        "No mush, and no classes either: W is diagonal, and all 18 clusters remain.",
        "Pixel differences cannot distinguish a rotated crab from a snail. A β that is "
        "large enough to ignore snails ignores other crabs too: every image is left alone.",
    ),
)

BETA: Final = Lesson(
    "beta",
    "How alike is alike?",
    "β too small, too large, and a bandwidth that is computed from the data",
    (
        Caption(
            "β says how fast a weight falls",
            "Six 3s and six 7s, no two written alike. Aligned as well as possible, "
            "two of one kind differ by $d^2 = 0.18$ on average, a 3 and a 7 by $0.36$.\n\n"
            r"The weight goes as $e^{-\beta d^2}$. At **β = 15** that is 0.07 within a class and "
            "0.005 between. **Play**: after two iterations the 3s are one image and the 7s "
            "another, **2 clusters**.",
            PAGE,
            {},
            THREES_SEVENS,
            runs=True,
        ),
        Caption(
            "Too small: all are alike",
            "**β = 5.** Now a 7 has weight 0.17 in a 3's average (before it is normalised), and "
            "another 3 has weight 0.40: too little difference. After **three iterations**, shown "
            "here, every image is the same blend: **1 cluster**, neither a 3 nor a 7.",
            PAGE,
            {"beta": 5.0},
            THREES_SEVENS,
            runs=True,
            step=3,
        ),
        Caption(
            "Too large: each is alone",
            "**β = 200.** At the mean distance within a class, the weight is 10⁻¹⁶. W is nearly "
            "diagonal, every image is nearly its own average, and the **8 clusters** of the "
            "beginning remain to the end (some images are alike enough to share one).",
            PAGE,
            {"beta": 200.0},
            THREES_SEVENS,
            runs=True,
            step=4,
        ),
        Caption(
            "Let the data decide",
            "$d^2$ is unknown before a run. The rule **from a quantile** computes β from the "
            "distances: "
            r"$\beta d^2 = 1$ where 10 % of all pairs are nearer, here **β = 9.2**. It is "
            "recomputed at every iteration: as the classes contract, β grows, and they stay "
            "apart. **Play**: "
            "**2 clusters** after one iteration.",
            PAGE,
            {"bandwidth": "quantile"},
            THREES_SEVENS,
            runs=True,
        ),
    ),
    Trial(
        "Under **More**, set **Rule for β** to **local: k-th neighbour**, and press **Run**. "
        "**Play** to the end.",
        "1 cluster: after four iterations, 3s and 7s look the same.",
        "This rule gives each column its own β. An image whose neighbours are far away gets a "
        "small β, which gives weight to the other class and merges the two. A rule uses "
        "distances; it does not know the classes.",
    ),
)

SIX_NINE: Final = Lesson(
    "six-nine",
    "6 and 9",
    "What invariance costs: ignored differences can no longer be told apart",
    (
        Caption(
            "Only shifts are ignored",
            "Six 6s and six 9s, a little turned and shifted. Here only **shifts** are "
            "ignored. **99 %** of the weight off the diagonal stays within the classes: no "
            "cluster mixes 6s and 9s.\n\nThe price: copies of a 6 that are rotated differently "
            "are different images. **Play**: after four iterations there are **5 clusters**, not "
            "2.",
            PAGE,
            {"group": "translation", "view": TREE},
            SIXES_NINES,
            runs=True,
        ),
        Caption(
            "Rotations are ignored too",
            "Now **rotations and shifts**, SE(2). The rotated copies match one another, and so do "
            "6 and 9, since a 6 upside down is nearly a 9: within a class $d^2 = 0.17$, between "
            "them only $0.25$. After four iterations, as it stands here, **1 cluster** is left."
            "\n\nNo weight can recover a difference that the group ignores.",
            PAGE,
            {"view": TREE},
            SIXES_NINES,
            runs=True,
            step=4,
        ),
        Caption(
            "A sharper β is no way out",
            "**β = 30.** Fewer images merge. After four iterations there are **3 clusters**, but "
            "one of them holds all six 6s and three of the 9s. A 9 may be nearer to a 6 upside "
            "down than to any other 9.",
            PAGE,
            {"beta": 30.0, "view": TREE},
            SIXES_NINES,
            runs=True,
            step=4,
        ),
    ),
    Trial(
        "Set **Ignored transformations** to **rotation** alone, and press **Run**.",
        "11 clusters: next to nothing merges.",
        "Every copy is shifted too, and now a shift counts. Choose a group that contains the "
        "differences you want to ignore, and no others: too small a group splits a class, too "
        "large a group merges two.",
    ),
)
