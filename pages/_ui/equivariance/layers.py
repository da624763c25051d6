"""Layer by layer: the attention of every pose and channel, drawn from what the first view holds."""

import streamlit as st

from pages._ui.assets import component
from pages._ui.equivariance.networks import Chosen, flat, take_untrained
from pages._ui.panels import formula, misleads
from pages._ui.theme_colours import name_map_ends

_layers = component("ia_layers", "layers")


def show_layers(chosen: Chosen) -> None:
    """The maps follow the dial above, and turn it."""
    st.markdown(
        f"Every map that {flat(chosen.entry.title)} pays attention with. A quarter turn of the "
        "picture turns each map **and** moves it on to the next pose h."
    )
    formula(
        r"{\alpha^+ = 1 - \alpha^-}, \qquad\allowbreak {\alpha^- = \alpha_X\,\alpha_C}, "
        r"\qquad\allowbreak {f^\alpha_c = \alpha^+ f_c = f_c - \alpha^- f_c}\;",
        about="Sections 3.2 to 3.4: the product of both maps is what a layer takes away",
    )
    _layers(key="layers", data={"title": chosen.title})
    _, most = name_map_ends()
    misleads(
        "Each line has a scale of its own, given beside it: a map that spans 0.49 to 0.51 looks as "
        f"lively as one that spans 0 to 1. What is {most} in αX and α⁻ is **not** what the network "
        "looks at: it is what it removes. Between two elements the poses are those of the nearer "
        "quarter turn, so the difference leaps at 45°. What the network itself computes does not. "
        "Random weights look as lively: the button shows some.",
        key="misleads scale",
        show=take_untrained,
    )
