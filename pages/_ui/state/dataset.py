"""The data set that all pages show, and its title."""

import json
from typing import Final

import streamlit as st

from ia_engine.datasets.bases import BASES
from ia_engine.datasets.data import Data, count
from ia_engine.datasets.generated import BEST
from ia_engine.datasets.named import ANY
from ia_engine.datasets.published import places
from ia_engine.datasets.recipes import DATASETS, RECIPES, load_recipe, make
from ia_engine.errors import EngineError
from ia_engine.params import parameters
from ia_engine.runs.project.manifest import DataSet
from pages._ui.panels import explain
from pages._ui.state.fields import (
    InAddress,
    InSession,
    has_value,
    read_value,
    write_parameter,
)
from pages._ui.state.viewer import forget_upload, keep_upload, upload_of, viewer

CHOSEN: Final = "chosen data"
ADDRESS: Final = "data"
FIRST: Final = "experiment-1"
UPLOAD: Final = "upload"
"""The source of uploads, which only the browser that uploaded them can choose."""
BUNDLED: Final = ("experiment-2", "digits", "experiment-1", "blobs", UPLOAD)
"""Sources that do not read published files."""
MAX_NAMED: Final = 4
"""Maximum number of images listed in the title of a generated set."""
MADE: Final = 3
"""Number of sets in memory for all viewers; 60,000 images take hundreds of megabytes."""


class DatasetState:
    """The data set of all pages."""

    last: InSession[tuple[str, Data | None, tuple[str, ...]]] = InSession(CHOSEN, (FIRST, None, ()))
    """The last set that was available: its name, its data, and the files of published data."""
    name = InAddress(ADDRESS)
    """The name or the recipe that is requested."""


dataset_state = DatasetState()


def choose_data(recipe: str, data: Data | None = None, *, lent: bool = False) -> None:
    """Show the data of this recipe (a name or JSON) from now on; an upload needs its data.

    `lent` is true if the data belong to another user's run.
    """
    name = _name(recipe)
    if data is not None:
        keep_upload(viewer(), name, data, lent=lent)
    dataset_state.name = name


def choose_next(recipe: str, data: Data | None = None) -> None:
    """Let all pages show the data of this recipe (JSON) when they are opened next."""
    name = _name(recipe)
    if data is not None:
        keep_upload(viewer(), name, data)
    dataset_state.last = (name, None, ())
    dataset_state.name = None


def list_own() -> tuple[DataSet, ...]:
    """Return the viewer's last upload, and the data set that the pages show if it is not the
    first one of the catalogue."""
    upload, last = upload_of(viewer()), last_recipe()
    own = upload if upload is not None and not upload.lent else None
    sets = [] if own is None else [DataSet(own.name, own.data)]
    if last != FIRST and source_of(last) != UPLOAD:
        sets.append(DataSet(RECIPES[last].to_json() if last in RECIPES else last))
    return tuple(sets)


def forget_own() -> None:
    """Forget the viewer's upload, and the data set that the pages show."""
    forget_upload(viewer())
    del dataset_state.last
    dataset_state.name = None


def choose_first(recipe: str) -> None:
    """Choose this data set if the address requests none and none has been shown before."""
    if dataset_state.name is None and not has_value(CHOSEN):
        choose_data(recipe)


def requested_recipe() -> str:
    """Return the name or recipe in the address, or the one of the last data set."""
    requested = dataset_state.name
    return last_recipe() if requested is None else requested


def last_recipe() -> str:
    """Return the name or recipe of the last data that were available."""
    return dataset_state.last[0]


def load_data() -> Data:
    """Return the requested data; if they are not available, show why and return the last data."""
    name, data, files = dataset_state.last
    wanted = requested_recipe()
    here = _locate_files(wanted)
    try:
        found = data if data is not None and (wanted, here) == (name, files) else _find(wanted)
    except EngineError as error:
        explain(error)
        if data is None and _name(wanted) == FIRST:
            st.stop()  # no other data to show instead
        return data if data is not None else _make(FIRST, ())
    name = _name(wanted)
    dataset_state.last = (name, found, here)
    dataset_state.name = name
    return found


