"""Runs all tests that need no browser in eight environments: python -m tests.runner.matrix [ROW].

Each row changes a condition that must not matter: the instructions of the processor, the number of
threads, the order of the tests, the locale, the time zone, the project's folder or the versions of
packages.
"""

import argparse
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from tests.runner.full import ONE_THREAD, durations, report, run_all, without_browser
from tests.runner.imports import list_files
from tests.runner.parts import ROOT, Outcome, Part

LOCALE: Final = "tr_TR.UTF-8"
"""Turkish has a decimal comma and a dotless ı."""
TIME_ZONE: Final = "CHAST-12:45CHADT,M9.5.0/2:45,M4.1.0/3:45"
"""The time zone of the Chatham Islands, as an explicit rule that needs no time zone database."""
FOLDER: Final = "Müller – a copy"
LOWEST: Final = ROOT / ".venv-lowest"
DESCRIBE: Final = """
import locale, platform, time, torch
from importlib.metadata import version
print(torch.backends.cpu.get_cpu_capability(), "kernels", torch.get_num_threads(), "threads",
      "locale", locale.setlocale(locale.LC_ALL, ""), "time zone", time.strftime("%z"))
print("Python", platform.python_version(),
      *(f"{name} {version(name)}" for name in ("torch", "numpy", "scipy", "kornia", "streamlit")))
"""


@dataclass(frozen=True)
class Row:
    """A named row: the changed condition, and the environment variables that change it."""

    name: str
    about: str
    environment: Mapping[str, str] = field(default_factory=dict)

    def part(self) -> AbstractContextManager[Part]:
        """The part to run, as a context in which everything that it needs exists."""
        order = f"--longest-first={durations()}"
        arguments = (*without_browser(), order)
        return contextlib.nullcontext(Part(self.name, arguments, environment=self.environment))


class Elsewhere(Row):
    """A random order, a different locale and time zone, and a folder with a space and an umlaut."""

    @contextlib.contextmanager
    def part(self) -> Iterator[Part]:
        with tempfile.TemporaryDirectory() as folder:
            environment = {**self.environment, **provide_locale(Path(folder, "locales"))}
            copy = Path(folder, FOLDER)
            copy_project(ROOT, copy)
            seed = time.time_ns() % 1_000_000
            print(f"seed of the order: {seed} (pytest -p tests.runner.plugin --shuffle={seed})")
            arguments = (*without_browser(), f"--shuffle={seed}", "--user-locale")
            yield Part(self.name, arguments, folder=copy, environment=environment)


class Lowest(Row):
    """The lowest versions that requirements.txt allows, in a separate environment."""

    @contextlib.contextmanager
    def part(self) -> Iterator[Part]:
        requirements = lowest_versions((ROOT / "requirements.txt").read_text("utf-8"))
        install(requirements, LOWEST)
        with super().part() as part:
            yield Part(part.name, part.arguments, str(LOWEST / "bin" / "python"))


ROWS: Final = (
    Row("as-is", "this machine as it is"),
    Row("default", "torch without vector instructions", {"ATEN_CPU_CAPABILITY": "default"}),
    Row("avx2", "torch's kernels for AVX2", {"ATEN_CPU_CAPABILITY": "avx2"}),
    Row(
        "mkl-sse4",
        "MKL and oneDNN for SSE 4",
        {"MKL_ENABLE_INSTRUCTIONS": "SSE4_2", "ONEDNN_MAX_CPU_ISA": "SSE41"},
    ),
    Row(
        "mkl-avx2",
        "MKL and oneDNN for AVX2",
        {"MKL_ENABLE_INSTRUCTIONS": "AVX2", "ONEDNN_MAX_CPU_ISA": "AVX2"},
    ),
    Row(
        "one-thread",
        "one thread, in child processes as well",
        ONE_THREAD,
    ),
    Elsewhere(
        "elsewhere",
        "random order, Turkish, Chatham Islands, a folder with a space and an umlaut",
        {"TZ": TIME_ZONE},
    ),
    Lowest("lowest", "the lowest versions that requirements.txt allows"),
)


def provide_locale(folder: Path) -> dict[str, str]:
    """Environment variables that select LOCALE, which is compiled into the folder if it is
    missing.
    """
    environment = {"LC_ALL": LOCALE}
    if _works(environment):
        return environment
    if not (localedef := shutil.which("localedef")):
        raise OSError(f"expected the locale {LOCALE} or the program localedef: install locales")
    folder.mkdir(parents=True)
    language, _, charset = LOCALE.partition(".")
    subprocess.run(
        [localedef, "-i", language, "-f", charset, str(folder / LOCALE)], check=True, timeout=60
    )
    environment["LOCPATH"] = str(folder)
    if not _works(environment):
        raise OSError(f"the compiled locale {LOCALE} cannot be used")
    return environment


def _works(environment: Mapping[str, str]) -> bool:
    code = "import locale; locale.setlocale(locale.LC_ALL, '')"
    command = [sys.executable, "-c", code]
    found = subprocess.run(
        command, env={**os.environ, **environment}, stderr=subprocess.DEVNULL, check=False
    )
    return found.returncode == 0


def copy_project(source: Path, target: Path) -> None:
    """Copy the files that git does not ignore into a new repository, without their history."""
    for name in list_files(source):
        if (source / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / name, target / name)
    for command in (["init", "--quiet"], ["add", "--all"]):
        subprocess.run(["git", *command], cwd=target, check=True)


def lowest_versions(requirements: str) -> str:
    """Replace every range by its lower bound: a>=1.2,<2 becomes a==1.2."""
    return re.sub(r">=\s*([^,\s]+)\S*", r"==\1", requirements)


def install(requirements: str, environment: Path) -> None:
    """Install these versions and the development tools, unless they were installed before."""
    development = (ROOT / "pyproject.toml").read_text("utf-8")
    done = environment / "installed"
    if done.exists() and done.read_text("utf-8") == requirements + development:
        return
    print(f"installing the lowest versions into {environment.name}", flush=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(environment)], check=True)
    python = str(environment / "bin" / "python")
    listed = environment / "requirements.txt"
    listed.write_text(requirements, "utf-8")
    pip = partial(subprocess.run, cwd=ROOT, check=True)
    pip([python, "-m", "pip", "install", "--quiet", "--upgrade", "pip>=25.1"])
    pip([python, "-m", "pip", "install", "--quiet", "-r", str(listed), "--group", "dev"])
    done.write_text(requirements + development, "utf-8")


def run_row(row: Row) -> Outcome:
    """The outcome of a row; an error in its preparation counts as a problem."""
    print(f"\n##### {row.name}: {row.about}", flush=True)
    try:
        with row.part() as part:
            describe(part)
            (outcome,) = run_all([part])
    except (OSError, subprocess.SubprocessError) as error:
        outcome = Outcome(row.name, problems=[f"row {row.name!r} cannot be prepared: {error}"])
    print(f"{row.name}: {outcome.counts}", *outcome.failures, sep="\n  ", flush=True)
    return outcome


def describe(part: Part) -> None:
    """Print the kernels, threads, locale, time zone and versions in the row's environment."""
    environment = {**os.environ, **part.environment}
    subprocess.run([part.python, "-c", DESCRIBE], env=environment, check=True, timeout=300)


def main() -> int:
    parser = argparse.ArgumentParser(prog="make test-matrix", description=__doc__)
    names = [row.name for row in ROWS]
    parser.add_argument("row", nargs="?", choices=names, help="by default, all rows")
    chosen = parser.parse_args().row
    return report([run_row(row) for row in ROWS if chosen in (None, row.name)])


if __name__ == "__main__":
    sys.exit(main())
