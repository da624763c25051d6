"""A quiz with pictures generated from a seed; its right answers are computed from them."""

from ia_engine.quiz.making import make_quiz
from ia_engine.quiz.question import QuizChoice, QuizPicture, QuizQuestion

__all__ = ["QuizChoice", "QuizPicture", "QuizQuestion", "make_quiz"]
