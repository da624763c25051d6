"""Finds the sites of a JavaScript file with regular expressions.

Comments, strings, template literals and regular expressions are blanked out first, because they
contain no sites.
"""

import re
from collections.abc import Iterator
from typing import Final

from tests.defects.sites import Site

TOKENS: Final = re.compile(
    r"""
      //[^\n]*
    | /\*.*?\*/
    | "(?:\\.|[^"\\\n])*"
    | '(?:\\.|[^'\\\n])*'
    | (?<=[(,=:\[!&|?{};])\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*
    """,
    re.VERBOSE | re.DOTALL,
)
REPLACEMENTS: Final = (
    ("comparison", r"===", "!=="),
    ("comparison", r"!==", "==="),
    ("comparison", r"(?<= )<(?= )", "<="),
    ("comparison", r"(?<= )<=(?= )", "<"),
    ("comparison", r"(?<= )>(?= )", ">="),
    ("comparison", r"(?<= )>=(?= )", ">"),
    ("and/or", r"&&(?!=)", "||"),
    ("and/or", r"\|\|(?!=)", "&&"),
    ("arithmetic", r"(?<= )\+(?= )", "-"),
    ("arithmetic", r"(?<= )-(?= )", "+"),
    ("arithmetic", r"(?<= )\*(?= )", "/"),
    ("arithmetic", r"(?<= )/(?= )", "*"),
    ("arithmetic", r"(?<= )%(?= )", "*"),
    ("flipped constant", r"(?<![\w.$])true(?![\w$:])", "false"),
    ("flipped constant", r"(?<![\w.$])false(?![\w$:])", "true"),
    ("opposite function", r"(?<=Math\.)min\b", "max"),
    ("opposite function", r"(?<=Math\.)max\b", "min"),
    ("opposite function", r"(?<=Math\.)floor\b", "ceil"),
    ("opposite function", r"(?<=Math\.)ceil\b", "floor"),
    ("opposite function", r"(?<=Math\.)sin\b", "cos"),
    ("opposite function", r"(?<=Math\.)cos\b", "sin"),
    ("dropped not", r"!(?=[\w($])", ""),
    ("removed result", r"(?<=\breturn) [^;\n]+(?=;)", ""),
    (
        "removed statement",
        r"(?<=[;{})]\n)(?P<indent>[ ]*)(?:this|[a-z]\w*)[\w.?\[\]]*\([^\n]*\);$",
        ";",
    ),
    (
        "removed statement",
        r"(?<=[;{})]\n)(?P<indent>[ ]*)[\w.]*\.[\w.\[\]]+ [-+*/]?= [^\n]*;$",
        ";",
    ),
)
KEYWORDS: Final = {"if", "for", "while", "switch", "catch", "function", "return", "of", "in"}
SYMMETRIC: Final = {"min", "max"}


def find_javascript_sites(source: bytes) -> list[Site]:
    """All sites, in the order in which they occur in the file.

    Examples
    --------
    >>> [site.text for site in find_javascript_sites(b"const x = a === 2; // a === 2")]
    ['!==', '3']
    """
    text = source.decode()
    code = blank(text)
    found = [*_replaced(code), *_numbers(code), *_conditions(code, text), *_swapped(code, text)]
    sites = [
        Site(site.operator, _bytes(text, site.start), _bytes(text, site.end), site.text)
        for site in found
    ]
    return sorted(sites, key=lambda site: (site.start, -site.end))


def blank(text: str) -> str:
    """The text with "_" in place of every character that is not code; line ends are kept."""
    out, at = [], 0
    while at < len(text):
        token = TOKENS.match(text, at)
        end = at + 1
        if token:
            end = token.end()
        elif text[at] == "`":
            end = _end_of_template(text, at)
        piece = text[at:end]
        out.append(re.sub(r"[^\n]", "_", piece) if len(piece) > 1 else piece)
        at = end
    return "".join(out)


def _end_of_template(text: str, at: int) -> int:
    """The index after the closing backtick of the literal that begins at `at`."""
    at += 1
    while text[at] != "`":
        if text.startswith("${", at):
            depth, at = 1, at + 2
            while depth:
                if text[at] == "`":
                    at = _end_of_template(text, at)
                    continue
                depth += {"{": 1, "}": -1}.get(text[at], 0)
                at += 1
            continue
        at += 2 if text[at] == "\\" else 1
    return at + 1


def _replaced(code: str) -> Iterator[Site]:
    for operator, pattern, text in REPLACEMENTS:
        for match in re.finditer(pattern, code, re.MULTILINE):
            indent = match.groupdict().get("indent") or ""
            yield Site(operator, match.start(), match.end(), indent + text)


def _numbers(code: str) -> Iterator[Site]:
    for match in re.finditer(r"(?<![\w.$])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.])", code):
        number = match[0]
        if number.isdigit():
            yield Site("off by one", *match.span(), str(int(number) + 1))
        else:
            yield Site("changed constant", *match.span(), str(2 * float(number)))


def _conditions(code: str, text: str) -> Iterator[Site]:
    for match in re.finditer(r"\bif \(", code):
        end = _closing(code, match.end() - 1)
        condition = text[match.end() : end]
        yield Site("negated condition", match.end(), end, f"!({condition})")


def _swapped(code: str, text: str) -> Iterator[Site]:
    """Swap the first two arguments of each call; the head of a function is not a call."""
    for match in re.finditer(r"([\w$]+)\(", code):
        end = _closing(code, match.end() - 1)
        after = code[end + 1 :].lstrip()
        if match[1] in KEYWORDS | SYMMETRIC or after.startswith(("{", "=>")):
            continue
        if re.search(r"\bfunction $", code[: match.start()]):
            continue
        cuts = _commas(code, match.end(), end)
        if not cuts:
            continue
        stop = cuts[1] if len(cuts) > 1 else end
        one, two = text[match.end() : cuts[0]].strip(), text[cuts[0] + 1 : stop].strip()
        if one and two and one != two and "..." not in (one[:3], two[:3]):
            yield Site("swapped arguments", match.end(), stop, f"{two}, {one}")


def _commas(code: str, start: int, end: int) -> list[int]:
    """The positions of the commas between `start` and `end` that are not inside brackets."""
    found, depth = [], 0
    for at in range(start, end):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(code[at], 0)
        if code[at] == "," and not depth:
            found.append(at)
    return found


def _closing(code: str, at: int) -> int:
    """The position of the parenthesis that closes the one at `at`."""
    depth = 0
    for place in range(at, len(code)):
        depth += {"(": 1, ")": -1}.get(code[place], 0)
        if not depth:
            return place
    raise ValueError(f"no closing parenthesis after {code[at : at + 40]!r}")


def _bytes(text: str, at: int) -> int:
    return len(text[:at].encode())
