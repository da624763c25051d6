"""Runs that begin in the midst of another, or that another spares a part of their work."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from torch import Tensor

from ia_engine.attention.distances.alignment import Alignment
from ia_engine.attention.iteration import AttentionConfig
from ia_engine.runs.attend import Start
from ia_engine.runs.plan import Plan
from ia_engine.runs.shown import Iteration, Shown, recall


def begin(plan: Plan, history: Sequence[Iteration], data: Tensor) -> Mapping[str, Start]:
    """Every method after the iterations that the plan keeps; what is equal is not computed again.

    A method whose settings are as they were keeps all that there is. If the weights alone have
    changed, the distances of the first new images are known.
    """
    starts = {}
    for method, config in plan.configs.items():
        steps = [moment.shown[method] for moment in history if method in moment.shown]
        if steps:
            starts[method] = _begin(plan, config, steps, data)
    return starts


def find_like(plan: Plan, histories: Iterable[Sequence[Iteration]]) -> Sequence[Iteration]:
    """The last run from these very data that may spare some work; nothing if none may."""
    found: Sequence[Iteration] = ()
    for history in histories:
        if history and not history[0].plan.kept and same_data(history[0].plan, plan):
            first = history[0].shown
            both = first.keys() & plan.configs
            alike = (_alike(first[m].config, plan.configs[m], plan.size) for m in both)
            found = history if any(alike) else found
    return found


def same_data(one: Plan, other: Plan) -> bool:
    """Whether two runs look at the same rows of the same data, whatever these are called."""
    return (one.recipe, one.size, one.total) == (other.recipe, other.size, other.total)


def _begin(plan: Plan, config: AttentionConfig, steps: Sequence[Shown], data: Tensor) -> Start:
    kept = min(plan.kept, len(steps) - 1)
    while kept < len(steps) and _settings(steps[kept].config) == _settings(config):
        kept += 1
    cut_off = kept == len(steps) and len(steps[-1].mu) > 0
    if kept >= plan.moments or cut_off:
        return Start(data, steps)
    kept = min(kept, len(steps) - 1)
    start, after = Start(data, steps[:kept]), steps[kept]
    if after.config.build(plan.size).distance != config.build(plan.size).distance:
        return start
    step = recall(after, start.v.to(plan.device))
    return replace(start, known=Alignment(step.d2, step.tau, step.rough))


def _alike(before: AttentionConfig, config: AttentionConfig, n: int) -> bool:
    """Whether the data's distances, which take long, are those that the config asks for."""
    return config.method == "ia" and before.build(n).distance == config.build(n).distance


def _settings(config: AttentionConfig) -> AttentionConfig:
    return replace(config, steps=1)
