"""Identifies the program of an entry: a digest of all statements here that its computation uses.

The digest covers the definitions in this folder to which `compute` of the entry refers, directly or
indirectly: settings, seeds, measures and claims. Texts, comments and docstrings do not count.
Results of the modules outside this folder are pinned by their own tests.
"""

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
FORMAT: Final = "entry"
"""The module whose classes only hold results, so that they do not count."""
LENGTH: Final = 12
"""Number of hexadecimal digits of a digest."""

Name = tuple[str, str]
"""A module of this folder and the name of one of its definitions; "" for the module itself."""


@cache
def digest_program(entry: str) -> str:
    """Return the digest of the program of an entry.

    >>> len(digest_program("gcnn-figure-9"))
    12
    """
    module, compute = _find_computation(entry)
    texts, waiting = {_serialise(compute)}, _list_references(module, compute)
    seen: set[Name] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        source, statements = _resolve(name)
        for statement in statements:
            texts.add(_serialise(statement))
            waiting |= _list_references(source, statement)
    return hashlib.sha256("\n".join(sorted(texts)).encode()).hexdigest()[:LENGTH]


def _find_computation(entry: str) -> tuple[str, ast.expr]:
    """Return the module with the call `Entry(id=entry, compute=…)`, and its value of `compute`."""
    for path in sorted(FOLDER.glob("*.py")):
        for node in ast.walk(_parse(path.stem)):
            if isinstance(node, ast.Call):
                values = {keyword.arg: keyword.value for keyword in node.keywords}
                name = values.get("id")
                if isinstance(name, ast.Constant) and name.value == entry and "compute" in values:
                    return path.stem, values["compute"]
    raise KeyError(entry)


@cache
def _parse(module: str) -> ast.Module:
    return ast.parse((FOLDER / f"{module}.py").read_text("utf-8"))


@cache
def _list_definitions(module: str) -> dict[str, list[ast.stmt]]:
    """Return the statements of a module by the name that they define."""
    found: dict[str, list[ast.stmt]] = {}
    for statement in _parse(module).body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            names = [statement.name]
        else:
            names = [node.id for node in ast.walk(statement)
                     if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]  # fmt: skip
        for name in names:
            found.setdefault(name, []).append(statement)
    return found


@cache
def _list_imports(module: str) -> dict[str, Name]:
    """Return what each imported name of this folder stands for: a definition or a module."""
    found = {}
    for node in _parse(module).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(__package__):
            source = (node.module or "").removeprefix(__package__).removeprefix(".")
            for alias in node.names:
                found[alias.asname or alias.name] = (source or alias.name,
                                                     alias.name if source else "")  # fmt: skip
    return found


def _list_references(module: str, node: ast.AST) -> set[Name]:
    """Return the definitions of this folder to which a part of a module refers."""
    imports, own, found = _list_imports(module), _list_definitions(module), set[Name]()
    for part in _walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            source, name = imports.get(part.value.id, ("", "-"))
            if not name:  # an attribute of an imported module
                found.add((source, part.attr))
        elif isinstance(part, ast.Name) and part.id in imports:
            found.add(imports[part.id])
        elif isinstance(part, ast.Name) and part.id in own:
            found.add((module, part.id))
    return {name for name in found if name[1]}


def _resolve(name: Name) -> tuple[str, list[ast.stmt]]:
    """Return the statements that define a name, and their module; follow imports."""
    module, local = name
    definitions = _list_definitions(module)
    if local not in definitions and local in _list_imports(module):
        return _resolve(_list_imports(module)[local])
    found = definitions.get(local, [])
    if module == FORMAT:
        found = [statement for statement in found if not isinstance(statement, ast.ClassDef)]
    return module, found


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a syntax tree without texts: docstrings, f-strings and phrases."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not _is_text(child):
            yield from _walk(child)


def _is_text(node: ast.AST) -> bool:
    """Return True for a docstring, an f-string, or a string that contains a space."""
    if isinstance(node, ast.Expr):
        return _is_text(node.value) or isinstance(node.value, ast.Constant)
    phrase = isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
    return phrase or isinstance(node, ast.JoinedStr)


def _serialise(node: ast.AST) -> str:
    """Return a syntax tree as text that does not depend on the version of Python."""
    parts = []
    for name, value in ast.iter_fields(node):
        children = value if isinstance(value, list) else [value]
        texts = [
            _serialise(child) if isinstance(child, ast.AST) else repr(child)
            for child in children
            if not (isinstance(child, ast.AST) and _is_text(child))
        ]
        if value not in (None, []) and name not in ("kind", "type_comment", "type_params"):
            parts.append(f"{name}={','.join(texts)}")
    return f"{type(node).__name__}({';'.join(parts)})"
