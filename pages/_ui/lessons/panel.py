"""Where a lesson stands: in the place of the sidebar, or above the page where it is narrow."""

from typing import Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages._ui.lessons.catalogue import LESSONS, run_of
from pages._ui.lessons.lesson import ADDRESS, LEFT, Lesson, Place, find_place
from pages._ui.runs.current import BEGUN, jobs
from pages._ui.runs.saved import LINK, is_precomputed
from pages._ui.state.dataset import ADDRESS as DATA
from pages._ui.state.dataset import viewer
from pages._ui.state.lessons import Left, bring_back, keep_state, left, set_state, usual
from pages._ui.state.selection import STEP, jump_to, lay

STYLE: Final = """
<style>
  /* Until this style is here the lesson is 1 px high, since it would be drawn across the page. */
  [data-testid="stLayoutWrapper"]:has(> .st-key-lesson) { height: auto; flex: none; }
  .stApp .st-key-lesson { height: auto; flex: none; overflow: visible; }
  .st-key-lesson {
    --edge: 1.1rem;
    gap: 0.5rem; padding: 0.7rem var(--edge); border-left: 4px solid #0b5fa5; border-radius: 4px;
    background: color-mix(in srgb, currentColor 5%, transparent);
  }
  .st-key-lesson h3 { padding: 0; font-size: 1.25rem; line-height: 1.25; }
  .st-key-lesson p { line-height: 1.42; }
  .st-key-lesson_text { gap: 0.5rem; }
  .st-key-lesson_text [data-testid="stMarkdownContainer"] { margin-bottom: 0; }
  .st-key-lesson [data-testid="stMarkdownContainer"] p + p { margin-top: 0.6rem; }
  .st-key-lesson [data-testid="stMarkdownContainer"] p:not(:last-child) { margin-bottom: 0; }
  .st-key-lesson .katex { font-size: 1.05em; line-height: 1; }
  .st-key-lesson > :has(> .st-key-lesson_steps) { position: sticky; z-index: 1; bottom: 0; }
  .st-key-lesson_steps {
    padding: 0.3rem 0;
    background: color-mix(in srgb, currentColor 5%, var(--st-background-color, Canvas));
  }
  .st-key-lesson_steps a {
    border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 8px;
    padding: 0.45rem 0.8rem;
  }
  @media (min-width: 1000px) {
    .stApp:has(.st-key-lesson) :is(
      [data-testid="stSidebar"], [data-testid="stExpandSidebarButton"]
    ) { display: none; }
    .stApp:has(.st-key-lesson) [data-testid="stMain"] {
      margin-left: 312px; width: calc(100% - 312px);
    }
    .stApp:has(.st-key-lesson) .stMainBlockContainer { padding-top: 0.7rem; }
    .st-key-lesson {
      --edge: 0.8rem;
      position: fixed; z-index: 100; left: 0; top: 0; bottom: 0; width: 312px;
      box-sizing: border-box; border-radius: 0; padding-bottom: 0.2rem;
    }
    /* A long text scrolls above the buttons; what is cut off there fades, and there is a bar. */
    .st-key-lesson > :has(> .st-key-lesson_text) {
      flex: 0 1 auto; min-height: 0; margin-right: calc(-1 * var(--edge)); width: auto;
    }
    .st-key-lesson_text {
      height: 100%; flex-wrap: nowrap; overflow-y: auto; scrollbar-width: thin;
      padding: 0 var(--edge) 1rem 0; mask: linear-gradient(to top, transparent, #000 1rem);
    }
    .st-key-lesson_text > * { flex: none; }
    .st-key-lesson p { font-size: 0.92rem; line-height: 1.36; }
    .st-key-lesson [data-testid="stCaptionContainer"] p { font-size: 0.82rem; }
    .st-key-lesson :is(.st-key-lesson_ways, .st-key-lesson_steps) :is(a, button) {
      min-height: 2.2rem;
    }
    .st-key-lesson_ways { margin-top: -0.4rem; }
    .st-key-lesson > :not(:has(> .st-key-lesson_text)) { flex: none; }
    .st-key-lesson_steps { flex-wrap: nowrap; gap: 0.5rem; background: none; }
    .st-key-lesson_steps :is(a, button) { padding-inline: 0.6rem; white-space: nowrap; }
    .st-key-lesson_steps kbd { margin-left: 0.4rem; font-size: 0.75rem; }
  }
</style>
"""


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
