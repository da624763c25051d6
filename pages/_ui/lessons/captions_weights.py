"""Lessons on the weights W: why they form blocks, the bandwidth β, and the price of invariance."""

from typing import Final

from ia_engine.datasets.data import Recipe
from ia_engine.datasets.distortions import Distortion
from ia_engine.datasets.generated import GeneratedConfig
from pages._ui.lessons.lesson import Caption, Lesson, Trial
from pages._ui.wording import LABELS, word_of

COPIES: Final = 6
MANY_COPIES: Final = 60


def _make_recipe(digits: str, copies: int, size: int, fill: float) -> str:
    """The recipe of handwritten digits, rotated by up to 23° and translated by up to 3 px."""
    config = GeneratedConfig(
        bases=tuple(f"digits:{digit}" for digit in digits),
        copies=copies,
        size=size,
        fill=fill,
        distortions=(Distortion("se2", (-0.4, -3.0), (0.4, 3.0)),),
    )
    return Recipe("generated", config).to_json()


THREES_SEVENS: Final = _make_recipe("37", COPIES, 48, 0.6)
SIXES_NINES: Final = _make_recipe("69", COPIES, 48, 0.6)
DIGITS: Final = _make_recipe("037", MANY_COPIES, 28, 0.7)

PAGE: Final = "iterations"
EXPERIMENT: Final = "experiment-1"
BLOCKS: Final = "Weights, first and last"
TREE: Final = "Merge tree"

MUSH: Final = Lesson(
    "mush",
    "Mush, or three clusters",
    "Kernel attention turns rotated images into mush; invariant attention does not",
    (
        Caption(
            "A weighted average",
            "A crab, a seven and a snail, **six times each**, every copy rotated and translated "
            "differently. Each image will be replaced by a **weighted average** of all eighteen."
            "\n\nThe square shows the weights. **One column is one average**: its cells, from top "
            "to bottom, are the weights of images 1 to 18, and they add up to 1. The scale beside "
            "the letter **W** shows the weight that each shade represents. The coloured edges of "
            "the square show the classes: first the crabs, then the sevens, then the snails.",
            PAGE,
            {},
            EXPERIMENT,
            runs=True,
            poses="own",
        ),
        Caption(
            "Compared unaligned",
            "The more similar two images are, the larger their weight in each other's average. "
            "**Kernel attention** compares them **unaligned**: their distance, written $d^2$, is "
            "the sum of the squared differences of all pixels. Click a cell of its square where "
            "two crabs meet to see one drawn over the other.\n\n"
            "A rotated crab covers different pixels. So two images of one class differ by "
            "$d^2 = 1.42$ on average, and images of two classes by $1.39$: a crab is as different "
            "from another crab as it is from a snail. The diagonal stands out, because every "
            "image is identical to itself. The other weights, which mix the images, are "
            "**scattered** over the whole square: **28 %** of them stay within a class. Five of "
            "the seventeen other images are in the same class, so chance alone would give 29 %.",
            PAGE,
            {"view": "Distances"},
            EXPERIMENT,
            runs=True,
            poses="own",
        ),
        Caption(
            "Aligned first, then compared",
            "**Invariant attention** first rotates and translates one image until it matches the "
            "other as well as possible, and **then** compares them. So its images are now shown "
            "aligned with the first of their class (**poses: common**); the data are the same.\n\n"
            "Aligned, two crabs are the same drawing: within a class $d^2 = 0.02$. No rotation "
            "turns a crab into a seven: between classes $d^2 = 0.60$. So only crabs have weight in "
            "a crab's average: **100 %** of the weights stay within a class.\n\n"
            "The images are sorted by class, from top to bottom and from left to right. So the "
            "weights form **three blocks on the diagonal**: the square is **block-diagonal**. That "
            "of kernel attention is not. For a fair comparison, kernel attention uses β = 2: "
            "unaligned images are all far apart, and with β = 15 each image would give nearly all "
            "its weight to itself.",
            PAGE,
            {"view": BLOCKS},
            EXPERIMENT,
            runs=True,
            poses="common",
        ),
        Caption(
            "What the averages become",
            "Press **Play** and watch the pictures: each round of averaging is an **iteration**, "
            "and images that have become equal form a **cluster**.\n\nIn **invariant attention** "
            "the images of a class are aligned before they are averaged: each remains a crab, a "
            "seven or a snail. **3 clusters.**\n\nIn **kernel attention** every image is averaged "
            "with all others unaligned, again and again: after two iterations all eighteen are one "
            "grey blot. **1 cluster**: mush.",
            PAGE,
            {"view": TREE},
            EXPERIMENT,
            runs=True,
            poses="common",
        ),
    ),
    Trial(
        f"Can a larger β save kernel attention? Set **{LABELS['kernel_beta']} β** to 10, and press "
        "**Run**.",
        "No mush, but no classes either: W is diagonal, and all 18 clusters remain.",
        "Pixel differences cannot distinguish a rotated crab from a snail. A β that is "
        "large enough to ignore snails ignores other crabs too: every image stays alone.",
    ),
)

