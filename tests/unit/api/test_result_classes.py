"""Results: files, HTML pages, the picture in notebooks, and aligned originals."""

import base64
import csv
import io
import re

import numpy as np
import pytest
import torch
from PIL import Image

from ia_engine import align, attend, cluster, invariant_mean, load
from ia_engine.api.base_result import draw_clusters, name_poses
from ia_engine.api.inputs import read_images
from ia_engine.api.originals import border_colour, find_centres, transform
from ia_engine.errors import EngineError
from ia_engine.poses import to_pixel_matrix
from ia_engine.transforms import GROUPS
from tests.tensors import blobs

IMAGES = blobs(2, size=24, seed=5, sigma=2.0, dtype=torch.float32).clamp(0, 1)
DATA = torch.cat([IMAGES[:1].expand(3, -1, -1, -1), IMAGES[1:].expand(3, -1, -1, -1)])
CALLS = {
    "pairs": lambda: align(DATA),
    "stack": lambda: align(DATA, to="previous"),
    "mean": lambda: invariant_mean(DATA, steps=1),
    "attention": lambda: attend(DATA, steps=2),
    "kernel attention": lambda: attend(DATA, steps=1, method="ka"),
    "clusters": lambda: cluster(DATA, 2),
    "prediction": lambda: cluster(DATA, 2).predict(DATA),
    "training": lambda: cluster(DATA, 2, "dti-kmeans", iterations=3, sequence="affine"),
}


@pytest.fixture(scope="module", params=CALLS)
def result(request):
    return CALLS[request.param]()


def test_an_npz_file_contains_every_array_without_pickles(result, tmp_path):
    result.save(tmp_path / "result.npz")
    with np.load(tmp_path / "result.npz", allow_pickle=False) as saved:
        for name, array in result.to_arrays().items():
            np.testing.assert_array_equal(saved[name], array)
            np.testing.assert_array_equal(array, getattr(result, name))
        assert saved["names"].tolist() == list(result.data.names)
        assert '"function": ' in str(saved["settings"])


def test_a_folder_contains_each_image_a_table_and_the_arrays(result, tmp_path):
    for _ in range(2):  # the second time replaces the first
        result.save(tmp_path / "folder")
    table = (tmp_path / "folder" / "images.csv").read_text("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [row["image"] for row in rows] == list(result.data.names)
    for row, expected in zip(rows, result.pictures, strict=True):
        with Image.open(tmp_path / "folder" / row["file"]) as picture:
            grey = np.asarray(picture.convert("L")) / 255
        np.testing.assert_allclose(grey, expected[0].numpy(), atol=0.5 / 255 + 1e-6)
    assert len(list((tmp_path / "folder").iterdir())) == len(rows) + 2


def test_a_smaller_result_replaces_a_larger_one_and_keeps_other_files(tmp_path):
    align(DATA, to=0).save(tmp_path / "out")
    (tmp_path / "out" / "0007-mine.png").write_bytes(b"kept")
    align(DATA[:2], to=0).save(tmp_path / "out")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"0001-image_1.png", "0002-image_2.png", "images.csv", "arrays.npz",
                     "0007-mine.png"}  # fmt: skip


