"""Lessons on poses: smoothing, escaping a wrong basin, and a mean that becomes sharp."""

from typing import Final

from pages._ui.lessons.captions_weights import BLOCKS, EXPERIMENT
from pages._ui.lessons.lesson import Caption, Lesson, Trial
from pages._ui.wording import LABELS

SNAILS: Final = {"i": 18, "j": 13}
SEVENS: Final = {"i": 8, "j": 10}
DESCENT: Final = {"solver": "descent", "updates": 50, "steps": 2, "view": BLOCKS}

SIGMA: Final = Lesson(
    "sigma",
    "Smoothing widens the basin",
    "σ widens the basin from which descent finds the right pose",
    (
        Caption(
            "A narrow basin",
            "Which rotation θ aligns snail 6 with snail 1? The curve shows their distance at each "
            "rotation, at the best of all translations. It is lowest at the right rotation, "
            "**−103°**.\n\n"
            "**Descent** starts at 0°. It rotates **and** translates downhill, and stops at 1°: in "
            "a local minimum of the translations, which the curve does not show. There are many "
            "such minima. Descent finds the right pose from only **2.7 %** of all rotations and "
            "translations: its **basin**.",
            "manifolds",
            SNAILS,
            EXPERIMENT,
        ),
        Caption(
            "Smoothing by 1 px",
            "If both images are blurred, thin lines become broad and overlap from farther away. "
            "With **σ = 1 px** the basin contains **45 %**. Descent is on its way, but the slope "
            "is gentle: after 100 steps it is at −31°.",
            "manifolds",
            {**SNAILS, "sigma": 1},
            EXPERIMENT,
        ),
        Caption(
            "2 px: it arrives",
            "With **σ = 2 px** the basin contains **58 %**, and the same 100 steps end at −99°, "
            "close to the minimum.",
            "manifolds",
            {**SNAILS, "sigma": 2},
            EXPERIMENT,
        ),
        Caption(
            "Too much smoothing",
            "With **σ = 8 px** two blots are compared (the pictures show the sharp images in the "
            "same poses), and blots match at any rotation: the curve, which rose to 0.98 without "
            "smoothing, stays below 0.01. Descent ends at 34°, with $d^2 = 0.0054$: nearly 0, at "
            "the wrong rotation. Smoothing widens the right basin, but too much smoothing makes "
            "that basin disappear.",
            "manifolds",
            {**SNAILS, "sigma": 8},
            EXPERIMENT,
        ),
    ),
    Trial(
        "Set σ to **1 px** again. Then open **Descent** and raise N to **400**.",
        "It arrives: −102.5°, after about 240 steps.",
        "At σ = 1 px, descent started in the right basin; but the path was long and nearly flat. "
        "More smoothing shortens the path; more steps follow it further.",
    ),
)

BASIN: Final = Lesson(
    "basin",
    "A wrong basin",
    "What it costs if descent stops at the wrong pose, and two remedies",
    (
        Caption(
            "Spot it",
            "Two sevens, blurred by 3 px. Descent stops at **3°**: every small step from there "
            "leads uphill. Yet the best rotation is **−114°**, with $d^2$ below 0.001 instead of "
            "0.19. The strokes cross, and a small step would separate them: a **wrong basin**. "
            "Smoothing alone does not align this pair.",
            "manifolds",
            {**SEVENS, "sigma": 3},
            EXPERIMENT,
        ),
        Caption(
            "What it costs",
            "All pairs are aligned by descent, without smoothing: 72 of the 90 pairs within "
            "classes remain far apart ($d^2$ above 0.3). Where a distance is wrong, a weight is "
            "missing: the blocks of invariant attention have holes. Press **Play**: "
            "**10 clusters** remain, not 3.",
            "iterations",
            {**DESCENT, "schedule": "constant"},
            EXPERIMENT,
            runs=True,
        ),
        Caption(
            "Remedy: decreasing smoothing",
            "The same 50 steps, but the smoothing is strong at first and then **annealed**. 22 of "
            "the 90 pairs still stop at a wrong pose, among them our two sevens. This is good "
            "enough: an image that misses one match finds another. Press **Play**: "
            "**3 clusters** remain.",
            "iterations",
            {**DESCENT, "schedule": "annealed"},
            EXPERIMENT,
            runs=True,
        ),
        Caption(
            "Remedy: global search",
            "**Global search** tries all rotations and translations, coarsely at first, and "
            "refines the best. No pair remains far apart: within classes $d^2$ is 0.02 on average, "
            "and the blocks have no holes.",
            "iterations",
            {"view": BLOCKS},
            EXPERIMENT,
            runs=True,
        ),
    ),
    Trial(
        f"Is more smoothing always better? Set **{LABELS['sigma']} σ** to 2 px, and press **Run**.",
        "1 cluster after two iterations: crab, seven and snail have become one image.",
        "Smoothing also removes what distinguishes the classes: between them $d^2$ falls from 0.60 "
        "to 0.14, and at the same β they are nearly alike. If you raise σ, raise β too.",
    ),
)

MEAN: Final = Lesson(
    "mean",
    "The mean becomes sharp",
    "From a blot to a 3: the invariant mean of Experiment 2",
    (
        Caption(
            "From a blot to a 3",
            "Ten handwritten 3s, rotated by up to 90° and translated. Their **plain average** is a "
            "blot with sharpness **0.14**; ten identical, aligned images would have sharpness 1."
            "\n\nThe **invariant mean** aligns each 3 a little better with the mean, recomputes "
            "the mean, and repeats. Press **Play**: after 50 iterations a 3 emerges, with "
            "sharpness **0.68**.",
            "mean",
            {"start": "identity", "schedule": "greedy", "steps": 50},
            "experiment-2",
            runs=True,
        ),
        Caption(
            "Translations alone are not enough",
            "Now each 3 may only be **translated**. The sharpness reaches **0.36**: the "
            "rotations remain in the mean.",
            "mean",
            {"group": "translation"},
            "experiment-2",
            runs=True,
            step=5,
        ),
        Caption(
            "A bad start",
            "Rotations and translations again, but from **random** poses. The sharpness after five "
            "iterations is **0.29**. If most 3s are misaligned, their mean is wrong too, and each "
            "3 is aligned with that mean.",
            "mean",
            {"start": "random"},
            "experiment-2",
            runs=True,
            step=5,
        ),
        Caption(
            "A good start",
            "First align every 3 with **one** of them, trying all rotations and translations. The "
            "first mean is already sharp, **0.68**, and the objective f, the distance of the ten "
            "from their mean, decreases to **0.09**. The remaining distance "
            "comes from differences in handwriting.",
            "mean",
            {"start": "pairwise"},
            "experiment-2",
            runs=True,
        ),
    ),
    Trial(
        f"Under **More**, set **{LABELS['group']}** to **affine**, and press **Run**.",
        "Slightly sharper: 0.76, with f = 0.08.",
        "Now the slant and width of the handwriting may change too. This is not better in itself: "
        "with more freedom, images that are **not** alike also match better (see lesson 6).",
    ),
)
