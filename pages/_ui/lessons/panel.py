"""The lesson beside the page: its caption, the way on and back, and something to try."""

from typing import Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages._ui.chosen import ADDRESS as DATA
from pages._ui.lessons.catalogue import LESSONS
from pages._ui.lessons.lesson import ADDRESS, LEFT, Lesson, Place, find_place
from pages._ui.lessons.ready import run_of
from pages._ui.lessons.state import Left, bring_back, keep_state, left, set_state, usual
from pages._ui.lessons.style import STYLE
from pages._ui.runs.current import BEGUN, jobs
from pages._ui.runs.saved import LINK, is_precomputed
from pages._ui.steps import STEP, jump_to, lay
from pages._ui.viewer import viewer

OPEN: Final = "caption that is open"
WISHED: Final = "caption that a button asked for"
WISH: Final = "a caption waits for its run"


def guide(title: str) -> None:
    """What a page with this title shows of a lesson, before its own widgets."""
    st.session_state.pop(WISH, None)
    wished = _wished()
    name = st.query_params.get(ADDRESS, "") if wished is None else wished
    place, back = find_place(name, LESSONS)
    if place is None or place.caption.page != title.lower():
        if wished is None or place is not None:
            st.session_state.pop(WISHED, None)
        if wished == "":
            st.query_params.pop(ADDRESS, None)
        st.session_state.pop(OPEN, None)
        _offer(place, title)
        return
    if back or wished is not None or st.session_state.get(OPEN) != place.name:
        _open(place, left() if back else None, pressed=wished is not None)
    keep_state(place)
    st.html(STYLE)
    with st.container(key="lesson", height=1):  # its style makes room for it
        _show(place)


def lesson_begins() -> bool:
    """Whether a caption that was opened just now waits for its run; it is asked once."""
    return bool(st.session_state.pop(WISH, False))


def is_guided() -> bool:
    """Whether a caption of this page is open."""
    return OPEN in st.session_state


def link_to(place: Place, label: str, icon: str = "", *, back: bool = False) -> None:
    """A link to a caption on any page."""
    name = f"{place.name}.{LEFT}" if back else place.name
    st.page_link(
        f"pages/{place.caption.page}.py",
        label=label,
        icon=icon or None,
        query_params={ADDRESS: name},
    )


def link_back() -> None:
    """A link to the lesson that was left, if there is one."""
    known = left()
    place = find_place(known.name, LESSONS)[0] if known else None
    if place is not None:
        label = f"Back to the lesson: {place.lesson.title}"
        link_to(place, label, ":material/school:", back=True)


def _open(place: Place, known: Left | None, *, pressed: bool) -> None:
    """Set the page to the caption; an address that says more than its name is obeyed."""
    if pressed:
        _stop_last()
    if known is not None and known.name == place.name:
        bring_back(known)
    else:
        keep = () if pressed else tuple(st.query_params)
        set_state(place.caption, keep)
        _set_film(place, rests=STEP in keep)
        if place.caption.runs and LINK not in keep:
            _ask_run(place, as_told=not {DATA, *usual(place.caption.page)} & {*keep})
    st.session_state[OPEN] = st.query_params[ADDRESS] = place.name


def _ask_run(place: Place, *, as_told: bool) -> None:
    """The precomputed run, where the page is as the caption tells; else one is computed."""
    name = run_of(place)
    if as_told and is_precomputed(name):  # a new ending, as of a link that is followed anew
        st.query_params[LINK] = f"{name}.{st.session_state.get(BEGUN, 0)}"
    else:
        st.session_state[WISH] = True


def _set_film(place: Place, *, rests: bool) -> None:
    """It stands at what the caption speaks of, unless the address says where."""
    run = run_of(place)
    if run:
        lay(run, place.caption.poses)
        if not rests:
            jump_to(run, place.caption.step)


def _stop_last() -> None:
    """Nobody waits any more for what the last caption has begun."""
    name = _linked()
    job = jobs().get(viewer(), name) if name else None
    if job is not None and not is_precomputed(job.id):
        job.cancel()


def _linked() -> str | None:
    """The run that the address names."""
    return st.query_params.get(LINK, "").partition(".")[0] or None


