"""Every lesson can be controlled by keyboard alone; numbers in captions agree with their pages."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from pages._ui.lessons.captions_weights import BETA
from pages._ui.lessons.catalogue import LESSONS
from pages._ui.lessons.notes import NOTES
from pages._ui.lessons.questions import QUESTIONS
from tests.browser.lessons_said import ACC, ACCURACY, SAID
from tests.browser.places import at_rest, place_of, until
from tests.browser.player_page import STATE

APP = Path(__file__).parents[2] / "app.py"
STYLE_LOADER = re.compile(r"/static/js/[^/]*[Hh]tml[^/]*\.js")
"""The Streamlit script that draws the output of `st.html`."""
FIRST = {
    "mush": ("iterations", 4),
    "beta": ("iterations", 4),
    "sigma": ("manifolds", 4),
    "basin": ("manifolds", 4),
    "mean": ("mean", 4),
    "six-nine": ("iterations", 3),
    "order": ("clustering", 3),
    "stride": ("equivariance", 4),
    "noise": ("mean", 4),
    "arrows": ("iterations", 3),
    "choice": ("iterations", 4),
    "layers": ("equivariance", 4),
}
"""The first page of each lesson, and the lesson's number of captions."""

FOCUSED = (
    "document.activeElement.matches('button, summary, a') && document.activeElement.innerText || ''"
)
"""The text of the focused element if it can be pressed; scrolling panels can have the focus,
too.
"""

ALL_WORDS = """() => {
  const out = [];
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = node.textContent.trim();
      if (text) out.push(text);
      return;
    }
    if (node.matches?.("style, script, .katex-html, [data-testid=stDataFrame] table")) return;
    const label = node.getAttribute?.("aria-label");
    if (label && !label.startsWith("Help for")) out.push(`[${label}]`);
    if (node.shadowRoot) walk(node.shadowRoot);
    node.childNodes.forEach(walk);
  };
  walk(document.querySelector("[data-testid=stMain]"));
  for (const table of document.querySelectorAll("[data-testid=stDataFrame] table")) {
    const cells = (row) => [...row.children].map((cell) => cell.textContent.trim());
    const [head, ...rows] = [...table.querySelectorAll("tr")].map(cells);
    for (const row of rows) {
      const of = Object.fromEntries(head.map((name, at) => [name, row[at]]));
      out.push(`| ${of.method} ${of.iteration} |` + head.map((name) => ` ${name}=${of[name]}`));
    }
  }
  return out.join(" ~ ");
}"""
"""The text of the page, including components, labels, and tables drawn on a canvas."""


@pytest.fixture
def lesson(serve, open_page):
    """Return a function that opens the first caption of a lesson."""

    def open_(name, reduced_motion="reduce", **options):
        page = f"{serve(APP)}/{FIRST[name][0]}?lesson={name}.1"
        shown = open_page(page, reduced_motion=reduced_motion, **options)
        expect(shown.get_by_text("caption 1 of")).to_be_visible()
        return shown

    return open_


def tab_to(page, words, back=0):
    """Press Shift+Tab `back` times, then Tab until the focused element contains these words."""
    for key in ["Shift+Tab"] * back + ["Tab"] * 60:
        page.keyboard.press(key)
        if words in page.evaluate(FOCUSED):
            return
    pytest.fail(f"Tab does not reach {words}")


def turn(page, key):
    """Press a key that opens another caption, once the page is ready for it."""
    at_rest(page)
    page.keyboard.press(key)


def number(text):
    return float(text.replace("−", "-"))


def agree(claimed, shown):
    """True if the number on the page, rounded as in the caption, is the number in the caption."""
    places = len(claimed.partition(".")[2])
    return abs(number(claimed) - number(shown)) <= 0.5001 * 10**-places


def find_differences(page, name):
    """The numbers in a caption that the page does not show yet."""
    words = page.evaluate(ALL_WORDS)
    caption, _, rest = words.partition("All lessons")
    missing = []
    for claim, place in SAID[name]:
        claimed, shown = re.search(claim, caption), re.search(place, rest)
        if not claimed or not shown or (claim and not agree(claimed[1], shown[1])):
            missing.append((claimed and claimed[0], place, shown and shown[0]))
    return missing


