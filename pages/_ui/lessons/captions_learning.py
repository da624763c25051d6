"""Lessons on learning: the order of transformations, strides, and attention inside a network."""

from typing import Final

from pages._ui.lessons.captions_weights import DIGITS
from pages._ui.lessons.lesson import Caption, Lesson, Trial
from pages._ui.wording import LABELS, word_of

EVEN, ODD = "even: 8 px", "odd: 9 px"


BUDGET: Final = {"budget": 8.0, "k": 3}
STRIDES: Final = {"view": "Stride and parity", "picture": "3"}
LAYERS_OF_3: Final = {"view": "Layer by layer", "picture": "3"}

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
        "Affine first is better only if the modules start one after the other. In that case, large "
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


LAYERS: Final = Lesson(
    "layers",
    "Inside a network",
    "What the attention of a network removes from one digit, layer by layer",
    (
        Caption(
            "Layer 1: the strokes become weaker",
            "A network that recognises digits has seven **layers** with attention. In each layer, "
            "every position of the picture has a number **αX** between 0 and 1: the share that is "
            "**removed** there (multiplied by αC, the weight of the channel).\n\n"
            "In layer 1, αX is close to "
            "1 on the strokes of the 3: $1 - \\alpha_X$, the share that is kept, is on average "
            "**0.04** on the digit and **0.38** beside it. So this attention does not point at "
            "the digit; it makes bright strokes weaker.",
            "equivariance",
            {**LAYERS_OF_3, "layer": 1, "turn": 0},
        ),
        Caption(
            "Layer 2: the digit is kept",
            "Layer 2 does the opposite. It keeps the digit completely (**1.00**) and removes "
            "part of its surroundings (**0.82** is kept). There are four maps in each row: one "
            "for each direction **h** in which the filters of the layer look for strokes.",
            "equivariance",
            {**LAYERS_OF_3, "layer": 2, "turn": 0},
        ),
        Caption(
            "Layer 5: larger regions",
            "After pooling, layer 5 has only 8×8 positions, and each sees a large part of the "
            "digit. The maps no longer show strokes but regions: **0.09** is kept on the digit and "
            "**0.31** beside it. What a single map means is hard to say here. It is safer to "
            "switch the map off and to measure what changes.",
            "equivariance",
            {**LAYERS_OF_3, "layer": 5, "turn": 0},
        ),
        Caption(
            "Rotate the digit",
            "Now the digit is rotated by **90°**. Every map of layer 2 is rotated with it **and** "
            "moves to the next direction h. Rotated back, the maps are the same as before, up to "
            "rounding errors below 10⁻⁵. This is **equivariance**. The network has the same "
            "filters in all four directions, so this holds for every digit, even for one that it "
            "recognises wrongly.",
            "equivariance",
            {**LAYERS_OF_3, "layer": 2, "turn": 90},
        ),
    ),
    Trial(
        "Is this only true for a 3? Choose another **Picture**, and rotate it to 180°.",
        "The maps follow every digit, at every multiple of 90°.",
        "Equivariance is built into the network; it is not learned from examples. What is learned "
        "is where each layer removes something.",
    ),
)
