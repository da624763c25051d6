"""Samples of every prototype of a finished run, aligned module by module, as arrays for a file."""

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ia_engine.clustering.state import State
from ia_engine.images import Images
from ia_engine.runs.clustering.result import AlignmentSteps, Result, trace_winner

SAMPLES: Final = 8
"""Maximum number of samples of a prototype."""


@dataclass(frozen=True, eq=False)
class PrototypeSamples:
    """Images of one prototype, from the best fit to the worst, and the number of its images."""

    total: int
    chains: tuple[AlignmentSteps, ...]


def collect_samples(state: State, images: Images, result: Result) -> list[PrototypeSamples]:
    """Return the samples of each prototype."""
    members = [result.members(k) for k in range(state.config.k)]
    return [
        PrototypeSamples(len(rows), tuple(trace_winner(state, images, spread_evenly(rows))))
        for rows in members
    ]


def spread_evenly(members: Sequence[int], most: int = SAMPLES) -> list[int]:
    """Return at most `most` members: the first, the last, and others evenly spaced between them.

    >>> spread_evenly(range(10), 4)
    [0, 3, 6, 9]
    """
    if len(members) <= most:
        return list(members)
    return [members[at * (len(members) - 1) // (most - 1)] for at in range(most)]


def pack_samples(samples: Sequence[PrototypeSamples]) -> dict[str, NDArray[Any]]:
    """Convert samples to arrays, in which the pictures are compressed."""
    chains = [chain for own in samples for chain in own.chains]
    pictures = np.stack([chain.picture for chain in chains])
    known = {
        "totals": [own.total for own in samples],
        "counts": [len(own.chains) for own in samples],
        "stages": chains[0].stages,
        "shape": pictures.shape,
        "chains": [(chain.row, chain.cluster, chain.distance) for chain in chains],
    }
    return {
        "samples": np.frombuffer(json.dumps(known).encode(), np.uint8),
        "sample pictures": np.frombuffer(zlib.compress(pictures.tobytes(), 9), np.uint8),
    }


def unpack_samples(arrays: Mapping[str, NDArray[Any]]) -> list[PrototypeSamples]:
    """Read the samples that `pack_samples` converted."""
    known = json.loads(arrays["samples"].tobytes())
    flat = np.frombuffer(zlib.decompress(arrays["sample pictures"].tobytes()), np.uint8)
    stages = tuple(known["stages"])
    chains = [
        AlignmentSteps(row, cluster, distance, stages, picture)
        for (row, cluster, distance), picture in zip(
            known["chains"], flat.reshape(known["shape"]), strict=True
        )
    ]
    samples, start = [], 0
    for total, count in zip(known["totals"], known["counts"], strict=True):
        samples.append(PrototypeSamples(total, tuple(chains[start : start + count])))
        start += count
    return samples
