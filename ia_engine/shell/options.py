"""Defines the options of a command: the common options, and one for each field of a config."""

import argparse
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Never, TypeVar

import torch

from ia_engine.datasets.generated import SEED
from ia_engine.datasets.recipes import RECIPES
from ia_engine.datasets.scaling import SCALE
from ia_engine.distributed.ranks import ALONE, Ranks
from ia_engine.errors import EngineError
from ia_engine.params import Choice, Config, Parameter, parameters
from ia_engine.shell.lines import Printer
from ia_engine.shell.output_files import check_out

C = TypeVar("C", bound=Config)

DEVICES = ("cpu", "cuda", "mps")


@dataclass(frozen=True)
class Common:
    """The common options of all commands."""

    data: str
    limit: int | None
    seed: int | None
    device: torch.device
    out: Path | None
    """The path of --out; None if it is not set, and in all processes except the first."""
    printer: Printer
    ranks: Ranks = ALONE
    scale: str = "stack"
    """The rule for scaling arrays to [0, 1]."""


class Parser(argparse.ArgumentParser):
    """An argument parser that reports wrong usage as an EngineError, like any other invalid
    input."""

    def error(self, message: str) -> Never:
        raise EngineError(f"{message}: run '{self.prog} --help'")


def make_parser(command: str, about: str) -> Parser:
    """Return a parser with the common options."""
    parser = Parser(f"python -m ia_engine {command}", description=about, allow_abbrev=False)
    add = parser.add_argument
    add("--data", default="experiment-1", metavar="NAME|PATH", help=_about_data())
    add("--limit", type=int, metavar="N", help="use only the first N images")
    add("--scale", default="stack", metavar="SCALE", help=f"{SCALE.about} (default stack)")
    add(
        "--seed",
        type=int,
        metavar="S",
        help="seed of the random numbers of the data and the method",
    )
    add("--device", default="cpu", metavar="D", help=f"{', '.join(DEVICES)} (default cpu)")
    add("--out", type=Path, metavar="PATH.npz", help="write the arrays to this file")
    add("--json", action="store_true", help="print one JSON object per line")
    return parser


def read_common(values: argparse.Namespace, ranks: Ranks = ALONE) -> Common:
    """Read the common options, and check them before the work starts."""
    if values.limit is not None and values.limit < 1:
        raise EngineError(f"--limit must be at least 1; got {values.limit}")
    if values.seed is not None:
        SEED.check("--seed", values.seed)
    out = None if values.out is None else check_out(values.out)
    device = _find_device(values.device, ranks)
    printer, mine = Printer(values.json), out if ranks.first else None
    SCALE.check("--scale", values.scale)
    return Common(
        values.data, values.limit, values.seed, device, mine, printer, ranks, values.scale
    )


def add_config(parser: Parser, config: type[Config], names: Collection[str]) -> None:
    """Add an option for each of the named fields of a config."""
    for parameter in parameters(config):
        if parameter.name in names:
            _add_parameter(parser, parameter)


def read_config(values: argparse.Namespace, config: type[C]) -> C:
    """Create the config from the values of its options, which it checks."""
    given = vars(values)
    names = [parameter.name for parameter in parameters(config) if parameter.name in given]
    return config.from_values({name: given[name] for name in names})


def _add_parameter(parser: Parser, parameter: Parameter) -> None:
    kind: Any = parameter.kind
    about = parameter.about
    if isinstance(about, Choice):
        bounds = ", ".join(about.options)
    else:
        bounds = f"{about.low:g} to {about.high:g} {about.unit}".rstrip()
    text = f"{about.symbol}: {about.about}; {bounds} (default {parameter.default})"
    parser.add_argument(
        f"--{parameter.name}",
        type=kind,
        default=parameter.default,
        metavar=parameter.name.upper(),
        help=text.replace("%", "%%"),
    )


def _about_data() -> str:
    return (
        f"one of {', '.join(RECIPES)}; or a recipe's .json, an npz with images [n h w] or "
        "[n h w c] and optionally labels [n], an npy, IDX or zip file, a folder "
        "(default experiment-1)"
    )


def _find_device(name: str, ranks: Ranks) -> torch.device:
    """Return the device of this process. Several processes get different GPUs."""
    try:
        device = torch.device(f"cuda:{ranks.local}" if ranks.size > 1 and name == "cuda" else name)
        if device.type in DEVICES:
            return torch.empty(0, device=device).device
    except (RuntimeError, AssertionError):  # torch raises these for a missing device
        pass
    raise EngineError(
        f"--device must be one of {', '.join(DEVICES)} and available on this machine; got {name!r}"
    )
