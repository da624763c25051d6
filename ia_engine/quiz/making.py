"""The kinds of questions: each draws pictures, computes the answer from them and explains it."""

import random
from collections.abc import Callable
from itertools import combinations
from typing import Final

import torch

from ia_engine.attention.means.algorithm1 import MeanConfig, find_mean
from ia_engine.attention.means.mean import sharpness
from ia_engine.attention.weights import weigh
from ia_engine.errors import EngineError
from ia_engine.images import Images
from ia_engine.quiz.question import (
    APART,
    NAMES,
    SAME,
    QuizChoice,
    QuizPicture,
    QuizQuestion,
    Unclear,
    arrange,
    draw_names,
    list_pictures,
    measure,
    measure_pixels,
    pose,
    write_png,
)

TRIES: Final = 60
"""Maximum number of attempts to draw a question whose answer is clear."""
BETAS: Final = (0.5, 6.0, 80.0)
COPIES: Final = 6
CLASS: Final = 3
"""Number of copies of each drawing from which W is computed."""
LETTERS: Final = 3


def ask_same(rng: random.Random) -> QuizQuestion:
    """Ask which two of four pictures are the same up to rotation and translation."""
    one, *others = draw_names(rng, LETTERS)
    images = torch.cat([pose(rng, name) for name in rng.sample([one, one, *others], 4)])
    d2 = measure(images)
    pairs = sorted(combinations(range(4), 2), key=lambda pair: float(d2[pair]))
    if d2[pairs[0]] > SAME or d2[pairs[1]] < APART:
        raise Unclear
    a, b = (NAMES[at] for at in pairs[0])
    found = f"After the best rotation and translation, {a} and {b} differ only by d² = "
    found += f"{float(d2[pairs[0]]):.2f}"
    choices = [
        QuizChoice(
            f"{NAMES[i]} and {NAMES[j]}",
            f"{found}."
            if (i, j) == pairs[0]
            else f"In every pose, {NAMES[i]} and {NAMES[j]} differ by at least d² = "
            f"{float(d2[i, j]):.2f}. {found}.",
            (i, j) == pairs[0],
        )
        for i, j in sorted((pairs[0], *rng.sample(pairs[1:], 3)))
    ]
    text = "Which two pictures are the same up to a rotation and a translation?"
    return QuizQuestion("same", text, list_pictures(images), arrange(choices))


def ask_mirror(rng: random.Random) -> QuizQuestion:
    """Ask which of three pictures is a mirror image of a first one."""
    (name,) = draw_names(rng, 1)
    mirrored = rng.sample([True, False, False], LETTERS)
    images = torch.cat([pose(rng, name), *(pose(rng, name, mirrored=flip) for flip in mirrored)])
    d2 = measure(images)[0, 1:].tolist()
    order = sorted(range(LETTERS), key=d2.__getitem__)
    if d2[order[-2]] > SAME or d2[order[-1]] < APART / 2:
        raise Unclear
    odd = NAMES[1 + order[-1]]
    choices = [
        QuizChoice(
            NAMES[1 + at],
            f"No rotation turns A into {odd}: d² = {d2[order[-1]]:.2f} remains. The others are "
            "rotated copies of A.",
            at == order[-1],
        )
        for at in range(LETTERS)
    ]
    text = "One of B, C and D is a **mirror image** of A; the others are rotated copies. Which one?"
    return QuizQuestion("mirror", text, list_pictures(images), arrange(choices))


def ask_turn(rng: random.Random) -> QuizQuestion:
    """Ask whether a rotation and a translation can turn A into B."""
    one, other = draw_names(rng, 2)
    second = rng.choice([(one, False), (one, True), (other, False), (one, False)])
    images = torch.cat([pose(rng, one), pose(rng, second[0], mirrored=second[1])])
    d2 = float(measure(images)[0, 1])
    if SAME < d2 < APART / 2:
        raise Unclear
    yes = d2 <= SAME
    why = (
        f"The best rotation and translation leave only d² = {d2:.2f} between A and B."
        if yes
        else f"Even the best rotation and translation leave d² = {d2:.2f} between A and B"
        + (": B is a mirror image of A." if second[0] == one else ": they are different drawings.")
    )
    choices = [QuizChoice("Yes", why, yes), QuizChoice("No", why, not yes)]
    text = "Can a rotation and a translation turn A into B?"
    return QuizQuestion("turn", text, list_pictures(images), arrange(choices))


