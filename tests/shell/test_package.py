"""The installed package: it contains everything that it reads, and works in an empty folder."""

import os
import shutil
import socket
import socketserver
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from http.server import BaseHTTPRequestHandler
from importlib.metadata import distributions
from threading import Thread

import pytest
from packaging.requirements import Requirement

import ia_engine
from ia_engine.files import read_checksums
from tests.runner.imports import list_files
from tests.runner.parts import ROOT
from tests.waits import MAX_WAIT_S, read_local, wait_until

NAME = "invariant_attention_explorer"
BUILT = ("ia_engine/", "pages/", "assets/")
METADATA = ("app.py", "server.py", "setup.py", "pyproject.toml", "README.md", "LICENSE")
TAKEN = "is not available"
"""Part of the message of Streamlit if another process uses the port."""
ATTEMPTS = 3
USE = """
import sys
from pathlib import Path
import ia_engine
from ia_engine import files
from ia_engine.datasets.bases import BASES, load_base, load_digits, load_fashion
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.equivariant.checkpoint import SHIPPED, load_shipped
from ia_engine.runs.papers.shipped import load_results

assert Path(ia_engine.__file__).is_relative_to(sys.argv[1]), ia_engine.__file__
for name in files.read_checksums():
    files.find_shipped(name)
for name in BASES:
    load_base(name, 16)
load_digits(8), load_fashion(8)
for name in ("experiment-1", "experiment-2", "blobs", "generated", "digits", "fashion"):
    make(RECIPES[name])
for name in SHIPPED:
    load_shipped(name)
print(len(BASES), len(SHIPPED), len(files.read_checksums()), len(load_results()))
"""