def select_data() -> None:
    """Draw a list of the catalogue's data sets, and a link to the Data page."""
    recipe = requested_recipe()
    upload = upload_of(viewer())
    names = [*dict.fromkeys([recipe, upload.name if upload else recipe, *RECIPES])]
    if recipe in RECIPES:
        names.sort(key=lambda name: name in RECIPES)
    titles = {name: title(name) for name in names}
    left, right = st.columns([5, 2], vertical_alignment="bottom")
    left.selectbox(
        "Data",
        names,
        names.index(recipe),
        format_func=titles.__getitem__,
        key=f"pick {recipe}",
        on_change=_choose_picked,
        args=(f"pick {recipe}",),
        help="A data set from the catalogue, or the data set that you made on the Data page",
    )
    with right.container(key="other-data"):
        st.page_link("pages/data.py", label="Other data", icon=":material/image:")


def short_title(data: Data) -> str:
    """Return a title of a word or two for lists of runs."""
    recipe = _name(data.recipe.to_json())
    source = source_of(recipe)
    if source == UPLOAD:
        return f"upload of {count(data):,}"
    if source == "generated":
        return _title_generated(recipe).removesuffix(", generated")
    return f"{source}{_describe_settings(source, data)}"


def _describe_settings(source: str, data: Data) -> str:
    """Return the settings that differ from the catalogue, except those that it leaves open."""
    config, usual = data.recipe.config, DATASETS[source].default
    changed = [
        f"{parameter.about.symbol} {getattr(config, parameter.name)}"
        for parameter in parameters(type(usual))
        if getattr(config, parameter.name) != getattr(usual, parameter.name)
        and getattr(usual, parameter.name) not in (ANY, BEST)
    ]
    return f" ({', '.join(changed)})" if changed else ""


def title(recipe: str) -> str:
    """Return a short title for a name or a recipe."""
    recipe = _name(recipe)
    if recipe in RECIPES:
        return f"{recipe}: {DATASETS[recipe].about}"
    source = source_of(recipe)
    if source == UPLOAD:
        return "Images of another user's run" if is_lent(recipe) else "Your upload"
    if source == "generated":
        return _title_generated(recipe)
    if source in DATASETS:
        return f"{source}: {DATASETS[source].about} (changed settings)"
    return "The data set in the address"


def is_lent(recipe: str) -> bool:
    """True if this recipe is of images of another user's run."""
    held = upload_of(viewer())
    return held is not None and held.name == recipe and held.lent


def source_of(recipe: str) -> str:
    """Return the source of a recipe: a name in the catalogue, "upload", or "" if it is illegal."""
    if recipe in RECIPES:
        return recipe
    try:
        value = json.loads(recipe)
    except (ValueError, RecursionError):
        return ""
    source = value.get("source") if isinstance(value, dict) else None
    return source if isinstance(source, str) else ""


def read_recipe(text: str) -> str:
    """Return the recipe in a string, in the form that addresses have."""
    return _name(load_recipe(text).to_json())


def _choose_picked(key: str) -> None:
    recipe = read_value(key, "")
    if key != f"pick {recipe}":  # otherwise the list reports its first entry when it is drawn again
        choose_data(recipe)
        write_parameter("job", None)  # otherwise a link to a run would choose the run's data again


def _title_generated(recipe: str) -> str:
    try:
        config = json.loads(load_recipe(recipe).config.to_json())
    except EngineError:
        return "generated"
    names = [BASES[base].title.lower() if base in BASES else base for base in config["bases"]]
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return f"{', '.join(names[:MAX_NAMED])}{more} × {config['copies']}, generated"


def _find(name: str) -> Data:
    upload = upload_of(viewer())
    if upload and name == upload.name:
        return upload.data
    if source_of(name) == UPLOAD:
        raise EngineError(
            "The address refers to an upload that is not available. An upload can be opened "
            "only in the browser that uploaded it, for a limited time, and only if it is the "
            "most recent one. Upload the same files on the Data page, or choose a different "
            "data set"
        )
    return _make(name, _locate_files(name))


def _locate_files(recipe: str) -> tuple[str, ...]:
    """Return the paths of the published files, if the data of this recipe can depend on them."""
    reads_none = recipe in BUNDLED or source_of(recipe) in BUNDLED[2:]
    generated = source_of(recipe) == "generated" and "mnist" not in recipe
    return () if reads_none or generated else places()


@st.cache_resource(max_entries=MADE, show_spinner="Making the images")
def _make(recipe: str, here: tuple[str, ...]) -> Data:
    """Return the data of a recipe, made again when published files are added or removed."""
    return make(RECIPES[recipe] if recipe in RECIPES else load_recipe(recipe))


def _name(recipe: str) -> str:
    """Return the short name of a recipe in the catalogue, or the recipe itself."""
    named = [name for name, known in RECIPES.items() if recipe == known.to_json()]
    return named[0] if named else recipe
