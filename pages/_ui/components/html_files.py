"""Animations as single HTML files, which play without a server and load no other files."""

import html
import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, Final

from ia_engine.figures.frames import encode_film
from ia_engine.runs.kinds.clusterings import Film
from pages._ui.components.player import PlayedRun, PlayerHeader, encode_step, header_of
from pages._ui.panels import read_bundle

POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
)
"""The browser loads nothing, whatever the page contains."""
STYLE: Final = """
:root { color-scheme: light dark; --st-font: system-ui, sans-serif; }
:root { --st-background-color: #fff; --st-text-color: #1b1f24; --st-border-color: #ccd0d6;
  --st-secondary-background-color: #f0f2f6; --st-primary-color: #0b5fa5; }
@media (prefers-color-scheme: dark) {
  :root { --st-background-color: #14171c; --st-text-color: #eceff3; --st-border-color: #3b424c;
    --st-secondary-background-color: #20252d; --st-primary-color: #6cb4f0; }
}
body { margin: 0 auto; padding: 24px; max-width: 1200px; box-sizing: border-box;
  background: var(--st-background-color); color: var(--st-text-color);
  font-family: var(--st-font); }
h1 { font-size: 22px; }
"""


def write_player(title: str, runs: Sequence[PlayedRun], header: PlayerHeader) -> bytes:
    """Return one HTML page with all steps of all runs."""
    packed = (encode_step(run.run, frame) for run in runs for frame in run.frames)
    return write_page(title, "player", packed, header_of(runs, header, "file"))


def write_page(
    title: str, component: str, packed: Iterable[bytes], header: dict[str, Any]
) -> bytes:
    """Return a page with a component, its bytes and its header, which its `open` receives."""
    texts = [b64encode(piece).decode() for piece in packed]
    name = html.escape(title)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{name}</title>
<style>{STYLE}{read_bundle(f"{component}.css")}</style>
</head>
<body>
<h1>{name}</h1>
<main></main>
<script type="module">
{read_bundle(f"{component}_file.js")}
component.open({json.dumps(texts)}, {_quote(header)});
</script>
</body>
</html>
""".encode()


def _quote(header: dict[str, Any]) -> str:
    """Return the value as JSON that cannot close the script, whatever names a user has chosen."""
    text = json.dumps(header, ensure_ascii=False)
    return text.replace("</", "<\\/").replace("<!--", "<\\!--")


RUN: Final = "file"


def write_film(film: Film, title: str) -> bytes:
    """Return the animation as one HTML page."""
    header = {
        **asdict(film.numbers),
        "key": RUN,
        "run": RUN,
        "running": False,
        "autoplay": True,
        "chosen": 0,
    }
    return write_page(title, "prototypes", encode_film(RUN, film.pictures), header)
