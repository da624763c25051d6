"""The data set that a viewer looks at: carried from page to page, and in the address."""

import json
import re
import secrets
import threading
from collections import OrderedDict
from typing import Final, NamedTuple

import streamlit as st

from ia_engine.datasets.bases import BASES
from ia_engine.datasets.data import Data, PointSet, count
from ia_engine.datasets.generated import BEST
from ia_engine.datasets.named import ANY
from ia_engine.datasets.published import places
from ia_engine.datasets.recipes import DATASETS, RECIPES, load_recipe, make
from ia_engine.errors import EngineError
from ia_engine.params import parameters
from pages._ui.panels import explain

COOKIE: Final = "ia_viewer"
FORM: Final = re.compile(r"[A-Za-z0-9_-]{22}")

_REMEMBER: Final = st.components.v2.component(
    "remember_viewer",
    js="""
    export default function ({ data }) {
      const year = 365 * 24 * 60 * 60
      const secure = location.protocol === "https:" ? "; Secure" : ""
      document.cookie =
        `${data.name}=${data.id}; Path=/; Max-Age=${year}; SameSite=Strict${secure}`
    }
    """,
)


def viewer() -> str:
    """The viewer's id: of the cookie, or a new one that lasts as long as the tab does."""
    if COOKIE not in st.session_state:
        st.session_state[COOKIE] = _remembered() or secrets.token_urlsafe(16)
    return str(st.session_state[COOKIE])


def remember() -> None:
    """Give the browser its cookie unless it has one: once on every page, in a quiet place."""
    if _remembered() is None:
        _REMEMBER(data={"name": COOKIE, "id": viewer()}, key="remember_viewer", height=1)


def _remembered() -> str | None:
    cookie = st.context.cookies.get(COOKIE)
    return cookie if isinstance(cookie, str) and FORM.fullmatch(cookie) else None


MOST: Final = 1 << 30
"""Bytes of all uploads; the oldest are let go first, and the last one never."""


class Upload(NamedTuple):
    """A recipe and its data."""

    name: str
    data: Data
    lent: bool = False
    """Whether they came with a run of somebody else."""


class Uploads:
    """What viewers brought, by viewer, oldest first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[str, Upload] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, owner: str, upload: Upload) -> None:
        """In the place of the owner's last one."""
        with self._lock:
            self._held.pop(owner, None)
            self._held[owner] = upload
            while len(self._held) > 1 and sum(map(_bytes, self._held.values())) > self._most:
                self._held.popitem(last=False)

    def of(self, owner: str) -> Upload | None:
        """The owner's last one, as long as it is here."""
        return self._held.get(owner)


def keep_upload(owner: str, name: str, data: Data, *, lent: bool = False) -> None:
    """Remember the data that somebody brought under their recipe; their own stay their own."""
    held = upload_of(owner)
    own = held is not None and held.name == name and not held.lent
    _uploads().keep(owner, Upload(name, data, lent=lent and not own))


def upload_of(owner: str) -> Upload | None:
    """The recipe and the data that this viewer brought last."""
    return _uploads().of(owner)


@st.cache_resource(show_spinner=False)
def _uploads() -> Uploads:
    return Uploads(MOST)


def _bytes(upload: Upload) -> int:
    data = upload.data
    return (data.points if isinstance(data, PointSet) else data.images).nbytes


CHOSEN: Final = "chosen data"
ADDRESS: Final = "data"
FIRST: Final = "experiment-1"
UPLOAD: Final = "upload"
"""The source of what a viewer brought; only the browser that brought such data can choose them."""
BUNDLED: Final = ("experiment-1", "experiment-2", "blobs", "digits", UPLOAD)
"""Sources that read no published files."""
NAMED: Final = 4
"""So many images that a set is generated from are named in its title."""
MADE: Final = 3
"""So many sets are kept for all viewers: one of 60,000 images takes hundreds of megabytes."""


def choose(recipe: str, data: Data | None = None, *, lent: bool = False) -> None:
    """Look at the data of this recipe (a name or JSON) from now on; uploads bring their data.

    They are lent where a run of somebody else brings them.
    """
    name = _name(recipe)
    if data is not None:
        keep_upload(viewer(), name, data, lent=lent)
    st.query_params[ADDRESS] = name


def asked() -> str:
    """The name or recipe that is wanted: by the address, or else what was chosen last."""
    return st.query_params.get(ADDRESS, shown_name())


def shown_name() -> str:
    """The name or recipe of the data that could be had last."""
    return str(_last()[0])


def chosen() -> Data:
    """The data that are wanted; if they cannot be had, why, and what was shown before."""
    name, data, seen = _last()
    wanted = asked()
    here = _locate_files(wanted)
    try:
        found = data if data is not None and (wanted, here) == (name, seen) else _find(wanted)
    except EngineError as error:
        explain(error)
        if data is None and _name(wanted) == FIRST:
            st.stop()  # there is nothing to show instead
        return data if data is not None else _make(FIRST, ())
    name = _name(wanted)
    st.session_state[CHOSEN] = (name, found, here)
    st.query_params[ADDRESS] = name
    return found


