"""Films as one file of HTML: they play without a server, and ask nobody for anything."""

import html
import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pages._ui.address import address
from pages._ui.assets import script, style
from pages._ui.player import PLAYER, PLAYER_CSS, Lane, PlayerHeader, header_of

POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
)
"""Whatever the page held, a browser would not fetch it."""
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
READ: Final = """
const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
"""
START: Final = """
for (const packed of PACKED) keepFrame(bytesOf(packed));
const answer = (name, value) => { state[name] = value; };
const state = {};
new Player(document.querySelector("main")).update(HEADER, answer);
"""


@dataclass(frozen=True)
class Playable:
    """A component, and the script that begins it: that one finds PACKED, as text, and HEADER."""

    css: str
    scripts: str
    begin: str


def write_player(title: str, lanes: Sequence[Lane], header: PlayerHeader) -> bytes:
    """All lanes with all their steps, in one page."""
    packed = (address(lane.run, frame) for lane in lanes for frame in lane.frames)
    told = header_of(lanes, header, "file")
    return write_page(title, Playable(style(*PLAYER_CSS), script(*PLAYER), START), packed, told)


def write_page(
    title: str, film: Playable, packed: Iterable[bytes], header: dict[str, Any]
) -> bytes:
    """One page with the component, the bytes and what is told of them in it."""
    texts = [b64encode(piece).decode() for piece in packed]
    told = f"const PACKED = {json.dumps(texts)};\nconst HEADER = {_quote(header)};"
    name = html.escape(title)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{name}</title>
<style>{STYLE}{film.css}</style>
</head>
<body>
<h1>{name}</h1>
<main></main>
<script type="module">
{film.scripts}
{told}
{READ}{film.begin}
</script>
</body>
</html>
""".encode()


def _quote(header: dict[str, Any]) -> str:
    """Names that somebody gave cannot close the script."""
    text = json.dumps(header, ensure_ascii=False)
    return text.replace("</", "<\\/").replace("<!--", "<\\!--")
