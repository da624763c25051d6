"""Invariant attention, transformation-invariant clustering and equivariant networks.

These names are the public interface; everything else is in named submodules. A name is imported
when it is first used, so `import ia_engine` loads neither torch nor NumPy.

>>> import ia_engine
>>> result = ia_engine.cluster("experiment-1", k=3)  # or an array, a folder, a list of pictures
>>> result.labels.tolist()
[0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]
>>> list(ia_engine.GROUPS)[:3]
['translation', 'rotation', 'se2']
"""

from importlib import import_module
from typing import TYPE_CHECKING

from ia_engine import moved as moved
from ia_engine.version import __version__

if TYPE_CHECKING:
    from ia_engine.api.alignment import align, invariant_mean
    from ia_engine.api.attention import attend
    from ia_engine.api.clustering import cluster, evaluate
    from ia_engine.api.inputs import load
    from ia_engine.attention.layer.layer import InvariantAttention
    from ia_engine.equivariant.modules import AttentiveGroupConv, GroupConv
    from ia_engine.transforms import GROUPS

__all__ = [
    "GROUPS",
    "AttentiveGroupConv",
    "GroupConv",
    "InvariantAttention",
    "__version__",
    "align",
    "attend",
    "cluster",
    "evaluate",
    "invariant_mean",
    "load",
]

_MODULES = {
    "GROUPS": "transforms",
    "AttentiveGroupConv": "equivariant.modules",
    "GroupConv": "equivariant.modules",
    "InvariantAttention": "attention.layer.layer",
    "align": "api.alignment",
    "attend": "api.attention",
    "cluster": "api.clustering",
    "evaluate": "api.clustering",
    "invariant_mean": "api.alignment",
    "load": "api.inputs",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    if name not in _MODULES:
        raise AttributeError(f"module 'ia_engine' has no attribute {name!r}")
    value = getattr(import_module(f"ia_engine.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
