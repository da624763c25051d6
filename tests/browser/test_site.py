"""The site without a server, opened from its folder with the network off."""

import base64
import gzip
import re
from html.parser import HTMLParser

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from assets.site.build import LARGEST, build
from assets.site.gallery import GALLERY
from assets.site.lessons import file_of
from assets.site.questions import SEEDS
from pages._ui.lessons.catalogue import LESSONS
from pages._ui.lessons.html import plain
from pages._ui.lessons.questions import QUESTIONS
from tests.browser.conftest import ROOT
from tests.browser.places import GRAVE, painted, until

QUIZZES = ["quiz.html", *(f"quiz-{at}.html" for at in range(2, len(SEEDS) + 1))]
TITLE = ".told:visible h2"
PHONE = {"width": 390, "height": 844}
COMPONENT = """[...document.querySelectorAll('.stage *')]
  .flatMap((host) => host.shadowRoot ? [...host.shadowRoot.querySelectorAll('div')] : [])"""
STATES = f"{COMPONENT}.map((e) => (e.__player ?? e.__film ?? e.__turning)?.state()).filter(Boolean)"
PLAYER = f"{COMPONENT}.find((e) => e.__player)?.__player"
READY = """[...document.querySelectorAll('.stage')].every(
  (stage) => stage.hidden || stage.getAttribute('aria-busy') === 'false')"""


