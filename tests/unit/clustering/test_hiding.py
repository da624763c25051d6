"""Why colours change channel by channel: a full colour map can hide several images (C.4)."""

from ia_engine.clustering.reading import read
from ia_engine.clustering.training import train
from tests.unit.clustering.scenes import config, shapes


def least_loss(sequence):
    """The loss of one prototype for bars and blocks, with a search for the transformation of each
    image.
    """
    images, _ = shapes(channels=3)
    chosen = config(
        model="ti", k=1, sequence=sequence, start="random", rate=0.02, iterations=150, batch=24,
        curriculum="off",
    )  # fmt: skip
    *_, step = train(chosen, images, rhythm=1e9)
    return read(step.state, images, step.state.rows).loss


def test_a_full_colour_transformation_can_hide_two_images_in_one_prototype():
    assert least_loss("color-full") < 0.5 * least_loss("color")
