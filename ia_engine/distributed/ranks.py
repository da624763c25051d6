"""The processes that share a run, told apart by their rank; alone, nothing is exchanged.

All of them run the same program on the same data with the same seed. What each adds is summed, so
that every rank decides alike and holds the same weights.
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
"""So long a rank waits for another's piece; that one has died is known at once."""
WORD: Final = "word"
"""The key under which the first rank that has to speak takes the word."""


class Store(Protocol):
    """Numbers that all ranks know by their names; torchrun itself keeps it."""

    def add(self, key: str, amount: int) -> int: ...


@dataclass(frozen=True)
class Ranks:
    """This process among `size`, and the store in which all of them count."""

    rank: int = 0
    size: int = 1
    local: int = 0
    """Its rank among those on this machine: the number of its GPU."""
    store: Store | None = field(default=None, repr=False, compare=False)
    here: int = 1
    """How many of them share this machine and its memory."""

    @property
    def first(self) -> bool:
        """The one that prints and writes."""
        return self.rank == 0

    def part(self, n: int) -> slice:
        """This rank's rows of n: neighbours, as many as the others have, or one fewer."""
        if n < self.size:
            raise EngineError(
                f"{self.size} processes share {n} images: choose a batch and data of at least "
                f"{self.size}, or start fewer processes"
            )
        return slice(self.rank * n // self.size, (self.rank + 1) * n // self.size)

    def share(self, n: int) -> float:
        """How much of n rows this rank's part is: what its mean counts for in the mean of all."""
        part = self.part(n)
        return (part.stop - part.start) / n

    def sum(self, x: Tensor) -> Tensor:
        """Σ over the ranks; no gradient."""
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
        """Of all ranks' numbers: clocks differ, and what follows from them may not."""
        if self.size == 1:
            return x
        found = torch.tensor(x, dtype=torch.float64, device="cpu")
        with together():
            dist.all_reduce(found, dist.ReduceOp.MAX)
        return float(found)

    def add_gradients(self, parameters: Iterable[Tensor]) -> None:
        """Every gradient becomes the sum of all ranks', in one exchange."""
        if self.size == 1:
            return
        own = [x.grad for x in parameters if x.grad is not None]
        total = self.sum(torch.cat([x.flatten() for x in own]))
        for x, found in zip(own, total.split([x.numel() for x in own]), strict=True):
            x.copy_(found.view_as(x))

    def gather(self, content: bytes) -> list[bytes]:
        """What every rank brings, in their order."""
        if self.size == 1:
            return [content]
        found: list[bytes] = [b""] * self.size
        with together():
            dist.all_gather_object(found, content)
        return found

    def wait(self) -> None:
        """Until all have come so far."""
        self.gather(b"")

    def deal(self, tasks: Sequence[int]) -> Iterator[int]:
        """The first rank's tasks that this one is to do: whoever is free takes the next."""
        if self.size == 1 or self.store is None:
            yield from tasks
            return
        plan = " ".join([secrets.token_hex(8), *map(str, tasks)])
        token, *agreed = self.gather(plan.encode())[0].split()
        with together():
            while (taken := self.store.add(token.decode(), 1)) <= len(agreed):
                yield int(agreed[taken - 1])

    def takes_the_word(self) -> bool:
        """Whether this rank is the first that has to say why the run ends."""
        if self.store is None:
            return True
        try:
            return self.store.add(WORD, 1) == 1
        except RuntimeError:  # the store went with the process that kept it
            return True


ALONE: Final = Ranks()


def join() -> Ranks:
    """Meet the other processes that torchrun has started."""
    with together():
        try:
            store, rank, size = next(rendezvous("env://", timeout=PATIENCE))
        except ValueError as error:  # names the variable that is missing
            raise EngineError(
                f"several processes need what torchrun tells them ({error}): start them with "
                "torchrun, or unset WORLD_SIZE"
            ) from error
        backend = "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"
        dist.init_process_group(backend, timeout=PATIENCE, world_size=size, rank=rank, store=store)
    local, here = (int(os.environ.get(f"LOCAL_{name}", "0")) for name in ("RANK", "WORLD_SIZE"))
    return Ranks(rank, size, local, store, max(1, here))


def leave() -> None:
    """Part from the others, when all is done."""
    dist.destroy_process_group()


def finish(code: int) -> NoReturn:
    """End this process at once: what an exchange leaves may abort it at the interpreter's own end.

    Seen on a busy machine: all results written, then "terminate called", and SIGABRT.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


@contextmanager
def together() -> Iterator[None]:
    """An exchange fails where another process has ended."""
    try:
        yield
    except RuntimeError as cause:
        raise Lost from cause
