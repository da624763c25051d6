"""What the two methods are called beside their matrices."""

from collections.abc import Sequence
from typing import Final

from ia_engine.attention.iteration import AttentionConfig
from pages._ui.player import Lane

TITLES: Final = {"ia": "Invariant attention", "ka": "Kernel attention"}
FORMULAS: Final = {
    "ia": "d²_{ij} = min_τ ‖U(τ)v_i − v_j‖²",
    "ka": "d²_{ij} = ‖v_i − v_j‖²",
}
PUNISHED: Final = {"rbf": "d²_{ij}", "laplace": "d_{ij}", "softmax": "−⟨v_i∘τ, v_j⟩"}


def lane(
    run: str,
    config: AttentionConfig,
    frames: Sequence[bytes],
    expected: int,
    *,
    beta: float,
    running: bool = False,
    title: str = "",
) -> Lane:
    """One method's lane of a run."""
    return Lane(
        run=f"{run}.{config.method}",
        title=title or TITLES[config.method],
        frames=frames,
        expected=expected,
        running=running,
        formula=_explain(config),
        beta=beta,
    )


def _explain(config: AttentionConfig) -> str:
    """What W's formula leaves open: x, where it is not d², and d²."""
    x = PUNISHED[config.kernel]
    if config.bandwidth not in ("fixed", "topk"):
        x += f" · β_{{j}}/β, β_{{j}} by the rule “{config.bandwidth}”"
    if config.most is not None:
        x += f" for the {config.most} heaviest of a column, else ∞"
    told = "" if x == PUNISHED["rbf"] else f"x_{{ij}} = {x},  "
    return told + FORMULAS[config.method]
