"""The catalogue of lessons, and the state of the page that each caption sets."""

import json
import re
from dataclasses import replace

import pytest
import torch

from ia_engine.datasets.recipes import RECIPES, load_recipe, make
from pages._ui.lessons.catalogue import LESSONS, places_of_runs, run_of
from pages._ui.lessons.lesson import Place, find_place
from pages._ui.lessons.page_settings import ADDRESS_ONLY, default_settings
from pages._ui.lessons.questions import QUESTIONS
from pages._ui.runs.current import PRECOMPUTED, find_saved, library
from pages._ui.state.dataset import title
from pages._ui.state.selection import StepState
from pages._ui.state.viewer import LessonsState
from tests.app.driving import ROOT, open_page, press, runs, words
from tests.waits import MAX_WAIT_S

PLACES = [Place(lesson, at) for lesson in LESSONS for at in range(len(lesson.captions))]
RUNS = "iterations", "mean", "clustering"
ANSWERS = LessonsState.answers.key
BETA_2 = next(place for place in PLACES if place.name == "beta.2")


@pytest.fixture
def open_caption():
    """Return a function that opens a caption; its runs are cancelled after the test."""
    opened = []

    def open_(place, **address):
        page = ROOT / "pages" / f"{place.caption.page}.py"
        opened.append(open_page(page, lesson=place.name, **address))
        return opened[-1]

    yield open_
    for app in opened:
        for job in runs(app):
            job.cancel()
            job.wait(MAX_WAIT_S)


def state(app, place, name):
    """The value of a control, read from the session or from the address."""
    if name in ADDRESS_ONLY.get(place.caption.page, ()):
        (value,) = [app.query_params[name]]
        return float(value[0] if isinstance(value, list) else value)
    value = app.session_state[name]
    return tuple(value) if isinstance(value, list) else value


def asks(place):
    """True if the caption begins with the question of its lesson."""
    return QUESTIONS[place.lesson.name].caption == place.index + 1


def check(app, place):
    assert not app.exception
    if asks(place) and place.lesson.name not in app.session_state[ANSWERS]:
        app.button(key="lesson answer 0").click().run()
    found = {name: state(app, place, name) for name in place.caption.settings}
    assert found == place.caption.settings
    assert place.caption.title in [heading.value for heading in app.subheader]
    if place.caption.data:
        (data,) = [app.query_params["data"]]
        assert place.caption.data == (data[0] if isinstance(data, list) else data)
    if place.caption.runs:
        assert run_of(place) in [job.id for job in runs(app)], "precomputed"
        assert "settings above have changed" not in words(app)


def test_the_last_caption_ends_the_lessons_and_links_to_the_overview(open_caption):
    app = open_caption(PLACES[-1])
    assert "This was the last lesson" in words(app)
    links = [link.proto.label for link in app.get("page_link")]
    assert "Overview" in links
    assert "Next" not in [button.label for button in app.button]
    assert "This was the last lesson" not in words(open_caption(PLACES[-2]))


def test_there_are_twelve_lessons_with_different_names_and_three_to_six_captions_each():
    assert len({lesson.name for lesson in LESSONS}) == len(LESSONS) == 12
    assert all(3 <= len(lesson.captions) <= 6 for lesson in LESSONS)
    assert all(lesson.name.replace("-", "").isalpha() for lesson in LESSONS)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.name)
def test_the_settings_of_a_caption_are_controls_on_its_page(place):
    caption = place.caption
    assert find_place(place.name, LESSONS) == (place, False)
    assert set(caption.settings) <= set(default_settings(caption.page))
    assert caption.runs <= (caption.page in RUNS)
    if caption.data not in ("", *RECIPES):
        assert json.loads(load_recipe(caption.data).to_json()) == json.loads(caption.data)
        assert load_recipe(caption.data).source in title(caption.data)


@pytest.mark.parametrize("name", ["", "nothing", "mush.", "mush.99", "mush.-1", "mush.x", "mush.²"])
def test_an_illegal_caption_number_still_opens_the_lesson_and_an_unknown_lesson_opens_none(name):
    place, left = find_place(name, LESSONS)
    assert not left
    assert (place is None) == (not name.startswith("mush"))


@pytest.mark.parametrize("place", [p for p in PLACES if p.index == 0], ids=lambda place: place.name)
def test_the_address_of_a_lesson_opens_its_first_caption_in_the_described_state(
    open_caption, place
):
    app = open_caption(place)
    check(app, place)
    assert len(runs(app)) == place.caption.runs


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_the_next_button_sets_the_state_of_every_caption(open_caption, lesson):
    pages = [caption.page for caption in lesson.captions]
    first = max(at for at in range(len(pages)) if not at or pages[at] != pages[at - 1])
    app = open_caption(Place(lesson, first))
    for at in range(first + 1, len(pages)):
        app = press(app, "Next")
        check(app, Place(lesson, at))
    assert any(e.label == "What to expect, and why" for e in app.expander)


def labels(block):
    """The label and the options of every control, expander and menu in a block."""
    for element in block.children.values():
        yield getattr(element.proto, "label", "")
        for kind in ("popover", "expandable"):
            yield getattr(getattr(element.proto, kind, None), "label", "")
        yield from map(str, getattr(element, "options", ()))
        if hasattr(element, "children"):
            yield from labels(element)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_every_control_named_in_an_exercise_is_on_the_page(open_caption, lesson):
    app = open_caption(Place(lesson, len(lesson.captions) - 1))
    named = set(re.findall(r"\*\*(.+?)\*\*", lesson.trial.task))
    shown = list(labels(app.main))
    assert named
    named -= {"Play", "β of Kernel attention", "1 px", "400"}  # in the player, or values
    assert not {name for name in named if not any(name in label for label in shown)}


