"""The Manifolds page without a browser: its text, and the parameters in its address."""

import re

from tests.app.driving import ROOT, open_page, words

PAGE = ROOT / "pages" / "manifolds.py"


def test_the_default_pair_shows_a_descent_that_ends_in_a_wrong_basin():
    app = open_page(PAGE)
    assert not app.exception
    assert "a wrong basin" in words(app)
    assert "18, snail 6" in words(app)
    assert [header.value for header in app.subheader] == [
        "All distances",
        "Rotate one input",
        "The example of section 2.2",
    ]


def test_the_address_sets_the_pair_sigma_and_the_schedule():
    app = open_page(PAGE, i="1", j="3", sigma="2", schedule="annealed")
    assert "the deepest basin" in words(app)
    assert "Move **vᵢ**: 1, crab 1" in words(app)
    assert "onto **vⱼ**: 3, crab 3" in words(app)
    assert app.query_params["sigma"] == "2"


def test_after_a_rotation_the_page_states_the_loss_by_interpolation():
    assert "and back, vᵢ has d²" not in words(open_page(PAGE))
    text = words(open_page(PAGE, turn="50"))
    assert re.search(r"Rotated by 50° and back, vᵢ has d² = 0\.0\d{3} from the original", text)


def test_the_page_explains_a_descent_that_ends_at_a_larger_distance_than_it_began():
    assert "The descent ends at a larger distance than where it began" not in words(open_page(PAGE))
    assert "The descent ends at a larger distance than where it began" in words(
        open_page(PAGE, data="mnist-color")
    )


def test_illegal_values_in_the_address_are_reported_and_ignored():
    app = open_page(PAGE, i="99", j="²", sigma="x", schedule="none")
    assert not app.exception
    assert "contains i = 99, which must be a number from 1 to 18" in words(app)
    assert app.query_params["sigma"] == "0"


def test_many_large_images_are_sampled_and_reduced_in_size():
    recipe = '{"source": "generated", "config": {"copies": 40, "size": 72}}'
    app = open_page(PAGE, data=recipe)
    assert not app.exception
    assert "60 of 120 images shown" in words(app)
    assert "Reduced to at most 64 px" in words(app)


def test_for_points_the_page_asks_for_images_and_shows_only_its_example():
    app = open_page(PAGE, data="blobs")
    assert "This page needs images" in words(app)
    assert [header.value for header in app.subheader] == ["The example of section 2.2"]
