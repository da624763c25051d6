"""A cluster is followed from Iterations to Mean, and examples include their plots and samples."""

from pages._ui.clustering.view import example_samples
from pages._ui.examples import measure_example
from tests.app.driving import ROOT, finish, open_page, open_section, press, runs, words

ITERATIONS = ROOT / "pages" / "iterations.py"
CLUSTERING = ROOT / "pages" / "clustering.py"


def cluster_links(app):
    """The label and the query of each link to the mean of a cluster."""
    links = [element.proto for element in app.get("page_link")]
    return [
        (link.label, link.query_string)
        for link in links
        if link.label.startswith("Mean of cluster")
    ]


def test_the_example_of_iterations_has_its_plots_and_a_link_for_each_cluster():
    app = open_page(ITERATIONS)
    assert not app.exception
    assert "Precomputed example" in words(app)
    assert app.session_state["example_view"] == "Distances"
    assert len(app.get("plotly_chart")) == 1
    assert [label for label, _ in cluster_links(app)] == [
        f"Mean of cluster {k}: 6 images" for k in (1, 2, 3)
    ]
    assert [query for _, query in cluster_links(app)] == [
        f"data=experiment-1&run_now=0&rows={rows}&sigma=0&group=se2"
        for rows in ("1-6", "7-12", "13-18")
    ]


def test_the_metrics_of_the_example_separate_the_classes_only_for_invariant_attention():
    _, steps = measure_example("experiment-1")
    last = {method: own[-1].numbers for method, own in steps.items()}
    assert (last["ia"].ari, last["ia"].clusters) == (1.0, 3)
    assert 10 * last["ia"].d2_within < last["ia"].d2_between
    assert last["ka"].ari < 0.5


def test_a_finished_run_has_a_link_for_each_cluster_with_its_own_settings():
    app = finish(press(open_page(ITERATIONS, steps="1", sigma="0.5", beta="20"), "Run"))
    assert not cluster_links(app), "the means are computed when the section is opened"
    links = cluster_links(open_section(app, "clusters"))
    assert links
    assert all(query.endswith("&sigma=0.5&group=se2") for _, query in links)


def test_a_link_from_data_starts_one_run_on_iterations():
    app = finish(open_page(ITERATIONS, data="experiment-1", steps="1", run_now="0"))
    assert len(runs(app)) == 1
    assert "run_now" not in app.query_params
    app.query_params["run_now"] = "0"  # a late request of the browser
    app.run()
    assert not app.exception
    assert len(runs(app)) == 1


def test_the_view_of_true_poses_states_its_errors_and_what_was_removed():
    app = open_page(ITERATIONS, example_view="True poses")
    assert not app.exception
    assert "Median error: angle 0." in words(app)
    assert "one common pose has been removed for each class" in words(app)


def test_the_example_of_clustering_shows_aligned_samples_of_the_selected_prototype():
    app = open_page(CLUSTERING, data="digits", cluster="3")
    assert not app.exception
    assert "Prototype 3** transformed to fit images of its cluster" in words(app)
    own = example_samples()[2]
    assert f"{len(own.chains)} of {own.total} images of prototype 3 shown" in words(app)
