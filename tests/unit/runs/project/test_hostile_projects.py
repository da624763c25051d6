"""A damaged or hostile project is refused with one sentence, and changes nothing."""

import io
import json
import random
import stat
from zipfile import ZIP_LZMA, ZipFile, ZipInfo

import numpy as np
import pytest
import torch
from safetensors.numpy import save

from ia_engine.datasets.data import ImageSet, Recipe
from ia_engine.datasets.recipes import RECIPES
from ia_engine.datasets.uploads import UploadConfig
from ia_engine.datasets.uploads.limits import MOST_VALUES
from ia_engine.errors import EngineError
from ia_engine.runs.folder import seal
from ia_engine.runs.library import Library
from ia_engine.runs.project import manifest
from ia_engine.runs.project.manifest import DataSet
from ia_engine.runs.project.opening import open_project
from tests.crafted import npy
from tests.unit.runs.project.project_files import (
    change_manifest,
    pack,
    save_run,
    unpack,
    write_bytes,
)

pytestmark = pytest.mark.cpu_only("files would be read onto the default device")
UPLOAD = ImageSet(
    torch.zeros(2, 1, 4, 4),
    ("a", "b"),
    Recipe("upload", UploadConfig()),
    torch.tensor([0, 1]),
    ("x", "y"),
)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    library = Library(tmp_path_factory.mktemp("runs"))
    return write_bytes([save_run(library)], [DataSet(UPLOAD.recipe.to_json(), UPLOAD)])


@pytest.fixture
def library(tmp_path):
    """A folder with one run, which every refused project must leave as it is."""
    library = Library(tmp_path / "runs")
    save_run(library, seed=9, owner="bob")
    return library


def list_files(folder):
    return {path: path.read_bytes() for path in folder.parent.rglob("*") if path.is_file()}


def refuse(library, content, match):
    """Open a project that must be refused with one sentence and change nothing."""
    before = list_files(library.folder)
    with pytest.raises(EngineError, match=match) as found:
        open_project("mine.zip", content, library, "bob")
    assert list_files(library.folder) == before
    assert "\n" not in str(found.value)
    assert len(str(found.value)) < 400
    assert str(library.folder) not in str(found.value)


@pytest.mark.parametrize(
    ("content", "got"),
    [
        (b"", "an empty file"),
        (b"\x89PNG\r\n\x1a\n and more", "a file of another kind"),
        (pack({"a.npy": npy(np.zeros(3))}), r"a zip without project\.json"),
        (pack({"project.json": b'{"format": "another"}'}), r"a different project\.json"),
    ],
)
def test_a_file_that_is_not_a_project_is_refused(library, content, got):
    refuse(library, content, f"must be a project .*; got .*{got}: choose another file")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_truncated_project_is_refused(library, project, share):
    refuse(
        library, project[: int(share * len(project))], "is damaged or incomplete: copy or download"
    )


def test_a_changed_byte_of_a_run_is_detected(library, project):
    files = unpack(project)
    name = next(name for name in files if name.endswith("step-00002.safetensors"))
    content = bytearray(files[name])
    content[-1] ^= 1
    refuse(library, pack(files | {name: bytes(content)}), "is damaged or incomplete")


def test_projects_with_random_damage_are_refused_or_complete(library, project):
    draw = random.Random(5)
    for _ in range(60):
        content = bytearray(project)
        for _ in range(draw.randint(1, 4)):
            content[draw.randrange(len(content))] = draw.randrange(256)
        before = list_files(library.folder)
        try:
            opened = open_project("mine.zip", bytes(content), library, "bob")
        except EngineError:
            assert list_files(library.folder) == before
        else:
            assert all(kept.arrays(2)["mu"].sum() == 6 for kept in opened.added)


PATHS = [
    "../evil.txt",
    "/tmp/evil.txt",
    "runs/../../evil.txt",
    "runs\\..\\evil.txt",
    "runs/20261120-101500-000000-ab/../../x",
    "runs/20261120-101500-000000-ab/lock",
    "runs/20261120-101500-000000-ab/evil.pkl",
    "runs/٢٠٢٦١١٢٠-101500-000000-ab/run.json",
    "data/evil.npz",
    "data/1.safetensors/x",
    "C:/evil.txt",
]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("listed", [True, False], ids=["listed", "not listed"])
def test_a_path_outside_the_runs_is_refused(library, project, path, listed):
    files = unpack(project)
    values = json.loads(files["project.json"])
    if listed:
        values["files"][path] = {"size": 1, "sha256": "0" * 64}
    files["project.json"] = json.dumps(values).encode()
    refuse(
        library, pack(files | {path: b"x"}), "must contain only files of runs and data sets|damaged"
    )


