"""Axes in signatures: the shape string is both documentation and check."""

from typing import Annotated

from torch import Tensor

from ia_engine.errors import EngineError

Images = Annotated[Tensor, "n c h w"]
Labels = Annotated[Tensor, "n"]
Poses = Annotated[Tensor, "n p"]
Field = Annotated[Tensor, "n h w 2"]
Matrix = Annotated[Tensor, "n m"]
Homography = Annotated[Tensor, "... 3 3"]
Heat = Annotated[Tensor, "... y x"]


def check_axes(x: Tensor, axes: str, name: str) -> dict[str, int]:
    """Match the shape of x against axes such as "n c h w" or "n h w 2"; return their sizes."""
    wanted = axes.split()
    sizes = list(zip(wanted, x.shape, strict=False))
    wrong = any(axis.isdigit() and int(axis) != size for axis, size in sizes)
    if wrong or x.ndim != len(wanted):
        raise EngineError(f"{name} needs the axes [{axes}]; got {tuple(x.shape)}")
    return dict(sizes)
