"""The found poses of a run, compared with the true poses of generated images."""

from typing import Final

import streamlit as st

from ia_engine.figures.pose_errors import plot_pose_errors
from ia_engine.poses.errors import PoseErrors
from ia_engine.runs.attend_measures import measure_poses
from pages._ui.panels import show_plot
from pages._ui.state.dataset import load_data
from pages._ui.state.iterations import ShownRun
from pages._ui.wording import number

POSES_NOTE: Final = (
    "The poses of a class are known only up to a **common** rotation and translation, which is "
    "removed for each class. A large error is not always a mistake: a shape that looks the same "
    "after a rotation has several correct poses (the symmetry of drawings and icons is taken into "
    "account, that of handwriting is not), and different handwritten digits cannot be aligned "
    "exactly. A small error does not mean that the class was found: the plot compares images of "
    "the same true class, which the run does not know."
)


def show_pose_errors(run: ShownRun) -> None:
    """Show the errors of the poses between the original images."""
    errors = _measure_shown(run)
    if errors is None:
        st.info(
            "This view needs invariant attention on images whose true poses are known: Experiment "
            "1 or 2, affNIST, rotated MNIST, or images generated on the Data page with rotations "
            "or translations."
        )
        return
    plan = run.plan
    figure = plot_pose_errors(errors, plan.names, plan.labels, plan.classes)
    show_plot(figure, "poses", run.key)
    medians = [
        f"{name} {number(round(value, 2))}{unit}"
        for name, value, unit in (
            ("angle", errors.median_angle, "°"),
            ("translation", errors.median_shift, " px"),
        )
        if value is not None
    ]
    notes = f"Median error: {', '.join(medians)}." if medians else ""
    if errors.skipped:
        notes += f" Images that are alone in their class are not shown ({errors.skipped})."
    if errors.unknown:
        notes += (
            f" {errors.unknown} images are not shown, because this run did not compare them "
            "exactly with that image: for their poses, compare all pairs."
        )
    st.caption(
        "Poses found in iteration 0 relative to the most central image of each true class, "
        "compared with the true poses, after one common pose has been removed for each class. "
        f"Mirrored copies count as a separate class. {notes}"
    )


def draw_absolute(run: ShownRun) -> None:
    """Draw the angles without removing the pose of each class."""
    errors = _measure_shown(run)
    if errors is None:
        st.caption("The true poses of these images are not known.")
        return
    plan = run.plan
    figure = plot_pose_errors(errors, plan.names, plan.labels, plan.classes, absolute=True)
    show_plot(figure, "misleading poses", run.key)
    st.caption(
        "The same poses, but the pose of each class as a whole counts as an error: the bars of a "
        "class are far from 0 although its images are aligned with each other."
    )


def _measure_shown(run: ShownRun) -> PoseErrors | None:
    data = load_data()
    if "ia" not in run.runs or run.plan.recipe != data.recipe.to_json():
        return None
    return measure_poses(run.runs["ia"][0], data, run.plan.size)
