"""The code, files, names and commands in README, CONTRIBUTING and ia_engine/README are correct."""

import re
from pathlib import Path

import pytest
import torch
from PIL import Image

from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.iteration import normalise
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.metrics import score_clusters
from pages._ui.lessons.catalogue import LESSONS
from tests.extensions import EXTENSIONS
from tests.tensors import blobs, rand

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
WORKFLOW = (ROOT / ".github/workflows/test.yml").read_text("utf-8")
TEXT = (ROOT / "README.md").read_text("utf-8") + GUIDE
ENGINE = (ROOT / "ia_engine/README.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


def run(marker):
    """Run the code block that contains the marker; return its namespace."""
    names: dict[str, object] = {"__name__": "readme"}
    block = next(block for block in BLOCKS if marker in block)
    exec(compile(block, "README.md", "exec"), names)
    return names


@pytest.mark.cpu_only("the catalogue's data are on the CPU")
def test_the_five_lines_cluster_a_folder_and_save_its_aligned_pictures(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = make(RECIPES["experiment-1"])
    Path("pictures").mkdir()
    for at, image in enumerate(data.images[:, 0]):
        ink = (255 * image).round().byte().numpy()
        Image.fromarray(255 - ink).save(f"pictures/{at:02}.png")
    names = run("ia.cluster(")
    assert score_clusters(data.labels, torch.from_numpy(names["result"].labels)).ari == 1
    assert len(list(Path("aligned").glob("*.png"))) == 18


def test_the_group_in_the_guide_obeys_the_group_laws_and_can_be_searched():
    group = run("class Zoom")["Zoom"]()
    a, b = (rand(4, 1, seed=seed, low=-0.3, high=0.3) for seed in (1, 2))
    torch.testing.assert_close(group.compose(a, b), a + b)
    torch.testing.assert_close(group.compose(a, group.inverse(a)), group.identity(4, a))
    v = normalise(blobs(1, size=31, sigma=2.5, reach=0.2))
    zoomed = group.unitary(v, a[:1])
    found = GlobalSearch(group).align(torch.cat([v, zoomed]))
    assert found.d2[0, 1] < 1e-2
    torch.testing.assert_close(found.tau[0, 1], a[0], atol=0.02, rtol=0)


@pytest.mark.parametrize("extension", EXTENSIONS, ids=lambda one: one.name)
def test_the_examples_in_the_guide_are_the_extensions_that_the_tests_add(extension):
    assert extension.text in BLOCKS
    assert f"`{extension.entry.rstrip(',')}`" in GUIDE
    row = rf"`{extension.folder}/` \| `{extension.table}` in `{extension.catalogue}`"
    assert re.search(row, GUIDE)


@pytest.mark.cpu_only("the block creates its images on the default device")
def test_the_readme_gives_the_whole_address_of_every_lesson():
    text = (ROOT / "README.md").read_text("utf-8")
    for lesson in LESSONS:
        assert f"`{lesson.captions[0].page}?lesson={lesson.name}.1`" in text


def test_the_layer_in_the_readme_returns_the_expected_number_of_features():
    features = run("InvariantAttention(")["features"]
    assert features.shape[0] == 2
    assert features.shape[-1] == 32


@pytest.mark.cpu_only("the catalogue's data are on the CPU")
def test_a_stack_aligned_as_in_the_readme_is_that_of_the_engine():
    names = run("align_stack(")
    for found, expected in zip(names["aligned"], names["stack"].images, strict=True):
        off = torch.from_numpy(found) - expected[0]
        assert off.abs().mean() < 0.02  # bilinear and cubic interpolation differ


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`((?:\w[\w./-]*/)[\w.-]*)`", TEXT))))
def test_every_file_named_in_the_guide_exists(name):
    here = [
        ROOT,
        ROOT / "ia_engine",
    ]  # the README's table of pages names modules of the engine
    invented = name.endswith(("/name.py", "_name.py", "/name/"))
    assert invented or any((folder / name).exists() for folder in here)


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([\w./-]*\w\.(?:py|js|md))`", ENGINE))))
def test_every_file_named_in_the_readme_of_the_engine_exists(name):
    assert (ROOT / name).exists() or any((ROOT / "ia_engine").rglob(name))


@pytest.mark.parametrize(
    ("name", "file"), re.findall(r"`(\w+)`,? (?:in|from)\s+`([\w/]+\.py)`", GUIDE)
)
def test_every_name_that_the_guide_places_in_a_file_is_defined_there(name, file):
    text = (ROOT / file).read_text("utf-8")
    assert re.search(rf"^(?:class |def )?{name}\b", text, re.MULTILINE)


@pytest.mark.parametrize(
    "target",
    sorted(set(re.findall(r"(?:`|^|run: )make ([a-z][\w-]*)", TEXT + WORKFLOW, re.MULTILINE))),
)
def test_every_make_command_in_the_guides_is_a_target(target):
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)


def test_the_workflow_uses_the_oldest_python_and_runs_make_check_and_make_test():
    oldest = re.search(
        r'requires-python = ">=([\d.]+)"', (ROOT / "pyproject.toml").read_text("utf-8")
    )
    assert f'python: ["{oldest[1]}", ' in WORKFLOW
    assert "make check" in WORKFLOW
    assert "make test" in WORKFLOW


def test_the_hooks_call_only_programs_of_the_virtual_environment():
    hooks = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    assert re.findall(r"repo: (.*)", hooks) == ["local"]
    assert set(re.findall(r"language: (.*)", hooks)) == {"system"}
    entries = re.findall(r"entry: (.*)", hooks)
    assert entries
    assert all(entry.startswith(".venv/bin/") for entry in entries)
