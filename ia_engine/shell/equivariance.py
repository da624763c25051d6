"""`equivariance`: measures the equivariance of the features, attention maps and logits of a
network.

The weights are those that are shipped with the project. If there are none, or if a seed is given,
the weights are random, and the statistics of batch normalisation are calibrated on the images. With
`--iterations`, the network is first trained on the images.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import torch
from torch import nn

from ia_engine.datasets.data import PointSet
from ia_engine.equivariant.checkpoint import SHIPPED, load_shipped
from ia_engine.equivariant.groups import P4, P4M
from ia_engine.equivariant.layers import seed_dropout
from ia_engine.equivariant.measures import measure_network
from ia_engine.equivariant.networks import (
    NETWORKS,
    NetworkEntry,
    build_network,
    calibrate_batch_norm,
    find_network,
)
from ia_engine.equivariant.recipes import TrainingConfig
from ia_engine.equivariant.splits import fit_images
from ia_engine.equivariant.training import train
from ia_engine.errors import EngineError
from ia_engine.images import Images
from ia_engine.shell.lines import say
from ia_engine.shell.loading import load
from ia_engine.shell.main import COMMANDS
from ia_engine.shell.options import Common, Parser, make_parser, read_common
from ia_engine.shell.output_files import keep, regret
from ia_engine.shell.splitting import load_splits

DTYPES: Final = {"float32": torch.float32, "float64": torch.float64}
DIGITS: Final = "rot-mnist"
SETTLING: Final = 32
STRIDED: Final = ("all-cnn", "resnet44")
"""Families of networks whose strides can be replaced with pooling. All other families always use
pooling."""
ASKED: Final = 4
"""Number of images on which equivariance is measured."""
ENOUGH: Final = 200
"""Default number of images that are loaded."""


def run(argv: Sequence[str]) -> None:
    """Run the command: print a row for each layer, map and group element, except the identity."""
    values = _parser().parse_args(argv)
    if values.limit is None:
        values.limit = ENOUGH
    common = read_common(values)
    entry = find_network(values.network)
    if values.pooling == "strided" and entry.family not in STRIDED:
        say(f"{entry.name} has no strides: exact and strided pooling are the same")
    if values.iterations:
        network, v = _train(common, entry, values.iterations, values.pooling)
    else:
        v = _load_images(common, entry)
        network = _prepare(common, entry, v, values.pooling)
    dtype = DTYPES[values.dtype]
    acting = P4M if entry.group is P4M else P4
    rows: list[_Row] = []
    try:
        for found in measure_network(network.to(dtype), v[:ASKED].to(dtype), acting):
            rows.append(_Row(found.layer, found.element_name, found.error))
            common.printer.row(rows[-1]._asdict())
    finally:
        _keep(common, rows)


class _Row(NamedTuple):
    """One row of the output. Scripts depend on these column names."""

    layer: str
    element: str
    error: float


def _keep(common: Common, rows: Sequence[_Row]) -> None:
    if not rows:
        regret("layer")
        return
    columns = zip(*rows, strict=True)
    keep(common.out, dict(zip(_Row._fields, map(np.array, columns), strict=True)))


def _parser() -> Parser:
    parser = make_parser("equivariance", COMMANDS["equivariance"])
    parser.set_defaults(data=DIGITS)
    add = parser.add_argument
    add("--network", default="alpha-f-p4", metavar="NAME", help=f"one of {', '.join(NETWORKS)}")
    add("--dtype", choices=tuple(DTYPES), default="float32", help="number type (default float32)")
    add(
        "--iterations",
        type=int,
        default=0,
        metavar="N",
        help="train for this number of iterations first (default 0)",
    )
    add("--pooling", choices=("exact", "strided"), default="exact",
        help="strided: use the strides of appendix C")  # fmt: skip
    return parser


def _train(
    common: Common, entry: NetworkEntry, iterations: int, pooling: str
) -> tuple[nn.Module, Images]:
    """Train a network for the given number of iterations; return it with images that it has not
    seen."""
    data = load_splits(common).fit(entry).to(common.device)
    config = TrainingConfig(
        network=entry.name, iterations=iterations, batch=16, rate=1e-3, pooling=pooling
    )
    *_, last = train(config, data, common.seed or 0)
    return last.network, data.test.images


def _load_images(common: Common, entry: NetworkEntry) -> Images:
    if common.data == DIGITS:
        v = load_splits(common).test.images
    else:
        data = load(common)
        if isinstance(data, PointSet):
            raise EngineError(
                "the data for 'equivariance' must be images; got points, which have no poses: "
                "choose images"
            )
        v = data.images
    return fit_images(v, entry.channels, entry.side).to(common.device)


def _prepare(common: Common, entry: NetworkEntry, v: Images, pooling: str) -> nn.Module:
    if entry.name in SHIPPED and common.seed is None:
        return load_shipped(entry.name).network.to(common.device)
    generator = torch.Generator().manual_seed(common.seed or 0)
    network = build_network(entry.name, generator, exact=pooling == "exact", device=common.device)
    seed_dropout(network, torch.Generator(v.device).manual_seed(common.seed or 0))
    return calibrate_batch_norm(network, v[:SETTLING])
