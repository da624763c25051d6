"""A command's options: the common ones, and those that a config's fields describe."""

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
    """What every command is told."""

    data: str
    limit: int | None
    seed: int | None
    device: torch.device
    out: Path | None
    """None as well for all but the first of several processes."""
    printer: Printer
    ranks: Ranks = ALONE
    scale: str = "stack"
    """The rule by which arrays of any range are scaled."""


class Parser(argparse.ArgumentParser):
    """Wrong usage is one sentence, raised like every other wrong input."""

    def error(self, message: str) -> Never:
        raise EngineError(f"{message}; see {self.prog} --help")


def make_parser(command: str, about: str) -> Parser:
    """A parser with the common options."""
    parser = Parser(f"python -m ia_engine {command}", description=about, allow_abbrev=False)
    add = parser.add_argument
    add("--data", default="experiment-1", metavar="NAME|PATH", help=_about_data())
    add("--limit", type=int, metavar="N", help="only the first N images")
    add("--scale", default="stack", metavar="SCALE", help=f"{SCALE.about} (default stack)")
    add("--seed", type=int, metavar="S", help="of the data and the method, where chance has a part")
    add("--device", default="cpu", metavar="D", help=f"{', '.join(DEVICES)} (default cpu)")
    add("--out", type=Path, metavar="PATH.npz", help="keep the arrays there")
    add("--json", action="store_true", help="one JSON object a line on standard output")
    return parser


def read_common(values: argparse.Namespace, ranks: Ranks = ALONE) -> Common:
    """The common options, checked before any work begins."""
    if values.limit is not None and values.limit < 1:
        raise EngineError(f"--limit needs a number from 1 on; got {values.limit}")
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
    """An option for each of the config's fields among the names."""
    for parameter in parameters(config):
        if parameter.name in names:
            _add_parameter(parser, parameter)


def read_config(values: argparse.Namespace, config: type[C]) -> C:
    """The config with the values that were given, checked by itself."""
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
        "[n h w c] and perhaps labels [n], an npy, IDX or zip file, a folder (default experiment-1)"
    )


def _find_device(name: str, ranks: Ranks) -> torch.device:
    """A GPU for each of several processes."""
    try:
        device = torch.device(f"cuda:{ranks.local}" if ranks.size > 1 and name == "cuda" else name)
        if device.type in DEVICES:
            return torch.empty(0, device=device).device
    except (RuntimeError, AssertionError):  # torch's ways to say that there is no such device
        pass
    raise EngineError(f"--device is one of {', '.join(DEVICES)} that is here; got {name!r}")
