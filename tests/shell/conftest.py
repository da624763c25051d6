"""Fixtures that run commands in this process and return their output, messages and exit code."""

from dataclasses import dataclass

import numpy as np
import pytest

from ia_engine.shell.main import main


@dataclass
class Ended:
    code: int
    out: list[str]
    err: list[str]


@pytest.fixture
def shell(capsys):
    def run(*argv):
        capsys.readouterr()
        code = main([str(part) for part in argv])
        said = capsys.readouterr()
        return Ended(code, said.out.splitlines(), said.err.splitlines())

    return run


@pytest.fixture
def drawings():
    """Three copies each of a bar and a block: images [6 16 16] in [0, 1]."""
    two = np.zeros((2, 16, 16), np.float32)
    two[0, 2:14, 7:9] = two[1, 5:11, 5:11] = 0.8
    return two.repeat(3, axis=0)


@pytest.fixture
def npz(tmp_path, drawings):
    path = tmp_path / "drawings.npz"
    np.savez(path, images=drawings, labels=np.array([3, 3, 3, 7, 7, 7]))
    return path


@pytest.fixture
def unlabelled(tmp_path, drawings):
    path = tmp_path / "unlabelled.npz"
    np.savez(path, images=(255 * drawings).astype(np.uint8))
    return path
