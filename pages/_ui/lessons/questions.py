"""The question of each lesson: the user predicts a result before it is shown."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Answer:
    """An answer to choose, and the explanation that is shown once it is chosen."""

    text: str
    explanation: str
    right: bool = False


@dataclass(frozen=True)
class Question:
    """A question about the result that a caption shows."""

    text: str
    answers: tuple[Answer, ...]
    caption: int
    """The number of the caption in its lesson, counted from 1. Its text is hidden at first."""
    step: int | None = None
    """The iteration that the player shows once the question is answered; before, it shows
    iteration 0, and the rest of the page is hidden. None hides the whole page until then."""


QUESTIONS: Final[Mapping[str, Question]] = {
    "mush": Question(
        "Each of the eighteen images is replaced by its weighted average, four times in a row. "
        "What becomes of them in **kernel attention**, which compares them unaligned?",
        (
            Answer(
                "A crab, a seven and a snail",
                "This is what **invariant** attention finds. Without alignment, a rotated crab "
                "covers different pixels, so a crab is averaged with sevens and snails as well.",
            ),
            Answer(
                "One grey blot",
                "Every average mixes all classes in all poses. Averages of averages become more "
                "and more alike, until all are the same blot.",
                right=True,
            ),
            Answer(
                "Eighteen images, as before",
                "This would happen if each image gave nearly all its weight to itself. Here, the "
                "weights are scattered over all images, so the images are mixed.",
            ),
        ),
        caption=4,
        step=4,
    ),
    "beta": Question(
        "β is now **5** instead of 15, so the weights decrease more slowly with the distance. "
        "After three iterations, what becomes of the six 3s and the six 7s?",
        (
            Answer(
                "One 3 and one 7",
                "This is the result for β = 15. With β = 5, the weight of a 7 in a 3's average is "
                "no longer small, and the classes mix.",
            ),
            Answer(
                "A single blend of both",
                "A small β treats 3s and 7s as similar. Each average contains both, and after a "
                "few iterations all images are the same.",
                right=True,
            ),
            Answer(
                "Twelve different images",
                "This needs a **large** β, which gives weight only to nearly identical images. The "
                "next caption shows it.",
            ),
        ),
        caption=2,
        step=3,
    ),
    "sigma": Question(
        "Now both snails are blurred by 1 px before they are compared. From how many starting "
        "poses does descent find the right pose?",
        (
            Answer(
                "From fewer: details are lost",
                "Details are lost, but descent does not need them at first. It needs a slope that "
                "leads to the minimum, and blurred lines overlap from farther away.",
            ),
            Answer(
                "From as many as before",
                "Blur changes the curve: it removes small local minima, and far more starting "
                "poses lead to the right one.",
            ),
            Answer(
                "From many more",
                "Blurred lines overlap even when they are farther apart, so the slope towards the "
                "right pose begins earlier.",
                right=True,
            ),
        ),
        caption=2,
    ),
    "basin": Question(
        "There are three classes. All pairs were aligned by descent without smoothing, and most "
        "of them stopped at a wrong pose. How many clusters will be left?",
        (
            Answer(
                "Three",
                "Three would need right poses for most pairs. At a wrong pose, two crabs look "
                "different, so their weight is too small and they stay apart.",
            ),
            Answer(
                "More than three",
                "At a wrong pose, two images of one class look different. Their weight is too "
                "small, the blocks have holes, and classes break into parts.",
                right=True,
            ),
            Answer(
                "One",
                "A wrong pose makes a distance too **large**, never too small. So images are "
                "separated, not merged.",
            ),
        ),
        caption=2,
        step=2,
    ),
    "mean": Question(
        "Rotations and translations are allowed again, but every 3 starts in a **random** pose. "
        "What will the mean look like after five iterations?",
        (
            Answer(
                "Sharp: each 3 finds its pose",
                "Each 3 can only be aligned with the mean, and the mean of random poses is a blot. "
                "Many 3s settle in a wrong pose.",
            ),
            Answer(
                "Blurred",
                "The first mean is a blot, and each 3 is aligned with this blot. A wrong mean "
                "leads to wrong poses, and wrong poses lead to a wrong mean.",
                right=True,
            ),
            Answer(
                "Like the plain average",
                "It becomes sharper than that, because each step improves the alignment a "
                "little. But it does not become sharp.",
            ),
        ),
        caption=3,
    ),
    "six-nine": Question(
        "Now rotations are ignored as well as translations. How many clusters are left of the six "
        "6s and the six 9s after four iterations?",
        (
            Answer(
                "One",
                "Upside down, a 6 is nearly a 9. If rotations do not count, nothing is left that "
                "separates them.",
                right=True,
            ),
            Answer(
                "Two: 6s and 9s",
                "This would need a difference between 6 and 9 other than a rotation, and there is "
                "hardly any: upside down, a 6 is nearly a 9.",
            ),
            Answer(
                "Five, as before",
                "The copies that differed by a rotation now match. So there are fewer clusters "
                "than with translations alone.",
            ),
        ),
        caption=2,
        step=4,
    ),
    "order": Question(
        "The same two modules now start in the opposite order: morphology first, then affine. Does "
        "this change the clusters?",
        (
            Answer(
                "No: both are used in the end",
                "In the end both are used, but training does not start again when affine is "
                "switched on. It continues from clusters whose prototypes are blots.",
            ),
            Answer(
                "Yes, they become worse",
                "By the time rotations are allowed, blots have divided the images by pose. "
                "Training rarely leaves such a division.",
                right=True,
            ),
            Answer(
                "Yes, they become better",
                "Fine adjustments cannot help before images are aligned. With morphology alone, "
                "the prototypes become blots, and they attract the wrong images.",
            ),
        ),
        caption=3,
    ),
    "stride": Question(
        "The filter is now applied only at every **second** of the 8 pixels (stride 2). Is the "
        "result for the rotated picture still the rotated result?",
        (
            Answer(
                "Yes, exactly",
                "It would be if the positions were symmetric. On 8 px they start at one edge and "
                "stop before the other, so a rotation moves them to other pixels.",
            ),
            Answer(
                "Nearly, up to rounding",
                "The difference is far larger than rounding: after the rotation, the filter is "
                "applied at other pixels.",
            ),
            Answer(
                "No",
                "The positions start at one edge and stop before the other. After a rotation they "
                "are different pixels, which give different values.",
                right=True,
            ),
        ),
        caption=2,
    ),
    "noise": Question(
        "Now each image of noise is rotated and translated until it fits the drawing of the "
        "**seven** as well as possible. What does the mean of all forty images look like?",
        (
            Answer(
                "A grey disc, as before",
                "The dots have nothing in common, but their **poses** now do: each image was "
                "placed so that many of its dots lie on the seven.",
            ),
            Answer(
                "A seven",
                "Each image was placed so that many of its dots lie on the seven. The mean of "
                "such images is brighter there, although no noise image contains a seven.",
                right=True,
            ),
            Answer(
                "A random pattern of dots",
                "With forty images, single dots no longer stand out. What stands out is what "
                "the alignment chose: dots on the seven.",
            ),
        ),
        caption=2,
    ),
    "arrows": Question(
        "Now rotations are ignored as well. Which arrows count as most similar?",
        (
            Answer(
                "Arrows of the same direction",
                "The direction is what a rotation changes, and rotations no longer count. So the "
                "direction has no influence on the distances.",
            ),
            Answer(
                "Arrows of the same length and width",
                "The direction no longer counts, so only the shape is left: length, width and the "
                "size of the head.",
                right=True,
            ),
            Answer(
                "Arrows in the same place",
                "The position did not count before, either: translations are still ignored.",
            ),
        ),
        caption=2,
        step=4,
    ),
    "choice": Question(
        "**Affine maps** are now ignored: they also stretch images. How many of the three shapes "
        "(circle, ellipse, long ellipse) can still be told apart?",
        (
            Answer(
                "All three",
                "They differ in the ratio of their axes, and stretching changes this ratio. What "
                "a transformation changes can no longer separate images.",
            ),
            Answer(
                "Two: the circle and the ellipses",
                "A circle is an ellipse with equal axes. Stretching turns each of the three shapes "
                "into each of the others.",
            ),
            Answer(
                "None",
                "Stretching turns every ellipse into a circle. Up to affine maps, all fifteen "
                "images are the same shape.",
                right=True,
            ),
        ),
        caption=4,
    ),
    "layers": Question(
        "A network with attention recognises a 3. Each layer **removes** a share of its input at "
        "every position. What does the **first** layer remove most?",
        (
            Answer(
                "The background",
                "This is a natural guess, and the second layer does it. The first layer removes "
                "more where the picture is bright.",
            ),
            Answer(
                "The strokes of the 3",
                "The first layer makes bright strokes weaker. Attention does not always point at "
                "what matters.",
                right=True,
            ),
            Answer(
                "The same share everywhere",
                "If the share were the same everywhere, attention would only make the picture "
                "darker. Here, the share depends strongly on the position.",
            ),
        ),
        caption=1,
    ),
}
"""The questions by the names of their lessons."""