class Links(HTMLParser):
    """Collects the addresses and the names of the elements of a page."""

    def __init__(self, text):
        super().__init__()
        self.targets, self.ids = [], {"last"}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.targets += [values[name] for name in ("href", "src") if values.get(name)]
        self.targets += [values[name] for name in ("data-next", "data-back") if values.get(name)]
        self.ids.add(values.get("id"))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of a site without the address of an app."""
    folder = tmp_path_factory.mktemp("site")
    build(folder)
    return folder


@pytest.fixture
def visit(site, open_page):
    """Return a function that opens a page of the site without network, and waits for its films."""
    visited = []

    def open_(name, **options):
        page = open_page("about:blank", **options)
        page.context.set_offline(True)
        visited.append(page)
        page.goto(f"{site.as_uri()}/{name}")
        page.wait_for_function(READY)
        return page

    yield open_
    for page in visited:
        page.context.set_offline(False)


def test_the_site_has_every_lesson_and_every_file_that_it_links(site):
    pages = {path.name: Links(path.read_text("utf-8")) for path in site.glob("*.html")}
    assert {file_of(lesson) for lesson in LESSONS} <= pages.keys()
    for name, page in pages.items():
        for target in page.targets:
            file, _, fragment = target.partition("#")
            if target.startswith("data:") or fragment.isdecimal():
                continue
            assert (site / (file or name)).is_file(), target
            assert not fragment or fragment in films(site) | pages[file or name].ids, target


def films(site):
    return {path.stem for path in site.glob("films/*.js")}


def test_the_site_is_small_and_names_no_machine(site):
    contents = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    assert sum(map(len, contents.values())) < LARGEST
    text = b"".join(contents.values())
    packed = re.findall(rb'"packed": "([^"]+)"', text)
    assert len(packed) >= len(films(site))
    pieces = b"".join(gzip.decompress(base64.b64decode(part)) for part in packed)
    assert str(ROOT).encode() not in text + pieces
    assert not re.search(rb"https?://(?!www\.w3\.org)", text)


def test_every_film_of_the_gallery_plays_without_a_network(visit):
    assert len(GALLERY) == 12
    page = visit("gallery.html")
    for entry in GALLERY:
        page.locator(f"a[href='#{entry.name}']").click()
        expect(page.locator(".film-title")).to_have_text(entry.title)
        page.wait_for_function(f"{READY} && {STATES}.some((s) => (s.position ?? s.at) > 0)")


def test_a_lesson_is_walked_through_by_keyboard_asks_its_question_and_follows_beta(visit):
    lesson = next(lesson for lesson in LESSONS if lesson.name == "beta")
    page = visit(file_of(lesson))
    question = QUESTIONS[lesson.name]
    for number, caption in enumerate(lesson.captions, start=1):
        if number == question.caption:
            page.wait_for_function(f"{READY} && {PLAYER}?.state().step === 0")
            answer = next(answer for answer in question.answers if answer.right)
            page.get_by_role("button", name=plain(answer.text), exact=True).click()
            expect(page.locator(".why:visible")).to_have_text(f"Right. {plain(answer.explanation)}")
        expect(page.locator(TITLE)).to_have_text(caption.title)
        page.wait_for_function(f"{READY} && {PLAYER}?.state().step === {caption.step}")
        page.get_by_role("button", name="Loop").click()
        before = page.evaluate(f"[...{PLAYER}.weights(0, 0)]")
        page.locator("input.beta").first.press("ArrowLeft")
        assert page.evaluate(f"[...{PLAYER}.weights(0, 0)]") != before
        page.keyboard.press("PageDown")
    page.wait_for_url(f"**/{file_of(LESSONS[LESSONS.index(lesson) + 1])}")
    page.keyboard.press("PageUp")
    page.wait_for_url(f"**/{file_of(lesson)}#last")
    expect(page.locator(TITLE)).to_have_text(lesson.captions[-1].title)
    page.get_by_text("Skip to the content").press("Enter")
    page.wait_for_url("**#main")
    expect(page.locator(TITLE)).to_have_text(lesson.captions[-1].title)


def test_the_quiz_explains_each_chosen_answer_and_counts_the_right_ones(visit):
    page = visit("quiz.html")
    questions = page.locator(".question")
    expect(questions).to_have_count(10)
    for at in (0, 1):
        wrong = questions.nth(at).locator(".answer:not([data-right])").first
        wrong.get_by_role("button").click()
        expect(wrong.locator(".why")).to_contain_text("Not quite: the answer is")
    questions.nth(1).locator(".answer[data-right] button").click()
    expect(questions.nth(1).locator(".why:visible")).to_contain_text("Right.")
    expect(page.locator(".score")).to_contain_text("questions answered, 1 of them right")


def test_a_film_that_cannot_be_read_says_what_to_do(visit, site):
    page = visit("papers.html")
    page.route("**/films/*.js", lambda route: route.abort())
    page.goto(f"{site.as_uri()}/gallery.html")
    expect(page.locator(".stage")).to_contain_text("cannot be shown")
    expect(page.locator(".stage")).to_contain_text("Reload the page")
    page.unroute("**/films/*.js")
    for name in ("main", GALLERY[0].name):
        page.evaluate("name => { location.hash = name; }", name)
    expect(page.locator(".stage")).not_to_contain_text("cannot be shown")
    page.wait_for_function(f"{STATES}.length > 0")


def test_a_film_that_fails_late_does_not_replace_the_film_that_is_shown(visit, site):
    page, held = visit("papers.html"), []

    def hold(route):
        held.append(route)

    shown, slow = GALLERY[:2]
    page.route(f"**/films/{slow.name}.js", hold)
    # The page counts as loaded only when the held script has ended.
    page.goto(f"{site.as_uri()}/gallery.html#{slow.name}", wait_until="commit")
    until(page, lambda: held)
    page.locator(f"a[href='#{shown.name}']").click()
    page.wait_for_function(f"{STATES}.length > 0")
    with page.expect_event("requestfailed"):
        held.pop().abort()
    painted(page)
    expect(page.locator(".stage")).not_to_contain_text("cannot be shown")
    assert page.evaluate(f"{STATES}.length") > 0
    page.unroute(f"**/films/{slow.name}.js")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible_and_fit_a_phone(visit, site, scheme):
    names = ["index.html", "gallery.html#dial", "papers.html", *QUIZZES, *map(file_of, LESSONS)]
    assert {path.name for path in site.glob("*.html")} == {name.partition("#")[0] for name in names}
    # One page of each kind in each theme; each page in one of them.
    half = names[::2] if scheme == "light" else names[1::2]
    for name in half:
        page = visit(name, **PHONE, scheme=scheme, reduced_motion="reduce")
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"], name
        found = Axe().run(page).response["violations"]
        grave = [v for v in found if v["impact"] in GRAVE]
        assert not grave, [(name, v["id"], [n["html"][:200] for n in v["nodes"]]) for v in grave]
