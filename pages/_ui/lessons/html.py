"""Converts the texts of lessons to HTML: the Markdown that they use, and formulas as MathML.

The site and the handout use it; the app draws the same texts with Streamlit. A browser draws
MathML without any library.
"""

import re
import unicodedata
from collections.abc import Iterator
from html import escape
from typing import Final

from ia_engine.errors import EngineError

ICON: Final = re.compile(r":material/\w+:\s*")
INLINE: Final = (
    (re.compile(r"\*\*(.+?)\*\*", re.DOTALL), r"<strong>\1</strong>"),
    (re.compile(r"(?<![\w*])\*(?!\s)([^*]+?)\*(?!\w)"), r"<em>\1</em>"),
    (re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)"), r'<a href="\2">\1</a>'),
)
"""Applied to escaped text."""
LITERAL: Final = re.compile(r"(\$\$?[^$]+?\$\$?|`[^`]+`)")
"""Formulas and code, in which no character is Markdown."""
ITEM: Final = re.compile(r"^\s*(?:[-*]|\d+\.)\s+")


def to_html(text: str) -> str:
    """Return paragraphs and lists as HTML.

    >>> to_html("A **crab**, $d = 0$.")
    '<p>A <strong>crab</strong>, <math><mi>d</mi><mo>=</mo><mn>0</mn></math>.</p>'
    """
    blocks = re.split(r"\n\s*\n", ICON.sub("", text).strip())
    return "\n".join(_block(block) for block in blocks if block)


def inline(text: str) -> str:
    """Return a line of text as HTML, without a paragraph around it."""
    parts = LITERAL.split(ICON.sub("", text))
    literals = [_literal(part) for part in parts[1::2]]
    # Strong text may contain formulas, so they are put back at the end.
    line = escape("\0".join(parts[::2]), quote=False)
    for pattern, html in INLINE:
        line = pattern.sub(html, line)
    rest = iter(literals)
    return re.sub("\0", lambda _: next(rest), line).replace("  \n", "<br>")


def plain(text: str) -> str:
    """Return the text without markup, for titles and labels."""
    return re.sub(r"[*`$\\{}]", "", ICON.sub("", text))


def _block(block: str) -> str:
    lines = block.splitlines()
    if all(ITEM.match(line) for line in lines):
        tag = "ul" if lines[0].lstrip()[0] in "-*" else "ol"
        items = "".join(f"<li>{inline(ITEM.sub('', line))}</li>" for line in lines)
        return f"<{tag}>{items}</{tag}>"
    return f"<p>{inline(block)}</p>"


def _literal(part: str) -> str:
    if part.startswith("`"):
        return f"<code>{escape(part.strip('`'))}</code>"
    display = ' display="block"' if part.startswith("$$") else ""
    return f"<math{display}>{to_mathml(part.strip('$'))}</math>"


WORDS: Final = r"\\(?:text|mathrm|operatorname|mathbf|mathbb|mathcal)\{[^{}]*\}"
TOKEN: Final = re.compile(WORDS + r"|\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\s+|.", re.DOTALL)
GREEK: Final = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"),
    *("lambda", "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega"),
    *("Gamma", "Delta", "Theta", "Lambda", "Sigma", "Phi", "Psi", "Omega"),
)
OPERATORS: Final = {
    "cdot": "·", "times": "×", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠",
    "approx": "≈", "propto": "∝", "circ": "∘", "sum": "∑", "prod": "∏", "int": "∫", "in": "∈",
    "to": "→", "pm": "±", "star": "⋆", "ast": "∗", "mid": "∣", "ll": "≪", "gg": "≫", "sim": "∼",
    "lVert": "‖", "rVert": "‖", "|": "‖", "lvert": "|", "rvert": "|", "{": "{", "}": "}",
    "dots": "…", "ldots": "…", "cdots": "⋯", "nabla": "∇", "partial": "∂", "%": "%",
    "langle": "⟨", "rangle": "⟩", "mapsto": "↦", "subset": "⊂", "cup": "∪", "cap": "∩",
}  # fmt: skip
SPACES: Final = {",": "0.17em", ";": "0.28em", " ": "0.25em", "quad": "1em", "qquad": "2em"}
NAMES: Final = ("min", "max", "exp", "log", "sin", "cos", "det", "lim", "arg", "argmin", "argmax")
IGNORED: Final = ("left", "right", "big", "Big", "allowbreak", "!", "displaystyle")
ACCENTS: Final = {"bar": "¯", "hat": "^", "tilde": "~"}


