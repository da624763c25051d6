"""The dependencies of a file: its imports, and the files that its text names."""

import ast
import re
import subprocess
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Final

PAGE: Final = re.compile(r"(?:^|/)([a-z_]+)(?:\.py)?(?:\?|$)")
"""The name of a page in an address or a path: "mean", "pages/mean.py", "/mean?lesson=mean.1"."""
MODULE: Final = re.compile(r"\w+(?:\.\w+)*")
APP_TESTS: Final = ("tests/app/", "tests/browser/")


def list_files(root: Path) -> set[str]:
    """The project's files: those that git tracks, and new ones that it does not ignore."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout
    return set(filter(None, listed.decode().split("\0")))


class Dependencies:
    """The dependencies of every Python file of a project, as paths relative to its root."""

    def __init__(self, root: Path, files: Iterable[str]) -> None:
        self.root = root
        self.files = frozenset(files)

    def distances(self, changed: Iterable[str]) -> dict[str, int]:
        """Number of dependency steps from each file to the closest changed file."""
        distance = dict.fromkeys(changed, 0)
        queue = deque(distance)
        while queue:
            name = queue.popleft()
            for user in sorted(self._users[name] - distance.keys()):
                distance[user] = distance[name] + 1
                queue.append(user)
        return distance

    def of(self, name: str) -> set[str]:
        """The files that a Python file uses directly."""
        path = self.root / name
        if not path.is_file():
            return set()
        found = set(self._conftests(name))
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found.update(*(self._module(alias.name) for alias in node.names))
            elif isinstance(node, ast.ImportFrom) and node.module:
                found |= self._imported(node.module, [alias.name for alias in node.names])
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= self._named(name, node.value)
            elif isinstance(node, ast.Call):
                found |= self._bundles(node)
        return found - {name}

    @cached_property
    def _users(self) -> dict[str, set[str]]:
        users: dict[str, set[str]] = defaultdict(set)
        for name in filter(lambda name: name.endswith(".py"), self.files):
            for used in self.of(name):
                users[used].add(name)
        return users

    def _module(self, module: str) -> set[str]:
        path = module.replace(".", "/")
        return self.files & {f"{path}.py", f"{path}/__init__.py"}

    def _modules_of(self, folder: str) -> set[str]:
        return {
            name
            for name in self.files
            if name.startswith(folder) and PurePosixPath(name).match(f"{folder}*.py")
        }

    def _imported(self, module: str, names: Iterable[str]) -> set[str]:
        """The files of imported names, each of which is a module of the package or is defined in
        the package itself.
        """
        return set().union(
            *(self._module(f"{module}.{name}") or self._module(module) for name in names)
        )

    def _conftests(self, name: str) -> Iterator[str]:
        for folder in PurePosixPath(name).parents:
            conftest = str(folder / "conftest.py")
            if name.startswith("tests/") and conftest in self.files:
                yield conftest

    def _named(self, name: str, text: str) -> set[str]:
        """The files that a text names: a data file, a script or style, a module or a page."""
        if len(text) > 200 or "\n" in text:
            return set()
        found = set(self._by_name.get(text.removeprefix("/"), ()))
        if text.startswith("ia_engine") and MODULE.fullmatch(text):
            found |= self._module(text) | self._module(f"{text}.__main__")
        if text.startswith("ia_engine.") and text.endswith(
            "."
        ):  # the first part of a composed name
            found |= self._modules_of(text.replace(".", "/"))
        if name.startswith(APP_TESTS) and (page := PAGE.search(text)):
            found |= self.files & {f"pages/{page[1]}.py"}
        return found

    def _bundles(self, call: ast.Call) -> set[str]:
        """The files of a component's bundle: `component("ia_dial", "dial")`."""
        match call:
            case ast.Call(ast.Name("component" | "write_page"), [_, ast.Constant(str(bundle)), *_]):
                names = (f"{bundle}.js", f"{bundle}.css", f"{bundle}_file.js")
                return self.files & {f"assets/bundles/{name}" for name in names}
        return set()

    @cached_property
    def _by_name(self) -> dict[str, set[str]]:
        """Files by the names that a text may use for them, with or without their folders."""
        names: dict[str, set[str]] = defaultdict(set)
        for file in self.files:
            path = PurePosixPath(file)
            if path.name == "__init__.py":
                continue
            names[file].add(file)
            if path.suffix != ".py":
                names[path.name].add(file)
        return names
