"""Lessons on poses and on what is learned."""

from typing import Final

from pages._ui.lessons.lesson import Caption, Lesson, Trial
from pages._ui.lessons.weights import BLOCKS, DIGITS, EXPERIMENT

SNAILS: Final = {"i": 18, "j": 13}
SEVENS: Final = {"i": 8, "j": 10}
DESCENT: Final = {"solver": "descent", "updates": 50, "steps": 2, "view": BLOCKS}

SIGMA: Final = Lesson(
    "sigma",
    "Blur finds the way",
    "σ widens the basin from which a descent finds the right pose",
    (
        Caption(
            "A narrow basin",
            "Which rotation θ aligns snail 6 with snail 1? The curve shows how far they stay "
            "apart at each rotation, after the best of all shifts. It is lowest at the right one, "
            "**−103°**.\n\n"
            "**Descent** begins at 0°. It rotates **and** shifts downhill, and stops at 1°: in a "
            "dip of the shifts, which the curve does not show. Such dips are everywhere. Downhill "
            "leads to the right pose from only **2.7 %** of all rotations and shifts: its "
            "**basin**.",
            "manifolds",
            SNAILS,
            EXPERIMENT,
        ),
        Caption(
            "1 px of blur",
            "Blur both images, and thin lines become broad: they overlap from farther away. With "
            "**σ = 1 px** the basin holds **45 %**. Descent is on its way, but the slope is "
            "gentle: after 100 steps it is at −31°.",
            "manifolds",
            {**SNAILS, "sigma": 1},
            EXPERIMENT,
        ),
        Caption(
            "2 px: it arrives",
            "With **σ = 2 px** the basin holds **58 %**, and the same 100 steps end at −99°, "
            "beside the lowest point.",
            "manifolds",
            {**SNAILS, "sigma": 2},
            EXPERIMENT,
        ),
        Caption(
            "Too much",
            "With **σ = 8 px** two blots are compared (the pictures show the sharp images as they "
            "were aligned), and blots fit at any rotation: the curve, which rose to 0.98 without "
            "blur, stays below 0.01. Descent ends at 34°, with $d^2 = 0.0054$: nearly 0, at the "
            "wrong rotation. Blur widens the right basin, and too much of it hides it.",
            "manifolds",
            {**SNAILS, "sigma": 8},
            EXPERIMENT,
        ),
    ),
    Trial(
        "Set σ to **1 px** again. Then open **Descent** and raise N to **400**.",
        "It arrives: −102.5°, after about 240 steps.",
        "At σ = 1 px the start lay in the right basin all along; but the path was long and "
        "nearly flat. More blur shortens the path; more steps follow it further.",
    ),
)

BASIN: Final = Lesson(
    "basin",
    "A wrong basin",
    "A descent that stops at the wrong pose: what it costs, and two remedies",
    (
        Caption(
            "Spot it",
            "Two sevens, blurred by 3 px. Descent stops at **3°**: every small step from there "
            "leads uphill. Yet the best rotation is **−114°**, with $d^2$ below 0.001 instead of "
            "0.19. The strokes cross, and a small step would separate them: a **wrong basin**. "
            "Blur alone does not solve this pair.",
            "manifolds",
            {**SEVENS, "sigma": 3},
            EXPERIMENT,
        ),
        Caption(
            "What it costs",
            "All pairs by descent, without any blur: 72 of the 90 pairs within classes are left "
            "far apart ($d^2$ above 0.3). Where a distance is wrong, a weight is missing: the "
            "blocks of invariant attention have holes. **Play**: **10 clusters** stay, not 3.",
            "iterations",
            {**DESCENT, "schedule": "constant"},
            EXPERIMENT,
            runs=True,
        ),
        Caption(
            "Remedy: decreasing blur",
            "The same 50 steps, but blurred at first and **annealed** on the way. 22 of the "
            "90 pairs still stop at a wrong pose, our two sevens among them. It is enough: "
            "an image that misses one match finds another. **Play**: **3 clusters** are left.",
            "iterations",
            {**DESCENT, "schedule": "annealed"},
            EXPERIMENT,
            runs=True,
        ),
        Caption(
            "Remedy: searching everywhere",
            "**Global search** tries all rotations and shifts, coarsely at first, and refines the "
            "best. No pair is left far apart: within classes $d^2$ is 0.02 on average, and the "
            "blocks are whole.",
            "iterations",
            {"view": BLOCKS},
            EXPERIMENT,
            runs=True,
        ),
    ),
    Trial(
        "So more blur is always better? Set **Smoothing σ** to 2 px, and press **Run**.",
        "1 cluster after two iterations: crab, seven and snail have become one.",
        "Blur also removes what distinguishes the classes: between them $d^2$ falls from 0.60 to "
        "0.14, and at the same β that is nearly alike. If you blur, raise β.",
    ),
)

