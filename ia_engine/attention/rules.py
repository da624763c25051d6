"""The catalogue of weighting rules. To add one, create a file in this folder and an entry here."""

from ia_engine.attention.bandwidth import Fixed, Local, Quantile, Rule, Theorem

__all__ = ["RULES"]

RULES: dict[str, Rule] = {
    "fixed": Rule(
        title="fixed",
        formula="β = {config.beta:.12g}",
        bandwidth=lambda config: Fixed(config.beta),
        settings=("beta",),
        is_fixed=True,
    ),
    "local": Rule(
        title="local: k-th neighbour",
        formula="β from the distance to neighbour number {config.neighbours}",
        bandwidth=lambda config: Local(config.neighbours),
        settings=("neighbours",),
    ),
    "quantile": Rule(
        title="quantile",
        formula="β = 1/d² at the {config.quantile:.12g} quantile of all distances",
        bandwidth=lambda config: Quantile(config.quantile),
        settings=("quantile",),
        needs_all_pairs=True,
    ),
    "theorem": Rule(
        title="Theorem 4.1",
        formula="β = c′/R² with c′ = {config.constant:.12g}",
        bandwidth=lambda config: Theorem(config.constant),
        settings=("constant",),
        needs_all_pairs=True,
    ),
    "topk": Rule(
        title="largest k weights",
        formula="β = {config.beta:.12g}, with the {config.neighbours} largest weights of a column",
        bandwidth=lambda config: Fixed(config.beta),
        settings=("beta", "neighbours"),
        most=lambda config: config.neighbours,
        is_fixed=True,
    ),
}
