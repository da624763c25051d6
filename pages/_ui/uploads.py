"""The last upload of each viewer, which a reload of the page must not lose."""

import threading
from collections import OrderedDict
from typing import Final, NamedTuple

import streamlit as st

from ia_engine.datasets.blobs import PointSet
from ia_engine.datasets.data import Data

MOST: Final = 1 << 30
"""Bytes of all uploads; the oldest are let go first, and the last one never."""


class Upload(NamedTuple):
    """A recipe and its data."""

    name: str
    data: Data
    lent: bool = False
    """Whether they came with a run of somebody else."""


class Uploads:
    """What viewers brought, by viewer, oldest first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[str, Upload] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, owner: str, upload: Upload) -> None:
        """In the place of the owner's last one."""
        with self._lock:
            self._held.pop(owner, None)
            self._held[owner] = upload
            while len(self._held) > 1 and sum(map(_bytes, self._held.values())) > self._most:
                self._held.popitem(last=False)

    def of(self, owner: str) -> Upload | None:
        """The owner's last one, as long as it is here."""
        return self._held.get(owner)


def keep_upload(owner: str, name: str, data: Data, *, lent: bool = False) -> None:
    """Remember the data that somebody brought under their recipe; their own stay their own."""
    held = upload_of(owner)
    own = held is not None and held.name == name and not held.lent
    _uploads().keep(owner, Upload(name, data, lent=lent and not own))


def upload_of(owner: str) -> Upload | None:
    """The recipe and the data that this viewer brought last."""
    return _uploads().of(owner)


@st.cache_resource(show_spinner=False)
def _uploads() -> Uploads:
    return Uploads(MOST)


def _bytes(upload: Upload) -> int:
    data = upload.data
    return (data.points if isinstance(data, PointSet) else data.images).nbytes
