"""Computes the digest of the sources that a benchmark measures, without importing any of them.

A digest covers the modules that the benchmark imports, directly or indirectly, from the named
packages, and the modules of this folder that it imports. Comments, docstrings, layout, imports,
error messages, the texts of a `Range` or a `Choice`, and the file of a definition do not count, so
a result stays fresh if wording changes or code moves to another file.
"""

import ast
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = __package__
UNMEASURED = tuple(f"{HERE}.{name}" for name in ("results", "sources", "catalogue", "report"))
"""Modules of this folder that store results and have no influence on them."""
SUFFIXES = (".py", ".js", ".css")


def digest_sources(module: str, packages: Sequence[str]) -> str:
    """Digest of the modules that `module` imports from `packages`.

    A package that ends in `/` is a folder in which every source file counts, imported or not:
    `digest_sources("tests.benchmarks.poses", ("ia_engine.attention", "assets/"))`.
    """
    folders = [package for package in packages if package.endswith("/")]
    prefixes = (HERE, *(package for package in packages if package not in folders))
    names = [
        name
        for name in find_imports(module)
        if name not in UNMEASURED and any(f"{name}.".startswith(f"{p}.") for p in prefixes)
    ]
    files = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    paths = {_find(name) for name in names} | {p for p in files if p.suffix in SUFFIXES}
    statements = {one for path in paths if path for one in _digest_statements(path)}
    return hashlib.sha256("\n".join(sorted(statements)).encode()).hexdigest()[:16]


def find_imports(module: str) -> set[str]:
    """`module`, and every module of the project that it imports directly or indirectly."""
    found, waiting = set[str](), [module]
    while waiting:
        name = waiting.pop()
        parents = name.split(".")
        for depth in range(1, len(parents) + 1):
            one = ".".join(parents[:depth])
            path = _find(one)
            if path and one not in found:
                found.add(one)
                waiting.extend(_imports(path))
    return found


@cache
def _find(module: str) -> Path | None:
    """The file of a module of the project; None for other names and for modules of other
    projects."""
    path = ROOT.joinpath(*module.split("."))
    candidates = (path.with_suffix(".py"), path / "__init__.py")
    return next((one for one in candidates if one.is_file()), None)


@cache
def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def _imports(path: Path) -> list[str]:
    found: list[str] = []
    for node in ast.walk(_parse(path)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


@cache
def _digest_statements(path: Path) -> list[str]:
    """A digest of every statement of a module; for other files, a digest of the whole text."""
    if path.suffix != ".py":
        return [hashlib.sha256(path.read_bytes()).hexdigest()]
    return [
        hashlib.sha256("".join(serialise(one)).encode()).hexdigest()
        for one in _parse(path).body
        if not (isinstance(one, ast.Import | ast.ImportFrom) or _is_text(one))
    ]


def serialise(node: object) -> Iterator[str]:
    """A syntax tree as text, independent of the Python version and of wording."""
    if isinstance(node, list):
        for one in node:
            if not _is_text(one):
                yield from serialise(one)
                yield ","
    elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        yield "Raise("
        yield from serialise(node.exc.func)
        yield ")"
    elif isinstance(node, ast.Call) and _is_described(node):
        yield "Described("
        yield from serialise(node.func)
        yield from serialise([one for one in node.args if not _is_wording(one)])
        yield from serialise([one for one in node.keywords if not _is_wording(one.value)])
        yield ")"
    elif isinstance(node, ast.AST):
        yield f"{type(node).__name__}("
        for name, value in ast.iter_fields(node):
            if value is not None and value != [] and name not in ("kind", "type_comment"):
                yield f"{name}="
                yield from serialise(value)
                yield ";"
        yield ")"
    else:
        yield repr(node)


def _is_described(call: ast.Call) -> bool:
    """True for a `Range` or a `Choice`, whose texts name and explain a setting."""
    return isinstance(call.func, ast.Name) and call.func.id in ("Range", "Choice")


def _is_wording(value: ast.expr) -> bool:
    """True for a text, also for one with values in it."""
    return isinstance(value, ast.JoinedStr) or (
        isinstance(value, ast.Constant) and isinstance(value.value, str)
    )


def _is_text(node: object) -> bool:
    """True for a string statement: the docstring of a module, class, function or field."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
