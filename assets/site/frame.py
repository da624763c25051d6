"""The frame of every page of the site: head, navigation and links to the app."""

from dataclasses import dataclass
from html import escape
from typing import Final

from ia_engine.version import __version__

NAVIGATION: Final = (
    ("index.html", "Overview"),
    ("gallery.html", "Gallery"),
    ("quiz.html", "Quiz"),
    ("papers.html", "Papers"),
)
TITLE: Final = "Invariant Attention Explorer"
START: Final = "index.html#app"
"""The part of the Overview that explains how to start the app."""


@dataclass(frozen=True)
class SiteFrame:
    """What all pages share."""

    app: str = ""
    """The address of the app; "" if it is unknown."""

    def write(self, name: str, title: str, body: str, *, kind: str = "") -> bytes:
        """Return a page with this file name; `kind` is the class of its main element."""
        links = "".join(
            f'<a href="{file}"{" aria-current=page" if file == name else ""}>{label}</a>'
            for file, label in NAVIGATION
        )
        heading = title if title == TITLE else f"{title} – {TITLE}"
        return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(heading)}</title>
<link rel="icon" href="files/icon.svg">
<link rel="stylesheet" href="files/site.css">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><a class="home" href="index.html">{TITLE}</a>
<nav aria-label="Site">{links}<a href="{escape(self.app or START)}">App</a></nav></header>
<main id="main" tabindex="-1" class="{kind}">
<noscript><p>The animations and the questions need JavaScript.</p></noscript>
{body}
</main>
<footer>{TITLE} {__version__}. These pages need no server and load nothing from other sites.
<a href="files/LICENSE.txt">MIT licence</a>.</footer>
<script src="files/site.js"></script>
<script>component.open();</script>
</body>
</html>
""".encode()

    def link(self, path: str, label: str) -> str:
        """Return a link to a path of the app, or how to get there if its address is unknown."""
        if self.app:
            return f'<a href="{escape(f"{self.app}/{path}")}">{label}</a>'
        return f'{label}: <a href="{START}">start the app</a> at <code>/{escape(path)}</code>'