def _show(place: Place) -> None:
    lesson, caption = place.lesson, place.caption
    number, count = LESSONS.index(lesson) + 1, len(lesson.captions)
    where = f"Lesson {number} of {len(LESSONS)}, caption {place.at + 1} of {count}"
    with st.container(key="lesson_text", gap="xsmall"):
        st.caption(f"{where}  \n{lesson.title}")
        st.subheader(caption.title, anchor=False)
        st.markdown(caption.text)
        if run_of(place) == _linked():
            with st.container(key="lesson_made"):  # a projector shows no Run
                st.caption("This run is precomputed; **Run** computes it here.")
        if place.beside(1) is None:
            _show_trial(lesson)
            if lesson is LESSONS[-1]:
                st.markdown("This was the last lesson. The Overview lists all of them again.")
    with st.container(key="lesson_steps", horizontal=True, vertical_alignment="center"):
        _step(place.beside(-1) or _other_lesson(lesson, -1), place, "Back", "PageUp")
        _step(place.beside(1) or _other_lesson(lesson, 1), place, "Next", "PageDown")
    with st.container(key="lesson_ways", horizontal=True, vertical_alignment="center"):
        st.button(
            "Leave",
            key="lesson leave",
            icon=":material/close:",
            type="tertiary",
            on_click=_go,
            args=("",),
            help="Everything stays as it is; the list at the side brings the lesson back",
        )
        st.page_link("pages/overview.py", label="All lessons", icon=":material/school:")


def _show_trial(lesson: Lesson) -> None:
    trial = lesson.trial
    st.markdown(f":material/experiment: **Try it.** {trial.task}")
    with st.expander("What to expect, and why", key="lesson trial"):
        st.markdown(f"**{trial.expect}**\n\n{trial.why}")


def _step(to: Place | None, here: Place, word: str, key: str) -> None:
    """A button where the page stays, since it sets the state at once; else a link."""
    if to is not None and to.lesson is not here.lesson:
        word = "Next lesson" if word == "Next" else "Previous lesson"
    if to is None and word == "Next":
        st.page_link("pages/overview.py", label="Overview", icon=":material/home:")
    elif to is None:
        st.button(word, key=f"lesson {word}", disabled=True)
    elif to.caption.page == here.caption.page:
        st.button(word, key=f"lesson {word}", on_click=_go, args=(to.name,), shortcut=key)
    else:
        link_to(to, word)


def _go(name: str) -> None:
    """Meant as a button's on_click: open this caption, or none.

    The address follows when the page is drawn. Until the browser has it, each request still names a
    caption that was left; none of them may cancel what was asked for.
    """
    _, passed = st.session_state.get(WISHED, ("", frozenset()))
    here = {st.query_params.get(ADDRESS, ""), st.session_state.get(OPEN, "")}
    st.session_state[WISHED] = (name, (passed | here) - {name})


def _wished() -> str | None:
    """The caption that a button asked for, unless the browser knows of it already."""
    context = get_script_run_ctx()
    if context is not None and context.is_history_navigation:  # the viewer went back or forward
        st.session_state.pop(WISHED, None)
    name, passed = st.session_state.get(WISHED, ("", frozenset()))
    return name if st.query_params.get(ADDRESS, "") in passed else None


def _other_lesson(lesson: Lesson, step: int) -> Place | None:
    """The first caption of the next lesson (1), or the last caption of the previous one (-1)."""
    at = LESSONS.index(lesson) + step
    if not 0 <= at < len(LESSONS):
        return None
    other = LESSONS[at]
    return Place(other, 0 if step > 0 else len(other.captions) - 1)


def _offer(place: Place | None, title: str) -> None:
    """The way to a caption of another page, or back to where a lesson was left."""
    if place is not None:
        label = f"The lesson “{place.lesson.title}” goes on on another page"
        link_to(place, label, ":material/school:")
        return
    known = left()
    if known is None:
        return
    with st.sidebar:
        if known.caption.page != title.lower():
            link_back()
            return
        st.button(
            "Back to the lesson",
            key="lesson back",
            icon=":material/school:",
            on_click=_go,
            args=(f"{known.name}.{LEFT}",),
        )