def ask_mean(rng: random.Random) -> QuizQuestion:
    """Ask which of two pictures is the invariant mean; the other one is the plain mean."""
    (name,) = draw_names(rng, 1)
    images = torch.cat([pose(rng, name) for _ in range(COPIES)])
    weights = torch.ones_like(images[:, 0, 0, 0])
    step = next(find_mean(MeanConfig(steps=1), images, weights))
    means = torch.stack([images.mean(0), step.mu])
    plain, invariant = sharpness(means, images).tolist()
    if invariant < 2 * plain:
        raise Unclear
    order = rng.sample(range(2), 2)
    right = NAMES[order.index(1)]
    why = (
        f"{right}. Its sharpness is {invariant:.2f}, that of the plain mean only {plain:.2f} (1: "
        "as sharp as the images). Unaligned strokes blur; aligned strokes stay sharp."
    )
    choices = [QuizChoice(letter, why, letter == right) for letter in NAMES[:2]]
    sources = (QuizPicture(write_png(torch.cat([*images[:3, 0]], 1)), "images", "Three images"),)
    text = (
        f"These are three of {COPIES} images in different poses, and two means of all {COPIES}. "
        "Which picture is the **invariant mean**?"
    )
    shown = list_pictures(means[order].clamp_min(0))
    return QuizQuestion("mean", text, (*sources, *shown), arrange(choices))


def ask_beta(rng: random.Random) -> QuizQuestion:
    """Ask which β gives a matrix W."""
    images = _draw_classes(rng)
    d2 = measure(images)
    all_W = [weigh(d2, beta) for beta in BETAS]
    chosen = rng.randrange(len(BETAS))
    W = all_W[chosen]
    off = [float((other - W).abs().mean()) for other in all_W]
    if sorted(off)[1] < 0.03:
        raise Unclear
    share = float(W.diagonal().mean())
    why = (
        f"With β = {BETAS[chosen]:g}, an image gives {100 * share:.0f} % of the weight in its own "
        "average to itself. A larger β makes W more diagonal, a smaller β makes it more even."
    )
    choices = [
        QuizChoice(f"β = {beta:g}", why, at == off.index(min(off))) for at, beta in enumerate(BETAS)
    ]
    pictures = (
        *list_pictures(images[[0, CLASS]]),
        QuizPicture(write_png(1 - W / W.max(), smooth=False), "W", "The matrix W of six images"),
    )
    text = (
        "Three copies of A and three of B, in different poses, were compared up to rotation and "
        "translation. In the square W, black is the largest weight. Which **β** gives this W?"
    )
    return QuizQuestion("beta", text, pictures, arrange(choices))


def ask_kernel(rng: random.Random) -> QuizQuestion:
    """Ask which picture has the largest weight if the images are compared unaligned."""
    one, other, third = draw_names(rng, LETTERS)
    parts = [pose(rng, one), *rng.sample([pose(rng, name) for name in (one, other, third)], 3)]
    images = torch.cat(parts)
    pixels = measure_pixels(images)[0, 1:].tolist()
    order = sorted(range(LETTERS), key=pixels.__getitem__)
    if pixels[order[1]] - pixels[order[0]] < APART / 2:
        raise Unclear
    aligned = measure(images)[0, 1:].tolist()
    nearest = NAMES[1 + order[0]]
    twin = NAMES[1 + aligned.index(min(aligned))]
    why = f"Pixel by pixel, {nearest} is nearest to A: d² = {pixels[order[0]]:.2f}. "
    why += (
        "Here it is also the rotated copy of A."
        if twin == nearest
        else f"After alignment it would be {twin}, but kernel attention does not align images."
    )
    choices = [
        QuizChoice(NAMES[1 + at], why, at == pixels.index(min(pixels))) for at in range(LETTERS)
    ]
    text = (
        "**Kernel attention** compares pixels, without alignment. Which picture has the most "
        "overlap with A, and so the largest weight in A's average?"
    )
    return QuizQuestion("kernel", text, list_pictures(images), arrange(choices))


