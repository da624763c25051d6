"""The table of all figures and tables of the papers, as in the README and on the page Papers."""

from collections.abc import Iterator
from html import escape

from assets.site.frame import SiteFrame
from ia_engine.runs.papers.report import list_verdicts, tabulate
from ia_engine.runs.papers.shipped import load_shipped_results
from pages._ui.lessons.html import inline, to_html

SKIPPED = ("ID", "computed")
"""Columns that matter only to people who compute the entries."""


def write_papers(frame: SiteFrame) -> bytes:
    """Return the page with the table and the definitions of the verdicts."""
    lines = tabulate(load_shipped_results()).splitlines()
    head = _split(lines[0])
    named = "".join(f'<th scope="col">{name}</th>' for name in head if name not in SKIPPED)
    rows = "\n".join(_row(head, _split(line)) for line in lines[2:])
    body = f"""<h1>The three papers</h1>
<p>Every figure and table of the three papers: the paper's value, ours, and a verdict.
{frame.link("papers", "Compute one of them again")}.</p>
<details><summary>What the verdicts mean</summary>{to_html(list_verdicts())}</details>
<div class="table"><table><thead><tr>{named}</tr></thead><tbody>
{rows}
</tbody></table></div>"""
    return frame.write("papers.html", "Papers", body)


def _split(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def _row(head: list[str], cells: list[str]) -> str:
    values = dict(zip(head, cells, strict=True))
    if values["entry"].startswith("**"):
        columns = len(head) - len(SKIPPED)
        return f'<tr><th scope="colgroup" colspan="{columns}">{inline(values["entry"])}</th></tr>'
    return f"<tr>{''.join(_cells(values))}</tr>"


def _cells(values: dict[str, str]) -> Iterator[str]:
    for name, value in values.items():
        if name in SKIPPED:
            continue
        html = "<br>".join(inline(part) for part in value.split("<br>"))
        if name == "entry":
            yield f'<th scope="row">{html}</th>'
        else:
            yield f'<td data-name="{escape(name)}">{html}</td>'
