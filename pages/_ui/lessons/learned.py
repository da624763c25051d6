"""Lessons on what is learned: the order of transformations, and strides that break equivariance."""

from typing import Final

from pages._ui.lessons.data import DIGITS
from pages._ui.lessons.lesson import Caption, Lesson, Trial

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
