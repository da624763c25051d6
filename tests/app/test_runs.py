"""The Runs page: finding, naming, comparing, deleting, restoring and sharing runs."""

import io
import re
from pathlib import Path

import pytest
from PIL import Image
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.runs.folder import Record
from ia_engine.runs.kinds.comparisons import name_results
from ia_engine.runs.library import Library, Note
from ia_engine.shell.main import main
from pages._ui.runs.current import jobs, library
from tests.waits import MAX_WAIT_S, wait_until

pytestmark = pytest.mark.usefixtures("reused_helpers", "short_races")
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: {}))
    monkeypatch.setenv("IA_RUNS", str(tmp_path))
    library.cache_clear()
    yield tmp_path
    library.cache_clear()


def open_app(page, viewer="a_viewer", **address):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=MAX_WAIT_S)
    app.session_state["ia_viewer"] = viewer
    for name, value in address.items():
        app.query_params[name] = value
    return app.switch_page(str(ROOT / "pages" / f"{page}.py")).run()


def run_mean(**address):
    app = open_app("mean", data="experiment-2", steps="2", **address)
    before = len(Library().runs())
    press(app, "Run")
    await_runs(before + 1)
    return app


def run_and_save(page, button, **address):
    """Press the button, and wait until the run has been saved completely."""
    app = press(open_app(page, **address), button)
    await_runs(1)
    return app


def await_runs(count):
    """Wait until this many runs have been completely saved."""
    done = ["done"] * count
    wait_until(lambda: [kept.state for kept in Library().runs("a_viewer")] == done, f"{count} runs")


def words(app):
    """The text of the page, without the backslashes that escape Markdown."""
    text = " ".join(
        element.value for element in (*app.caption, *app.markdown, *app.info, *app.subheader)
    )
    return text.replace("\\", "")


def press(app, label):
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception
    return app


def test_the_page_without_runs_explains_how_to_start_one():
    app = open_app("runs")
    assert not app.exception
    assert "There are no saved runs yet" in words(app)


def test_runs_from_a_different_browser_are_counted_but_not_shown():
    run_mean()
    app = open_app("runs", viewer="another")
    assert "There are no saved runs from this browser yet" in words(app)
    assert "1 run was started in another browser" in words(app)
    assert str(library().folder) not in words(app), "only the owner of the server may see its paths"


def test_the_runs_page_states_the_same_number_of_steps_as_the_page_of_the_run():
    app = run_and_save("clustering", "Run", data="experiment-1", k="1", budget="1")
    app.run()
    done = re.search(r"Done: ([\d,]+ steps)", words(app))
    assert done, words(app)
    assert f"Clustering · {done[1]} · done" in words(open_app("runs"))
    run_mean()
    assert "Mean · 2 iterations · done" in words(open_app("runs"))


def test_runs_with_the_same_title_have_different_headings():
    run_mean()
    run_mean()
    app = open_app("runs")
    for box in app.checkbox:
        box.check()
    app.run()
    (table,) = app.dataframe
    heads = [name for name in table.value.columns if name]
    assert len(set(heads)) == 2
    assert all(re.match(r"\d\d \w{3}, \d\d:\d\d:\d\d · ", name) for name in heads)
    assert re.search(r"\d\d \w{3} \d{4}, \d\d:\d\d:\d\d UTC", words(app))


def test_a_run_can_be_deleted_and_restored():
    run_mean()
    (kept,) = Library().runs()
    app = press(open_app("runs"), "Delete")
    assert Library().runs() == ()
    assert "Deleted: " in words(app)
    press(app, "Undo")
    assert [one.id for one in Library().runs()] == [kept.id]


def test_a_run_can_be_named_and_tagged_and_found_by_name_or_tag():
    run_mean()
    app = open_app("runs")
    (kept,) = Library().runs()
    app.text_input[1].set_value("Ten threes")
    app.text_input[2].set_value("lesson, blur")
    press(app, "Save")
    assert app.toast[0].value == "Saved: Ten threes"
    (named,) = Library().runs()
    assert (named.title, named.note.tags) == ("Ten threes", ("lesson", "blur"))
    app.text_input[0].set_value("blur threes").run()
    assert "1 of 1 runs shown" in words(app)
    app.text_input[0].set_value("crab").run()
    assert "0 of 1 runs shown" in words(app)
    assert kept.id == named.id


