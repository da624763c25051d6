"""The catalogue of lessons; every caption sets the state that it describes."""

import json
import re
from dataclasses import replace

import pytest
import torch

from ia_engine.datasets.recipes import RECIPES, load_recipe, make
from pages._ui.lessons.catalogue import LESSONS, places_of_runs, run_of
from pages._ui.lessons.lesson import Place, find_place
from pages._ui.lessons.page_settings import ADDRESS_ONLY, default_settings
from pages._ui.runs.current import PRECOMPUTED, find_saved, library
from pages._ui.state.dataset import title
from tests.app.driving import ROOT, open_page, press, runs, words
from tests.waits import MAX_WAIT_S

PLACES = [Place(lesson, at) for lesson in LESSONS for at in range(len(lesson.captions))]
RUNS = "iterations", "mean", "clustering"


@pytest.fixture
def open_caption():
    """Opens a caption; its runs are cancelled after the test."""
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
    """The value of a control, from the session or from the address."""
    if name in ADDRESS_ONLY.get(place.caption.page, ()):
        (value,) = [app.query_params[name]]
        return float(value[0] if isinstance(value, list) else value)
    value = app.session_state[name]
    return tuple(value) if isinstance(value, list) else value


def check(app, place):
    assert not app.exception
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


def test_eight_lessons_have_different_names_and_three_to_six_captions():
    assert len({lesson.name for lesson in LESSONS}) == len(LESSONS) == 8
    assert all(3 <= len(lesson.captions) <= 6 for lesson in LESSONS)
    assert all(lesson.name.replace("-", "").isalpha() for lesson in LESSONS)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.name)
def test_settings_of_a_caption_are_controls_of_its_page(place):
    caption = place.caption
    assert find_place(place.name, LESSONS) == (place, False)
    assert set(caption.settings) <= set(default_settings(caption.page))
    assert caption.runs <= (caption.page in RUNS)
    if caption.data not in ("", *RECIPES):
        assert json.loads(load_recipe(caption.data).to_json()) == json.loads(caption.data)
        assert "generated" in title(caption.data)


@pytest.mark.parametrize("name", ["", "nothing", "mush.", "mush.99", "mush.-1", "mush.x", "mush.²"])
def test_any_address_opens_a_caption_or_none(name):
    place, left = find_place(name, LESSONS)
    assert not left
    assert (place is None) == (not name.startswith("mush"))


@pytest.mark.parametrize("place", [p for p in PLACES if p.index == 0], ids=lambda place: place.name)
def test_a_lesson_opens_from_its_address_with_the_state_of_its_first_caption(open_caption, place):
    app = open_caption(place)
    check(app, place)
    assert len(runs(app)) == place.caption.runs


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_next_sets_the_state_of_every_caption(open_caption, lesson):
    pages = [caption.page for caption in lesson.captions]
    first = max(at for at in range(len(pages)) if not at or pages[at] != pages[at - 1])
    app = open_caption(Place(lesson, first))
    for at in range(first + 1, len(pages)):
        app = press(app, "Next")
        check(app, Place(lesson, at))
    assert any(e.label == "What to expect, and why" for e in app.expander)


def labels(block):
    """The label and the options of every control, expander and menu below a block."""
    for element in block.children.values():
        yield getattr(element.proto, "label", "")
        for kind in ("popover", "expandable"):
            yield getattr(getattr(element.proto, kind, None), "label", "")
        yield from map(str, getattr(element, "options", ()))
        if hasattr(element, "children"):
            yield from labels(element)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_an_exercise_names_controls_by_their_labels(open_caption, lesson):
    app = open_caption(Place(lesson, len(lesson.captions) - 1))
    named = set(re.findall(r"\*\*(.+?)\*\*", lesson.trial.task)) - {"Play", "1 px", "400"}
    shown = list(labels(app.main))
    assert named
    assert not {name for name in named if not any(name in label for label in shown)}


def test_a_changed_control_is_reset_at_the_next_and_the_previous_caption(open_caption):
    app = open_caption(PLACES[0])
    app.select_slider(key="beta").set_value(60.0).run()
    app = press(app, "Next")
    check(app, PLACES[1])
    assert app.session_state["beta"] == 15
    app = press(app, "Back")
    check(app, PLACES[0])
    assert app.session_state["steps"] == 4


def test_parameters_of_the_address_take_precedence_over_the_caption(open_caption):
    app = open_caption(PLACES[0], beta="60", steps="2", group="translation")
    assert app.session_state["beta"] == 60
    assert (app.session_state["steps"], app.session_state["group"]) == (2, "translation")


def test_a_lesson_is_restored_as_it_was_left(open_caption):
    app = open_caption(PLACES[2])
    app.select_slider(key="beta").set_value(60.0).run()
    app = press(app, "Leave")
    assert "lesson" not in app.query_params
    assert app.session_state["beta"] == 60, "the page stays as it is"
    app.select_slider(key="beta").set_value(5.0).run()
    count = len(runs(app))
    app = press(app, "Back to the lesson")
    assert PLACES[2].caption.title in [heading.value for heading in app.subheader]
    assert app.session_state["beta"] == 60
    assert len(runs(app)) == count, "its run is shown, not computed again"


def test_opening_captions_again_saves_no_run(open_caption):
    before = [kept.id for kept in library().runs()]
    for _ in range(2):
        app = press(open_caption(PLACES[0]), "Next")
        check(press(app, "Back"), PLACES[0])
        assert len(runs(app)) == 1
    assert [kept.id for kept in library().runs()] == before


def test_a_run_with_settings_that_differ_from_the_caption_is_computed(open_caption):
    app = open_caption(PLACES[0], beta="60", steps="1")
    assert run_of(PLACES[0]) not in [job.id for job in runs(app)]
    assert len(runs(app)) == 1


def test_exactly_the_runs_of_the_captions_are_shipped_and_complete():
    names = [run_of(place) for place in places_of_runs()]
    assert {path.stem for path in PRECOMPUTED.iterdir()} == set(names)
    for name in names:
        kept = find_saved(name)
        assert (kept.state, kept.owner != "", kept.steps > 1) == ("done", True, True)
    assert find_saved("../experiment-1") is None


@pytest.mark.parametrize(
    "place", [p for p in places_of_runs() if p.caption.page == "clustering"], ids=run_of
)
def test_shipped_clusterings_accept_data_with_different_rounding(open_caption, monkeypatch, place):
    def make_elsewhere(recipe, _):
        made = make(load_recipe(recipe))
        return replace(made, images=made.images.nextafter(torch.tensor(0.5)))

    monkeypatch.setattr("pages._ui.state.dataset._make", make_elsewhere)
    app = open_caption(place)
    check(app, place)
    assert run_of(place) in [job.id for job in runs(app)]
    assert "Choose the data of this run" not in [button.label for button in app.button]


def test_a_page_links_to_a_caption_on_a_different_page():
    app = open_page(ROOT / "pages" / "mean.py", lesson="mush.1")
    assert not app.exception
    assert any("continues on another page" in link.label for link in app.get("page_link"))
