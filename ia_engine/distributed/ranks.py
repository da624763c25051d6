"""Processes that share a run, called ranks: sums over ranks, pieces of work, and batch
normalisation."""

import os
import re
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Final, NoReturn, Protocol, final

import torch
import torch.distributed as dist
from safetensors.torch import load, save
from torch import Tensor, nn
from torch.distributed.rendezvous import rendezvous
from torch.nn import functional

from ia_engine.errors import EngineError, Lost
from ia_engine.files import read_tensors, write_whole

MAX_WAIT: Final = timedelta(days=1)
"""Maximum time for which a rank waits for a piece from another rank. If a rank dies, the others
detect it at once."""
REPORT: Final = "word"
"""Key in the store with which the first rank that fails claims the task of reporting the error."""


NORMS: Final = (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)


class Store(Protocol):
    """Interface of the store of torchrun: named numbers that all ranks share."""

    def add(self, key: str, amount: int) -> int: ...


@dataclass(frozen=True)
class Ranks:
    """This process, which is one of `size` processes, and the store that they share."""

    rank: int = 0
    size: int = 1
    local: int = 0
    """The rank of this process on its machine, which is also the index of its GPU."""
    store: Store | None = field(default=None, repr=False, compare=False)
    here: int = 1
    """Number of ranks that share this machine and its memory."""

    @property
    def first(self) -> bool:
        """True for the rank that prints messages and writes files."""
        return self.rank == 0

    def part(self, n: int) -> slice:
        """Return the consecutive rows, out of n, that belong to this rank. The parts of two ranks
        differ by at most one row in length."""
        if n < self.size:
            raise EngineError(
                f"every batch must have at least {self.size} images, one per process; got {n}: "
                "use larger batches and more data, or start fewer processes"
            )
        return slice(self.rank * n // self.size, (self.rank + 1) * n // self.size)

    def share(self, n: int) -> float:
        """Return the fraction of n rows that belongs to this rank, which is its weight in means
        over all ranks."""
        part = self.part(n)
        return (part.stop - part.start) / n

    def sum(self, x: Tensor) -> Tensor:
        """Return the sum of x over all ranks, without a gradient."""
        if self.size == 1:
            return x
        total = x.detach().clone(memory_format=torch.contiguous_format)
        with together():
            dist.all_reduce(total)
        return total

    def total(self, x: float) -> float:
        """Return the sum of a number over all ranks."""
        return float(self.sum(torch.tensor(x, dtype=torch.float64, device="cpu")))

    def greatest(self, x: float) -> float:
        """Return the maximum of a number over all ranks, so that all ranks make the same
        decisions."""
        if self.size == 1:
            return x
        found = torch.tensor(x, dtype=torch.float64, device="cpu")
        with together():
            dist.all_reduce(found, dist.ReduceOp.MAX)
        return float(found)

    def add_gradients(self, parameters: Iterable[Tensor]) -> None:
        """Replace every gradient with its sum over all ranks, in one exchange."""
        if self.size == 1:
            return
        own = [x.grad for x in parameters if x.grad is not None]
        total = self.sum(torch.cat([x.flatten() for x in own]))
        for x, found in zip(own, total.split([x.numel() for x in own]), strict=True):
            x.copy_(found.view_as(x))

    def gather(self, content: bytes) -> list[bytes]:
        """Return the bytes that each rank passes to this method, in the order of the ranks."""
        if self.size == 1:
            return [content]
        found: list[bytes] = [b""] * self.size
        with together():
            dist.all_gather_object(found, content)
        return found

    def wait(self) -> None:
        """Wait until all ranks have reached this point."""
        self.gather(b"")

    def deal(self, tasks: Sequence[int]) -> Iterator[int]:
        """Yield tasks for this rank. Whenever a rank is free, it takes the next task."""
        if self.size == 1 or self.store is None:
            yield from tasks
            return
        plan = " ".join([secrets.token_hex(8), *map(str, tasks)])
        token, *agreed = self.gather(plan.encode())[0].split()
        with together():
            while (taken := self.store.add(token.decode(), 1)) <= len(agreed):
                yield int(agreed[taken - 1])

    def claims_report(self) -> bool:
        """Return True on the first rank that calls this method; this rank reports why the run
        ends."""
        if self.store is None:
            return True
        try:
            return self.store.add(REPORT, 1) == 1
        except RuntimeError:  # the process that held the store has ended
            return True


ALONE: Final = Ranks()


def join() -> Ranks:
    """Connect to the other processes that torchrun has started."""
    with together():
        try:
            store, rank, size = next(rendezvous("env://", timeout=MAX_WAIT))
        except ValueError as error:  # names the missing variable
            raise EngineError(
                "the environment variables of torchrun must be set for several processes "
                f"({error}): start them with torchrun, or unset WORLD_SIZE"
            ) from error
        backend = "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"
        dist.init_process_group(backend, timeout=MAX_WAIT, world_size=size, rank=rank, store=store)
    local, here = (int(os.environ.get(f"LOCAL_{name}", "0")) for name in ("RANK", "WORLD_SIZE"))
    return Ranks(rank, size, local, store, max(1, here))


def leave() -> None:
    """Disconnect from the other processes."""
    dist.destroy_process_group()


def finish(code: int) -> NoReturn:
    """End this process immediately, because leftovers of an exchange between processes may abort it
    when the interpreter exits.

    This was observed on a busy machine: all results had been written, but the process ended with
    "terminate called" and SIGABRT.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


@contextmanager
def together() -> Iterator[None]:
    """Raise `Lost` if an exchange fails because another process has ended."""
    try:
        yield
    except RuntimeError as cause:
        raise Lost from cause


OURS: Final = re.compile(r"\.?[0-9a-f]{16}-[a-z]+-\d{5}\.safetensors(\.[0-9a-f]{8})?")
"""Names of the files of pieces, including unfinished ones that a killed process has left behind."""

Piece = dict[str, Tensor]


@dataclass(frozen=True)
class Workshop:
    """The processes that share the work and, if finished pieces are stored, their folder."""

    ranks: Ranks = ALONE
    folder: Path | None = None
    say: Callable[[str], None] | None = None
    """A function that is called with a message about the pieces that already exist."""

    @property
    def alone(self) -> bool:
        """True if there are no other processes and nothing is stored."""
        return self.ranks.size == 1 and self.folder is None

    def compute(self, name: str, count: int, make: Callable[[int], Piece]) -> list[Piece]:
        """Compute the pieces 0 … count - 1 of the work called `name`. The results are on the
        CPU."""
        if self.folder is None:
            return self._exchange(count, make)
        prepare(self.folder)
        missing = self.missing(name, count)
        if self.say and len(missing) < count:
            self.say(f"{count - len(missing)} of {count} blocks were already finished")
        for number in self.ranks.deal(missing):
            _write(self._path(name, number), _pack(make(number)))
        self.ranks.wait()
        return [_read(self._path(name, number)) for number in range(count)]

    def missing(self, name: str, count: int) -> list[int]:
        """Return the numbers of the pieces that are not finished."""
        assert self.folder is not None
        # List all files, because a network disk caches that a requested file did not exist.
        there = {path.name for path in self.folder.iterdir()}
        return [number for number in range(count) if self._path(name, number).name not in there]

    def _exchange(self, count: int, make: Callable[[int], Piece]) -> list[Piece]:
        """Compute the pieces without a folder: every rank sends its results to the others."""
        own = {number: _to_cpu(make(number)) for number in self.ranks.deal(range(count))}
        if self.ranks.size == 1:
            return [own[number] for number in range(count)]
        flat = {f"{number}.{key}": x for number, piece in own.items() for key, x in piece.items()}
        found: list[Piece] = [{} for _ in range(count)]
        for content in self.ranks.gather(save(flat)):
            for name, x in load(content).items():
                number, _, key = name.partition(".")
                found[int(number)][key] = x
        return found

    def _path(self, name: str, number: int) -> Path:
        assert self.folder is not None
        return self.folder / f"{name}-{number:05d}.safetensors"


def prepare(folder: Path) -> None:
    """Create the folder if it does not exist. Raises EngineError if this fails."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise EngineError(
            f"the folder {folder} could not be created ({error.strerror}): choose a writable folder"
        ) from error