def pick() -> None:
    """A list of the catalogue's data sets, and the way to the page that makes others."""
    recipe = asked()
    brought = (upload_of(viewer()) or (recipe, None))[0]
    names = [*dict.fromkeys([recipe, brought, *RECIPES])]
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
        on_change=_picked,
        args=(f"pick {recipe}",),
        help="A set of the catalogue, or the one made on the Data page",
    )
    way = right.container(key="other-data")
    way.page_link("pages/data.py", label="Other data", icon=":material/image:")


def brief(data: Data) -> str:
    """A data set in a word or two: the lists of runs have no room for more."""
    recipe = _name(data.recipe.to_json())
    source = source_of(recipe)
    if source == UPLOAD:
        return f"upload of {count(data):,}"
    if source == "generated":
        return _title_generated(recipe).removesuffix(", generated")
    return f"{source}{_tell_settings(source, data)}"


def _tell_settings(source: str, data: Data) -> str:
    """What is set otherwise than in the catalogue, but for what was found where all would do."""
    config, usual = data.recipe.config, DATASETS[source].default
    own = [
        f"{parameter.about.symbol} {getattr(config, parameter.name)}"
        for parameter in parameters(type(usual))
        if getattr(config, parameter.name) != getattr(usual, parameter.name)
        and getattr(usual, parameter.name) not in (ANY, BEST)
    ]
    return f" ({', '.join(own)})" if own else ""


def title(recipe: str) -> str:
    """What a name or a recipe stands for, in a few words."""
    recipe = _name(recipe)
    if recipe in RECIPES:
        return f"{recipe}: {DATASETS[recipe].about}"
    source = source_of(recipe)
    if source == UPLOAD:
        return "Images of another user's run" if is_lent(recipe) else "Your upload"
    if source == "generated":
        return _title_generated(recipe)
    if source in DATASETS:
        return f"{source}: {DATASETS[source].about} (with settings of its own)"
    return "What the address asks for"


def is_lent(recipe: str) -> bool:
    """Whether these are images that came with a run of somebody else."""
    held = upload_of(viewer())
    return held is not None and held.name == recipe and held.lent


def source_of(recipe: str) -> str:
    """The catalogue's name of what makes a recipe, or "upload"; nothing for what is no recipe."""
    if recipe in RECIPES:
        return recipe
    try:
        value = json.loads(recipe)
    except (ValueError, RecursionError):
        return ""
    source = value.get("source") if isinstance(value, dict) else None
    return source if isinstance(source, str) else ""


def read_recipe(text: str) -> str:
    """The recipe in a text, letter for letter as an address holds it."""
    return _name(load_recipe(text).to_json())


def _last() -> tuple[str, Data | None, tuple[str, ...]]:
    """The data that could be had last: their name, they themselves, and which files were here."""
    last: tuple[str, Data | None, tuple[str, ...]]
    last = st.session_state.get(CHOSEN, (FIRST, None, ()))
    return last


def _picked(key: str) -> None:
    recipe = st.session_state[key]
    if key != f"pick {recipe}":  # a list that comes back on the page reports its own first entry
        choose(recipe)
        st.query_params.pop("job", None)  # a link to a run would bring its data back


def _title_generated(recipe: str) -> str:
    try:
        config = json.loads(load_recipe(recipe).config.to_json())
    except EngineError:
        return "generated"
    names = [BASES[base].title.lower() if base in BASES else base for base in config["bases"]]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more} × {config['copies']}, generated"


def _find(name: str) -> Data:
    brought = upload_of(viewer())
    if brought and name == brought[0]:
        return brought[1]
    if source_of(name) == UPLOAD:
        raise EngineError(
            "The address names an upload that is not here: uploads stay with the browser that made "
            "them, the last one for a while. Drop the same files on the Data page, or choose other "
            "data"
        )
    return _make(name, _locate_files(name))


def _locate_files(recipe: str) -> tuple[str, ...]:
    """Where the published files are, if the data of this recipe can depend on them."""
    source = source_of(recipe)
    bundled = source in BUNDLED or (source == "generated" and "mnist" not in recipe)
    return () if bundled else places()


@st.cache_resource(max_entries=MADE, show_spinner="Making the images")
def _make(recipe: str, here: tuple[str, ...]) -> Data:
    """The data of a recipe; where published files have come or gone, it is made again."""
    return make(RECIPES[recipe] if recipe in RECIPES else load_recipe(recipe))


def _name(recipe: str) -> str:
    """The short name, where the recipe is one of the catalogue's."""
    named = [name for name, known in RECIPES.items() if recipe == known.to_json()]
    return named[0] if named else recipe
