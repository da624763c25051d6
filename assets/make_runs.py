"""Make the run that the Overview shows first: `python -m assets.make_runs`."""

from pathlib import Path

from ia_engine.attention.iteration import KERNEL_BETA, AttentionConfig
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.runs.attend import attend, plan
from ia_engine.runs.example import Example, save_example
from ia_engine.runs.folder import Record

RUNS = Path(__file__).parent / "runs"


def main() -> None:
    """Compute Experiment 1 with both methods and the defaults of the Iterations page."""
    data = make(RECIPES["experiment-1"])
    planned = plan((AttentionConfig(method="ka", beta=KERNEL_BETA), AttentionConfig()), data, 18)
    run = list(attend(planned, data))
    record = Record(
        recipe=planned.recipe,
        config=planned.configs["ia"].to_json(),
        seed=0,
        digest=data.digest,
        device="cpu",
        title="Experiment 1 of Invariant Attention",
    )
    example = Example(
        record=record,
        frames={m: [moment.shown[m].frame for moment in run] for m in ("ia", "ka")},
        names=planned.names,
        labels=planned.labels,
        classes=planned.classes,
        betas={method: config.beta for method, config in planned.configs.items()},
    )
    RUNS.mkdir(exist_ok=True)
    save_example(RUNS / "experiment-1.safetensors", example)


if __name__ == "__main__":
    main()
