"""New images against a finished run, on Iterations and on Clustering."""

import io

import numpy as np
import pytest
from PIL import Image

from ia_engine.datasets.recipes import RECIPES, make
from tests.app.driving import ROOT, finish, open_page, open_section, press, runs, words

SMALL = {"data": "experiment-1", "images": "9", "steps": "1"}


def to_file(name, image):
    """An image [h w] as a PNG to upload."""
    file = io.BytesIO()
    Image.fromarray((255 * image).astype(np.uint8)).save(file, "PNG")
    return (name, file.getvalue(), "image/png")


def uploaders(app):
    return [u for u in app.file_uploader if (u.key or "").startswith("new images")]


def upload(app, *files):
    (uploader,) = uploaders(app)
    uploader.set_value(list(files))
    app.run()
    assert not app.exception
    return app


def read_table(app):
    (table,) = [t.value for t in app.dataframe if "far" in t.value]
    return table


@pytest.fixture(scope="module")
def drawings():
    data = make(RECIPES["experiment-1"])
    return data.images[:, 0].numpy(), data.labels.numpy()


@pytest.fixture(scope="module")
def attended():
    app = finish(press(open_page(ROOT / "pages" / "iterations.py", **SMALL), "Run"))
    assert uploaders(app) == [], "the section is closed at first"
    return open_section(app, "new images")


@pytest.fixture(scope="module")
def clustered():
    address = {"data": "experiment-1", "k": "3", "budget": "1", "modules": "affine"}
    page = ROOT / "pages" / "clustering.py"
    return finish(press(open_page(page, view="New images", **address), "Run"))


def test_new_images_join_the_clusters_of_a_run_of_attention(attended, drawings):
    images, labels = drawings
    new = [*images[[1, 4, 8, 13]], np.eye(64)]
    app = upload(attended, *(to_file(f"{at}.png", image) for at, image in enumerate(new)))
    table = read_table(app)
    assert len(table) == 5
    clusters, classes = list(table["cluster"])[:4], list(labels[[1, 4, 8, 13]])
    assert all(
        (a == b) == (x == y)
        for a, x in zip(clusters, classes, strict=True)
        for b, y in zip(clusters, classes, strict=True)
    )
    assert (table["weight"][:4] > 0.9).all()
    assert table["far"].iloc[4]
    assert "far from every cluster" in words(app)


def test_the_clusters_of_each_method_can_be_used(attended, drawings):
    app = upload(attended, to_file("a.png", drawings[0][0]))
    invariant = read_table(app)["distance"].iloc[0]
    (choice,) = [
        group
        for group in app.button_group
        if (group.key or "").startswith("clusters for new images")
    ]
    choice.set_value("ka")
    app = upload(app.run(), to_file("a.png", drawings[0][0]))
    assert read_table(app)["distance"].iloc[0] != invariant


def test_new_images_join_the_prototypes_of_a_clustering(clustered, drawings):
    images, _ = drawings
    app = upload(clustered, *(to_file(f"{at}.png", image) for at, image in enumerate(images[::6])))
    table = read_table(app)
    state = runs(app)[-1].history[-1].newest.state
    assert len(table) == 3
    assert table["cluster"].between(1, state.config.k).all()
    assert "weight" not in table, "K-means models have no weights"
    assert "3 images read" in " ".join(element.value for element in app.success)


def test_files_without_images_are_refused_and_the_run_stays(clustered):
    app = upload(clustered, ("rubbish.png", b"no picture", "image/png"))
    assert "No file could be read" in words(app)
    assert not [t for t in app.dataframe if "far" in t.value]
    assert "Done: " in words(app)


def test_before_files_are_uploaded_the_page_states_what_will_happen(clustered):
    app = upload(clustered)
    assert "Each joins the cluster whose prototype fits best" in words(app)
    assert not [t for t in app.dataframe if "far" in t.value]
