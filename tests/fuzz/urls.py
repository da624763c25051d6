"""Opens every page with mutated URL parameters; none may raise an exception."""

import random
from collections.abc import Iterator

from streamlit.runtime.context import ContextProxy

from tests.app.driving import ROOT, open_page

PAGES = sorted(page.stem for page in ROOT.glob("pages/*.py") if page.stem != "__init__")
NAMES = {
    "data": ("way", "source", "copies", "group", "seed", "noise", "layout"),
    "iterations": (
        *("beta", "kernel_beta", "sigma", "steps", "group", "solver", "kernel", "bandwidth"),
        *("images", "view", "schedule", "rate", "updates", "quantile", "constant", "neighbours"),
        *("pairs", "nearest", "points_kernel_beta"),
    ),
    "mean": ("class", "rows", "steps", "start", "group", "sigma", "solver", "rate", "updates"),
    "manifolds": ("sigma", "schedule", "updates"),
    "clustering": (
        *("k", "budget", "batch", "modules", "colour_modules", "model", "rate", "view", "start"),
        *("encoder", "predictors", "epsilon", "rho", "seed"),
    ),
    "equivariance": (
        *("network", "picture", "mirror", "view", "side", "way", "race_iterations", "race_digits"),
        *("race_seed", "conv_layer", "conv_output", "conv_source", "layer"),
    ),
    "compare": (
        *("methods", "budget", "k", "seed", "images", "order", "measure", "sweep", "strengths"),
        *("repeats", "angle", "copies", "base"),
    ),
    "papers": ("entry", "effort", "view"),
    "overview": (),
    "quiz": ("seed",),
    "runs": (),
}
EVERYWHERE = (
    *("data", "job", "step", "selection", "i", "j", "cluster", "turn", "marked", "entry"),
    *("lesson", "projector", "embed", "unknown"),
)
LEGAL = {
    "view": ("Distances", "Train", "Answers", "Stride and parity", "Inside a convolution", "Plane"),
    "data": ("experiment-1", "blobs", "experiment-2"),
    "way": ("Generate", "Upload", "stride 1"),
}
"""Legal values that open another part of a page, so that the parameters of that part are read."""
VALUES = (
    *(
        "",
        " ",
        "0",
        "-1",
        "1",
        "2",
        "2.5",
        "3",
        "-0.0",
        "1e-46",
        "1e-320",
        "1e46",
        "1e309",
        "1e999",
    ),
    *("nan", "inf", "-inf", "None", "null", "true", "false", "[]", "{}", "٣", "½", "0x10"),
    *(
        "99999999999999999999999",
        "rotation",
        "se2",
        "random",
        "scribbled 3",
        "hasty 3",
        "draw",
        "upload",
        "9",
    ),
    *("<b>bold</b>", "![](http://192.0.2.1/x.png)", "$x$", ":material/home:", "\u202eabc", "\x00"),
    *("a,b", "../../etc/passwd", "%", "&", "=", "'", '"', "x" * 10_000, "\ud7ff", "é", "🦀"),
    *('{"source": "generated", "config": {"copies": -1}}', '{"source": 5}', "nowhere.0", "0.1.2"),
)


def draw_urls(count: int, seed: int = 0) -> Iterator[tuple[str, dict[str, str | list[str]]]]:
    """Yield this number of URLs, each a page and its mutated parameters; pages take turns."""
    chance = random.Random(seed)
    for case in range(count):
        page = PAGES[case % len(PAGES)]
        names = (*NAMES[page], *EVERYWHERE)
        chosen = chance.sample(names, min(len(names), chance.choice((1, 2, 4, 8))))
        yield page, {name: _draw_value(name, chance) for name in chosen}


def open_url(page: str, address: dict[str, str | list[str]]) -> str:
    """Open the page; return the problem, or "" if there is none."""
    app = open_page(ROOT / "pages" / f"{page}.py", **address)
    if app.exception:
        return f"{page}?{address}: {app.exception[0].message}"
    return "" if len(app.title) == 1 else f"{page}?{address}: {len(app.title)} titles"


def run(count: int, seed: int = 0) -> list[str]:
    """Open this number of URLs; return one line per failure."""
    ContextProxy.cookies = property(lambda _: {})  # no browser sends cookies
    return [wrong for case in draw_urls(count, seed) if (wrong := open_url(*case))]


def _draw_value(name: str, chance: random.Random) -> str | list[str]:
    if name in LEGAL and chance.random() < 0.6:
        return chance.choice(LEGAL[name])
    if chance.random() < 0.1:
        return [chance.choice(VALUES) for _ in range(chance.choice((1, 2, 3)))]
    return chance.choice(VALUES)
