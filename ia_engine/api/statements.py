"""What each function of the library did, for the methods paragraph of its result."""

from collections.abc import Mapping
from dataclasses import replace

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.clustering.config import ClusterConfig
from ia_engine.datasets.data import ImageSet
from ia_engine.params import Config
from ia_engine.runs.folder import Record
from ia_engine.runs.kinds import clusterings, means
from ia_engine.runs.kinds.attention import describe_attention, state_clusters
from ia_engine.runs.paragraphs import (
    INVARIANT,
    Statement,
    StoredConfig,
    count_images,
    name_group,
    read_stored,
)

DISTANCES = "d²(i, j) = ‖v_i‖² + ‖v_j‖² - 2 max_τ ⟨U(τ)v_i, v_j⟩"


def make_record(data: ImageSet, settings: Mapping[str, object]) -> Record:
    """Return the record of a result, as saved runs have it."""
    seed, device = settings.get("seed"), str(settings["device"])
    whole = seed if isinstance(seed, int) else 0
    return Record(data.recipe.to_json(), "", whole, data.digest, device, str(settings["function"]))


def state_alignment(group: str, to: object, n: int) -> Statement:
    """Describe `align`."""
    over = f"{DISTANCES} over {name_group(group)}"
    aims = {
        "None": f"The distances {over} and the poses of all pairs of images were computed",
        "mean": f"All images were aligned with their invariant mean, with {over}",
        "previous": f"Each image was aligned with the one before, with {over}",
    }
    done = aims.get(str(to), f"All images were aligned with image {to}, with {over}")
    return Statement(done, (), (INVARIANT,), count_images(n, n), {"group": group})


def state_mean(config: Config, n: int) -> Statement:
    """Describe `invariant_mean`."""
    record = Record("{}", config.to_json(), 0, "", "", "")
    return replace(means.state_run(record), on=count_images(n, n))


def state_attention(config: AttentionConfig, steps: int, n: int, k: int | None) -> Statement:
    """Describe `attend` after its finished steps."""
    stored = _store(replace(config, steps=steps))
    return state_clusters(describe_attention([stored], steps, count_images(n, n)), k)


def state_graph(config: AttentionConfig, k: int | None, n: int) -> Statement:
    """Describe `cluster` with a graph of distances."""
    over = f"{DISTANCES} over {name_group(config.group)}"
    d2 = over if config.method == "ia" else "d²(i, j) = ‖v_i - v_j‖²"
    count = "an estimated number of" if k is None else f"K = {k}"
    done = (
        f"The images were divided into {count} clusters by spectral clustering of a graph of "
        f"nearest neighbours, with the distances {d2}, after smoothing by σ = {config.sigma:g} px"
    )
    stored = _store(config)
    stored = replace(stored, names=stored.names - {"sigma", "steps"})  # set by the function
    facts = {"sigma (σ)": f"{config.sigma:g} px"} | ({} if k is None else {"k (K)": str(k)})
    return Statement(done, [stored], (INVARIANT,), count_images(n, n), facts)


def state_training(config: ClusterConfig, n: int, stopped: str = "") -> Statement:
    """Describe `cluster` with a trained model; `stopped` states where it was stopped, if it was."""
    record = Record("{}", config.to_json(), 0, "", "", "")
    stated = replace(clusterings.state_run(record), on=count_images(n, n))
    if not stopped:
        return stated
    done = f"{stated.done}; training was stopped {stopped}"
    return replace(stated, done=done, facts={**stated.facts, "stopped": stopped})


def state_prediction(of: Statement, n: int) -> Statement:
    """Describe `predict` with the statement of the result that assigned the images."""
    done = f"New images were assigned to the clusters of a finished result. {of.done}"
    return replace(of, done=done, on=count_images(n, n))


def _store(config: AttentionConfig) -> StoredConfig[AttentionConfig]:
    return read_stored(AttentionConfig, config.to_json())