def test_two_marked_runs_are_compared():
    run_mean()
    run_mean(start="identity")
    app = open_app("runs")
    for at in range(2):
        app.checkbox[at].check().run()
    (table,) = app.dataframe
    rows = table.value
    found = dict(zip(rows[""], rows.iloc[:, 1:].to_numpy().tolist(), strict=True))
    assert sorted(found["Initialisation"]) == ["identity", "pairwise"]
    assert "Objective f" in found
    assert "Steps N" not in found, "both runs have the same number of steps"


def test_three_marked_runs_are_compared_in_one_table():
    for start in ("pairwise", "identity", "random"):
        config = MeanConfig(start=start).to_json()
        Library().begin("mean", Record("{}", config, 0, "", "cpu", start), {}).end("done")
    app = open_app("runs")
    app.checkbox[0].check().run()
    assert "Mark at least two runs" in words(app)
    for box in app.checkbox:
        box.check()
    app.run()
    (table,) = app.dataframe
    rows = table.value.set_index("")
    assert rows.loc["Initialisation"].to_dict() == {
        x: x for x in ("random", "identity", "pairwise")
    }


def test_a_link_opens_a_run_for_a_different_viewer():
    app = run_mean()
    link = app.query_params["job"]
    other = AppTest.from_file(str(ROOT / "app.py"), default_timeout=MAX_WAIT_S)
    other.session_state["ia_viewer"] = "another_viewer"
    other.query_params["job"] = link
    other.switch_page(str(ROOT / "pages" / "mean.py")).run()
    wait_until(lambda: "Done: " in words(other.run()), "the opened run")
    assert not other.exception
    assert "Done: 2 iterations, saved run" in words(other), "it must be loaded, not computed"


def test_images_from_a_run_of_another_user_are_not_labelled_as_your_upload():
    images = open_app("data", way="Upload")
    picture = io.BytesIO()
    drawn = Image.new("RGB", (40, 40), "white")
    drawn.paste("black", (8, 8, 20, 30))
    drawn.save(picture, "PNG")
    kinds = [(f"{k}.png", picture.getvalue(), "image/png") for k in range(2)]
    images.file_uploader(key="files").set_value(kinds)
    images.run()
    mine = images.query_params["data"]
    app = press(open_app("mean", data=mine, steps="2"), "Run")
    await_runs(1)
    again = words(open_app("data", data=mine))
    assert "its files are no longer available" in again, "this is a new session"
    other = AppTest.from_file(str(ROOT / "app.py"), default_timeout=MAX_WAIT_S)
    other.session_state["ia_viewer"] = "another_viewer"
    other.query_params["job"] = app.query_params["job"]
    other.switch_page(str(ROOT / "pages" / "mean.py")).run()
    other.switch_page(str(ROOT / "pages" / "data.py")).run()
    assert not other.exception
    text = words(other)
    assert "belong to a run of a different user" in text
    assert "files of a different user" in text
    assert "Your upload" not in text + str([head.value for head in other.subheader])
    assert "your files" not in text


@pytest.mark.parametrize("limit", [(), ("--limit", "6")], ids=["all images", "some images"])
def test_a_run_from_the_command_line_is_listed_and_can_be_resumed_on_the_iterations_page(limit):
    options = ("--data", "experiment-1", "--steps", "1", "--beta", "30", *limit)
    assert main(["attend", "--keep", *options]) == 0
    (kept,) = Library().runs()
    app = open_app("runs")
    assert "Iterations, from the shell · 1 iteration · done" in words(app)
    app = open_app("iterations", job=kept.name)
    wait_until(lambda: "Done: " in words(app.run()), "the opened run")
    assert not app.exception
    assert "Done: 0 iterations, saved run" in words(app)
    assert app.select_slider(key="beta").value == 30
    job = jobs().get("a_viewer", kept.name)
    assert job.history[0].plan.size == (6 if limit else job.history[0].plan.total)
    press(app, "Resume")
    await_runs(1)
    (new,) = Library().runs("a_viewer")
    assert (new.kind, new.steps) == ("iterations", 2)
    assert {run.id for run in Library().runs()} == {new.id, kept.id}, "the original run remains"


