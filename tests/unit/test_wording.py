"""Text on the screen, in help and in errors uses plain English and consistent spelling."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted(
    path.relative_to(ROOT)
    for part in ("ia_engine", "pages")
    for path in (ROOT / part).rglob("*.py")
)
OTHER_WAYS = {
    r"\bcame\b(?! out| from| without)": "got …, was uploaded, belongs to …",
    r"\bwhoever\b|\banybody\b|\bsomebody\b": "anyone who, another user",
    r"\bso (many|often|long)\b(?! (as|that))": "number of …, maximum …",
    r"\b(as|not|unless|un) ?told\b": "fixed, not set, by default",
    r"lie on one another|lies on one another": "aligned, overlap",
    r"[Hh]ow this misleads": "How this can mislead",
    r"by the clock": "took 5 s",
    r"(made|computed) beforehand": "precomputed",
    r"[Dd]oes not count 𝕋|\bDoes not count\b": "Ignore 𝕋",
    r"\blets? go of\b": "deselects, removes",
    r"\d%(?!;)": "5 %",
    r"\bgrays?\b(?=\s)": "grey",
}


@cache
def texts():
    """Strings that users can see, with their files; docstrings, scripts and styles are excluded."""
    return [(path, text) for path in FILES for text in texts_of(path)]


def texts_of(path):
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) and id(node) not in said else None
        if isinstance(text, str) and " " in text.strip() and "{ " not in text and "</" not in text:
            yield text


@pytest.mark.parametrize("pattern", OTHER_WAYS)
def test_no_text_contains_words_that_readers_stumbled_over(pattern):
    found = [f"{path}: {text[:80]!r}" for path, text in texts() if re.search(pattern, text)]
    assert not found, f"write {OTHER_WAYS[pattern]} instead"


def test_percentages_are_formatted_with_a_space_before_the_sign():
    formats = [path for path in FILES if re.search(r":\.\d%}", (ROOT / path).read_text("utf-8"))]
    assert not formats, "write f'{100 * share:.0f} %'"