def test_a_result_that_cannot_be_saved_leaves_no_folder(tmp_path):
    with pytest.raises(EngineError):
        CALLS["pairs"]().save(tmp_path / "out", originals=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_result_is_not_saved_among_the_pictures_that_were_read(tmp_path):
    draw_dot(40, 30).save(tmp_path / "a.png")
    stack = align(load(tmp_path), to=0)
    for originals in (None, tmp_path):
        with pytest.raises(EngineError, match="save the result in another folder"):
            stack.save(tmp_path, originals=originals)
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


@pytest.mark.parametrize(("name", "originals", "words"), [
    ("out.txt", None, "got out.txt: change the ending"),
    ("x.npz", "somewhere", "choose a path without .npz"),
    ("x.HTML", "somewhere", "choose a path without .html"),
])  # fmt: skip
def test_a_path_that_fits_no_form_of_a_result_is_refused(name, originals, words, tmp_path):
    with pytest.raises(EngineError, match=words):
        CALLS["stack"]().save(tmp_path / name, originals=originals)
    assert list(tmp_path.iterdir()) == []


def test_endings_may_be_upper_case_and_folders_may_contain_dots(tmp_path):
    stack = CALLS["stack"]()
    for name in ("X.HTML", "x.NPZ", "run.v2"):
        stack.save(tmp_path / name)
    kinds = {path.name: path.is_dir() for path in tmp_path.iterdir()}
    assert kinds == {"X.HTML": False, "x.NPZ": False, "run.v2": True}


def test_the_page_of_new_images_lists_their_names_clusters_and_distances():
    result = CALLS["prediction"]()
    page = result.to_html()
    for name, label, distance in zip(
        result.data.names, result.labels, result.columns()["distance"], strict=True
    ):
        assert f"<td>{name}</td><td>{label}</td><td>no</td><td>{distance:.4g}</td>" in page


def test_small_clusters_are_drawn_one_after_the_other():
    mixed = torch.cat([IMAGES, IMAGES]).flip(0)  # of two kinds, in turn
    labels = np.array([0, 1, 0, 1])
    title, drawn = draw_clusters(read_images(mixed), mixed.numpy(), labels)
    ordered, expected = read_images(mixed[[0, 2, 1, 3]]), labels[[0, 2, 1, 3]]
    assert drawn == draw_clusters(ordered, ordered.images.numpy(), expected)[1]
    assert drawn != draw_clusters(read_images(mixed), mixed.numpy(), expected)[1]
    assert title == "2 clusters, aligned, cluster by cluster"


@pytest.mark.parametrize(("group", "names"), [
    ("se2", ["rotation [rad]", "row offset [px]", "column offset [px]"]),
    ("translation", ["row offset [px]", "column offset [px]"]),
])  # fmt: skip
def test_the_columns_of_poses_state_their_meaning_and_unit(group, names):
    columns = align(DATA, group, to=0).columns()
    assert list(columns) == names
    for name, kind in GROUPS.items():
        poses = np.arange(kind.dimension(), dtype=np.float32)[None]
        assert [row[0] for row in name_poses(poses, name).values()] == poses[0].tolist()


def test_the_matrices_of_a_result_read_the_originals_at_the_same_points():
    stack = align(DATA, to=0)
    np.testing.assert_allclose(
        stack.matrices, to_pixel_matrix(GROUPS["se2"], torch.from_numpy(stack.poses), 24, 24)
    )
    np.testing.assert_array_equal(
        stack.matrices, to_pixel_matrix(GROUPS["se2"], stack.poses, 24, 24)
    )


def test_a_page_loads_no_other_files(result, tmp_path):
    result.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "default-src 'none'" in page
    # A script on the page may insert data, which is written as ${...}.
    assert not re.search(r"""(?:src|href)=["'](?!data:|\$\{)""", page)
    assert "<b>" not in result.to_html("a <b> title")
    assert "a &lt;b&gt; title" in result.to_html("a <b> title")


def test_a_notebook_shows_pictures_of_the_result(result):
    shown = result._repr_html_()
    pictures = re.findall(r'base64,([^"]*)"', shown)
    assert pictures
    for picture in pictures:
        Image.open(io.BytesIO(base64.b64decode(picture))).verify()
    assert "6 images" in shown


def test_the_text_of_a_result_states_its_main_settings():
    assert repr(CALLS["clusters"]()) == (
        "ClusterResult of 6 images in 2 clusters of 3, 3 (method ia, group se2, beta 15.0, k 2)"
    )
    assert repr(CALLS["prediction"]()) == "PredictionResult of 6 images in 2 clusters of 3, 3"
    assert repr(align(DATA[:1], to=0)).startswith("StackResult of 1 image (")


def test_the_text_of_a_set_of_images_is_one_line():
    assert (
        repr(load("experiment-1")) == "ImageSet(18 images [1 × 64×64 px], experiment-1, 3 classes)"
    )


def test_the_help_of_a_result_explains_its_arrays(result):
    explained = type(result).__doc__
    assert all(f"- `{name}`" in explained for name in result.to_arrays())


def test_the_methods_paragraph_states_data_settings_versions_and_citations(result):
    found = result.describe()
    assert all(sentence.endswith(".") for sentence in found.sentences)
    assert "6 images" in found.sentences[1]
    assert result.data.digest in found.sentences[1]
    assert found.citations
    for text in (found.to_text(), found.to_markdown()):
        assert found.sentences[0].split("(")[0].split("|")[0][:20] in text
    names = [row.name for row in found.settings]
    assert {"seed", "device", "version of torch"} <= set(names)


def test_names_of_files_come_from_names_of_images_without_leaving_the_folder(tmp_path):
    for name in ("a/../b c.png", "ü=1.png"):
        path = tmp_path / "pictures" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray((255 * DATA[0, 0].numpy()).astype(np.uint8)).save(path.resolve())
    align(load(tmp_path / "pictures"), to=0).save(tmp_path / "out")
    names = sorted(path.name for path in (tmp_path / "out").glob("*.png"))
    assert names == ["0001-b_c.png", "0002-ü_1.png"]


def test_a_folder_that_cannot_be_written_is_reported(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(EngineError, match="could not be written"):
        CALLS["stack"]().save(tmp_path / "file")


def draw_dot(x, y, size=(90, 60)):
    """A grey picture of `size` with a soft dot and a bar towards the right, on white."""
    rows, columns = np.mgrid[: size[1], : size[0]]
    ink = np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / 18.0)
    ink += 0.6 * np.exp(-((columns - x - 8) ** 2 / 40.0 + (rows - y) ** 2 / 4.0))
    return Image.fromarray((255 * (1 - ink.clip(0, 1))).astype(np.uint8))


def test_originals_are_aligned_at_their_own_resolution(tmp_path):
    for at, (x, y) in enumerate([(40, 30), (48, 26), (35, 33)]):
        draw_dot(x, y).save(tmp_path / f"{at}.png")
    stack = align(load(tmp_path, size=48), "translation", to=0)
    stack.save(tmp_path / "out", originals=tmp_path)
    pictures = []
    for path in sorted((tmp_path / "out").glob("*.png")):
        with Image.open(path) as picture:
            assert picture.size == (90, 60)
            pictures.append(np.asarray(picture).astype(float))
    first = np.asarray(draw_dot(40, 30)).astype(float)
    assert np.abs(pictures[0] - first).max() <= 1
    for picture in pictures[1:]:
        assert np.abs(picture - first).mean() < 2
        assert np.median(picture) == 255  # white, like the border of the original


def test_originals_keep_16_bits(tmp_path):
    for at, (x, y) in enumerate([(40, 30), (48, 26)]):
        values = np.asarray(draw_dot(x, y)).astype(np.uint16) * 257
        Image.fromarray(values).save(tmp_path / f"{at}.png")
    align(load(tmp_path, size=48), "translation", to=0).save(tmp_path / "out", originals=tmp_path)
    first, second = (np.asarray(Image.open(p)) for p in sorted((tmp_path / "out").glob("*.png")))
    assert first.dtype == np.uint16
    expected = np.asarray(draw_dot(40, 30)).astype(float) * 257
    assert np.abs(first - expected).max() <= 257
    assert np.abs(second - expected).mean() < 2 * 257


def test_originals_are_found_by_long_names_in_folders_and_by_their_frames(tmp_path):
    folder = tmp_path / "in"
    (folder / "part").mkdir(parents=True)
    frames = [draw_dot(x, 30) for x in (35, 44)]
    frames[0].save(folder / "a.gif", save_all=True, append_images=frames[1:])
    draw_dot(48, 26).save(folder / "part" / f"{'long' * 30}.png")
    draw_dot(40, 30).save(folder / "b.png")
    data = load(folder, size=48)
    assert data.names[:2] == ("a.gif frame 1", "a.gif frame 2")
    align(data, "translation", to=2).save(tmp_path / "out", originals=folder)
    for path in (tmp_path / "out").glob("*.png"):
        with Image.open(path) as picture:
            grey = np.asarray(picture.convert("L")).astype(float)
        assert np.abs(grey - np.asarray(draw_dot(40, 30))).mean() < 3


def test_originals_that_have_changed_are_refused(tmp_path, monkeypatch):
    draw_dot(40, 30).save(tmp_path / "a.png")
    stack = align(load(tmp_path, size=48), "translation", to=0)
    with monkeypatch.context() as limited:
        limited.setattr(Image, "MAX_IMAGE_PIXELS", 100)
        with pytest.raises(EngineError, match=r"a\.png must be the picture that was read before"):
            stack.save(tmp_path / "out", originals=tmp_path)
    (tmp_path / "a.png").unlink()
    with pytest.raises(EngineError, match=r"one file with the name a\.png; got 0 in"):
        stack.save(tmp_path / "out", originals=tmp_path)


def test_new_originals_are_aligned_with_the_central_picture_of_their_cluster(tmp_path):
    for folder, places in {"known": [(40, 30), (48, 26)], "new": [(35, 33), (52, 28)]}.items():
        (tmp_path / folder).mkdir()
        for at, (x, y) in enumerate(places):
            draw_dot(x, y, (90, 60) if folder == "known" else (90, 66)).save(
                tmp_path / folder / f"{at}.png"
            )
    result = cluster(load(tmp_path / "known", size=48, fit="common"), 1, group="translation")
    known = [draw_dot(40, 30), draw_dot(48, 26)][int((result.poses != 0).any(1).argmin())]
    result.predict(tmp_path / "new").save(tmp_path / "out", originals=tmp_path / "new")
    for path in sorted((tmp_path / "out").glob("*.png")):
        with Image.open(path) as picture:
            assert picture.size == (90, 60)
            assert np.abs(np.asarray(picture).astype(float) - np.asarray(known)).mean() < 2


def test_new_originals_need_clusters_of_pictures(tmp_path):
    draw_dot(40, 30).save(tmp_path / "a.png")
    result = cluster(load(tmp_path, size=48).images, 1).predict(tmp_path)
    with pytest.raises(EngineError, match="only with clusters of pictures"):
        result.save(tmp_path / "out", originals=tmp_path)


def test_a_transform_reads_the_original_at_the_given_positions():
    picture = draw_dot(40, 30)
    shift = np.array([[1.0, 0, 7], [0, 1, -3], [0, 0, 1]])
    moved = np.asarray(transform(picture, shift, (60, 90)))
    np.testing.assert_array_equal(moved[3:, :-7], np.asarray(picture)[:-3, 7:])
    quarter = np.array([[0.0, 1, 0], [-1, 0, 59], [0, 0, 1]])  # (x, y) is read at (y, 59 - x)
    turned = np.asarray(transform(picture, quarter, (90, 60)))
    np.testing.assert_array_equal(turned, np.asarray(picture)[::-1].T)


def test_the_border_has_the_median_colour():
    assert border_colour(draw_dot(40, 30)) == 255
    assert border_colour(Image.new("RGB", (5, 4), (1, 2, 3))) == (1, 2, 3)


def test_the_centre_of_a_cluster_is_its_image_that_does_not_move():
    poses = np.array([[0.0, 1], [0, 0], [2, 0], [0, 0]], np.float32)
    assert find_centres(poses, np.array([5, 5, 8, 8])) == [1, 1, 3, 3]
    moved = poses + np.array([0.1, 0], np.float32)
    assert find_centres(moved, np.array([5, 5, 8, 8])) == [1, 1, 3, 3]


def test_new_pictures_are_read_like_those_of_the_result(tmp_path):
    for at, x in enumerate([40, 48, 35]):
        draw_dot(x, 30).save(tmp_path / f"{at}.png")
    result = cluster(load(tmp_path, size=32, margin=0.05), k=1)
    assert result.predict(tmp_path).data.images.shape == (3, 1, 32, 32)
    np.testing.assert_array_equal(result.predict(tmp_path).data.images, result.data.images)


@pytest.mark.parametrize(("name", "words"), [
    ("stack", "originals can be aligned only if the images were read from pictures"),
    ("pairs", "has no single pose for each image"),
    ("training", "has no single pose for each image"),
])  # fmt: skip
def test_originals_that_cannot_be_aligned_are_refused(name, words, tmp_path):
    with pytest.raises(EngineError, match=words):
        CALLS[name]().save(tmp_path / "out", originals=tmp_path)
