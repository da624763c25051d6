"""Finds the sites of a Python file in its syntax tree.

The following are not sites, because changing them does not alter the behaviour: annotations (except
the calls inside `Annotated`, which limit parameters), type aliases, docstrings, decorators (cache
sizes, polling intervals), blocks for type checkers, the text of `__repr__` and `__str__`, the order
of the arguments of `min` and `max`, and `None` in place of a returned `False`. Expressions in
f-strings are excluded too, because the syntax tree of Python 3.11 does not contain their positions.
"""

import ast
import re
from collections.abc import Iterator
from typing import Final

from tests.defects.sites import Site

COMPARISONS: Final = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: (r"is\s+not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: (r"not\s+in", "in"),
}
ARITHMETIC: Final = {
    ast.Add: (r"\+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: (r"\*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.Pow: (r"\*\*", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: (r"\|", "&"),
}
PAIRS: Final = (
    *(("min", "max"), ("amin", "amax"), ("argmin", "argmax"), ("minimum", "maximum")),
    *(("any", "all"), ("floor", "ceil"), ("sin", "cos"), ("zeros", "ones")),
    ("zeros_like", "ones_like"),
)
OPPOSITES: Final = dict(PAIRS) | {second: first for first, second in PAIRS}
SYMMETRIC: Final = {"min", "max", "minimum", "maximum"}
TYPE_SUBSCRIPTS: Final = {"Literal", "Annotated", "Final", "ClassVar"}


def find_python_sites(source: bytes) -> list[Site]:
    """All sites, in the order in which they occur in the file.

    Examples
    --------
    >>> [site.text for site in find_python_sites(b"def f(x):\\n    return x < 2\\n")]
    ['return None', '<=', '3']
    """
    finder = _Finder(source)
    return sorted(finder.of(ast.parse(source)), key=lambda site: (site.start, -site.end))


class _Finder:
    def __init__(self, source: bytes) -> None:
        self.source = source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def of(self, node: ast.AST) -> Iterator[Site]:
        yield from self.here(node)
        for child in self.children(node):
            yield from self.of(child)

    def children(self, node: ast.AST) -> Iterator[ast.AST]:
        """The child nodes, except those that the docstring of the module excludes."""
        match node:
            case ast.JoinedStr() | ast.FunctionDef(name="__repr__" | "__str__"):
                return
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                defaults = [d for d in node.args.kw_defaults if d is not None]
                yield from [*node.args.defaults, *defaults, *node.body]
            case ast.ClassDef():
                yield from node.body
            case ast.AnnAssign():
                yield from [
                    part for part in ast.walk(node.annotation) if isinstance(part, ast.Call)
                ]
                yield from [node.value] if node.value else []
            case ast.If() if _is_type_checking(node.test):
                yield from node.orelse
            case ast.Subscript(value=ast.Name(id=name)) if name in TYPE_SUBSCRIPTS:
                return
            case ast.Module():
                for child in node.body:
                    if not _is_type_alias(child):
                        yield child
            case _:
                yield from ast.iter_child_nodes(node)

    def here(self, node: ast.AST) -> Iterator[Site]:
        match node:
            case ast.Compare():
                values = [node.left, *node.comparators]
                for left, op, right in zip(values, node.ops, values[1:], strict=False):
                    yield self.between("comparison", left, right, COMPARISONS[type(op)])
            case ast.BinOp() if type(node.op) in ARITHMETIC:
                yield self.between("arithmetic", node.left, node.right, ARITHMETIC[type(node.op)])
            case ast.BoolOp():
                pair = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
                for left, right in zip(node.values, node.values[1:], strict=False):
                    yield self.between("and/or", left, right, pair)
            case ast.UnaryOp(op=ast.Not()):
                yield self.replace("dropped not", node, f"({self.text(node.operand)})")
            case ast.Constant():
                yield from self.constant(node)
            case ast.Call():
                yield from self.call(node)
            case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Raise():
                yield self.replace("removed statement", node, "pass")
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                yield self.replace("removed statement", node, "pass")
            case ast.Return(value=ast.expr()) if not _is_none_or_false(node.value):
                yield self.replace("removed result", node, "return None")
        if isinstance(node, ast.If | ast.IfExp) and not _is_type_checking(node.test):
            yield self.replace("negated condition", node.test, f"not ({self.text(node.test)})")

    def constant(self, node: ast.Constant) -> Iterator[Site]:
        value = node.value
        if isinstance(value, bool):
            yield self.replace("flipped constant", node, str(not value))
        elif isinstance(value, int):
            yield self.replace("off by one", node, str(value + 1))
        elif isinstance(value, float):
            yield self.replace("changed constant", node, str(2 * value if value else 1.0))

    def call(self, node: ast.Call) -> Iterator[Site]:
        name = node.func
        word = name.id if isinstance(name, ast.Name) else getattr(name, "attr", "")
        if word in OPPOSITES:
            end = self.end(name)
            start = end - len(word.encode())
            yield Site("opposite function", start, end, OPPOSITES[word])
        if word in SYMMETRIC:
            return
        if len(node.args) >= 2 and not any(isinstance(a, ast.Starred) for a in node.args[:2]):
            first, second = node.args[:2]
            one, two = self.text(first), self.text(second)
            between = self.source[self.end(first) : self.start(second)].decode()
            if one != two:
                start, end = self.start(first), self.end(second)
                yield Site("swapped arguments", start, end, two + between + one)

    def between(self, operator: str, left: ast.AST, right: ast.AST, pair: tuple[str, str]) -> Site:
        """Replace the operator between two operands, which may be in parentheses."""
        start, end = self.end(left), self.start(right)
        found = re.search(pair[0].encode(), self.source[start:end])
        if found is None:
            raise ValueError(f"no {pair[0]} in {self.source[start:end]!r}")
        return Site(operator, start + found.start(), start + found.end(), pair[1])

    def replace(self, operator: str, node: ast.AST, text: str) -> Site:
        return Site(operator, self.start(node), self.end(node), text)

    def text(self, node: ast.AST) -> str:
        return self.source[self.start(node) : self.end(node)].decode()

    def start(self, node: ast.AST) -> int:
        return self.starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.AST) -> int:
        return self.starts[node.end_lineno - 1] + node.end_col_offset


def _is_none_or_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and (node.value is None or node.value is False)


def _is_type_checking(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def _is_type_alias(node: ast.stmt) -> bool:
    """A module's `Name = A | B` or `Name = Kind[...]`, without a call."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.BinOp | ast.Subscript):
        return False
    parts = list(ast.walk(node.value))
    return not any(isinstance(part, ast.Call) for part in parts) and any(
        isinstance(part, ast.BitOr | ast.Subscript) for part in parts
    )
