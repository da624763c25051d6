"""Data that do not fit into memory are refused before the work begins."""

import pytest

from ia_engine.errors import EngineError
from ia_engine.shell import memory


def test_the_memory_check_counts_every_process_on_the_machine(monkeypatch):
    monkeypatch.setattr(
        memory, "_memory", lambda: 4 * 100**2 * (memory.VALUES_GLOBAL_SEARCH + memory.KEPT)
    )
    memory.check_memory(100, 1, memory.VALUES_GLOBAL_SEARCH)
    with pytest.raises(EngineError, match="or fewer processes"):
        memory.check_memory(100, 1, memory.VALUES_GLOBAL_SEARCH, processes=2)