def test_a_link_is_unpacked_as_a_plain_file(library, project):
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        for name, content in unpack(project).items():
            info = ZipInfo(name)
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, content)
    (kept,) = open_project("mine.zip", packed.getvalue(), library, "bob").added
    assert not any(path.is_symlink() for path in kept.folder.iterdir())


def test_a_name_that_occurs_twice_is_refused(library, project):
    files = [*unpack(project).items()]
    with pytest.warns(UserWarning, match="Duplicate name"):
        content = pack([*files, files[0]])
    refuse(library, content, "is damaged or incomplete|share bytes")


def test_a_missing_file_is_refused(library, project):
    files = unpack(project)
    del files[next(name for name in files if name.endswith("ended.json"))]
    refuse(library, pack(files), "is damaged or incomplete")


def test_a_run_without_a_record_is_refused(library, project):
    files = unpack(project)
    name = next(name for name in files if name.endswith("run.json"))
    del files[name]
    content = pack(files)
    refuse(
        library, change_manifest(content, lambda x: x["files"].pop(name)), "damaged or incomplete"
    )


@pytest.mark.parametrize("version", [2, "1", None, "x" * 10_000])
def test_a_project_of_another_version_is_refused_with_a_remedy(library, project, version):
    changed = change_manifest(project, lambda values: values.update(version=version))
    refuse(library, changed, r"project version .* reads version 1: update the program")


def reseal(files, name, content):
    """Replace a file of a project, and correct its entry in the manifest."""
    values = json.loads(files["project.json"])
    values["files"][name] = vars(manifest.to_entry(content))
    return pack(files | {name: content, "project.json": json.dumps(values).encode()})


def test_a_run_of_another_version_is_refused_with_a_remedy(library, project):
    files = unpack(project)
    name = next(name for name in files if name.endswith("run.json"))
    record = json.loads(files[name])
    changed = {**record, "version": 7}
    refuse(library, reseal(files, name, json.dumps(changed).encode()), "format version 7")


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff", b"[" * 100_000, b'{"owner": 1}'])
def test_a_record_that_cannot_be_read_is_refused(library, project, content):
    files = unpack(project)
    name = next(name for name in files if name.endswith("run.json"))
    refuse(library, reseal(files, name, content), "damaged|not a run")


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"[" * 100_000, b'{"format": "ia-project"}'])
def test_a_manifest_that_cannot_be_read_is_refused(library, project, content):
    refuse(library, pack(unpack(project) | {"project.json": content}), "damaged or incomplete")


@pytest.mark.parametrize(
    "entry", [{}, [], {"size": -1, "sha256": "0" * 64}, {"size": True, "sha256": "0" * 64},
              {"size": 1e9, "sha256": "0" * 64}, {"size": 1, "sha256": "xyz"}],
)  # fmt: skip
def test_an_invalid_entry_of_the_manifest_is_refused(library, project, entry):
    name = next(name for name in unpack(project) if name.endswith("given.safetensors"))
    changed = change_manifest(project, lambda values: values["files"].update({name: entry}))
    refuse(library, changed, "is damaged or incomplete")


def test_a_project_that_claims_a_terabyte_is_refused_before_it_is_unpacked(library, project):
    name = next(name for name in unpack(project) if name.endswith("given.safetensors"))
    claim = {name: {"size": 1 << 40, "sha256": "0" * 64}}
    changed = change_manifest(project, lambda values: values["files"].update(claim))
    refuse(library, changed, "at most 8 GB of unpacked files; got 1024.0 GB: save fewer runs")


def test_a_file_that_unpacks_to_more_than_it_claims_is_refused(library, project):
    files = unpack(project)
    name = next(name for name in files if name.endswith("given.safetensors"))
    refuse(library, pack(files | {name: bytes(50 << 20)}), "is damaged or incomplete")


def test_a_small_zip_that_unpacks_to_a_large_one_is_refused(library, project, monkeypatch):
    monkeypatch.setattr("ia_engine.runs.project.opening.FREE_BYTES", 1 << 20)
    files = unpack(project)
    name = next(name for name in files if name.endswith("given.safetensors"))
    refuse(
        library, reseal(files, name, bytes(8 << 20)), "at most 200 times its size of .* got 8 MB"
    )


def test_a_project_leaves_space_on_the_disk(library, project, monkeypatch):
    monkeypatch.setattr("ia_engine.runs.project.opening.RESERVE", 1 << 60)
    refuse(library, project, "must stay free, but the disk of the runs folder has only .* MB left")