MEAN: Final = Lesson(
    "mean",
    "The mean sharpens",
    "From a blot to a 3: the invariant mean of Experiment 2",
    (
        Caption(
            "From a blot to a 3",
            "Ten handwritten 3s, turned by up to 90° and shifted. Their **plain average** is a "
            "blot: sharpness **0.14**, where 1 would be ten identical, aligned images.\n\nThe "
            "**invariant mean** aligns each 3 a little better with the mean, recomputes the "
            "mean, and repeats. **Play**: after 50 iterations a 3 emerges, sharpness **0.68**.",
            "mean",
            {"start": "identity", "schedule": "greedy", "steps": 50},
            "experiment-2",
            runs=True,
        ),
        Caption(
            "Shifts alone are not enough",
            "Now each 3 may only be **shifted**. The mean reaches **0.36**: the "
            "rotations are still in it.",
            "mean",
            {"group": "translation"},
            "experiment-2",
            runs=True,
            step=5,
        ),
        Caption(
            "A bad start",
            "Rotations and shifts again, but from **random** poses. Five iterations later: "
            "**0.29**. Where most 3s are misaligned, their mean is wrong too, and each 3 "
            "is aligned with that mean.",
            "mean",
            {"start": "random"},
            "experiment-2",
            runs=True,
            step=5,
        ),
        Caption(
            "A good start",
            "First align every 3 with **one** of them, trying all rotations and shifts. The first "
            "mean is sharp already, **0.68**, and the objective f, how far the ten are from their "
            "mean, is down to **0.09**. The rest is handwriting.",
            "mean",
            {"start": "pairwise"},
            "experiment-2",
            runs=True,
        ),
    ),
    Trial(
        "Under **More**, set **Ignored transformations** to **affine**, and press **Run**.",
        "A little sharper still: 0.76, with f = 0.08.",
        "Slant and width of the handwriting are now free too. That is not better in itself: with "
        "every "
        "freedom, images that are **not** alike fit better as well: see lesson 6.",
    ),
)


BUDGET: Final = {"budget": 8.0, "k": 3}
STRIDES: Final = {"view": "Stride and parity", "picture": "3"}
EVEN, ODD = "even: 8 px", "odd: 9 px"

ORDER: Final = Lesson(
    "order",
    "Thick strokes first?",
    "Morphology without affine, and what the order does to DTI clustering",
    (
        Caption(
            "Morphology alone",
            "Sixty 0s, 3s and 7s each, turned and shifted. Three prototypes may use **morphology** "
            "and nothing else: a pixel becomes a weighted mean of the 7×7 pixels around it, so "
            "strokes grow **thicker and thinner**. Weights on one side also **shift** the image by "
            "up to 3 px, and the predictors use this: by more than **1 px** on average. "
            "Nothing rotates a 7: the prototypes become blots, and about **six in ten** images "
            "(ACC) are in the right cluster. With all images in one cluster it would be a third.",
            "clustering",
            {**BUDGET, "modules": ("morphology",)},
            DIGITS,
            runs=True,
        ),
        Caption(
            "Affine first, then morphology",
            "Now the prototypes first learn to be **turned, shifted and sheared** (affine). Once "
            "they are aligned with their images, **morphology** is switched on for what is left: "
            "the thickness of the strokes. The prototypes are a 0, a 3 and a 7, and more than "
            "**eight in ten** images are right.",
            "clustering",
            {**BUDGET, "modules": ("affine", "morphology")},
            DIGITS,
            runs=True,
        ),
        Caption(
            "Morphology first, then affine",
            "The same two in the other order. Before affine starts, growing blots have divided "
            "the images by pose. When rotations are allowed at last, each blot is aligned well "
            "with the **wrong** images: about **two thirds** are right.",
            "clustering",
            {**BUDGET, "modules": ("morphology", "affine")},
            DIGITS,
            runs=True,
        ),
    ),
    Trial(
        "Choose affine, then morphology again. Under **More**, set **When modules start** to "
        "**at once**, and press **Run**.",
        "Compare ACC with the second caption: the same order, but both modules start at once.",
        "The order matters only if the modules start one after the other: large movements must "
        "settle before fine adjustments begin.",
    ),
)

STRIDE: Final = Lesson(
    "stride",
    "A stride too far",
    "Stride breaks equivariance, although every layer is a group convolution",
    (
        Caption(
            "Every pixel: exact",
            "A filter looks at a picture of 8×8 px, **pixel by pixel**. Turn the picture by 90°, "
            "apply a rotated filter, and rotate the answer back: it is the same, up to "
            "rounding (10⁻⁷). That is **equivariance**, and attention maps inherit it.",
            "equivariance",
            {**STRIDES, "side": EVEN, "way": "stride 1"},
        ),
        Caption(
            "Every second pixel: not exact",
            "**Stride 2** saves work: the filter looks at every second pixel. But on 8 px it "
            "begins at one edge and stops **before** the other. **Blue**: where it stands. "
            "**Orange**: where it stands after the rotation, on **other** pixels. The answer "
            "differs by more than its own size (1.6).",
            "equivariance",
            {**STRIDES, "side": EVEN, "way": "stride 2"},
        ),
        Caption(
            "One pixel more: exact again",
            "On **9 px** the same stride ends where it began, on an edge. After the turn the "
            "filter stands where it stood. The rule: $n + 2p - k$ must be a multiple of the "
            "stride $s$, where $n$ is the picture's side, $p$ the empty pixels that are added at "
            "each edge, and $k$ the side of the filter. Here $9 + 2 - 3 = 8$, a multiple of 2; "
            "before, $8 + 2 - 3 = 7$ was none.",
            "equivariance",
            {**STRIDES, "side": ODD, "way": "stride 2"},
        ),
        Caption(
            "Or pool instead",
            "On even sides: go **pixel by pixel, then pool** 2×2. The windows tile 8 px without "
            "remainder, so a rotation maps windows onto windows. Below, the same for attention: "
            "with "
            "strides the turned maps of an attentive network are off by about **0.3**, with "
            "pooling by 10⁻⁶.",
            "equivariance",
            {**STRIDES, "side": EVEN, "way": "stride 1, then 2×2 pooling"},
        ),
    ),
    Trial(
        "So pooling is always right? Keep it, and set the side to **odd: 9 px**.",
        "Not exact: the relative error is 0.56.",
        "Windows of 2 px do not tile 9 px. One row is left out, and after the rotation it is "
        "a different row. Here stride needs odd sides, and pooling even ones.",
    ),
)
