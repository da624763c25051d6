"""The methods paragraph contains every setting that differs from its default, and nothing that a
run does not store.
"""

import json
import re
from dataclasses import asdict, replace
from importlib import metadata
from pathlib import Path
from zipfile import ZipFile

import pytest

from ia_engine import __version__
from ia_engine.attention.iteration import AttentionConfig
from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.clustering.config import ClusterConfig
from ia_engine.datasets.data import ImageSet, Recipe
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.datasets.uploads import UploadConfig
from ia_engine.describe import describe_record, describe_result, describe_saved
from ia_engine.equivariant.race import RaceConfig
from ia_engine.errors import EngineError
from ia_engine.figures.mean import plan_mean
from ia_engine.files import ASSETS
from ia_engine.runs.attend import plan
from ia_engine.runs.catalogue import RUN_KINDS
from ia_engine.runs.clustering.run import plan_clusters
from ia_engine.runs.comparison.config import ComparisonConfig, plan_comparison
from ia_engine.runs.comparison.sweep import SweepConfig, SweepPlan
from ia_engine.runs.example import load_run
from ia_engine.runs.library import Library
from ia_engine.runs.paragraphs import ATTENTIVE, DTI, INVARIANT, format_setting
from tests.tensors import rand

pytestmark = pytest.mark.cpu_only("the catalogue's data are on the CPU")
ROOT = Path(__file__).parents[2]
SAVED = [kind.id for kind in RUN_KINDS.values() if kind.saved]
ATTENTION = AttentionConfig(
    group="affine", beta=7.25, sigma=1.5, steps=2, solver="descent", updates=40, bandwidth="local",
    neighbours=3, kernel="laplace",
)  # fmt: skip
CLUSTERING = ClusterConfig(model="dti-gmm", k=3, sequence="projective", batch=9, rate=0.00125)
COMPARISON = ComparisonConfig(methods=("kmeans", "ia-se2", "ti"), k=3, budget=2.5, averagings=1)
SWEEP = SweepConfig(sweep="shift", pictures="digits", strengths=3)
RACE = RaceConfig(iterations=30, digits=300, seed=7)
MEAN = MeanConfig(group="similarity", start="random", steps=3)
CONFIGS = {
    "iterations": [ATTENTION, AttentionConfig(method="ka", beta=2.0, steps=2)],
    "attention": [ATTENTION],
    "mean": [MEAN],
    "clustering": [CLUSTERING],
    "comparison": [COMPARISON],
    "sweep": [SWEEP, COMPARISON],
    "race": [RACE],
}
SHIPPED = {
    "experiment-1": "attention",
    "experiment-2-mean": "mean",
    "clustering-digits": "clustering",
    "comparison": "comparison",
}


@pytest.fixture(scope="module")
def data():
    """Drawings with two settings that differ from the defaults."""
    recipe = RECIPES["generated"]
    return make(replace(recipe, config=replace(recipe.config, copies=4, size=40)))


def plan_run(kind, data):
    plans = {
        "iterations": lambda: plan(CONFIGS["iterations"], data, 8),
        "attention": lambda: ATTENTION,
        "mean": lambda: plan_mean(MEAN, data)[0],
        "clustering": lambda: plan_clusters(CLUSTERING, data, 11, 12.5),
        "comparison": lambda: plan_comparison(COMPARISON, data),
        "sweep": lambda: SweepPlan(SWEEP, COMPARISON),
        "race": lambda: RACE,
    }
    return plans[kind]()


def record_of(kind, data):
    own = None if kind in ("sweep", "race") else data
    return RUN_KINDS[kind].begin_record("a run", plan_run(kind, data), own)[0]


def list_changed(config):
    """The settings that differ from the defaults of their class, as text."""
    defaults = asdict(type(config)())
    changed = {name: value for name, value in asdict(config).items() if value != defaults[name]}
    return {name: format_setting(value) for name, value in changed.items()}


def find(description, name, value):
    """The rows whose name begins with the setting, perhaps after the name of a method."""
    pattern = re.compile(rf"(.*: )?{re.escape(name)}( \(.*\))?")
    rows = [row for row in description.settings if pattern.fullmatch(row.name)]
    return [row for row in rows if row.value.split(" ")[0] == value or row.value == value]