def clear(folder: Path) -> None:
    """Delete all pieces and unfinished files, and then the folder if it is empty."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if OURS.fullmatch(path.name):
            path.unlink(missing_ok=True)
    with suppress(OSError):  # the folder contains other files
        folder.rmdir()


def _pack(piece: Piece) -> bytes:
    return save(_to_cpu(piece))


def _to_cpu(piece: Piece) -> Piece:
    return {name: x.detach().cpu().contiguous() for name, x in piece.items()}


def _write(path: Path, content: bytes) -> None:
    try:
        write_whole(path, content)
    except OSError as error:
        raise EngineError(
            f"{path} could not be written ({error.strerror}): choose a writable folder"
        ) from error


def _read(path: Path) -> Piece:
    try:
        return read_tensors(path, "pt")[1]
    except EngineError as error:
        raise EngineError(
            f"{path} could not be read: all processes need the same data and a folder that all "
            "machines can access. If the file is damaged, delete it; it will be computed again"
        ) from error


class _Kept(Protocol):
    """The context in which values are stored for the backward pass."""

    ranks: Ranks


class _Sum(torch.autograd.Function):
    """The sum over all ranks, with a gradient."""

    @staticmethod
    def forward(ctx: _Kept, x: Tensor, ranks: Ranks) -> Tensor:
        ctx.ranks = ranks
        return ranks.sum(x)

    @staticmethod
    def backward(ctx: _Kept, *slopes: Tensor) -> tuple[Tensor, None]:
        return ctx.ranks.sum(slopes[0]), None


add: Final[Callable[[Tensor, Ranks], Tensor]] = _Sum.apply


@final
class SharedNorm(nn.Module):
    """Batch normalisation with the statistics of the whole batch, which is divided among the ranks.

    torch's own class needs a GPU. Sums over the batch are summed over the ranks, and so are their
    gradients, because each rank contributes to the results of all others. The class has the same
    parameters and buffers, with the same names, as the normalisation that it replaces.
    """

    def __init__(
        self, norm: nn.BatchNorm1d | nn.BatchNorm2d | nn.BatchNorm3d, ranks: Ranks
    ) -> None:
        super().__init__()
        self.ranks, self.eps, self.momentum = ranks, norm.eps, norm.momentum or 0.0
        self.weight, self.bias = norm.weight, norm.bias
        for name, x in norm.named_buffers():
            self.register_buffer(name, x)

    def forward(self, v: Tensor) -> Tensor:
        """Normalise v [n c ...]. In evaluation mode, the ranks exchange nothing."""
        if not self.training:
            return functional.batch_norm(
                v, self._of("mean"), self._of("var"), self.weight, self.bias, eps=self.eps
            )
        flat = v.transpose(0, 1).flatten(1)
        own = flat.new_tensor([flat.shape[1]])
        total = add(torch.cat([flat.sum(1), own]), self.ranks)
        count, mean = total[-1], total[:-1] / total[-1]
        centred = flat - mean[:, None]
        variance = add(centred.square().sum(1), self.ranks) / count
        self._remember(mean.detach(), (variance * count / (count - 1)).detach())
        scaled = centred * ((variance + self.eps).rsqrt() * self.weight)[:, None]
        whole = (scaled + self.bias[:, None]).unflatten(1, (v.shape[0], *v.shape[2:]))
        return whole.transpose(0, 1)

    def _of(self, name: str) -> Tensor:
        return self.get_buffer(f"running_{name}")

    def _remember(self, mean: Tensor, variance: Tensor) -> None:
        self._of("mean").lerp_(mean, self.momentum)
        self._of("var").lerp_(variance, self.momentum)
        self.get_buffer("num_batches_tracked").add_(1)


def share_norms(network: nn.Module, ranks: Ranks) -> None:
    """Make every batch normalisation of the network use the statistics of all ranks."""
    if ranks.size == 1:
        return
    for module in list(network.modules()):
        for name, norm in list(module.named_children()):
            if isinstance(norm, NORMS):
                setattr(module, name, SharedNorm(norm, ranks))
