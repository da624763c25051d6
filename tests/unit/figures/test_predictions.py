import torch

from ia_engine.figures.predictions import MOST_SIDE, draw_predictions, tabulate_predictions
from ia_engine.predict import Prediction
from tests.tensors import rand, tensor


def predicted(images, weight):
    n = len(images)
    return Prediction(
        assignments=tensor([1, 0, 1], torch.int64)[:n],
        distances=tensor([[0.25, 1.0], [2.0, 0.5], [0.75, 3.0]])[:n],
        weight=weight,
        tau=rand(n, 3),
        aligned=images.flip(-1),
        far=tensor([False, True, False], torch.bool)[:n],
    )


def test_pictures_are_the_images_the_aligned_images_and_the_centres_at_full_brightness():
    images, centres = rand(3, 1, 4, 6), 0.01 * rand(2, 1, 4, 6, seed=1)
    drawn = draw_predictions(images, predicted(images, None), centres, most=2)
    assert drawn.shape == (6, 4, 6, 1)
    expected = torch.cat([images[:2], images[:2].flip(-1), centres[[1, 0]]])
    expected = expected / expected.flatten(1).amax(1)[:, None, None, None]
    difference = torch.from_numpy(drawn).permute(0, 3, 1, 2).double() - 255 * expected
    assert float(difference.abs().max()) <= 0.501


def test_large_pictures_are_reduced():
    images = rand(1, 3, 100, 200)
    drawn = draw_predictions(images, predicted(images, None), images.repeat(2, 1, 1, 1), most=5)
    assert drawn.shape == (3, MOST_SIDE // 2, MOST_SIDE, 3)


def test_rows_count_clusters_from_1_and_have_no_weight_if_the_model_has_none():
    images = rand(3, 1, 4, 4)
    rows = tabulate_predictions(["a", "b", "c"], predicted(images, None))
    assert rows[1] == {"image": "b", "cluster": 1, "distance": 0.5, "far": True}
    weighed = tabulate_predictions(["a", "b", "c"], predicted(images, tensor([0.5, 1.0, 0.2])))
    assert [row["weight"] for row in weighed] == [0.5, 1.0, 0.2]
    assert [row["cluster"] for row in weighed] == [2, 1, 2]