@pytest.mark.parametrize("kind", SAVED)
def test_a_run_of_every_kind_lists_each_setting_that_differs_from_its_default(kind, data):
    found = describe_record(kind, record_of(kind, data))
    for config in CONFIGS[kind]:
        assert list_changed(config)
        for name, value in list_changed(config).items():
            rows = find(found, name, value)
            assert rows, name
            assert rows[0].default
    for text in (found.to_text(), found.to_markdown()):
        plain = text.replace("\\", "")
        assert all(row.value in plain for row in found.settings)


@pytest.mark.parametrize("kind", SAVED)
def test_a_run_of_every_kind_states_its_data_digest_seed_and_versions(kind, data):
    record = record_of(kind, data)
    text = describe_record(kind, record).to_text()
    assert f"Invariant Attention Explorer {__version__}" in text
    for name in ("torch", "numpy", "kornia"):
        assert f"{name} {metadata.version(name)}" in text
    assert f"with seed {record.seed} on the device cpu" in text
    if kind not in ("sweep", "race"):
        assert f"the data set generated (digest {data.digest})" in text
        assert find(describe_record(kind, record), "copies", "4")[0].default == "6"


@pytest.mark.parametrize("kind", SAVED)
def test_a_paragraph_has_two_sentences(kind, data):
    """Each ends with a full stop; other full stops belong to numbers, sections and versions."""
    for sentence in describe_record(kind, record_of(kind, data)).sentences:
        assert len(re.findall(r"\.(?= [A-Z]|$)", sentence)) == 1
        assert sentence[0].isupper()
        assert sentence.endswith(".")


@pytest.mark.parametrize("kind", [kind.id for kind in RUN_KINDS.values() if not kind.saved])
def test_kinds_that_are_not_saved_are_refused(kind, data):
    assert RUN_KINDS[kind].statement is None
    with pytest.raises(EngineError, match="only runs of these kinds can be described:"):
        describe_record(kind, record_of("mean", data))


def test_formulas_are_those_of_the_settings(data):
    (method, _) = describe_record("attention", record_of("attention", data)).sentences
    assert "over affine maps; poses by gradient descent; κ = exp(-β d)" in method
    assert "β from the distance to neighbour number 3" in method
    rules = {
        "fixed": "β = 7.25",
        "topk": "β = 7.25, with the 3 largest weights of a column",
        "quantile": "β = 1/d² at the 0.1 quantile",
        "theorem": "β = c′/R² with c′ = 20",
    }
    for rule, formula in rules.items():
        config = replace(ATTENTION, bandwidth=rule)
        record, _ = RUN_KINDS["attention"].begin_record("a run", config, data)
        assert formula in describe_record("attention", record).sentences[0]


@pytest.mark.parametrize(
    ("kind", "papers"),
    [
        ("iterations", [INVARIANT]),
        ("mean", [INVARIANT]),
        ("clustering", [DTI]),
        ("comparison", [INVARIANT, DTI]),
        ("race", [ATTENTIVE]),
    ],
)
def test_the_papers_of_the_methods_and_the_software_are_cited(kind, papers, data):
    found = describe_record(kind, record_of(kind, data))
    assert list(found.citations[:-1]) == papers
    assert found.citations[-1].fields["version"] == __version__
    for citation in found.citations:
        assert citation.to_text() in found.to_text()
        assert f"{{{citation.key}," in found.to_bibtex()


def test_baselines_cite_no_paper(data):
    for kind, planned in {
        "clustering": plan_clusters(replace(CLUSTERING, model="kmeans"), data, 0, 1.0),
        "comparison": plan_comparison(replace(COMPARISON, methods=("kmeans", "gmm")), data),
    }.items():
        record, _ = RUN_KINDS[kind].begin_record("a run", planned, data)
        assert len(describe_record(kind, record).citations) == 1


