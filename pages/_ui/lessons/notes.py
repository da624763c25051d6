"""Notes for teachers: the aim of each lesson, a ten-minute plan, and likely questions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Activity:
    """A part of the plan and its duration [min]."""

    minutes: int
    text: str


@dataclass(frozen=True)
class Expected:
    """A question that students are likely to ask, and its answer."""

    question: str
    answer: str


@dataclass(frozen=True)
class Notes:
    """The notes on one lesson."""

    aim: str
    plan: tuple[Activity, ...]
    expected: tuple[Expected, ...]


def _plan(show: str, predict: str, discuss: str, exercise: str) -> tuple[Activity, ...]:
    """Return the usual plan: 3 minutes to show, 2 to predict, 3 to discuss and 2 to try."""
    return (Activity(3, show), Activity(2, predict), Activity(3, discuss), Activity(2, exercise))


NOTES: Final[Mapping[str, Notes]] = {
    "mush": Notes(
        "Students can say why averages of rotated images blur, and why alignment prevents this.",
        _plan(
            "Captions 1 to 3: read one column of W aloud; click a pair of crabs.",
            "Everyone votes on the question before you answer it.",
            "Play both methods side by side. Ask where each pixel of the blot comes from.",
            "Do the exercise together: a larger β for kernel attention.",
        ),
        (
            Expected(
                "Is β chosen so that kernel attention fails?",
                "No. With β = 15 it would not average at all; the exercise shows β = 10.",
            ),
            Expected(
                "How does it know which images are crabs?",
                "It does not. The labels only colour the edges of W and order the images.",
            ),
        ),
    ),
    "beta": Notes(
        "Students can predict what a small and a large β do to the clusters.",
        _plan(
            "Caption 1: compute one weight from d² on the board.",
            "Ask for a show of hands on β = 5, then answer.",
            "Caption 3: why are eight clusters left, not twelve?",
            "Exercise: a rule with one β per column.",
        ),
        (
            Expected(
                "What is the right β?",
                "One that gives large weights within classes and small weights between classes. "
                "The page recommends a value.",
            ),
            Expected(
                "Why does β grow by itself in caption 4?",
                "It is recomputed from the distances, which become smaller as images merge.",
            ),
        ),
    ),
    "sigma": Notes(
        "Students can explain why blur helps to find a pose, and why too much blur does not.",
        _plan(
            "Caption 1: find the starting point and the minimum on the curve.",
            "Predict the effect of 1 px, then answer.",
            "Captions 3 and 4: where does the basin end, and where does it disappear?",
            "Exercise: more steps instead of more blur.",
        ),
        (
            Expected(
                "Why not try all rotations?",
                "With few images, you can: that is global search. It costs more for every pair.",
            ),
            Expected(
                "What is a basin?",
                "All starting poses from which descent ends at the same minimum, just as all rain "
                "that falls in a valley flows into the same lake.",
            ),
        ),
    ),
    "basin": Notes(
        "Students can recognise a wrong basin, and name two remedies and their costs.",
        _plan(
            "Caption 1: the crossed sevens. Why does every small step make it worse?",
            "Predict the number of clusters, then answer.",
            "Captions 3 and 4: which pairs are repaired, and by what?",
            "Exercise: smoothing of 2 px merges the classes.",
        ),
        (
            Expected(
                "Why is it acceptable that 22 pairs are wrong?",
                "Each image has five partners. One good match is enough to join its class.",
            ),
            Expected(
                "Does global search always win?",
                "Not always: it needs more computing time, and its grid must be fine enough.",
            ),
        ),
    ),
    "mean": Notes(
        "Students can describe how a mean and its poses improve each other, and when they do not.",
        _plan(
            "Caption 1: press Play twice; look first at μ, then at the aligned images.",
            "Predict the result of random poses, then answer.",
            "Caption 4: why does one good template help?",
            "Exercise: affine maps.",
        ),
        (
            Expected(
                "What does sharpness measure?",
                "How strong the edges in the mean are, compared with the images. Blur lowers it.",
            ),
            Expected(
                "Why is f not 0 at the end?",
                "The ten 3s are written differently; no rotation removes these differences.",
            ),
        ),
    ),
    "six-nine": Notes(
        "Students know the price of invariance: what is ignored cannot be distinguished.",
        _plan(
            "Caption 1: copies that differ by a rotation count as different images.",
            "Predict the number of clusters with rotations, then answer.",
            "Caption 3: why can no weight bring back the difference?",
            "Exercise: rotations alone.",
        ),
        (
            Expected(
                "How do people tell 6 from 9?",
                "From the context: the line of writing, for example, shows which way is up.",
            ),
            Expected(
                "Could rotations by up to 30° be ignored?",
                "Yes, but they do not form a group: two of them can add up to 60°.",
            ),
        ),
    ),
    "order": Notes(
        "Students can explain why coarse adjustments must come before fine ones.",
        _plan(
            "Captions 1 and 2: compare the prototypes.",
            "Predict the result of the opposite order, then answer.",
            "Which images are in the wrong cluster, and why do they stay there?",
            "Exercise: both modules from the start.",
        ),
        (
            Expected(
                "Why does training not correct the order?",
                "Each blot already fits its images well. Any change would first raise the loss.",
            ),
            Expected(
                "What is ACC?",
                "The share of images in the right class if each cluster stands for its best class.",
            ),
        ),
    ),
    "stride": Notes(
        "Students can check with one formula whether a strided layer is equivariant.",
        _plan(
            "Caption 1: rotate the picture on paper; what should happen to the result?",
            "Predict stride 2 on 8 px, then answer.",
            "Caption 3: compute n + 2p − k for 8 and for 9 px.",
            "Exercise: pooling on 9 px.",
        ),
        (
            Expected(
                "Is a small error a problem?",
                "It adds up over the layers, and the network no longer treats all rotations alike.",
            ),
            Expected(
                "Why only rotations by 90°?",
                "They map pixels onto pixels. All other angles need interpolation.",
            ),
        ),
    ),
    "noise": Notes(
        "Students distrust a mean until they know what its images were aligned with.",
        _plan(
            "Caption 1: look for a seven in individual noise images. There is none.",
            "Predict the mean after alignment, then answer.",
            "Caption 3: the same noise becomes a crab. What is the evidence now?",
            "Exercise: affine maps make it worse.",
        ),
        (
            Expected(
                "Has this happened in research?",
                "Yes. In electron microscopy, averages of aligned noise have shown the template. "
                "Independent halves of the data are the usual test.",
            ),
            Expected(
                "Would more images help?",
                "No. The random dots average out and the bias remains, so the seven gets clearer.",
            ),
        ),
    ),
    "arrows": Notes(
        "Students can name a task in which rotation invariance destroys the answer.",
        _plan(
            "Caption 1: two clusters with translations alone.",
            "Predict which arrows are most similar, then answer.",
            "Caption 3: collect examples, such as road signs, p and d, + and ×.",
            "Exercise: back to translations.",
        ),
        (
            Expected(
                "Is the direction lost?",
                "Not from the poses: each pose states by how much an arrow was rotated.",
            ),
            Expected(
                "Can we have both?",
                "Yes: compare shapes up to rotation, and keep the rotation as a second result.",
            ),
        ),
    ),
    "choice": Notes(
        "Students can choose a group for a task and give reasons.",
        _plan(
            "Captions 1 to 3: too large, too small, right.",
            "Predict the result of affine maps, then answer.",
            "Each team of students chooses a group for letters, for cells, and for faces.",
            "Exercise: β cannot repair the choice.",
        ),
        (
            Expected(
                "Why must it be a group?",
                "Similarity must hold in both directions and in chains. In a group, every "
                "transformation can be undone, and any two can be combined.",
            ),
            Expected(
                "Is the largest group the safest choice?",
                "No. It makes different things equal, and it makes noise fit better (lesson 9).",
            ),
        ),
    ),
    "layers": Notes(
        "Students read attention maps with care: what is removed, where, and at which scale.",
        _plan(
            "Show the digit, and explain that αX is the share that is removed.",
            "Predict what layer 1 removes, then answer.",
            "Captions 2 and 3: compare the scales of the rows.",
            "Caption 4 and exercise: rotate another digit.",
        ),
        (
            Expected(
                "Do the maps explain the answer?",
                "Only partly. A map shows where numbers are scaled, not what the network uses.",
            ),
            Expected(
                "Would an untrained network be equivariant too?",
                "Yes, up to rounding errors, but its answers would be useless.",
            ),
        ),
    ),
}
"""The notes by the names of their lessons."""