def find_wrong_accuracy(page, name):
    """The accuracy on the screen if it is outside the caption's bounds."""
    low, high = ACCURACY[name]
    found = re.search(ACC, page.evaluate(ALL_WORDS))
    return [] if found and low < number(found[1]) <= high else [found and found[0]]


def check(page, name):
    """Wait until the page shows the numbers of the caption."""
    find = find_wrong_accuracy if name in ACCURACY else find_differences
    until(page, lambda: not find(page, name))
    assert f"lesson={name}" in page.url


def answer_question(page, name, at, index=0):
    """If this caption begins with the question of its lesson, answer it by keyboard, once."""
    question = QUESTIONS[name]
    if question.caption != at:
        return
    expect(page.locator(".st-key-lesson_question, .st-key-lesson_answer").first).to_be_visible()
    at_rest(page)
    if page.locator(".st-key-lesson_answer").count():
        return  # answered before, in the same session
    tab_to(page, question.answers[index].text, back=8)
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-lesson_answer")).to_be_visible()


def places_of_steps(page):
    """The places of the buttons for the previous and the next caption."""
    return [place_of(button) for button in page.locator(".st-key-lesson_steps > *").all()]


def press_next(page, key, name, at):
    """Press a key, wait for the next caption, answer its question, and check its numbers."""
    page.keyboard.press(key)
    expect(page.get_by_text(f"caption {at} of {FIRST[name][1]}")).to_be_visible()
    answer_question(page, name, at)
    check(page, f"{name}.{at}")


@pytest.mark.parametrize("name", FIRST)
def test_captions_opened_by_keys_agree_with_their_pages(lesson, name):
    page = lesson(name)
    page.locator(".projector").wait_for()  # this element receives the presenter's keys
    answer_question(page, name, 1)
    check(page, f"{name}.1")
    count, steps = FIRST[name][1], places_of_steps(page)
    for at in range(2, count):
        press_next(page, "PageDown", name, at)
        assert places_of_steps(page) == steps, "the buttons must not move"
    at_rest(page)
    tab_to(page, "Next")
    press_next(page, "Enter", name, count)
    assert places_of_steps(page) == steps
    tab_to(page, "What to expect, and why", back=8)  # this control is before Next
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stExpanderDetails").first).to_be_visible()


def test_page_up_restores_the_previous_caption(lesson):
    page = lesson("basin")  # its second caption is on another page, so Next is a link
    check(page, "basin.1")
    at_rest(page)
    tab_to(page, "Next")
    press_next(page, "Enter", "basin", 2)
    turn(page, "PageUp")
    check(page, "basin.1")


def test_captions_with_the_same_run_are_shown_in_full_and_reuse_the_run(lesson):
    page = lesson("mush")
    page.wait_for_function(f"{STATE}?.last === 4")
    before = page.evaluate(f"JSON.stringify({STATE}.given.runs)")
    text = page.locator(".st-key-lesson_text")
    for at in (2, 3, 4):
        turn(page, "PageDown")
        expect(page.get_by_text(f"caption {at} of 4")).to_be_visible()
        at_rest(page)
        expect(page.get_by_role("link", name="All lessons")).to_be_in_viewport(ratio=1)
        assert text.evaluate("e => e.scrollHeight <= e.clientHeight"), at
    assert page.evaluate(f"JSON.stringify({STATE}.given.runs)") == before


def expect_film(page, step, poses):
    """Wait for the step and the poses, and check that they do not change."""
    there = f"{STATE}?.step === {step} && !{STATE}.clock.playing && {STATE}.poses === '{poses}'"
    page.wait_for_function(f"{STATE}?.last > 0 && {there}")
    page.wait_for_timeout(1200)  # an animation that plays has reached another step by then
    assert page.evaluate(there)


def test_the_animation_stays_at_the_iteration_of_its_caption_until_it_is_played(lesson):
    page = lesson("mush", reduced_motion="no-preference")
    expect_film(page, 0, "own")
    for at, poses in ((2, "own"), (3, "common"), (4, "common")):
        turn(page, "PageDown")
        expect(page.get_by_text(f"caption {at} of 4")).to_be_visible()
        expect_film(page, 0, poses)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(f"{STATE}.step > 0")
    turn(page, "PageUp")
    expect_film(page, 0, "common")