def test_the_citations_are_those_of_the_citation_file():
    entries = (ROOT / "CITATION.cff").read_text("utf-8").split("  - type: ")[1:]
    for paper, entry in zip((INVARIANT, DTI, ATTENTIVE), entries, strict=True):
        assert paper.fields["title"] in entry
        authors = re.findall(r"given-names: ([^,]+), family-names: ([^}]+)}", entry)
        names = [" ".join(author) for author in authors] or re.findall(r"- name: (.+)", entry)
        assert paper.fields["author"] == " and ".join(names)
        year, where = re.search(r"year: (\d+)", entry), re.search(r"collection-title: (.+)", entry)
        assert paper.fields.get("year") == (year[1] if year else None)
        assert paper.fields.get("booktitle") == (where[1] if where else None)


def test_settings_that_an_earlier_version_did_not_store_are_omitted(data):
    record = replace(
        record_of("attention", data),
        config=json.dumps({"beta": 9.0, "group": "se2", "method": "ia", "steps": 3}),
        versions={"torch": "2.9.0"},
    )
    found = describe_record("attention", record)
    assert [row.name.split(" ")[0] for row in found.settings[:4]] == [
        "method", "group", "beta", "steps",
    ]  # fmt: skip
    text = found.to_text()
    for absent in ("solver", "poses by", "κ = exp", "kornia", __version__):
        assert absent not in text
    assert "Invariant Attention Explorer (version not stored) with torch 2.9.0" in text
    assert "version" not in found.citations[-1].fields


def test_an_upload_lists_the_settings_of_its_reader(data):
    images = rand(5, 1, 16, 16)
    recipe = Recipe("upload", UploadConfig(size=16, background="keep"))
    uploaded = ImageSet(images.float(), tuple("abcde"), recipe)
    found = describe_record("mean", record_of("mean", uploaded))
    assert f"uploaded images (digest {uploaded.digest})" in found.sentences[1]
    assert find(found, "background", "keep")[0].default == "auto"
    assert find(found, "size", "16")[0].default == "64"


def test_text_of_users_has_no_effect_in_markdown(data):
    name = "a|b*c*<b>`[x](y)\n# d"
    recipe = json.dumps({"source": "file", "config": {"name": name}})
    found = describe_record("mean", replace(record_of("mean", data), recipe=recipe)).to_markdown()
    (line,) = (line for line in found.splitlines() if line.startswith("| data: name"))
    assert line == r"| data: name | a\|b\*c\*\<b\>\`\[x\](y) \# d |  |"


def test_a_result_that_is_not_saved_can_be_described(data):
    found = describe_result("attention", ATTENTION, data)
    n = len(data.images)
    assert f"from {n} images of the data set generated (digest {data.digest})" in found.to_text()
    assert (
        "from data that the run generated with seed 7"
        in describe_result("race", RACE, None).to_text()
    )


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_example_can_be_described(name):
    record, _ = load_run(ASSETS / "runs" / f"{name}.safetensors")
    check_shipped(describe_record(SHIPPED[name], record), record)


def test_all_shipped_examples_are_described_above():
    assert {path.stem for path in (ASSETS / "runs").glob("*.safetensors")} == set(SHIPPED)


@pytest.mark.parametrize("path", sorted((ASSETS / "lessons").glob("*.zip")), ids=lambda p: p.stem)
def test_every_run_of_a_lesson_can_be_described(path, tmp_path):
    with ZipFile(path) as archive:
        archive.extractall(tmp_path)
    (kept,) = Library(tmp_path).runs()
    found = describe_saved(kept)
    check_shipped(found, kept.record)
    assert found.settings[-1].value.endswith(f", {kept.state}")


def check_shipped(found, record):
    text = found.to_text()
    assert record.digest in text
    assert all(version in text for version in record.versions.values())
    stored = json.loads(record.config)
    texts = stored.get("configs", {"": stored.get("config", record.config)}).values()
    for config in (json.loads(x) if isinstance(x, str) else x for x in texts):
        for name, value in config.items():
            if name != "edition":
                assert find(found, name, format_setting(value)), name


def test_numbers_are_written_with_all_their_digits():
    assert [format_setting(x) for x in (15.0, 0.1, 1e-5, 1.1344640137963142, 1797)] == [
        "15", "0.1", "1e-05", "1.1344640137963142", "1797",
    ]  # fmt: skip
    assert format_setting({"high": [0.5, 4.0], "transform": "se2"}) == "high 0.5, 4; transform se2"
    assert [format_setting(x) for x in (True, None, (), "")] == ["true", "none", "none", "none"]
