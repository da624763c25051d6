"""Lessons on learning: the order of transformations, and strides that break equivariance."""

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
            "The data are sixty images of each of the digits 0, 3 and 7, rotated and translated. "
            "Three prototypes may use **morphology** and nothing else. It replaces each pixel by a "
            "weighted mean of the 7×7 pixels around it, so strokes become **thicker or thinner**. "
            "If the weights are on one side, they also **translate** the image, by up to 3 px. The "
            "predictors exploit this and translate images by more than **1 px** on average. "
            "Morphology cannot rotate a 7, so the prototypes become blots, and about **six in "
            "ten** images (ACC) are in the right cluster. With all images in one cluster, ACC "
            "would be one third.",
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
            "more than **eight in ten** images are in the right cluster.",
            "clustering",
            {**BUDGET, "modules": ("affine", "morphology")},
            DIGITS,
            runs=True,
        ),
        Caption(
            "Morphology first, then affine",
            "Now the same two modules start in the opposite order. By the time affine starts, the "
            "growing blots have already divided the images by pose. When rotations are finally "
            "allowed, each blot aligns well with the **wrong** images, and about **two thirds** of "
            "the images are in the right cluster.\n\nIn Table 3 of the paper, this order (with "
            "thin plate splines last) reaches 27.5 % on average over ten runs, but 97.0 % in the "
            "run with the lowest loss. So the order decides how often training succeeds, and the "
            "loss identifies the successful runs.",
            "clustering",
            {**BUDGET, "modules": ("morphology", "affine")},
            DIGITS,
            runs=True,
        ),
    ),
    Trial(
        f"Choose affine, then morphology again. Under **More**, set **{LABELS['curriculum']}** to "
        f"**{word_of('off')}**, and press **Run**.",
        "Compare ACC with its value in the second caption. The order is the same, but both modules "
        "start at once.",
        "The order matters only if the modules start one after the other. In that case, large "
        "movements must settle before fine adjustments begin.",
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
            "90°, apply the rotated filter, and rotate the result back: it is the same as before, "
            "up to rounding errors below 10⁻⁶. This property is **equivariance**, and attention "
            "maps inherit it.",
            "equivariance",
            {**STRIDES, "side": EVEN, "way": "stride 1"},
        ),
        Caption(
            "Every second pixel: not exact",
            "**Stride 2** saves work, because the filter is applied only at every second pixel. "
            "But on 8 px it starts at one edge and stops **before** the other. **Blue** shows its "
            "positions, and **orange** its positions after the rotation, which are on "
            "**different** pixels. The relative error is 1.6, so the difference is larger than the "
            "result itself.",
            "equivariance",
            {**STRIDES, "side": EVEN, "way": "stride 2"},
        ),
        Caption(
            "One more pixel: exact again",
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
            "tile 8 px without remainder, so a rotation maps windows onto windows. The same holds "
            "for attention, as shown below: with strides, the rotated maps of an attentive network "
            "have an error of about **0.3**, and with pooling one below 10⁻⁵.",
            "equivariance",
            {**STRIDES, "side": EVEN, "way": "stride 1, then 2×2 pooling"},
        ),
    ),
    Trial(
        "Is pooling always right? Keep it, and set the side to **odd: 9 px**.",
        "No: the relative error is 0.56.",
        "Windows of 2 px do not tile 9 px. One row is omitted, and after the rotation it is "
        "a different row. Here, strides need an odd side, and pooling needs an even side.",
    ),
)
