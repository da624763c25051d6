"""The eight lessons, in the order in which they build on one another."""

from typing import Final

from pages._ui.lessons.learned import ORDER, STRIDE
from pages._ui.lessons.lesson import Lesson
from pages._ui.lessons.poses import BASIN, MEAN, SIGMA
from pages._ui.lessons.weights import BETA, MUSH, SIX_NINE

LESSONS: Final[tuple[Lesson, ...]] = (
    MUSH,
    BETA,
    SIGMA,
    BASIN,
    MEAN,
    SIX_NINE,
    ORDER,
    STRIDE,
)
