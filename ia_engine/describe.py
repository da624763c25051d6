"""The methods paragraph of a run: two sentences, a table of settings, and what to cite.

It contains only facts that the run stores. Settings that an earlier version did not store are
omitted.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from datetime import datetime
from typing import Any, Final

from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.recipes import DATASETS
from ia_engine.datasets.uploads import UploadConfig
from ia_engine.errors import EngineError
from ia_engine.params import Config, parameters
from ia_engine.runs.catalogue import RUN_KINDS, count_done
from ia_engine.runs.folder import PACKAGE, Record, SavedRun, reports_damage
from ia_engine.runs.kinds.attention import ATTENTION, state_clusters
from ia_engine.runs.kinds.kind import OWN, UPLOAD
from ia_engine.runs.paragraphs import (
    Citation,
    Statement,
    StoredConfig,
    count_images,
    format_setting,
    list_words,
)

TITLE: Final = "Invariant Attention Explorer"
AUTHOR: Final = "Invariant Attention Explorer contributors"
HEAD: Final = ("setting", "value", "default, if different")


@dataclass(frozen=True)
class Setting:
    """A row of the table. `default` is "" if the value is the default, or if there is none."""

    name: str
    value: str
    default: str = ""


@dataclass(frozen=True)
class Description:
    """What a run did, as text."""

    sentences: tuple[str, str]
    """The method; and the data, seed, versions, device and date."""
    settings: tuple[Setting, ...]
    citations: tuple[Citation, ...]

    def to_text(self) -> str:
        """Return plain text with aligned columns."""
        rows = [HEAD, *((row.name, row.value, row.default) for row in self.settings)]
        widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
        lines = (
            f"{name:{widths[0]}}  {value:{widths[1]}}  {default}".rstrip()
            for name, value, default in rows
        )
        cited = (f"- {citation.to_text()}" for citation in self.citations)
        return "\n".join([" ".join(self.sentences), "", *lines, "", "Cite:", *cited, ""])

    def to_markdown(self) -> str:
        """Return Markdown with a table. Text of users is escaped."""
        table = (
            "| " + " | ".join(map(_escape, (row.name, row.value, row.default))) + " |"
            for row in self.settings
        )
        head = ["| " + " | ".join(HEAD) + " |", "|---|---|---|"]
        cited = (f"- {_escape(citation.to_text())}" for citation in self.citations)
        text = _escape(" ".join(self.sentences))
        return "\n".join([text, "", *head, *table, "", "Cite:", "", *cited, ""])

    def to_bibtex(self) -> str:
        """Return a BibTeX entry for each citation."""
        return "\n".join(citation.to_bibtex() for citation in self.citations)


@reports_damage
def describe_saved(kept: SavedRun) -> Description:
    """Describe a saved run, including how much of it is finished.

    >>> describe_saved(Library().open("20261120")).to_markdown()  # doctest: +SKIP
    """
    done, unit = count_done(kept)
    progress = f"{done:,} {unit}{'' if done == 1 else 's'}, {kept.state}"
    unfinished = "" if kept.state == "done" else f"; the run is incomplete ({progress})"
    stated = _find_statement(kept.kind)(kept.record)
    if kept.kind == ATTENTION.id:
        given = kept.given()  # the record of these runs has no K
        stated = state_clusters(stated, int(given["k"]) if "k" in given else None)
    found = describe_statement(stated, kept.record, unfinished)
    return Description(
        found.sentences, (*found.settings, Setting("computed", progress)), found.citations
    )


def describe_result(kind: str, plan: object, data: ImageSet | None) -> Description:
    """Describe a result that is not saved, from its plan and its data (None if the run generates
    its own).

    >>> describe_result("mean", plan_mean(MeanConfig(), data)[0], data)  # doctest: +SKIP
    """
    state = _find_statement(kind)
    record, _ = RUN_KINDS[kind].begin_record("", plan, data)
    stated = state(record)
    if data is not None and not stated.on:
        stated = replace(stated, on=count_images(len(data.images), len(data.images)))
    return describe_statement(stated, record)


def describe_record(kind: str, record: Record) -> Description:
    """Describe a run of the given kind, using only its record."""
    return describe_statement(_find_statement(kind)(record), record)


def describe_statement(stated: Statement, record: Record, note: str = "") -> Description:
    """Write the sentences and the table; `note` ends the second sentence."""
    recipe = json.loads(record.recipe)
    where = _name_data(recipe)
    data = where if not stated.on else f"{stated.on} of {where}"
    digest = f" (digest {record.digest})" if record.digest else ""
    second = (
        f"It was computed from {data}{digest} with seed {record.seed} on the device "
        f"{record.device} by {_list_versions(record.versions)} on "
        f"{_format_date(record.created)}{note}."
    )
    settings = (
        *_list_configs(stated.configs),
        *(Setting(name, value) for name, value in stated.facts.items()),
        *_list_data(recipe, record),
        Setting("seed", str(record.seed)),
        Setting("device", record.device),
        *(Setting(f"version of {name}", value) for name, value in record.versions.items()),
        Setting("started", record.created),
    )
    return Description(
        (f"{stated.done}.", second), settings, (*stated.papers, _cite_software(record))
    )


def _find_statement(kind: str) -> Callable[[Record], Statement]:
    """Return the function that reads the records of a kind."""
    state = RUN_KINDS[kind].statement if kind in RUN_KINDS else None
    if state is None:
        known = ", ".join(kind.id for kind in RUN_KINDS.values() if kind.statement)
        raise EngineError(
            f"only runs of these kinds can be described: {known}; got {kind}: update the app"
        )
    return state


def _name_data(recipe: Mapping[str, Any]) -> str:
    source = recipe.get("source", "")
    if not recipe:
        return "data that the run generated"
    if source == UPLOAD:
        return "uploaded images"
    return "a file" if source == "file" else f"the data set {source}"


def _list_versions(versions: Mapping[str, str]) -> str:
    rest = [f"{name} {version}" for name, version in versions.items() if name != PACKAGE]
    own = f"{TITLE} {versions.get(PACKAGE, '(version not stored)')}"
    return f"{own} with {list_words(rest)}" if rest else own


def _format_date(created: str) -> str:
    return datetime.fromisoformat(created).date().isoformat()


def _list_configs(configs: Sequence[StoredConfig[Config]]) -> Iterator[Setting]:
    for stored in configs:
        prefix = f"{stored.title}: " if stored.title else ""
        yield from _list_settings(stored.config, stored.names, prefix)


def _list_settings(config: Config, names: frozenset[str], prefix: str) -> Iterator[Setting]:
    """Yield the stored settings of a config in the order of its fields, with their symbols."""
    about = {parameter.name: parameter.about for parameter in parameters(type(config))}
    for part in fields(config):
        if part.name in names:
            value = format_setting(getattr(config, part.name))
            default = "" if part.default is MISSING else format_setting(part.default)
            symbol = about[part.name].symbol if part.name in about else ""
            unit = getattr(about.get(part.name), "unit", "")
            name = part.name if symbol in ("", part.name) else f"{part.name} ({symbol})"
            yield Setting(
                f"{prefix}{name}",
                f"{value} {unit}".strip(),
                "" if default == value else f"{default} {unit}".strip(),
            )


def _list_data(recipe: Mapping[str, Any], record: Record) -> Iterator[Setting]:
    """Yield the name, the settings and the digest of the data."""
    if record.recipe == OWN:
        return
    source, config = recipe.get("source", ""), recipe.get("config", {})
    yield Setting("data", _name_data(recipe))
    defaults = _find_defaults(source)
    for name, value in config.items():
        default = format_setting(defaults[name]) if name in defaults else ""
        shown = format_setting(value)
        yield Setting(f"data: {name}", shown, "" if shown == default else default)
    yield Setting("data: digest", record.digest)


def _find_defaults(source: str) -> Mapping[str, Any]:
    """Return the default settings of a source of data; none if it is unknown."""
    configs: dict[str, Config] = {name: entry.default for name, entry in DATASETS.items()}
    default = (configs | {UPLOAD: UploadConfig()}).get(source)
    found: dict[str, Any] = json.loads(default.to_json()) if default else {}
    return found


def _cite_software(record: Record) -> Citation:
    entry = {"author": f"{{{AUTHOR}}}", "title": TITLE}
    own = record.versions.get(PACKAGE)
    return Citation(PACKAGE, "software", entry | ({"version": own} if own else {}))


def _escape(text: str) -> str:
    """Escape characters with a meaning in Markdown, and line breaks."""
    return re.sub(r"([\\`*_{}\[\]<>#|~$])", r"\\\1", " ".join(text.split()))
