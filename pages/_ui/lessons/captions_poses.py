"""Lessons on poses: smoothing, escaping a wrong basin, and a mean that becomes sharp."""

from collections.abc import Mapping
from typing import Final

from pages._ui.lessons.captions_weights import BLOCKS, EXPERIMENT
from pages._ui.lessons.lesson import Caption, Lesson, Trial
from pages._ui.state.viewer import Setting
from pages._ui.wording import LABELS

SNAILS: Final = {"i": 18, "j": 13}
SEVENS: Final = {"i": 8, "j": 10}
DESCENT: Final[Mapping[str, Setting]] = {
    "solver": "descent",
    "updates": 50,
    "steps": 2,
    "view": BLOCKS,
}

SIGMA: Final = Lesson(
    "sigma",
    "Smoothing widens the basin",
    "σ widens the basin in which descent finds the right pose",
    (
        Caption(
            "A narrow basin",
            "Which rotation θ aligns snail 6 with snail 1? The curve shows their distance at "
            "each rotation, with the best translation. It is lowest at the right rotation, "
            "**−103°**.\n\n**Descent** starts at 0°. It changes the rotation **and** the "
            "translation so that the distance decreases, and stops at 1° in a local minimum "
            "over the translations, which the curve does not show. There are many such minima. "
            "Descent finds the right pose from only **2.7 %** of all rotations and "
            "translations. They form the **basin** of this pose.",
            "manifolds",
            SNAILS,
            EXPERIMENT,
        ),
        Caption(
            "Smoothing by 1 px",
            "If both images are blurred, thin lines become broad and overlap even when they are "
            "farther apart. With **σ = 1 px** the basin contains **45 %** of all rotations and "
            "translations. Descent moves towards the right pose, but the slope is gentle, so "
            "after 100 steps it is at −31°.",
            "manifolds",
            {**SNAILS, "sigma": 1},
            EXPERIMENT,
        ),
        Caption(
            "Smoothing by 2 px",
            "With **σ = 2 px** the basin contains **58 %**, and the same 100 steps end at −99°, "
            "close to the minimum.",
            "manifolds",
            {**SNAILS, "sigma": 2},
            EXPERIMENT,
        ),
        Caption(
            "Too much smoothing",
            "With **σ = 8 px** two blots are compared (the pictures show the sharp images in the "
            "same poses), and blots match at any rotation. The curve, which rose to 0.98 without "
            "smoothing, stays below 0.01. Descent ends at 34°, with $d^2 = 0.0054$: nearly 0, but "
            "at the wrong rotation. Smoothing widens the right basin, but too much smoothing makes "
            "that basin disappear.",
            "manifolds",
            {**SNAILS, "sigma": 8},
            EXPERIMENT,
        ),
    ),
    Trial(
        "Set σ to **1 px** again. Then open **Descent** and raise N to **400**.",
        "Descent arrives at −102.5° after about 240 steps.",
        "At σ = 1 px, descent started in the right basin; but the path was long and nearly flat. "
        "More smoothing shortens the path; more steps take descent further along it.",
    ),
)

BASIN: Final = Lesson(
    "basin",
    "A wrong basin",
    "The cost of stopping at the wrong pose, and two remedies",
    (
        Caption(
            "Spot it",
            "These are two sevens, blurred by 3 px. Descent stops at **3°**, because every small "
            "step from there increases the distance. Yet the best rotation is **−114°**, with "
            "$d^2$ below 0.001 instead of 0.19. The strokes already cross, so any small step "
            "reduces their overlap. This is a **wrong basin**. Smoothing alone does not align this "
            "pair.",
            "manifolds",
            {**SEVENS, "sigma": 3},
            EXPERIMENT,
        ),
        Caption(
            "What it costs",
            "Here, all pairs are aligned by descent without smoothing, and 72 of the 90 pairs "
            "within classes remain far apart ($d^2$ above 0.3). Where a distance is too large, the "
            "weight is too small, so the blocks of invariant attention have holes. Press **Play**: "
            "**10 clusters** remain, not 3.",
            "iterations",
            {**DESCENT, "schedule": "constant"},
            EXPERIMENT,
            runs=True,
        ),
        Caption(
            "Remedy: decreasing smoothing",
            "Descent takes the same 50 steps, but the smoothing is strong at first and then "
            "**annealed**. 22 of the 90 pairs still stop at a wrong pose, among them our two "
            "sevens. This is good enough, because an image that misses one match finds another. "
            "Press **Play**: **3 clusters** remain.",
            "iterations",
            {**DESCENT, "schedule": "annealed"},
            EXPERIMENT,
            runs=True,
        ),
        Caption(
            "Remedy: global search",
            "**Global search** tries all rotations and translations, coarsely at first, and "
            "refines the best poses. No pair remains far apart: within classes $d^2$ is 0.02 on "
            "average, and the blocks have no holes.",
            "iterations",
            {"view": BLOCKS},
            EXPERIMENT,
            runs=True,
        ),
    ),
    Trial(
        f"Is more smoothing always better? Set **{LABELS['sigma']} σ** to 2 px, and press **Run**.",
        "After two iterations, there is 1 cluster: crab, seven and snail have become one image.",
        "Smoothing also removes the differences between the classes: $d^2$ between them decreases "
        "from 0.60 to 0.14, so with the same β they are nearly alike. If you raise σ, raise β too.",
    ),
)

MEAN: Final = Lesson(
    "mean",
    "The mean becomes sharp",
    "From a blot to a 3: the invariant mean of Experiment 2",
    (
        Caption(
            "From a blot to a 3",
            "The data are ten handwritten 3s, rotated by up to 90° and translated. Their **plain "
            "average** is a blot with sharpness **0.14**; ten identical, aligned images would have "
            "sharpness 1.\n\nThe **invariant mean** aligns each 3 a little better with the mean, "
            "recomputes the mean, and repeats. Press **Play**: after 50 iterations a 3 emerges, "
            "with sharpness **0.68**.",
            "mean",
            {"start": "identity", "schedule": "greedy", "steps": 50},
            "experiment-2",
            runs=True,
        ),
        Caption(
            "Translations alone are not enough",
            "Now each 3 may only be **translated**. The sharpness reaches **0.36**, because the "
            "differences in rotation remain in the mean.",
            "mean",
            {"group": "translation"},
            "experiment-2",
            runs=True,
            step=5,
        ),
        Caption(
            "A bad start",
            "Rotations and translations are allowed again, but the search starts from **random** "
            "poses. The sharpness after five iterations is **0.29**. If most 3s are misaligned, "
            "their mean is wrong too, and each 3 is aligned with that mean.",
            "mean",
            {"start": "random"},
            "experiment-2",
            runs=True,
            step=5,
        ),
        Caption(
            "A good start",
            "This time, every 3 is first aligned with **one** of them by trying all rotations and "
            "translations. The first mean is already sharp, **0.68**, and the objective f, the "
            "distance of the ten images from their mean, decreases to **0.09**. The remaining "
            "distance comes from differences in handwriting.",
            "mean",
            {"start": "pairwise"},
            "experiment-2",
            runs=True,
        ),
    ),
    Trial(
        f"Under **More**, set **{LABELS['group']}** to **affine**, and press **Run**.",
        "The mean is slightly sharper: 0.76, with f = 0.08.",
        "Now the slant and width of the handwriting may change too. This is not better in itself: "
        "with more freedom, images that are **not** alike also match better (see lesson 6).",
    ),
)
