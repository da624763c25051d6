"""Every lesson by keyboard alone, to its end: what a caption promises is what the page says."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from pages._ui.lessons.weights import BETA
from tests.browser.lessons_said import ACC, ACCURACY, SAID
from tests.browser.places import at_rest, place_of, until
from tests.browser.player_page import STATE

APP = Path(__file__).parents[2] / "app.py"
STYLE_LOADER = re.compile(r"/static/js/[^/]*[Hh]tml[^/]*\.js")
"""The script with which Streamlit draws what `st.html` sends."""
FIRST = {
    "mush": ("iterations", 4),
    "beta": ("iterations", 4),
    "sigma": ("manifolds", 4),
    "basin": ("manifolds", 4),
    "mean": ("mean", 4),
    "six-nine": ("iterations", 3),
    "order": ("clustering", 3),
    "stride": ("equivariance", 4),
}
"""The page on which a lesson begins, and how many captions it has."""

FOCUSED = (
    "document.activeElement.matches('button, summary, a') && document.activeElement.innerText || ''"
)
"""What is written on what has the focus, if it is to be pressed: panels that scroll have it too."""

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
"""All that the page says, also within components, in labels, and in tables drawn on a canvas."""


@pytest.fixture
def lesson(serve, open_page):
    """Opens the first caption of a lesson."""

    def open_(name, reduced_motion="reduce", **options):
        page = f"{serve(APP)}/{FIRST[name][0]}?lesson={name}.1"
        shown = open_page(page, reduced_motion=reduced_motion, **options)
        expect(shown.get_by_text("caption 1 of")).to_be_visible()
        return shown

    return open_


def tab_to(page, words, back=0):
    """Presses Tab until what has the focus says so, at first so often backwards."""
    for key in ["Shift+Tab"] * back + ["Tab"] * 60:
        page.keyboard.press(key)
        if words in page.evaluate(FOCUSED):
            return
    pytest.fail(f"Tab does not reach {words}")


def turn(page, key):
    """To another caption, from a page that has all its keys."""
    at_rest(page)
    page.keyboard.press(key)


def number(text):
    return float(text.replace("−", "-"))


def agree(told, shown):
    """Whether a caption's figure is the page's, rounded as the caption rounds."""
    places = len(told.partition(".")[2])
    return abs(number(told) - number(shown)) <= 0.5001 * 10**-places


def unkept(page, name):
    """Which of a caption's promises the page does not keep yet."""
    words = page.evaluate(ALL_WORDS)
    caption, _, rest = words.partition("All lessons")
    missing = []
    for claim, place in SAID[name]:
        told, shown = re.search(claim, caption), re.search(place, rest)
        if not told or not shown or (claim and not agree(told[1], shown[1])):
            missing.append((told and told[0], place, shown and shown[0]))
    return missing


def unlike(page, name):
    """The accuracy on the screen, if it is not the one that the caption tells in words."""
    low, high = ACCURACY[name]
    found = re.search(ACC, page.evaluate(ALL_WORDS))
    return [] if found and low < number(found[1]) <= high else [found and found[0]]


def check(page, name):
    """Wait until the page says what the caption says."""
    find = unlike if name in ACCURACY else unkept
    until(page, lambda: not find(page, name))
    assert f"lesson={name}" in page.url


@pytest.mark.parametrize("name", FIRST)
def test_lesson_is_walked_to_its_end_by_keyboard_alone_and_keeps_its_promises(lesson, name):
    page = lesson(name)
    check(page, f"{name}.1")
    count = FIRST[name][1]
    tab_to(page, "Next")
    for at in range(2, count + 1):
        turn(page, "Enter" if at == 2 else "PageDown")
        expect(page.get_by_text(f"caption {at} of {count}")).to_be_visible()
        check(page, f"{name}.{at}")
    tab_to(page, "What to expect, and why", back=6)  # it stands before Next
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stExpanderDetails").first).to_be_visible()


def test_page_up_leads_back_and_the_state_with_it(lesson):
    page = lesson("basin")  # whose second caption is on another page
    check(page, "basin.1")
    turn(page, "PageDown")
    check(page, "basin.2")
    turn(page, "PageUp")
    check(page, "basin.1")


