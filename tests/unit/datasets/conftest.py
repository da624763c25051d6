import pytest


@pytest.fixture
def places(monkeypatch, tmp_path):
    """Use an empty data folder and an empty cache."""
    data, cache = tmp_path / "data", tmp_path / "cache"
    data.mkdir()
    monkeypatch.setenv("IA_DATA", str(data))
    monkeypatch.setenv("IA_CACHE", str(cache))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return data, cache
