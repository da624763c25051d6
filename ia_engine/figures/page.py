"""Pages as single HTML files, which work without a server and load no other files."""

import html
import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from ia_engine import files
from ia_engine.errors import EngineError

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


def read_bundle(name: str) -> str:
    """Return a script or style that `make bundles` has written from assets/components."""
    path = f"assets/bundles/{name}"
    try:
        return (files.ASSETS / "bundles" / name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise EngineError(
            f"{path} is missing or cannot be read: {files.how_to_restore(f'bundles/{name}')}, then "
            "reload the page"
        ) from error


def write_report(
    title: str,
    sentences: Iterable[str],
    pictures: Iterable[tuple[str, bytes]],
    table: Mapping[str, Sequence[Any]],
) -> bytes:
    """Return a page with sentences, with PNG pictures, each below its title, and a table, whose
    columns have names."""
    said = "\n".join(f"<p>{html.escape(sentence)}</p>" for sentence in sentences)
    drawn = "\n".join(
        f"<h2>{html.escape(name)}</h2>\n"
        f'<img alt="{html.escape(name)}" src="data:image/png;base64,{b64encode(png).decode()}">'
        for name, png in pictures
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{html.escape(title)}</title>
<style>{STYLE}
img {{ max-width: 100%; }}
.table {{ overflow-x: auto; }}
th, td {{ padding: 2px 12px 2px 0; text-align: left; }}</style>
</head>
<body>
<h1>{html.escape(title)}</h1>
{said}
{drawn}
{_write_table(table)}
</body>
</html>
""".encode()


def _write_table(table: Mapping[str, Sequence[Any]]) -> str:
    """Return the rows of a table, one per line. Numbers have four digits."""
    named = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in table)
    rows = (
        "".join(f"<td>{html.escape(_show(value))}</td>" for value in row)
        for row in zip(*table.values(), strict=True)
    )
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f'<div class="table"><table>\n<tr>{named}</tr>\n{body}\n</table></div>'


def _show(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
