"""The panel of a lesson, which replaces the sidebar or is above the page on a narrow screen."""

from typing import Literal

import streamlit as st

from pages._ui.lessons.catalogue import LESSONS, run_of
from pages._ui.lessons.handout import write_handout
from pages._ui.lessons.lesson import ADDRESS, LEFT, Lesson, Place, find_place
from pages._ui.lessons.notes import NOTES
from pages._ui.lessons.page_settings import (
    apply_settings,
    default_settings,
    restore_settings,
    save_settings,
)
from pages._ui.lessons.questions import QUESTIONS, Question
from pages._ui.lessons.style import HIDE_ALL_BUT_PLAYER, HIDE_PAGE, STYLE
from pages._ui.panels import download
from pages._ui.runs.current import is_precomputed, jobs
from pages._ui.state.dataset import ADDRESS as DATA
from pages._ui.state.fields import read_parameters, replace_parameter
from pages._ui.state.selection import LINK, STEP, runs_state, set_poses, show_step
from pages._ui.state.viewer import lessons_state, viewer


def show_lesson(title: str) -> None:
    """Show the open caption on the page with this title, before the page draws its widgets."""
    del lessons_state.run_pending
    requested = lessons_state.read_request()
    name = (lessons_state.address or "") if requested is None else requested
    place, restored = find_place(name, LESSONS)
    if place is None or place.caption.page != title.lower():
        if requested is None or place is not None:
            del lessons_state.requested
        if requested == "":
            lessons_state.address = None
        del lessons_state.open
        _show_links(place, title)
        return
    if restored or requested is not None or lessons_state.open != place.name:
        _open(place, restored=restored, by_button=requested is not None)
    save_settings(place)
    st.html(STYLE)
    with st.container(key="lesson", height=1):  # the style sets the height
        _show(place)


def has_open_caption() -> bool:
    """True if a caption of this page is open."""
    return bool(lessons_state.open)


def reset_caption() -> None:
    """Set the page to its open caption again; meant as a callback."""
    place, _ = find_place(lessons_state.open, LESSONS)
    if place is not None:
        _open(place, restored=False, by_button=True)


def link_to(place: Place, label: str, icon: str = "", *, back: bool = False) -> None:
    """Draw a link to a caption on any page; `back` restores the page as the viewer left it."""
    name = f"{place.name}.{LEFT}" if back else place.name
    st.page_link(
        f"pages/{place.caption.page}.py",
        label=label,
        icon=icon or None,
        query_params={ADDRESS: name},
    )


def link_back() -> None:
    """Draw a link to the caption that was left last, if there is one."""
    place = _find_left()
    if place is not None:
        label = f"Back to the lesson: {place.lesson.title}"
        link_to(place, label, ":material/school:", back=True)


def _find_left() -> Place | None:
    left = lessons_state.left
    return find_place(left.place, LESSONS)[0] if left else None


def _open(place: Place, *, restored: bool, by_button: bool) -> None:
    """Set the page to the caption; other parameters in the address take precedence."""
    if by_button:
        _cancel_run()
    left = lessons_state.left
    if restored and left is not None and left.place == place.name:
        restore_settings(place, left)
    else:
        keep = () if by_button else tuple(read_parameters())
        apply_settings(place.caption, keep)
        _set_film(place, keep_step=STEP in keep and not _is_asked(place))
        if STEP in keep and _is_asked(place):
            replace_parameter(STEP, "0")  # an iteration in the address would show the result
        if place.caption.runs and LINK not in keep:
            changed = {DATA, *default_settings(place.caption.page)} & {*keep}
            _request_run(place, precomputed=not changed)
    lessons_state.open = lessons_state.address = place.name


def _request_run(place: Place, *, precomputed: bool) -> None:
    """Open the precomputed run if it has the page's settings; otherwise the page computes one."""
    name = run_of(place)
    if precomputed and is_precomputed(name):
        runs_state.link = runs_state.make_link(name)
    else:
        lessons_state.run_pending = True


def _set_film(place: Place, *, keep_step: bool) -> None:
    """Set the poses of the caption's animation and, unless the address gives it, the iteration."""
    run = run_of(place)
    if run:
        set_poses(run, place.caption.poses)
        if not keep_step:
            show_step(run, _first_step(place))


def _first_step(place: Place) -> int:
    """Return the iteration that a caption shows first; before a prediction, it is 0."""
    question = _question_of(place)
    if question is None:
        return place.caption.step
    return 0 if _is_asked(place) else question.step or place.caption.step


def _cancel_run() -> None:
    """Cancel the run that the last caption started, since it is no longer needed."""
    name = runs_state.linked_run
    job = jobs().get(viewer(), name) if name else None
    if job is not None and not is_precomputed(job.id):
        job.cancel()


def _question_of(place: Place) -> Question | None:
    """Return the question about the result of this caption, if there is one."""
    question = QUESTIONS[place.lesson.name]
    return question if question.caption == place.index + 1 else None


def _is_asked(place: Place) -> bool:
    """True if the user has not yet predicted the result of this caption."""
    return _question_of(place) is not None and place.lesson.name not in lessons_state.answers


def _answer(place: Place, index: int | None) -> None:
    """Choose an answer, or ask again; then show the iteration that belongs to it."""
    lessons_state.answer(place.lesson.name, index)
    _set_film(place, keep_step=False)


def _ask(place: Place, question: Question) -> None:
    """Show the question with its answers instead of the caption."""
    st.subheader("Predict first", anchor=False)
    st.markdown(question.text)
    with st.container(key="lesson_question", gap="xsmall"):
        for index, answer in enumerate(question.answers):
            st.button(
                answer.text,
                key=f"lesson answer {index}",
                width="stretch",
                on_click=_answer,
                args=(place, index),
            )
    st.html(HIDE_PAGE if question.step is None else HIDE_ALL_BUT_PLAYER)
    st.caption("The page appears when you have answered.")