def test_the_animation_stays_at_the_iteration_of_a_later_caption(lesson):
    page = lesson("beta", reduced_motion="no-preference")
    expect_film(page, 0, "common")
    for at in (2, 3):
        turn(page, "PageDown")
        expect(page.get_by_text(f"caption {at} of 4")).to_be_visible()
        if at == QUESTIONS["beta"].caption:
            expect_film(page, 0, "common")
            expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
            table, run = page.get_by_test_id("stDataFrame"), page.get_by_text("Run", exact=True)
            expect(table.or_(run).filter(visible=True)).to_have_count(0)
            answer_question(page, "beta", at)
            expect(run.first).to_be_visible()
        expect_film(page, BETA.captions[at - 1].step, "common")


def test_the_animation_of_a_mean_stays_at_the_iteration_of_its_caption_until_it_is_played(lesson):
    page = lesson("mean", reduced_motion="no-preference")
    # the animation of the previous caption disappears a moment later
    count = page.locator(".film output").first
    play = page.get_by_role("button", name="Play", exact=True)
    for _ in range(2):
        expect(count).to_have_text("iteration 0 of 50")
        at_rest(page)
        expect(count).to_have_text("iteration 0 of 50")
        expect(play).to_be_visible()
        play.click()
        expect(count).not_to_have_text("iteration 0 of 50")
        turn(page, "PageDown")
        expect(count).to_have_text("iteration 5 of 5")
        turn(page, "PageUp")


def test_the_animation_shows_the_step_from_the_address_in_the_poses_of_the_caption(
    serve, open_page
):
    page = open_page(f"{serve(APP)}/iterations?lesson=mush.2&step=3")
    expect_film(page, 3, "own")


def test_the_figure_of_a_lesson_is_visible_without_scrolling(lesson):
    page = lesson("stride")
    drawn = page.get_by_role("img", name="filter centres on 8 by 8")
    expect(drawn).to_be_in_viewport(ratio=1)


def test_buttons_stay_visible_below_a_long_caption(lesson):
    page = lesson("mush", height=560)
    for at in (2, 3):
        turn(page, "PageDown")
        expect(page.get_by_text(f"caption {at} of 4")).to_be_visible()
    ways = page.locator(".st-key-lesson_steps").get_by_role("button")
    for at in range(2):
        expect(ways.nth(at)).to_be_in_viewport(ratio=1)


def test_the_end_of_a_scrolled_caption_is_not_faded(lesson):
    page = lesson("mush", height=480)
    turn(page, "PageDown")
    expect(page.get_by_text("caption 2 of 4")).to_be_visible()
    at_rest(page)
    text = page.locator(".st-key-lesson_text")
    assert text.evaluate("e => e.scrollHeight > e.clientHeight")
    assert "linear-gradient" in text.evaluate("e => getComputedStyle(e).maskImage")
    text.evaluate("e => e.scrollTo(0, e.scrollHeight)")
    last = page.get_by_text("This run is precomputed")
    expect(last).to_be_in_viewport(ratio=1)
    end, port = place_of(last), place_of(text)
    assert end["y"] + end["height"] <= port["y"] + port["height"] - 15


def test_the_handout_is_downloaded_from_a_lesson_and_prints_one_sheet_for_each_lesson(lesson):
    page = lesson("stride")
    page.get_by_role("button", name="Notes").click()
    expect(page.get_by_text(NOTES["stride"].aim)).to_be_visible()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Handout to print, HTML").click()
    page.set_content(Path(waiting.value.path()).read_text("utf-8"))
    sheets = re.findall(rb"/Type\s*/Page[^s]", page.pdf(prefer_css_page_size=True))
    assert len(sheets) == len(LESSONS)


def test_a_lesson_takes_up_no_space_until_its_style_has_loaded(serve, open_page):
    page = open_page("about:blank", reduced_motion="reduce")
    held = []

    def hold(route):
        held.append(route)

    page.route(STYLE_LOADER, hold)
    page.goto(f"{serve(APP)}/iterations?lesson=mush.2")
    text = page.locator(".st-key-lesson_text")
    expect(text).to_contain_text("Kernel attention")
    assert held, "Streamlit draws styles with another script: name it in STYLE_LOADER"
    lesson = page.locator(":has(> .st-key-lesson)")
    assert lesson.evaluate("e => e.clientHeight") <= 1
    for route in held:
        route.continue_()
    expect(page.locator(".st-key-lesson")).to_have_css("position", "fixed")
    expect(text).to_be_in_viewport()
    page.unroute(STYLE_LOADER)
