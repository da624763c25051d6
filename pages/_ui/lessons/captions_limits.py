"""Lessons on the limits of invariance: noise, lost directions, and the choice of the group."""

from collections.abc import Mapping
from typing import Final

from ia_engine.datasets.data import Recipe
from ia_engine.datasets.noise import NoiseConfig
from pages._ui.lessons.captions_weights import SIXES_NINES, TREE
from pages._ui.lessons.lesson import Caption, Lesson, Trial
from pages._ui.state.viewer import Setting
from pages._ui.wording import LABELS, word_of

PAGE: Final = "iterations"
SEVEN_NOISE: Final = "noise"
CRAB_NOISE: Final = Recipe("noise", NoiseConfig(template="crab")).to_json()
MODERATE: Final[Mapping[str, Setting]] = {"beta": 5.0, "view": TREE}
SELECTIVE: Final[Mapping[str, Setting]] = {"beta": 30.0, "view": TREE}

NOISE: Final = Lesson(
    "noise",
    "A seven made of noise",
    "Alignment finds a template even in images that contain only noise",
    (
        Caption(
            "Thirty-nine images of noise",
            "The data are **one** drawing of a seven and **39 images of pure noise**: 30 dots "
            "each, at random places in a disc. The plain average is a grey disc with sharpness "
            "**0.035** (1: as sharp as one image).\n\nHere, each image starts in a **random "
            "pose** and is then aligned with the mean, step by step. Press **Play**: after five "
            "iterations the mean is a speckled blot. Nothing emerges, because the dots have "
            "nothing in common.",
            "mean",
            {"start": "random"},
            SEVEN_NOISE,
            runs=True,
        ),
        Caption(
            "Aligned with a template",
            "Now every image is first aligned with **one** of them, the **template**: the image "
            "that fits the others best, here the seven. The mean of the **same noise** becomes a "
            "**seven**.\n\n"
            "The similarity of a noise image to the seven (1: equal, 0: no overlap) is on average "
            "**0.26** before and **0.45** after alignment. Each image v takes the pose τ that fits "
            r"**best**, the one with the largest overlap: "
            r"$\max_\tau \langle v\circ\tau, \mu\rangle$. The largest of many random "
            "numbers is far above their average, so alignment **selects** poses in which many "
            "dots happen to lie on the template. This is **reference bias**, known as "
            "“Einstein from noise”.",
            "mean",
            {},
            SEVEN_NOISE,
            runs=True,
        ),
        Caption(
            "The same noise, another template",
            "The 39 images of noise are **the same** as before, but the template is now a "
            "**crab**, and the mean becomes a crab. So the picture comes from the template, not "
            "from the data. This is a good test for any mean: align the images with a different "
            "template, and see whether the mean follows it.",
            "mean",
            {},
            CRAB_NOISE,
            runs=True,
        ),
        Caption(
            "A warning sign",
            "If only **translations** are allowed, there are fewer poses to choose from. The bias "
            "becomes smaller (0.37 instead of 0.45), and the seven fades.\n\nThe warning "
            "sign is the low sharpness, **0.047** at the end. The mean of real 3s in lesson 5 has "
            "0.68. If in doubt, align the images with a different template, or make the template "
            "from one half of the images and average only the other half.",
            "mean",
            {"group": "translation"},
            SEVEN_NOISE,
            runs=True,
            step=5,
        ),
    ),
    Trial(
        f"Under **More**, set **{LABELS['group']}** to **{word_of('affine')}**, and press **Run**.",
        "The seven becomes clearer: sharpness 0.099, and f decreases to 0.66 (f: distance of the "
        "images from their mean).",
        "An affine map has more freedom than a translation, so every image of noise finds a better "
        "fit. A better fit is not evidence: more freedom means more bias.",
    ),
)

