from ia_engine.datasets.experiments import BlobsConfig, make_blobs
from ia_engine.figures.style import plot_points


def test_every_blob_is_a_separate_trace_with_all_of_its_points():
    figure = plot_points(make_blobs(BlobsConfig(blobs=4, points=7)))
    assert [(trace.name, len(trace.x)) for trace in figure.data] == [
        (f"blob {k}", 7) for k in (1, 2, 3, 4)
    ]


def test_both_axes_have_the_same_scale():
    assert plot_points(make_blobs(BlobsConfig())).layout.yaxis.scaleanchor == "x"