BETA: Final = Lesson(
    "beta",
    "How similar is similar?",
    "β too small, too large, and computed from the data",
    (
        Caption(
            "β sets how fast weights decrease",
            "Six 3s and six 7s, all written differently. Aligned as well as possible, "
            "two of one class differ by $d^2 = 0.18$ on average, a 3 and a 7 by $0.36$.\n\n"
            r"The weight is proportional to $e^{-\beta d^2}$. At **β = 15** this is 0.07 within a "
            "class and 0.005 between classes. Press **Play**: after two iterations the 3s are one "
            "image and the 7s another: **2 clusters**.",
            PAGE,
            {},
            THREES_SEVENS,
            runs=True,
        ),
        Caption(
            "Too small: all images are similar",
            "**β = 5.** Now a 7 has weight 0.17 in a 3's average (before normalisation), and "
            "another 3 has weight 0.40: the difference is too small. After **three iterations**, "
            "shown here, every image is the same blend: **1 cluster**, neither a 3 nor a 7.",
            PAGE,
            {"beta": 5.0},
            THREES_SEVENS,
            runs=True,
            step=3,
        ),
        Caption(
            "Too large: each image is alone",
            "**β = 200.** At the mean distance within a class, the weight is 10⁻¹⁶. W is nearly "
            "diagonal, every image is nearly its own average, and the initial **8 "
            "clusters** remain until the end (some images are similar enough to share a cluster).",
            PAGE,
            {"beta": 200.0},
            THREES_SEVENS,
            runs=True,
            step=4,
        ),
        Caption(
            "Let the data decide",
            "The distances are unknown before a run. The rule "
            f"**{word_of('quantile')}** computes β from "
            r"them: $\beta d^2 = 1$ at the distance below which 10 % of all pairs lie, here "
            "**β = 9.2**. It is recomputed at every iteration: as the classes contract, β grows, "
            "and they stay apart. Press **Play**: **2 clusters** after one iteration.",
            PAGE,
            {"bandwidth": "quantile"},
            THREES_SEVENS,
            runs=True,
        ),
    ),
    Trial(
        f"Under **More**, set **{LABELS['bandwidth']}** to **{word_of('local')}**, and press "
        "**Run**. Then **Play** to the end.",
        "1 cluster: after four iterations, 3s and 7s look the same.",
        "This rule gives each column its own β. An image whose neighbours are far away gets a "
        "small β, which gives weight to the other class and merges the two. The rule uses "
        "distances; it does not know the classes.",
    ),
)

SIX_NINE: Final = Lesson(
    "six-nine",
    "6 and 9",
    "What invariance costs: images that differ only in what is ignored can no longer be told apart",
    (
        Caption(
            "Only translations are ignored",
            "Six 6s and six 9s, slightly rotated and translated. Here only **translations** are "
            "ignored. **99 %** of the weight off the diagonal stays within the classes: no "
            "cluster mixes 6s and 9s.\n\nThe price: copies of a 6 that are rotated differently "
            "are different images. Press **Play**: after four iterations there are **5 clusters**, "
            "not 2.",
            PAGE,
            {"group": "translation", "view": TREE},
            SIXES_NINES,
            runs=True,
        ),
        Caption(
            "Rotations are ignored too",
            "Now **rotations and translations** (the group SE(2)) are ignored. The rotated copies "
            "match one another, and so do 6 and 9, because a 6 upside down is nearly a 9: within a "
            "class $d^2 = 0.17$, between classes only $0.25$. After four iterations, shown here, "
            "**1 cluster** is left.\n\n"
            "No weight can recover a difference that the group ignores.",
            PAGE,
            {"view": TREE},
            SIXES_NINES,
            runs=True,
            step=4,
        ),
        Caption(
            "A larger β does not help",
            "**β = 30.** Fewer images merge. After four iterations there are **3 clusters**, but "
            "one of them contains all six 6s and three of the 9s. A 9 can be nearer to a 6 upside "
            "down than to any other 9.",
            PAGE,
            {"beta": 30.0, "view": TREE},
            SIXES_NINES,
            runs=True,
            step=4,
        ),
    ),
    Trial(
        f"Set **{LABELS['group']}** to **{word_of('rotation')}** alone, and press **Run**.",
        "11 clusters: almost nothing merges.",
        "Every copy is translated too, and now a translation makes a difference. Choose a group "
        "that contains the differences that you want to ignore, and no others: too small a group "
        "splits a class, too large a group merges two.",
    ),
)
