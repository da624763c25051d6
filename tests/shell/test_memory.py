"""Data that do not fit into memory are refused before the work begins."""

import pytest

from ia_engine.errors import EngineError
from ia_engine.shell import memory


def test_every_process_of_a_machine_needs_its_own_memory(monkeypatch):
    monkeypatch.setattr(memory, "_memory", lambda: 4 * 100**2 * (memory.SOUGHT + memory.KEPT))
    memory.check_memory(100, 1, memory.SOUGHT)
    with pytest.raises(EngineError, match="or fewer processes"):
        memory.check_memory(100, 1, memory.SOUGHT, processes=2)
