"""Repeat the choices of settings of the papers' entries, on seeds that no entry reports.

`python -m assets.choose_settings` repeats all choices, `python -m assets.choose_settings ID ...`
those of the given entries.
"""

import sys
from collections.abc import Mapping
from typing import Final

import torch

from ia_engine.runs.papers import (
    invariant,
    invariant_iterations,
    invariant_manifolds,
    invariant_theorems,
)
from ia_engine.runs.papers.choices import CHOICE_SEEDS, Choice, Compared, compare, find_best

CHOICES: Final[Mapping[str, Choice]] = {
    "ia-figure-1": invariant_manifolds.CHOICE,
    "ia-figure-2": invariant.CHOICE,
    "ia-figure-4": invariant_iterations.CHOICE,
    "ia-theorem-41": invariant_theorems.CHOICE,
}


def main(names: list[str]) -> None:
    """Compare the candidates of every choice, and print the best one."""
    torch.set_num_threads(1)
    if unknown := set(names) - set(CHOICES):
        raise SystemExit(f"an entry must be one of {', '.join(CHOICES)}; got {unknown.pop()}")
    for name in names or CHOICES:
        choice = CHOICES[name]
        seeds = f"{CHOICE_SEEDS.start}-{CHOICE_SEEDS.stop - 1}"
        print(f"{name}: {choice.setting}; seeds {seeds} on which {choice.requirement}", flush=True)
        found = []
        for one in compare(choice):
            found.append(one)
            print(f"    {_describe(one)}", flush=True)
        print(f"    best: {find_best(found).candidate}", flush=True)


def _describe(one: Compared) -> str:
    stopped = "" if one.compared == len(CHOICE_SEEDS) else ", then given up"
    return f"{one.candidate}: {one.met} of {one.compared}{stopped}"


if __name__ == "__main__":
    main(sys.argv[1:])
