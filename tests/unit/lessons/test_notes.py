"""Every lesson has notes with a ten-minute plan and one page of the handout with pictures."""

import base64
import io
import re

import pytest
from PIL import Image

from pages._ui.lessons.catalogue import LESSONS
from pages._ui.lessons.handout import write_handout
from pages._ui.lessons.notes import NOTES
from pages._ui.lessons.questions import QUESTIONS

pytestmark = pytest.mark.cpu_only("the data of the handout's pictures are on the CPU")


def test_every_lesson_has_an_aim_a_plan_of_ten_minutes_and_answered_questions():
    assert set(NOTES) == {lesson.name for lesson in LESSONS}
    for notes in NOTES.values():
        assert notes.aim.startswith("Students ")
        assert sum(part.minutes for part in notes.plan) == 10
        assert len(notes.expected) >= 2
        for one in notes.expected:
            assert one.question.endswith("?")
            assert one.answer.endswith(".")


def test_the_handout_has_a_page_with_readable_pictures_for_each_lesson_and_needs_no_network():
    text = write_handout().decode()
    pages = text.split("<section>")[1:]
    assert len(pages) == len(LESSONS)
    assert "@media print" in text
    assert len(text) < 2_000_000
    for lesson, page in zip(LESSONS, pages, strict=True):
        assert all(answer.text in page for answer in QUESTIONS[lesson.name].answers)
        assert not [mark for mark in ("**", "$", "`", ":material") if mark in page]
        found = re.findall(r'src="data:image/\w+;base64,([^"]+)"', page)
        assert 1 <= len(found) <= 4
        sizes = [Image.open(io.BytesIO(base64.b64decode(code))).size for code in found]
        assert all(min(size) >= 40 for size in sizes)
    assert not re.search(r'(?:src|href)="(?!data:)', text)
    assert write_handout() is write_handout(), "it is written once for all visitors"
