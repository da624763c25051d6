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
            "Sixty 0s, 3s and 7s each, turned and shifted. Three prototypes may grow **thicker "
            "and thinner** to fit an image (morphology), and do nothing else. No thickness turns "
            "a 7: they become blots, and about **half** of the images (ACC) are with their own "
            "kind. Chance would be a third.",
            "clustering",
            {**BUDGET, "modules": ("morphology",)},
            DIGITS,
            runs=True,
        ),
        Caption(
            "Affine first, then morphology",
            "Now the prototypes first learn to be **turned, shifted and sheared** (affine). Once "
            "they lie on their images, **morphology** is switched on for what is left: the "
            "thickness of the hand. 0, 3 and 7 stand there, and more than **eight in ten** are "
            "right.\n\nChance has its say, in what the prototypes begin with: of seven beginnings, "
            "700 steps each, five got to 90 % or beyond, two stopped near 74 %.",
            "clustering",
            {**BUDGET, "modules": ("affine", "morphology")},
            DIGITS,
            runs=True,
        ),
        Caption(
            "Morphology first, then affine",
            "The same two, the other way round. In the time before affine comes, blots that "
            "swell have shared the images out by pose. When turning is allowed at last, each "
            "blot turns very well onto the **wrong** images: about **half** are right. The error "
            "is nearly as small as before, so the loss does not tell.\n\nFrom each of the seven "
            "beginnings this order did worse than the other: 63 % on average, against 87 %.",
            "clustering",
            {**BUDGET, "modules": ("morphology", "affine")},
            DIGITS,
            runs=True,
        ),
    ),
    Trial(
        "Choose affine, then morphology again. Under **More**, set **When modules start** to "
        "**at once**, and press **Run**.",
        "About half again, although the order is right.",
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
            "let a turned filter look, and turn the answer back: it is the same, up to "
            "rounding (10⁻⁷). That is **equivariance**, and attention maps inherit it.",
            "equivariance",
            {**STRIDES, "side": EVEN, "way": "stride 1"},
        ),
        Caption(
            "Every second pixel: not exact",
            "**Stride 2** saves work: the filter looks at every second pixel. But on 8 px it "
            "begins at one edge and stops **before** the other. **Blue**: where it stands. "
            "**Orange**: where it stands after the turn, on **other** pixels. The answer is "
            "another one, by more than its own size (1.6).",
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
            "a rest, so a turn lays window on window. Below, the same for attention: with "
            "strides the turned maps of an attentive network are off by about **0.3**, with "
            "pooling by 10⁻⁶.",
            "equivariance",
            {**STRIDES, "side": EVEN, "way": "stride 1, then 2×2 pooling"},
        ),
    ),
    Trial(
        "So pooling is always right? Keep it, and set the side to **odd: 9 px**.",
        "Not exact: the relative error is 0.56.",
        "Windows of 2 px do not tile 9 px. One row is left out, and after the turn it is "
        "another row. Stride wants odd sides here, and pooling even ones.",
    ),
)