def test_the_page_explains_a_link_to_a_missing_run():
    app = open_app("mean", job="nowhere")
    assert "not saved on this machine" in words(app)
    assert not app.exception


COMPARED = {"methods": ["kmeans", "ka"], "budget": "20", "data": "experiment-1"}


def test_a_comparison_is_saved_and_its_link_opens_it_in_another_browser():
    app = run_and_save("compare", "Run", **COMPARED)
    (kept,) = Library().runs()
    assert (kept.kind, kept.steps) == ("comparison", 2)
    other = open_app("compare", viewer="another", job=app.query_params["job"])
    assert not other.exception
    assert list(other.dataframe[0].value["method"]) == ["K-means", "Kernel attention"]
    assert "Precomputed example: Experiment 1" not in words(other)
    assert "Compare · 2 results · done" in words(open_app("runs"))


def test_a_forked_comparison_computes_only_the_new_methods():
    app = run_and_save("compare", "Run", **COMPARED)
    app.button_group(key="methods").set_value(["kmeans", "ka", "spectral"])
    press(app.run(), "Fork: run only the new methods")
    await_runs(2)
    newest, kept = Library().runs()
    found, before = name_results(newest), name_results(kept)
    assert list(found) == ["K-means", "Spectral clustering", "Kernel attention"]
    assert found["K-means"].seconds == before["K-means"].seconds, "the result of K-means is reused"


def test_a_renamed_sweep_is_still_opened_as_a_sweep():
    address = {"methods": ["kmeans", "ka"], "strengths": "2", "copies": "3", "budget": "20",
               "repeats": "1"}  # fmt: skip
    app = run_and_save("compare", "Sweep", data="experiment-1", **address)
    (kept,) = Library().runs()
    assert (kept.kind, kept.steps) == ("sweep", 4)
    Library().write_note(kept.id, Note("Where they break"))
    other = open_app("compare", viewer="a_third", job=app.query_params["job"])
    assert not other.exception
    assert "Done: saved run" in words(other)
    assert other.query_params["data"] in ("experiment-1", ["experiment-1"])
    assert "Precomputed example: Experiment 1" in words(other), "a sweep does not replace the table"


def test_trained_networks_are_available_in_another_browser():
    address = {"view": "Train", "race_iterations": "10", "race_digits": "200"}
    job = run_and_save("equivariance", "Run", **address).query_params["job"]
    name = job[0] if isinstance(job, list) else job
    other = open_app("equivariance", viewer="another", job=name, network=f"alpha-f-p4@{name}")
    assert not other.exception
    assert other.selectbox(key="network").value == f"alpha-f-p4@{name}"
    assert "αF-p4-CNN, trained here:" in words(other).replace("\\", "")
    assert "Equivariance · 10 iterations · done" in words(open_app("runs"))


def test_interrupted_training_of_networks_can_be_resumed():
    address = {"view": "Train", "race_iterations": "10", "race_digits": "200"}
    job = run_and_save("equivariance", "Run", **address).query_params["job"]
    (kept,) = Library().runs()
    (kept.folder / "ended.json").unlink()
    assert "interrupted: open it to resume" in words(open_app("runs"))
    name = job[0] if isinstance(job, list) else job
    other = open_app("equivariance", viewer="another", job=name, view="Train")
    assert jobs().get("another", name).paused
    press(other, "Resume")


def test_the_list_states_that_an_interrupted_mean_cannot_be_resumed():
    run_mean()
    (kept,) = Library().runs()
    (kept.folder / "ended.json").unlink()
    assert "interrupted: cannot be resumed" in words(open_app("runs"))
