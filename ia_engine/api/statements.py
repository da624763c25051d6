"""What each function of the library did, for the methods paragraph of its result."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

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
    format_setting,
    name_group,
    read_stored,
)

DISTANCES: Final = "d²(i, j) = ‖v_i‖² + ‖v_j‖² - 2 max_τ ⟨U(τ)v_i, v_j⟩"
ELSEWHERE: Final = ("function", "of", "seed", "device")
"""Settings that other parts of a description contain."""
LONGEST_LIST: Final = 20


def make_record(data: ImageSet, settings: Mapping[str, object]) -> Record:
    """Return the record of a result that has just been computed, as saved runs have it."""
    seed, device = settings.get("seed"), str(settings["device"])
    whole = seed if isinstance(seed, int) else 0
    return Record(data.recipe.to_json(), "", whole, data.digest, device, str(settings["function"]))


def add_facts(statement: Statement, settings: Mapping[str, object]) -> Statement:
    """Add each setting that the statement does not contain yet."""
    known = {name for stored in statement.configs for name in stored.names}
    known |= {*statement.facts, *ELSEWHERE}
    rest = {name: format_value(value) for name, value in settings.items() if name not in known}
    return replace(statement, facts={**statement.facts, **rest})


def state_alignment(group: str, to: object, sigma: float, n: int) -> Statement:
    """Describe `align`."""
    over = f"{DISTANCES} over {name_group(group)}"
    smoothed = f", after smoothing by σ = {sigma:.12g} px" if sigma else ""
    pairs = "the poses of all pairs of images"
    aims = {
        "None": f"The distances {over} and {pairs} were computed{smoothed}",
        "mean": f"All images were aligned with their invariant mean, with {over}",
        "previous": f"Each image was aligned with the one before, with {over}",
    }
    done = aims.get(str(to), f"All images were aligned with image {to}, with {over}")
    return Statement(done, (), (INVARIANT,), count_images(n, n))


def state_mean(config: Config, weighted: bool, n: int) -> Statement:
    """Describe `invariant_mean`."""
    stated = means.state_run(Record("{}", config.to_json(), 0, "", "", ""))
    done = f"{stated.done}, with given weights of the images" if weighted else stated.done
    return replace(stated, done=done, on=count_images(n, n))


def state_attention(config: AttentionConfig, steps: int, k: int | None, n: int) -> Statement:
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


def state_training(
    config: ClusterConfig,
    budget: float | None,
    seeds: range,
    best: int,
    n: int,
    *,
    stopped: str = "",
) -> Statement:
    """Describe `cluster` with a trained model, of which the `best` seed was chosen; `stopped`
    states where it was stopped, if it was."""
    plan: dict[str, Any] = {"config": config.to_json(), "total": n}
    if budget is not None:
        plan["budget"] = budget
    stated = clusterings.state_run(Record("{}", json.dumps(plan), 0, "", "", ""))
    chosen = f", from the seeds {seeds[0]} to {seeds[-1]}, of which {best} had the lowest loss"
    done = stated.done + (chosen if len(seeds) > 1 else "")
    if not stopped:
        return replace(stated, done=done)
    facts = {**stated.facts, "stopped": stopped}
    return replace(stated, done=f"{done}; training was stopped {stopped}", facts=facts)


def state_prediction(of: Statement, n: int) -> Statement:
    """Describe `predict` with the statement of the result that assigned the images."""
    done = f"New images were assigned to the clusters of a finished result. {of.done}"
    return replace(of, done=done, on=count_images(n, n))


def format_value(value: object) -> str:
    """Return a setting as text; long lists are in the arrays of the result."""
    if isinstance(value, list) and len(value) > LONGEST_LIST:
        return f"{len(value)} values from {min(value):g} to {max(value):g}"
    return format_setting(value)


def _store(config: AttentionConfig) -> StoredConfig[AttentionConfig]:
    return read_stored(AttentionConfig, config.to_json())