def test_captions_of_one_run_show_it_without_computing(lesson):
    page = lesson("mush")
    page.wait_for_function(f"{STATE}?.last === 4")
    before = page.evaluate(f"JSON.stringify({STATE}.given.runs)")
    for at in (2, 3, 4):
        turn(page, "PageDown")
        expect(page.get_by_text(f"caption {at} of 4")).to_be_visible()
    assert page.evaluate(f"JSON.stringify({STATE}.given.runs)") == before


def stands(page, step, poses):
    """Waits for the step and the poses, and looks whether they stay."""
    there = f"{STATE}?.step === {step} && !{STATE}.clock.playing && {STATE}.poses === '{poses}'"
    page.wait_for_function(f"{STATE}?.last > 0 && {there}")
    page.wait_for_timeout(1200)  # a film that plays is at another step by then
    assert page.evaluate(there)


def test_film_rests_at_the_iteration_of_its_caption_until_it_is_played(lesson):
    page = lesson("mush", reduced_motion="no-preference")
    stands(page, 0, "own")
    for at, poses in ((2, "own"), (3, "common"), (4, "common")):
        turn(page, "PageDown")
        expect(page.get_by_text(f"caption {at} of 4")).to_be_visible()
        stands(page, 0, poses)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(f"{STATE}.step > 0")
    turn(page, "PageUp")
    stands(page, 0, "common")


def test_film_rests_at_the_end_where_a_caption_speaks_of_it(lesson):
    page = lesson("beta", reduced_motion="no-preference")
    stands(page, 0, "common")
    for at in (2, 3):
        turn(page, "PageDown")
        expect(page.get_by_text(f"caption {at} of 4")).to_be_visible()
        stands(page, BETA.captions[at - 1].step, "common")


def test_film_of_a_mean_waits_for_play_and_is_at_its_caption_again(lesson):
    page = lesson("mean", reduced_motion="no-preference")
    count = page.locator(".film output").first  # the last caption's goes a moment later
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


def test_step_in_the_address_is_obeyed_and_the_images_lie_as_the_caption_wants(serve, open_page):
    page = open_page(f"{serve(APP)}/iterations?lesson=mush.2&step=3")
    stands(page, 3, "own")


def test_what_a_lesson_looks_at_stands_on_the_first_screen(lesson):
    page = lesson("stride")
    drawn = page.get_by_role("img", name="filter centres on 8 by 8")
    expect(drawn).to_be_in_viewport(ratio=1)


def test_ways_back_and_on_stay_in_sight_under_a_long_caption(lesson):
    page = lesson("mush", height=560)
    for at in (2, 3):
        turn(page, "PageDown")
        expect(page.get_by_text(f"caption {at} of 4")).to_be_visible()
    ways = page.locator(".st-key-lesson_steps").get_by_role("button")
    for at in range(2):
        expect(ways.nth(at)).to_be_in_viewport(ratio=1)


def test_a_long_caption_is_read_in_full_above_the_ways(lesson):
    page = lesson("mush")
    text = page.locator(".st-key-lesson_text")
    for at in (2, 3, 4):
        turn(page, "PageDown")
        expect(page.get_by_text(f"caption {at} of 4")).to_be_visible()
        at_rest(page)
        expect(page.get_by_role("link", name="All lessons")).to_be_in_viewport(ratio=1)
        assert text.evaluate("e => e.scrollHeight <= e.clientHeight"), at


def test_where_a_caption_scrolls_its_end_comes_free_of_the_fade(lesson):
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


def test_lesson_takes_no_room_on_the_page_until_its_style_is_there(serve, open_page):
    page = open_page("about:blank", reduced_motion="reduce")
    held = []

    def hold(route):
        held.append(route)

    page.route(STYLE_LOADER, hold)
    page.goto(f"{serve(APP)}/iterations?lesson=mush.2")
    text = page.locator(".st-key-lesson_text")
    expect(text).to_contain_text("Kernel attention")
    assert held, "Streamlit draws styles by another script: name it in STYLE_LOADER"
    lesson = page.locator(":has(> .st-key-lesson)")
    assert lesson.evaluate("e => e.clientHeight") <= 1
    for route in held:
        route.continue_()
    expect(page.locator(".st-key-lesson")).to_have_css("position", "fixed")
    expect(text).to_be_in_viewport()
    page.unroute(STYLE_LOADER)
