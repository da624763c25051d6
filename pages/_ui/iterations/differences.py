"""How the settings of a run differ from those in the controls, from a player's β or another run."""

from collections.abc import Mapping
from dataclasses import replace

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.attention.rules import RULES
from ia_engine.params import Range, parameters
from ia_engine.runs.attend import Plan
from ia_engine.runs.kinds.iterations import same_data
from pages._ui.wording import number, word_of

Betas = Mapping[str, float]
"""The β of each method."""
Configs = Mapping[str, AttentionConfig]
"""The settings of each method."""


def own_configs(plan: Plan, planned: Plan) -> Configs:
    """Return the settings in the controls for the methods of this run; the shell runs only one."""
    return {method: planned.configs[method] for method in plan.configs}


def differs(plan: Plan, planned: Plan) -> bool:
    """True if a run with the settings in the controls would differ from this run."""
    same = same_data(plan, planned) and plan.device == planned.device
    return not same or own_configs(plan, planned) != plan.configs


def wanted_configs(shown: Configs, configs: Configs, betas: Betas) -> Configs:
    """Return these settings with every β that was changed in the player of the shown run."""
    changed = {
        method: beta
        for method, beta in betas.items()
        if RULES[shown[method].bandwidth].is_fixed
        and beta != shown[method].beta
        and RULES[configs[method].bandwidth].is_fixed
    }
    return {
        method: replace(config, beta=changed.get(method, config.beta))
        for method, config in configs.items()
    }


def same_except_beta(configs: Configs, others: Configs) -> bool:
    """True if all settings other than β are equal."""
    return all(replace(one, beta=others[m].beta) == others[m] for m, one in configs.items())


def list_differences(configs: Configs, others: Configs) -> str:
    """Return the settings that differ from the others, with their values: "σ = 2 px"."""
    method = "ia" if "ia" in configs else next(iter(configs))
    found = []
    for parameter in parameters(AttentionConfig):
        about, name = parameter.about, parameter.name
        value = getattr(configs[method], name)
        if name in ("method", "beta") or value == getattr(others[method], name):
            continue
        unit = f" {about.unit}" if isinstance(about, Range) and about.unit else ""
        shown = word_of(value) if isinstance(value, str) else f"{number(value)}{unit}"
        found.append(f"{about.symbol} = {shown}")
    for one, config in configs.items():
        if config.beta != others[one].beta:
            which = " for kernel attention" if one != method else ""
            found.append(f"β = {number(config.beta)}{which}")
    return ", ".join(found)