def _explain_answer(place: Place, question: Question) -> None:
    """Explain the answer that was chosen."""
    chosen = question.answers[lessons_state.answers[place.lesson.name]]
    icon, verdict = ("check_circle", "Right") if chosen.right else ("lightbulb", "Not quite")
    with st.container(key="lesson_answer", gap="xsmall"):
        st.markdown(f":material/{icon}: **{verdict}:** *{chosen.text}.* {chosen.explanation}")
        st.button(
            "Answer again", key="lesson ask", type="tertiary", on_click=_answer, args=(place, None)
        )


def _show(place: Place) -> None:
    lesson = place.lesson
    number, count = LESSONS.index(lesson) + 1, len(lesson.captions)
    where = f"Lesson {number} of {len(LESSONS)}, caption {place.index + 1} of {count}"
    with st.container(key="lesson_text", gap="xsmall"):
        st.caption(f"{where}  \n{lesson.title}")
        question = _question_of(place)
        if question is not None and _is_asked(place):
            _ask(place, question)
        else:
            _describe(place, question)
    with st.container(key="lesson_steps", horizontal=True, vertical_alignment="center"):
        _show_step(place, -1)
        _show_step(place, 1)
    with st.container(key="lesson_ways", horizontal=True, vertical_alignment="center"):
        st.button(
            "Leave",
            key="lesson leave",
            icon=":material/close:",
            type="tertiary",
            on_click=lessons_state.request,
            args=("",),
            help="The page keeps its settings. A button in the sidebar leads back to the lesson",
        )
        st.page_link("pages/overview.py", label="All lessons", icon=":material/school:")
        _show_notes(lesson)


def _show_notes(lesson: Lesson) -> None:
    """Show the notes for teachers, and the handout, in a menu."""
    notes = NOTES[lesson.name]
    with st.popover("Notes", icon=":material/co_present:", type="tertiary"):
        st.markdown(f"**For teachers: {lesson.title}**\n\n{notes.aim}")
        plan = "\n".join(f"- {part.minutes} min: {part.text}" for part in notes.plan)
        st.markdown(f"**Ten minutes**\n\n{plan}")
        asked = "\n".join(f"- *{one.question}* {one.answer}" for one in notes.expected)
        st.markdown(f"**Likely questions**\n\n{asked}")
        offer_handout()


def offer_handout() -> None:
    """Draw the button that downloads the handout."""
    download("Handout to print, HTML", "handout.html", write_handout, "text/html")


def _describe(place: Place, question: Question | None) -> None:
    """Show the text of a caption, after the explanation of the answer to its question."""
    lesson, caption = place.lesson, place.caption
    st.subheader(caption.title, anchor=False)
    if question is not None:
        _explain_answer(place, question)
    st.markdown(caption.text)
    if caption.runs and run_of(place) == runs_state.linked_run:
        with st.container(key="lesson_made"):  # hidden in projector mode, which has no Run
            st.caption("This run is precomputed; **Run** computes it here.")
    if place.neighbour(1) is None:
        _show_trial(lesson)
        if lesson is LESSONS[-1]:
            st.markdown("This was the last lesson. The Overview lists all lessons.")
            st.page_link("pages/quiz.py", label="Closing quiz", icon=":material/quiz:")


def _show_trial(lesson: Lesson) -> None:
    trial = lesson.trial
    st.markdown(f":material/experiment: **Try it.** {trial.task}")
    with st.expander("What to expect, and why", key="lesson trial"):
        st.markdown(f"**{trial.expect}**\n\n{trial.why}")


def _show_step(here: Place, offset: Literal[-1, 1]) -> None:
    """Draw the button for the next or previous caption, or a link if it is on another page."""
    label, shortcut = ("Next", "PageDown") if offset == 1 else ("Back", "PageUp")
    place = here.neighbour(offset)
    if place is None:
        label = "Next lesson" if offset == 1 else "Previous lesson"
        place = _find_in_other_lesson(here.lesson, offset)
    if place is None and offset == 1:
        st.page_link("pages/overview.py", label="Overview", icon=":material/home:")
    elif place is None:
        st.button("Back", key="lesson Back", disabled=True)
    elif place.caption.page == here.caption.page:
        st.button(
            label,
            key=f"lesson {label}",
            on_click=lessons_state.request,
            args=(place.name,),
            shortcut=shortcut,
        )
    else:
        link_to(place, label)


def _find_in_other_lesson(lesson: Lesson, offset: Literal[-1, 1]) -> Place | None:
    """Return the first caption of the next lesson (1) or the last of the previous lesson (-1)."""
    at = LESSONS.index(lesson) + offset
    if not 0 <= at < len(LESSONS):
        return None
    return Place(LESSONS[at], 0 if offset == 1 else len(LESSONS[at].captions) - 1)


def _show_links(place: Place | None, title: str) -> None:
    """Draw a link to a caption on another page, or back to the caption that was left."""
    if place is not None:
        label = f"The lesson “{place.lesson.title}” continues on another page"
        link_to(place, label, ":material/school:")
        return
    left = _find_left()
    if left is None:
        return
    with st.sidebar:
        if left.caption.page != title.lower():
            link_back()
            return
        st.button(
            "Back to the lesson",
            key="lesson back",
            icon=":material/school:",
            on_click=lessons_state.request,
            args=(f"{left.name}.{LEFT}",),
        )