def ask_group(rng: random.Random) -> QuizQuestion:
    """Ask for the smallest group that can turn A into B."""
    (name,) = draw_names(rng, 1)
    first = pose(rng, name, degrees=0)
    kind = rng.choice(list(GROUP_TEXTS))
    images = torch.cat([first, _transform(rng, name, kind)])
    left = {group: float(measure(images, group)[0, 1]) for group in GROUP_TEXTS}
    fitting = [group for group, d2 in left.items() if d2 < SAME]
    if not fitting or any(SAME <= d2 < 2 * SAME for d2 in left.values()):
        raise Unclear
    smallest = fitting[0]
    before = [f"{d2:.2f} after {GROUP_TEXTS[group]}" for group, d2 in left.items()]
    why = f"The remaining d² is {'; '.join(before)}. The smallest set with a small value: "
    why += f"{GROUP_TEXTS[smallest]}."
    choices = [
        QuizChoice(text.capitalize(), why, group == smallest) for group, text in GROUP_TEXTS.items()
    ]
    text = "Which is the **smallest** set of transformations that can turn A into B?"
    return QuizQuestion("group", text, list_pictures(images), arrange(choices))


GROUP_TEXTS: Final = {
    "translation": "translations",
    "se2": "rotations and translations",
    "similarity": "rotations, translations and scalings",
}
"""The groups of `ask_group`, each contained in the next."""
Ask = Callable[[random.Random], QuizQuestion]
KINDS: Final[tuple[Ask, ...]] = (
    *(ask_same, ask_mirror, ask_turn, ask_mean),
    *(ask_beta, ask_kernel, ask_group),
)


def make_quiz(seed: int, count: int = 10) -> tuple[QuizQuestion, ...]:
    """Return questions generated from the seed: every kind in random order, then again.

    >>> len(make_quiz(1)), make_quiz(1, 2) == make_quiz(1, 2)
    (10, True)
    """
    if seed < 0 or count < 1:
        raise EngineError(
            "the seed must be at least 0 and the count at least 1; "
            f"got seed {seed} and count {count}"
        )
    rng = random.Random(seed)
    kinds = rng.sample(KINDS, len(KINDS))
    while len(kinds) < count:
        kinds += rng.sample(KINDS, len(KINDS))
    return tuple(_make_clear(ask, rng.randrange(2**31)) for ask in kinds[:count])


def _make_clear(ask: Ask, seed: int) -> QuizQuestion:
    """Draw pictures until the question has one clear answer."""
    for attempt in range(TRIES):
        try:
            return ask(random.Random(seed + attempt))
        except Unclear:
            continue
    raise EngineError(
        f"no clear question was found in {TRIES} attempts with seed {seed}; use another seed"
    )


def _draw_classes(rng: random.Random) -> Images:
    """Return posed copies of each of two drawings."""
    return torch.cat([pose(rng, name) for name in draw_names(rng, 2) for _ in range(CLASS)])


def _transform(rng: random.Random, name: str, kind: str) -> Images:
    """Return a drawing that is translated and, depending on `kind`, also rotated, or rotated and
    scaled down."""
    degrees = 0.0 if kind == "translation" else 180.0
    image = pose(rng, name, degrees=degrees)
    if kind != "similarity":
        return image
    small = torch.nn.functional.interpolate(
        image, scale_factor=0.65, mode="bilinear", antialias=True
    )
    margin = image.shape[-1] - small.shape[-1]
    before = margin // 2
    return torch.nn.functional.pad(small, (before, margin - before) * 2)
