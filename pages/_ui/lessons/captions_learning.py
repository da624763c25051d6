"""Lessons on what is learned: the order of transformations, and strides that break equivariance."""

from typing import Final

from pages._ui.lessons.captions_weights import DIGITS
from pages._ui.lessons.lesson import Caption, Lesson, Trial
from pages._ui.wording import LABELS, word_of

EVEN, ODD = "even: 8 px", "odd: 9 px"


BUDGET: Final = {"budget": 8.0, "k": 3}
STRIDES: Final = {"view": "Stride and parity", "picture": "3"}

ORDER: Final = Lesson(
    "order",
    "Thick strokes first?",
    "Morphology without affine, and how the order of modules changes DTI clustering",
    (
        Caption(
            "Morphology alone",
            "Sixty each of the digits 0, 3 and 7, rotated and translated. Three prototypes may use "
            "**morphology** and nothing else: a pixel becomes a weighted mean of the 7×7 pixels "
            "around it, so strokes become **thicker or thinner**. Weights on one side also "
            "**translate** the image, by up to 3 px; the predictors exploit this and translate it "
            "by more than **1 px** on average. Morphology cannot rotate a 7, so the prototypes "
            "become blots, and about **six in ten** images (ACC) are in the right cluster. With "
            "all images in one cluster it would be a third.",
            "clustering",
            {**BUDGET, "modules": ("morphology",)},
            DIGITS,
            runs=True,
        ),
        Caption(
            "Affine first, then morphology",
            "Now the prototypes are first **rotated, translated and sheared** (affine). Once "
            "they are aligned with their images, **morphology** is switched on for the remaining "
            "difference: the thickness of the strokes. The prototypes are a 0, a 3 and a 7, and "
            "more than **eight in ten** images are right.",
            "clustering",
            {**BUDGET, "modules": ("affine", "morphology")},
            DIGITS,
            runs=True,
        ),
        Caption(
            "Morphology first, then affine",
            "The same two modules in the other order. By the time affine starts, the growing "
            "blots have already divided the images by pose. When rotations are finally allowed, "
            "each blot aligns well with the **wrong** images: about **two thirds** are right.",
            "clustering",
            {**BUDGET, "modules": ("morphology", "affine")},
            DIGITS,
            runs=True,
        ),
    ),
    Trial(
        f"Choose affine, then morphology again. Under **More**, set **{LABELS['curriculum']}** to "
        f"**{word_of('off')}**, and press **Run**.",
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
            "A filter is applied to a picture of 8×8 px, **pixel by pixel**. Rotate the picture by "
            "90°, apply a rotated filter, and rotate the result back: it is the same, up to "
            "rounding (10⁻⁷). This is **equivariance**, and attention maps inherit it.",
            "equivariance",
            {**STRIDES, "side": EVEN, "way": "stride 1"},
        ),
        Caption(
            "Every second pixel: not exact",
            "**Stride 2** saves work: the filter is applied at every second pixel. But on 8 px it "
            "starts at one edge and stops **before** the other. **Blue**: its positions. "
            "**Orange**: its positions after the rotation, on **other** pixels. The relative "
            "error is 1.6: the difference is larger than the result itself.",
            "equivariance",
            {**STRIDES, "side": EVEN, "way": "stride 2"},
        ),
        Caption(
            "One pixel more: exact again",
            "On **9 px** the same stride starts and ends at an edge. After the rotation the "
            "filter has the same positions. The rule: $n + 2p - k$ must be a multiple of the "
            "stride $s$, where $n$ is the side of the picture, $p$ the number of empty pixels "
            "added at each edge, and $k$ the side of the filter. Here $9 + 2 - 3 = 8$ is a "
            "multiple of 2; before, $8 + 2 - 3 = 7$ was not.",
            "equivariance",
            {**STRIDES, "side": ODD, "way": "stride 2"},
        ),
        Caption(
            "Or pool instead",
            "If the side is even, apply the filter **pixel by pixel, then pool** 2×2. The windows "
            "tile 8 px without remainder, so a rotation maps windows onto windows. Below, the "
            "same for attention: with strides, the rotated maps of an attentive network are off by "
            "about **0.3**, with pooling by 10⁻⁶.",
            "equivariance",
            {**STRIDES, "side": EVEN, "way": "stride 1, then 2×2 pooling"},
        ),
    ),
    Trial(
        "Is pooling always right? Keep it, and set the side to **odd: 9 px**.",
        "No: the relative error is 0.56.",
        "Windows of 2 px do not tile 9 px. One row is left out, and after the rotation it is "
        "a different row. Here, stride needs odd sides, and pooling even ones.",
    ),
)