@pytest.mark.parametrize("damage", [0, 40])
def test_a_manifest_with_an_unusual_compression_is_refused(library, project, damage):
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        for name, content in unpack(project).items():
            archive.writestr(name, content, ZIP_LZMA if name == "project.json" else None)
        place = archive.getinfo("project.json").header_offset + 60
    content = bytearray(packed.getvalue())
    content[place : place + damage] = b"\xff" * damage
    refuse(library, bytes(content), "is damaged or incomplete")


def test_data_sets_that_share_a_file_are_refused(library, project):
    changed = change_manifest(project, lambda values: values["data"].append(values["data"][0]))
    refuse(library, changed, "is damaged or incomplete")


def test_too_many_data_sets_are_refused(library, project):
    one = {"recipe": RECIPES["digits"].to_json(), "file": "", "digest": ""}
    changed = change_manifest(project, lambda values: values["data"].extend(10 * [one]))
    refuse(library, changed, "at most 10 data sets with .*; got 11 data sets")
    with pytest.raises(EngineError, match=r"a project must .*; got 11 data sets"):
        write_bytes([], 11 * [DataSet(one["recipe"])])


def test_too_many_uploaded_images_are_refused(library, project, monkeypatch):
    assert 4 * MOST_VALUES < manifest.MAX_IMAGES, "every upload fits into a project"
    monkeypatch.setattr(manifest, "MAX_IMAGES", 100)
    refuse(library, project, "at most 0 MB of uploaded images; got 1 data sets")
    with pytest.raises(EngineError, match="of uploaded images"):
        write_bytes([], [DataSet(UPLOAD.recipe.to_json(), UPLOAD)])


@pytest.mark.parametrize(
    "recipe",
    ["", "{", "[" * 100_000, '{"source": "nowhere"}', '{"source": "upload", "config": {}}',
     '{"source": "digits", "config": {"seed": "\\u202e"}}'],
)  # fmt: skip
def test_a_recipe_that_no_page_could_use_is_refused(library, project, recipe):
    one = {"recipe": recipe, "file": "", "digest": ""}
    changed = change_manifest(project, lambda values: values.update(data=[one]))
    refuse(library, changed, "recipes of data sets that this program knows")


def test_images_with_the_recipe_of_another_data_set_are_refused(library, project):
    recipe = RECIPES["digits"].to_json()
    changed = change_manifest(project, lambda values: values["data"][0].update(recipe=recipe))
    refuse(library, changed, "is damaged or incomplete")


def test_a_note_of_a_megabyte_is_refused(library, project):
    files = unpack(project)
    run = next(name for name in files if name.endswith("run.json")).rpartition("/")[0]
    content = json.dumps({"name": "x" * (1 << 20)}).encode()
    refuse(library, reseal(files, f"{run}/note.json", content), "contains a note.json of")


def test_a_zip_with_too_many_files_is_refused(library, monkeypatch):
    monkeypatch.setattr("ia_engine.runs.project.opening.MAX_FILES", 50)
    content = pack({f"runs/{k}": b"" for k in range(60)})
    refuse(library, content, "at most 50 files; got 60")


@pytest.mark.parametrize(
    "change",
    [
        {"labels": np.array([0, 7])},
        {"labels": np.array([0.5, 1.0])},
        {"labels": np.array([-1, 0])},
        {"images": np.full((2, 1, 4, 4), np.nan, np.float32)},
        {"images": np.zeros((2, 4), np.float32)},
        {"images": np.zeros((3, 1, 4, 4), np.float32)},
        {"about": np.frombuffer(b"[]", np.uint8)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_data_set_with_invalid_arrays_is_refused(library, project, change):
    files = unpack(project)
    about = {"names": ["a", "b"], "classes": ["x", "y"], "notes": [], "placements": []}
    arrays = {
        "images": np.zeros((2, 1, 4, 4), np.float32),
        "labels": np.array([0, 1]),
        "about": np.frombuffer(json.dumps(about).encode(), np.uint8),
    } | change
    content = seal(save({name: np.ascontiguousarray(x) for name, x in arrays.items()}))
    refuse(library, reseal(files, "data/1.safetensors", content), "is damaged or incomplete")


def test_a_member_whose_compressed_bytes_are_damaged_is_refused(library, project):
    place = project.index(b"step-00001") + 60
    content = project[:place] + bytes(20) + project[place + 20 :]
    refuse(library, content, "is damaged or incomplete|share bytes")
