"""The processes that share a run, identified by rank; a single process exchanges nothing.

All of them run the same program on the same data with the same seed. Their results are summed, so
that every rank makes the same decisions and holds the same weights.
"""

import os
import secrets
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, NoReturn, Protocol

import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed.rendezvous import rendezvous

from ia_engine.errors import EngineError, Lost

PATIENCE: Final = timedelta(days=1)
"""Longest time that a rank waits for another's piece; the death of a rank is noticed at once."""
WORD: Final = "word"
"""Key with which the first rank that must report an error claims this task."""


class Store(Protocol):
    """Numbers by name that all ranks share; torchrun stores them."""

    def add(self, key: str, amount: int) -> int: ...


@dataclass(frozen=True)
class Ranks:
    """This process among `size`, and the store that all of them share."""

    rank: int = 0
    size: int = 1
    local: int = 0
    """Its rank among those on this machine: the index of its GPU."""
    store: Store | None = field(default=None, repr=False, compare=False)
    here: int = 1
    """Number of ranks that share this machine and its memory."""

    @property
    def first(self) -> bool:
        """True for the rank that prints and writes."""
        return self.rank == 0

    def part(self, n: int) -> slice:
        """This rank's rows of n: consecutive, as many as in other ranks, or one fewer."""
        if n < self.size:
            raise EngineError(
                f"{self.size} processes share {n} images: choose a batch and data of at least "
                f"{self.size}, or start fewer processes"
            )
        return slice(self.rank * n // self.size, (self.rank + 1) * n // self.size)

    def share(self, n: int) -> float:
        """The share of n rows in this rank: its weight in the mean over all."""
        part = self.part(n)
        return (part.stop - part.start) / n

    def sum(self, x: Tensor) -> Tensor:
        """The sum over the ranks; no gradient."""
        if self.size == 1:
            return x
        total = x.detach().clone(memory_format=torch.contiguous_format)
        with together():
            dist.all_reduce(total)
        return total

    def total(self, x: float) -> float:
        """The sum of all ranks' numbers."""
        return float(self.sum(torch.tensor(x, dtype=torch.float64, device="cpu")))

    def greatest(self, x: float) -> float:
        """The maximum of all ranks' numbers: clocks differ, but decisions must not."""
        if self.size == 1:
            return x
        found = torch.tensor(x, dtype=torch.float64, device="cpu")
        with together():
            dist.all_reduce(found, dist.ReduceOp.MAX)
        return float(found)

    def add_gradients(self, parameters: Iterable[Tensor]) -> None:
        """Replace every gradient by the sum over all ranks, in one exchange."""
        if self.size == 1:
            return
        own = [x.grad for x in parameters if x.grad is not None]
        total = self.sum(torch.cat([x.flatten() for x in own]))
        for x, found in zip(own, total.split([x.numel() for x in own]), strict=True):
            x.copy_(found.view_as(x))

    def gather(self, content: bytes) -> list[bytes]:
        """The values of all ranks, in order."""
        if self.size == 1:
            return [content]
        found: list[bytes] = [b""] * self.size
        with together():
            dist.all_gather_object(found, content)
        return found

    def wait(self) -> None:
        """Wait until all ranks are here."""
        self.gather(b"")

    def deal(self, tasks: Sequence[int]) -> Iterator[int]:
        """The tasks for this rank: a free rank takes the next one."""
        if self.size == 1 or self.store is None:
            yield from tasks
            return
        plan = " ".join([secrets.token_hex(8), *map(str, tasks)])
        token, *agreed = self.gather(plan.encode())[0].split()
        with together():
            while (taken := self.store.add(token.decode(), 1)) <= len(agreed):
                yield int(agreed[taken - 1])

    def takes_the_word(self) -> bool:
        """True for the first rank that reports why the run ends."""
        if self.store is None:
            return True
        try:
            return self.store.add(WORD, 1) == 1
        except RuntimeError:  # the process that held the store has ended
            return True


ALONE: Final = Ranks()


def join() -> Ranks:
    """Connect to the other processes that torchrun has started."""
    with together():
        try:
            store, rank, size = next(rendezvous("env://", timeout=PATIENCE))
        except ValueError as error:  # names the missing variable
            raise EngineError(
                f"several processes need what torchrun tells them ({error}): start them with "
                "torchrun, or unset WORLD_SIZE"
            ) from error
        backend = "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"
        dist.init_process_group(backend, timeout=PATIENCE, world_size=size, rank=rank, store=store)
    local, here = (int(os.environ.get(f"LOCAL_{name}", "0")) for name in ("RANK", "WORLD_SIZE"))
    return Ranks(rank, size, local, store, max(1, here))


def leave() -> None:
    """Disconnect from the others at the end."""
    dist.destroy_process_group()


def finish(code: int) -> NoReturn:
    """End this process at once, because remains of an exchange may abort it at interpreter exit.

    Seen on a busy machine: all results were written, then "terminate called", and SIGABRT.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


@contextmanager
def together() -> Iterator[None]:
    """Convert the error of an exchange after another process has ended."""
    try:
        yield
    except RuntimeError as cause:
        raise Lost from cause