def build(source, target, function):
    """Build the project in a folder, with the installed setuptools."""
    code = f"from setuptools import build_meta; build_meta.{function}({str(target)!r})"
    target.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=source, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (path,) = target.iterdir()
    return path


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """The sources that a build needs, in a folder of their own, which the build may change."""
    folder = tmp_path_factory.mktemp("project")
    for name in list_files(ROOT):
        if name.startswith(BUILT) or name in (*METADATA, ".streamlit/config.toml"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    for name in ("ia_engine/earlier.py", "earlier/__init__.py"):  # left by an earlier build
        (folder / "build/lib" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "build/lib" / name).touch()
    return folder


@pytest.fixture(scope="module")
def wheel(project, tmp_path_factory):
    return build(project, tmp_path_factory.mktemp("wheel") / "out", "build_wheel")


@pytest.fixture(scope="module")
def wheel_of_sdist(project, tmp_path_factory):
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(build(project, folder / "out", "build_sdist")) as archive:
        archive.extractall(folder, filter="data")
    (source,) = (path for path in folder.iterdir() if path.name != "out")
    return build(source, folder / "wheel", "build_wheel")


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A folder with the contents of the wheel and its console scripts. An environment that uv has
    created contains no pip."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    (found,) = distributions(path=[str(folder)])
    (folder / "bin").mkdir()
    for script in found.entry_points.select(group="console_scripts"):
        code = f"import sys\nfrom {script.module} import {script.attr}\nsys.exit({script.attr}())\n"
        (folder / "bin" / script.name).write_text(code, "utf-8")
    return folder


@pytest.fixture
def alone(installed, tmp_path):
    """Arguments of a process in an empty folder that imports the installed package."""
    known = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {"cwd": tmp_path, "env": {**known, "PYTHONPATH": str(installed)}}


def contents(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return {member.filename: member.CRC for member in archive.infolist()}


def test_a_wheel_contains_one_package_with_the_app_and_its_files(wheel):
    names = contents(wheel).keys()
    assert {name.split("/")[0] for name in names} == {
        "ia_engine",
        f"{NAME}-{ia_engine.__version__}.dist-info",
    }
    assert {"ia_engine/py.typed", "ia_engine/_app/server.py"} <= names
    assert "ia_engine/_app/.streamlit/config.toml" in names
    sources = {name for name in list_files(ROOT) if name.endswith(".py")}
    assert {n.removeprefix("ia_engine/_app/") for n in names if n.endswith(".py")} == {
        name for name in sources if name.startswith(("ia_engine/", "pages/"))
    } | {"app.py", "server.py"}


def test_a_wheel_contains_nothing_of_an_earlier_build(wheel):
    with zipfile.ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if "earlier" in name]


def test_a_wheel_contains_the_files_that_are_read_and_nothing_else_of_assets(wheel):
    prefix = "ia_engine/_assets/"
    names = {n.removeprefix(prefix) for n in contents(wheel) if n.startswith(prefix)}
    shipped = {
        name.removeprefix("assets/")
        for name in list_files(ROOT)
        if name.startswith(("assets/bundles/", "assets/papers/tables/", "assets/LICENSES/"))
    }
    known = {*read_checksums(), "checksums.json", "icon.svg", "README.md"}
    assert names == known | shipped - {"bundles/digests.json"}


def test_a_wheel_of_the_sdist_equals_a_wheel_of_the_project(wheel, wheel_of_sdist):
    assert contents(wheel) == contents(wheel_of_sdist)


def test_an_installed_package_loads_every_bundled_file_in_an_empty_folder(alone, installed):
    command = [sys.executable, "-c", USE, str(installed)]
    done = subprocess.run(command, **alone, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert all(int(count) > 0 for count in done.stdout.split())


def test_the_console_script_runs_the_commands(alone, installed):
    command = [sys.executable, str(installed / "bin" / "ia-engine")]
    data = [*command, "data", "--data", "experiment-1", "--json"]
    done = subprocess.run(data, **alone, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert '"n": 18' in done.stdout


@pytest.mark.timeout(2 * ATTEMPTS * MAX_WAIT_S)
def test_the_console_script_opens_the_app(alone, installed):
    script = [sys.executable, str(installed / "bin" / "ia-engine")]
    for _ in range(ATTEMPTS):
        answer, port, said = start_app(script, alone)
        if TAKEN not in said:  # another process may take the port before the server does
            break
    assert answer == b"ok"
    assert f"http://127.0.0.1:{port}" in said  # as .streamlit/config.toml of the package states


def start_app(script, alone):
    """Start and end the app; return its answer, its port and what it wrote."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [*script, "app", "--no-browser", "--port", str(port)]
    server = subprocess.Popen(command, **alone, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        address = f"http://127.0.0.1:{port}/_stcore/health"
        answer = wait_until(
            lambda: read_local(address) or (server.poll() is not None and b"ended"), "the app"
        )
    finally:
        server.terminate()
        said = server.communicate(timeout=MAX_WAIT_S)[0].decode()
    return answer, port, said


def test_a_server_on_this_machine_is_reached_without_the_proxy(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    with socketserver.TCPServer(("127.0.0.1", 0), Greeting) as server:
        thread = Thread(target=server.handle_request)
        thread.start()
        assert read_local(f"http://127.0.0.1:{server.server_address[1]}") == b"hello"
        thread.join()


class Greeting(BaseHTTPRequestHandler):
    """Answers each request with a greeting."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, *_):
        """Write nothing."""


def test_the_app_asks_for_streamlit_if_it_is_not_installed(shell, monkeypatch):
    monkeypatch.setattr("ia_engine.shell.app.find_spec", lambda name: None)
    ended = shell("app")
    assert ended.code == 2
    assert ended.err == [
        "app: the app needs streamlit, which is not installed: run 'pip install \".[app]\"' in the "
        "folder of the project"
    ]


@pytest.mark.parametrize("port", ["0", "65536", "no"])
def test_a_port_outside_its_range_is_refused(shell, port):
    ended = shell("app", "--port", port)
    assert ended.code == 2
    assert "must be between 1 and 65535" in ended.err[0]


def read_metadata():
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_the_package_and_its_app_need_the_packages_of_requirements_txt():
    """Their bounds are equal, except that the package accepts further versions of torch."""
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    listed = {Requirement(line) for line in lines if not line.startswith("#")}
    project = read_metadata()["project"]
    needed = {
        Requirement(line)
        for line in project["dependencies"] + project["optional-dependencies"]["app"]
    }
    assert {known.name for known in listed - needed} == {"torch"}
    assert {known.name for known in needed - listed} == {"torch"}
    (pinned,) = next(known for known in listed if known.name == "torch").specifier
    (accepted,) = (known.specifier for known in needed if known.name == "torch")
    assert pinned.operator == "=="
    assert {pinned.version, "2.6.0"} <= set(accepted.filter([pinned.version, "2.6.0", "3.0"]))
    stated = f"has been tested only with torch {pinned.version}"
    assert stated in (ROOT / "README.md").read_text("utf-8")


def test_the_extra_dev_equals_the_group_dev():
    metadata = read_metadata()
    extra = metadata["project"]["optional-dependencies"]["dev"]
    assert extra == metadata["dependency-groups"]["dev"]


def test_the_citation_states_the_version_of_the_package():
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"version: {ia_engine.__version__}" in citation.splitlines()
