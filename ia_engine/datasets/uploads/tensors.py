"""Files of torch.save: tensors only, without running what the file says.

torch's own zip reader and unpickler see such a file last. Before, the members are checked and
written anew, so that both readers see the same zip, and the pickle may name nothing but tensors.
"""

import io
import pickletools
import re
import zipfile
from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor

from ia_engine.datasets.uploads.archive import base_name, open_archive, unpack
from ia_engine.datasets.uploads.arrays import Array, choose_keys, pair_arrays, sort_array
from ia_engine.datasets.uploads.limits import MOST_BYTES, Budget
from ia_engine.datasets.uploads.stack import Found
from ia_engine.errors import EngineError

TENSOR_NAMES = re.compile(
    r"collections OrderedDict|torch\._utils _rebuild_tensor_v[23]|torch \w+Storage"
    r"|torch\.storage UntypedStorage|torch (u?int\d+|b?float\d+|bool)"
)
MOST_PICKLE = 1 << 16


def read_torch(name: str, content: bytes, budget: Budget) -> Iterator[Found]:
    """A tensor of images, or a dict with `images` and, if known, `labels`."""
    loaded = torch.load(_rewrite(name, content, budget), map_location="cpu", weights_only=True)
    if isinstance(loaded, Tensor):
        return sort_array(name, _to_array(name, loaded), budget)
    if not isinstance(loaded, dict):
        raise _not_tensors(name)
    keys = choose_keys(name, [key for key in loaded if isinstance(key, str)])
    arrays = {key: _to_array(name, loaded[key]) for key in keys}
    return pair_arrays(name, arrays, budget)


def _rewrite(name: str, content: bytes, budget: Budget) -> io.BytesIO:
    """The same members, none packed, together no more than the limit."""
    left, clean = MOST_BYTES, io.BytesIO()
    with open_archive(name, content) as archive, zipfile.ZipFile(clean, "w") as copy:
        for member in archive.infolist():
            data = unpack(archive, member, budget, left)
            left -= len(data)
            if base_name(member.filename) == "data.pkl":
                _check_pickle(name, data)
            copy.writestr(zipfile.ZipInfo(member.filename), data)
    clean.seek(0)
    return clean


def _check_pickle(name: str, data: bytearray) -> None:
    """A pickle is a program: here it may call nothing but what puts a tensor together."""
    named = [
        str(value)
        for code, value, _ in pickletools.genops(data[:MOST_PICKLE])
        if code.name in ("GLOBAL", "INST", "STACK_GLOBAL", "EXT1", "EXT2", "EXT4")
    ]
    if len(data) > MOST_PICKLE or not all(TENSOR_NAMES.fullmatch(value) for value in named):
        raise _not_tensors(name)


def _to_array(name: str, value: object) -> Array:
    """A list of labels, or a tensor that is small: strides of 0 make a giant out of one number."""
    if isinstance(value, list) and all(isinstance(label, int | str) for label in value):
        return np.array(value)
    if not isinstance(value, Tensor) or value.layout != torch.strided:
        raise _not_tensors(name)
    if value.numel() * value.element_size() > MOST_BYTES:
        raise EngineError(
            f"{name}: expected tensors of at most {MOST_BYTES >> 20} MB, got a larger one; "
            "save fewer images"
        )
    plain = value.float() if value.dtype == torch.bfloat16 else value
    return plain.detach().numpy()


def _not_tensors(name: str) -> EngineError:
    return EngineError(
        f"{name}: expected a tensor or a dict of tensors called images and labels, got other "
        "objects, which could run a program; save the tensors alone"
    )