def _find_greek(name: str) -> str:
    """Return the letter with this name; a capitalised name gives a capital letter."""
    size = "CAPITAL" if name[0].isupper() else "SMALL"
    return unicodedata.lookup(f"GREEK {size} LETTER {name.upper().replace('MB', 'M')}")


SYMBOLS: Final = {
    **{name: f"<mi>{_find_greek(name)}</mi>" for name in GREEK},
    "varepsilon": "<mi>ε</mi>",
    "ell": "<mi>ℓ</mi>",
    "infty": "<mi>∞</mi>",
    **{name: f"<mo>{sign}</mo>" for name, sign in OPERATORS.items()},
    **{name: f'<mspace width="{width}"/>' for name, width in SPACES.items()},
    **{name: f"<mi>{name}</mi>" for name in NAMES},
    **dict.fromkeys(IGNORED, ""),
}
"""The elements of commands without arguments."""


def to_mathml(latex: str) -> str:
    """Return the content of a math element for a formula in the subset of LaTeX of captions.

    >>> to_mathml(r"e^{-\\beta d^2}")
    '<msup><mi>e</mi><mrow><mo>−</mo><mi>β</mi><msup><mi>d</mi><mn>2</mn></msup></mrow></msup>'
    """
    reader = _Reader([token for token in TOKEN.findall(latex) if not token.isspace()], latex)
    return "".join(reader.read_row())


class _Reader:
    """Reads tokens one after another."""

    def __init__(self, tokens: list[str], latex: str) -> None:
        self.tokens, self.latex = tokens[::-1], latex

    def read_row(self) -> Iterator[str]:
        """Yield elements up to the end of the group."""
        while self.tokens and self.tokens[-1] != "}":
            yield self.read_with_scripts()

    def read_with_scripts(self) -> str:
        base, scripts = self.read_element(), dict[str, str]()
        while self.tokens and self.tokens[-1] in ("^", "_", "'"):
            sign = self.tokens.pop()
            scripts["^" if sign == "'" else sign] = (
                "<mo>′</mo>" if sign == "'" else self.read_element()
            )
        below, above = scripts.get("_"), scripts.get("^")
        if below and above:
            return f"<msubsup>{base}{below}{above}</msubsup>"
        if below:
            return f"<msub>{base}{below}</msub>"
        return f"<msup>{base}{above}</msup>" if above else base

    def read_element(self) -> str:
        token = self.tokens.pop() if self.tokens else self.fail("an argument")
        if token == "{":
            row = "".join(self.read_row())
            if not self.tokens:
                self.fail("a closing brace")
            self.tokens.pop()
            return f"<mrow>{row}</mrow>"
        if re.fullmatch(WORDS, token):
            return f'<mi mathvariant="normal">{escape(token[token.index("{") + 1 : -1])}</mi>'
        if token.startswith("\\"):
            return self.read_command(token[1:])
        if token[0].isdigit():
            return f"<mn>{token}</mn>"
        if token.isalpha() or token in "∞°%":
            return f"<mi>{token}</mi>"
        return f"<mo>{escape('−' if token == '-' else token)}</mo>"

    def read_command(self, name: str) -> str:
        if name in SYMBOLS:
            return SYMBOLS[name]
        if name in ACCENTS:
            return f"<mover>{self.read_element()}<mo>{ACCENTS[name]}</mo></mover>"
        if name == "sqrt":
            return f"<msqrt>{self.read_element()}</msqrt>"
        if name in ("frac", "tfrac"):
            return f"<mfrac>{self.read_element()}{self.read_element()}</mfrac>"
        return self.fail(f"a known command instead of \\{name}")

    def fail(self, expected: str) -> str:
        """Raise an error: the formula contains something that the site cannot draw."""
        raise EngineError(
            f"the formula {self.latex} needs {expected}: change it, or add the command to "
            "pages/_ui/lessons/html.py"
        )