ARROWS: Final = Lesson(
    "arrows",
    "When invariance harms",
    "Arrows that point left or right, compared up to rotation",
    (
        Caption(
            "Only translations are ignored",
            "The data are six arrows that point **left** and six that point **right**, tilted by "
            "up to 15°. Only their **position** is ignored. Two arrows of the same direction "
            "differ by "
            "$d^2 = 0.36$ (0: equal), and arrows of opposite directions by $0.89$. Press "
            "**Play**: after two iterations there are **2 clusters**, left and right.",
            PAGE,
            {**MODERATE, "group": "translation"},
            "arrows",
            runs=True,
        ),
        Caption(
            "Rotations are ignored too",
            "A rotation by 180° turns a left arrow into a right arrow. So opposite "
            "arrows now differ by $d^2 = 0.16$, no more than arrows of the same direction "
            "($0.18$). After **one** iteration, **1 cluster** is left: its mean is an arrow "
            "whose direction has no meaning.",
            PAGE,
            MODERATE,
            "arrows",
            runs=True,
        ),
        Caption(
            "A larger β does not help",
            "With **β = 60** there are **3 clusters**, but each contains arrows of **both** "
            "directions. The clusters differ in length and width, the only differences that are "
            "left. Weights are computed from distances, and the distances no longer depend on the "
            "direction.\n\nThe direction is still in the **poses**: invariance separates it from "
            "the shape. The data cannot tell you whether it may be ignored; you have to decide.",
            PAGE,
            {"beta": 60.0, "view": TREE},
            "arrows",
            runs=True,
            step=4,
        ),
    ),
    Trial(
        f"Set **{LABELS['group']}** to **{word_of('translation')}** and **{LABELS['beta']} β** to "
        "15, and press **Run**.",
        "There are 5 clusters after four iterations; none contains both directions.",
        "The tilt is no longer ignored, and β = 15 is large enough to separate arrows by their "
        "tilt. The best choice would lie between the two groups: rotations by a few degrees, but "
        "not by 180°.",
    ),
)

CHOICE: Final = Lesson(
    "choice",
    "Choosing the group",
    "Too small a group splits a class; too large a group merges classes",
    (
        Caption(
            "A rotation turns a 6 into a 9",
            "A **group** is a set of transformations that can be combined and undone, such as all "
            "rotations and translations. Images that differ only by a transformation of the group "
            "count as equal.\n\nFor digits, rotations are too much: an upside-down 6 is a 9, and "
            "all twelve images become **1 cluster** (shown here after four iterations).",
            PAGE,
            {"view": TREE},
            SIXES_NINES,
            runs=True,
            step=4,
        ),
        Caption(
            "Too small: sizes count",
            "The data are five circles, five ellipses and five long ellipses, at any angle and of "
            "different **sizes**. If only **rotations and translations** are ignored, a small and "
            "a large ellipse differ: $d^2 = 0.10$ on average within a class. After four "
            "iterations there are **4 clusters**: the ellipses are split by size.",
            PAGE,
            SELECTIVE,
            "ellipses",
            runs=True,
            step=4,
        ),
        Caption(
            "Right: the shape remains",
            "A **similarity** also ignores the size. Within a class $d^2 = 0.01$, between "
            "classes $0.33$: **3 clusters**, one for each shape. This group contains the "
            "differences that do not matter, and no others.",
            PAGE,
            {**SELECTIVE, "group": "similarity"},
            "ellipses",
            runs=True,
            step=4,
        ),
        Caption(
            "Too large: every ellipse is a circle",
            "**Affine maps** also stretch, and stretching turns every ellipse into a circle. "
            "Between classes $d^2$ decreases from 0.33 to **0.03**, and all fifteen images "
            "are **1 cluster** from the start.\n\nSo choose the **smallest** group that contains "
            "what you want to ignore. Ask yourself: can two images that differ only in this way "
            "have different meanings?",
            PAGE,
            {**SELECTIVE, "group": "affine"},
            "ellipses",
            runs=True,
        ),
    ),
    Trial(
        f"Can β separate the shapes again? Set **{LABELS['beta']} β** to 200, and press **Run**.",
        "No: there is still 1 cluster.",
        "Up to an affine map, a long ellipse **is** a circle. The small distance that is left "
        "comes from the pixels at the edges, not from the shapes.",
    ),
)
