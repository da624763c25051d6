"""The quiz can be answered by keyboard and is accessible in a wide and in a narrow window."""

from pathlib import Path

from playwright.sync_api import expect

from ia_engine.quiz import make_quiz
from tests.browser.places import at_rest, expect_accessible

APP = Path(__file__).parents[2] / "app.py"
SEED = 7


def test_an_answer_by_keyboard_is_explained_and_new_questions_change_the_address(serve, open_page):
    page = open_page(f"{serve(APP)}/quiz?seed={SEED}", width=390, height=844)
    choice = make_quiz(SEED)[0].choices[0]
    button = page.locator(".st-key-quiz-1-0 button")
    expect(button).to_have_text(choice.text)
    expect_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    button.focus()
    page.keyboard.press("Enter")
    verdict = "Right." if choice.right else "Not quite"
    expect(page.locator(".st-key-quiz-question-1")).to_contain_text(verdict)
    expect(page.get_by_text("1 of 10 questions answered")).to_be_visible()
    at_rest(page)
    page.get_by_role("button", name="New questions").click()
    expect(page.get_by_text("0 of 10 questions answered")).to_be_visible()
    page.wait_for_function(f"new URLSearchParams(location.search).get('seed') !== '{SEED}'")
