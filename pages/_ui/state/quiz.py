"""The state of the quiz: the seed in the address, and the answers of this session."""

import secrets
from typing import Final

from pages._ui.panels import note_unused
from pages._ui.state.fields import (
    Collected,
    InAddress,
    InSession,
    is_new_request,
    replace_parameter,
)

SEED: Final = "seed"
"""The URL parameter with the seed of the questions."""
MAX_SEED: Final = 999_999


class QuizState:
    """State of the quiz. Nothing is saved about the user."""

    seed_in_address = InAddress(SEED)
    """The seed in the address: its text, or None."""
    seed = InSession("seed of the quiz", 0)
    """The seed of the questions; 0 before the page is opened."""
    answers = Collected("answers of the quiz", dict[int, int])
    """The index of the chosen answer, by the index of the question."""

    def read_seed(self) -> int:
        """Return the seed in the address, or a new seed, which is written into the address."""
        asked = self.seed_in_address
        if asked is not None and is_new_request(SEED, asked):
            is_short = asked.isascii() and asked.isdecimal() and len(asked) <= len(str(MAX_SEED))
            if is_short and 1 <= int(asked) <= MAX_SEED:
                self._show(int(asked))
            else:
                legal = f"a whole number from 1 to {MAX_SEED:,}"
                note_unused(SEED, asked, legal, "a new seed is used")
        if not self.seed:
            self.renew()
        elif self.seed_in_address != str(self.seed):
            replace_parameter(SEED, str(self.seed))
        return self.seed

    def renew(self) -> None:
        """Choose a new seed, and so new questions; meant as a button's on_click."""
        self._show(1 + secrets.randbelow(MAX_SEED))
        replace_parameter(SEED, str(self.seed))

    def answer(self, question: int, choice: int) -> None:
        """Choose an answer; meant as a button's on_click."""
        self.answers[question] = choice

    def _show(self, seed: int) -> None:
        if seed != self.seed:
            self.answers.clear()
        self.seed = seed


quiz_state: Final = QuizState()
