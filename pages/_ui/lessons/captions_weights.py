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
    """Return a recipe of handwritten digits, rotated by up to 23° and translated by up to 3 px."""
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
    "One blur, or three clusters",
    "Kernel attention turns rotated images into a blur; invariant attention does not",
    (
        Caption(
            "A weighted average",
            "The data are a crab, a seven and a snail, **six times each**. Every copy is rotated "
            "and translated differently. Each image will be replaced by a **weighted average** of "
            "all eighteen.\n\nThe square shows the weights. **Each column describes one average**: "
            "its cells, from top to bottom, are the weights of images 1 to 18, and they add up to "
            "1. The scale beside the letter **W** shows the weight that each shade represents. The "
            "coloured edges of the square show the classes: first the crabs, then the sevens, then "
            "the snails.",
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
            "the sum of the squared differences of all pixels. In its square, click a cell that "
            "compares two crabs to see one drawn over the other.\n\n"
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
            "After alignment, two crabs look almost the same ($d^2 = 0.02$, not 0). No "
            "rotation turns a crab into a seven, so between classes $d^2 = 0.60$. Therefore only "
            "crabs have weight in a crab's average: **100 %** of the weights stay within a "
            "class.\n\nThe images are sorted by class, from top to bottom and from left to right. "
            "So the weights form **three blocks on the diagonal**: the square is "
            "**block-diagonal**. The square of kernel attention is not. For a fair comparison, "
            "kernel attention uses β = 2: unaligned images are all far apart, and with β = 15 each "
            "image would give nearly all its weight to itself.",
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
            "the images of a class are aligned before they are averaged, so each remains a crab, a "
            "seven or a snail. **3 clusters.**\n\nIn **kernel attention** every image is averaged "
            "with all others unaligned, again and again. After two iterations, all eighteen are "
            "one grey blot. **1 cluster**: a blur.",
            PAGE,
            {"view": TREE},
            EXPERIMENT,
            runs=True,
            poses="common",
        ),
    ),
    Trial(
        "Can a larger β save kernel attention? In the player, set **β of Kernel attention** to 10.",
        "There is no blur, but there are no classes either: W is diagonal, and all 18 clusters "
        "remain.",
        "Pixel differences cannot distinguish a rotated crab from a snail. A β that is large "
        "enough to ignore snails also ignores other crabs, so every image remains alone.",
    ),
)

BETA: Final = Lesson(
    "beta",
    "How similar is similar?",
    "β too small, too large, and computed from the data",
    (
        Caption(
            "β sets how fast weights decrease",
            "The data are six 3s and six 7s, all written differently. After the best alignment, "
            "two images of one class differ by $d^2 = 0.18$ on average, and a 3 and a 7 by "
            "$0.36$.\n\n"
            r"The weight is proportional to $e^{-\beta d^2}$. For these distances and **β = 15**, "
            "this is 0.07 within a class and 0.005 between classes. Press **Play**: after two "
            "iterations, all 3s have become one image, and all 7s another: **2 clusters**.",
            PAGE,
            {},
            THREES_SEVENS,
            runs=True,
        ),
        Caption(
            "Too small: all images are similar",
            "**β = 5.** Now, at the same distances, a 7 has weight 0.17 in a 3's average (before "
            "normalisation), and another 3 has weight 0.40. This difference is too small. After "
            "**three iterations**, shown here, every image is the same blend, neither a 3 nor a 7: "
            "**1 cluster**.",
            PAGE,
            {"beta": 5.0},
            THREES_SEVENS,
            runs=True,
            step=3,
        ),
        Caption(
            "Too large: each image is alone",
            "**β = 200.** Half of the pairs within a class have a weight below 10⁻¹⁷ (the median "
            "is 8·10⁻¹⁸). The mean is 1.4·10⁻⁵, because a few pairs are very similar. W is nearly "
            "diagonal, every image is nearly its own average, and the initial **8 clusters** "
            "remain until the end (some images are similar enough to share a cluster).",
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
            r"them: $\beta d^2 = 1$ at the distance below which 10 % of all pairs lie, here **β = "
            "9.2**. It is recomputed at every iteration. As the classes contract, β grows, so the "
            "classes stay apart. Press **Play**: **2 clusters** after one iteration.",
            PAGE,
            {"bandwidth": "quantile"},
            THREES_SEVENS,
            runs=True,
        ),
    ),
    Trial(
        f"Under **More**, set **{LABELS['bandwidth']}** to **{word_of('local')}**, and press "
        "**Run**. Then **Play** to the end.",
        "There is 1 cluster: after four iterations, 3s and 7s look the same.",
        "This rule gives each column its own β. An image whose neighbours are far away gets a "
        "small β, which gives weight to the other class and merges both classes. The rule uses "
        "distances; it does not know the classes.",
    ),
)

SIX_NINE: Final = Lesson(
    "six-nine",
    "6 and 9",
    "The cost of invariance: images that differ only by an ignored transformation look the same",
    (
        Caption(
            "Only translations are ignored",
            "The data are six 6s and six 9s, slightly rotated and translated. Here only "
            "**translations** are ignored. **99 %** of the weight off the diagonal stays within "
            "the classes, so no cluster mixes 6s and 9s.\n\nThe price is that copies of a 6 with "
            "different rotations count as different images. Press **Play**: after four iterations "
            "there are **5 clusters**, not 2.",
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
            "one of them contains all six 6s and three of the 9s. A 9 can be closer to an "
            "upside-down 6 than to any other 9.",
            PAGE,
            {"beta": 30.0, "view": TREE},
            SIXES_NINES,
            runs=True,
            step=4,
        ),
    ),
    Trial(
        f"Set **{LABELS['group']}** to **{word_of('rotation')}** alone, and press **Run**.",
        "There are 11 clusters: almost no images merge.",
        "Every copy is also translated, and translations are no longer ignored. Choose a group "
        "that contains the differences that you want to ignore, and no others: a group that is too "
        "small splits a class, and a group that is too large merges two.",
    ),
)
