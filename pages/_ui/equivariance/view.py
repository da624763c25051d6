"""The view below the dial; only one is drawn, since hidden views would be computed too."""

from pages._ui.controls import choose_one
from pages._ui.equivariance.convolution import show_convolution, show_strides
from pages._ui.equivariance.networks import network
from pages._ui.equivariance.picture import Picture
from pages._ui.equivariance.training import show_training
from pages._ui.equivariance.turning import show_answers, show_layers
from pages._ui.state.equivariance import EquivarianceState, equivariance_state

LAYERS, ANSWERS, STRIDES, PARTS, TRAIN = VIEWS = (
    "Layer by layer",
    "Answers",
    "Stride and parity",
    "Inside a convolution",
    "Train",
)


def show_views(name: str, picture: Picture, *, mirrored: bool) -> None:
    """Show the chosen view; a link to a run opens Train."""
    equivariance_state.open_view_of_run(TRAIN)
    view = choose_one("View", VIEWS, LAYERS, key=EquivarianceState.view.key)
    if view == ANSWERS:
        show_answers(name, picture, mirrored=mirrored)
    elif view == STRIDES:
        show_strides(picture)
    elif view == PARTS:
        show_convolution(network(name), picture)
    elif view == TRAIN:
        show_training()
    else:
        show_layers(network(name), picture)