def test_a_caption_with_a_question_shows_its_text_only_after_an_answer_and_explains_it(
    open_caption,
):
    app, question = open_caption(BETA_2), QUESTIONS["beta"]
    assert question.text in words(app)
    assert BETA_2.caption.text not in words(app)
    assert shown_step(app) == 0
    for index, answer in enumerate(question.answers):
        app.button(key=f"lesson answer {index}").click().run()
        assert answer.explanation in words(app)
        assert ("Right:" in words(app)) == answer.right
        assert BETA_2.caption.text in words(app)
        assert shown_step(app) == question.step
        assert "lesson answer 0" not in [button.key for button in app.button]
        app = press(app, "Answer again")
        assert BETA_2.caption.text not in words(app)
        assert shown_step(app) == 0
    app = press(press(app, "Next"), "Back")
    assert question.text in words(app), "a question can be skipped"
    assert not [key for key in app.query_params if "answer" in key]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_until_the_question_is_answered_at_most_the_player_is_visible_at_iteration_0(
    open_caption, lesson
):
    question = QUESTIONS[lesson.name]
    place = Place(lesson, question.caption - 1)
    app = open_caption(place, step="3")
    assert not app.exception
    (style,) = hiding_styles(app)
    assert ("st-key-player_" in style) == (question.step is not None)
    if question.step is not None:
        assert place.caption.page == "iterations", "other animations show all iterations at once"
        assert app.session_state[StepState.stops.key][run_of(place)].last == 0
    app.button(key="lesson answer 0").click().run()
    assert not hiding_styles(app)


def hiding_styles(app):
    """The styles that hide the page."""
    styles = [html.proto.body for html in app.get("html")]
    return [style for style in styles if "visibility: hidden" in style]


def shown_step(app):
    """The iteration at which the animation of the caption stops."""
    return app.session_state[StepState.stops.key][run_of(BETA_2)].given


def test_a_changed_control_is_reset_by_the_next_and_the_previous_caption(open_caption):
    app = open_caption(PLACES[0])
    app.select_slider(key="beta").set_value(60.0).run()
    app = press(app, "Next")
    check(app, PLACES[1])
    assert app.session_state["beta"] == 15
    app = press(app, "Back")
    check(app, PLACES[0])
    assert app.session_state["steps"] == 4


def test_parameters_in_the_address_take_precedence_over_the_caption(open_caption):
    app = open_caption(PLACES[0], beta="60", steps="2", group="translation")
    assert app.session_state["beta"] == 60
    assert (app.session_state["steps"], app.session_state["group"]) == (2, "translation")


def test_a_lesson_reopens_with_the_settings_that_it_had_when_the_user_left_it(open_caption):
    app = open_caption(PLACES[2])
    app.select_slider(key="beta").set_value(60.0).run()
    app = press(app, "Leave")
    assert "lesson" not in app.query_params
    assert app.session_state["beta"] == 60, "the page does not change"
    app.select_slider(key="beta").set_value(5.0).run()
    count = len(runs(app))
    app = press(app, "Back to the lesson")
    assert PLACES[2].caption.title in [heading.value for heading in app.subheader]
    assert app.session_state["beta"] == 60
    assert len(runs(app)) == count, "the run is shown without being recomputed"


def test_reopening_captions_does_not_save_any_runs(open_caption):
    before = [kept.id for kept in library().runs()]
    for _ in range(2):
        app = press(open_caption(PLACES[0]), "Next")
        check(press(app, "Back"), PLACES[0])
        assert len(runs(app)) == 1
    assert [kept.id for kept in library().runs()] == before


def test_if_the_address_changes_a_setting_of_the_caption_its_run_is_computed(open_caption):
    app = open_caption(PLACES[0], beta="60", steps="1")
    assert run_of(PLACES[0]) not in [job.id for job in runs(app)]
    assert len(runs(app)) == 1


def test_the_shipped_runs_are_exactly_those_of_the_captions_and_are_complete():
    names = [run_of(place) for place in places_of_runs()]
    assert {path.stem for path in PRECOMPUTED.iterdir()} == set(names)
    for name in names:
        kept = find_saved(name)
        assert (kept.state, kept.owner != "", kept.steps > 1) == ("done", True, True)
    assert find_saved("../experiment-1") is None


@pytest.mark.parametrize(
    "place", [p for p in places_of_runs() if p.caption.page == "clustering"], ids=run_of
)
def test_shipped_clustering_runs_accept_data_with_different_rounding_errors(
    open_caption, monkeypatch, place
):
    def make_elsewhere(recipe, _):
        made = make(load_recipe(recipe))
        return replace(made, images=made.images.nextafter(torch.tensor(0.5)))

    monkeypatch.setattr("pages._ui.state.dataset._make", make_elsewhere)
    app = open_caption(place)
    check(app, place)
    assert run_of(place) in [job.id for job in runs(app)]
    assert "Choose the data of this run" not in [button.label for button in app.button]


def test_if_a_caption_belongs_to_another_page_the_page_links_to_it():
    app = open_page(ROOT / "pages" / "mean.py", lesson="mush.1")
    assert not app.exception
    assert any("continues on another page" in link.label for link in app.get("page_link"))
