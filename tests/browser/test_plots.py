"""Plots of a run as a browser draws them."""

import pytest

from ia_engine.attention.clusters.embedding import embed_steps
from ia_engine.attention.clusters.measures import measure
from ia_engine.attention.iteration import AttentionConfig, iterate
from ia_engine.datasets.blobs import BlobsConfig, make_blobs
from ia_engine.figures.embedding import plot_embedding
from ia_engine.figures.history import tell
from ia_engine.figures.tree import plot_tree

CLASSES = ("T-shirt", "Trousers", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Trainer", "Bag")
CLASSES += ("Ankle boot",)
BOXES = """selector => [...document.querySelectorAll(selector)]
  .map(element => element.getBoundingClientRect()).map(box => [box.top, box.bottom])"""


@pytest.fixture(params=["tree", "plane"])
def figure(request):
    """Of both methods, with ten classes."""
    data = make_blobs(BlobsConfig(blobs=10, points=2))
    config = AttentionConfig(method="ka", beta=2.0, steps=2)
    labels, names = data.labels.tolist(), [str(point) for point in range(20)]
    steps = list(measure(iterate(config, data.points), data.labels))
    if request.param == "tree":
        told = [tell(measured) for measured in steps]
        return plot_tree({"ia": told, "ka": told}, labels, names, CLASSES)
    planes = list(embed_steps(measured.step.d2 for measured in steps))
    return plot_embedding(
        {"ia": planes, "ka": planes}, {"ia": labels, "ka": labels}, names, CLASSES
    )


@pytest.mark.parametrize("width", [340, 700])
def test_many_classes_stand_above_the_titles(open_page, figure, width):
    page = open_page("about:blank", width=width)
    page.set_content(figure.to_html(include_plotlyjs=True, config={"responsive": True}))
    page.locator(".legend .traces").nth(9).wait_for(state="attached")
    titles = page.evaluate(BOXES, ".annotation-text")
    assert len(titles) == 2
    rows = page.evaluate(BOXES, ".legend .legendtext")
    assert min(row[0] for row in rows) >= 0
    assert max(row[1] for row in rows) <= min(title[0] for title in titles)
