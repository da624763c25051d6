"""The panel of a lesson, which replaces the sidebar or is above the page on a narrow screen."""

from typing import Final, Literal

import streamlit as st

from pages._ui.lessons.catalogue import LESSONS, run_of
from pages._ui.lessons.lesson import ADDRESS, LEFT, Lesson, Place, find_place
from pages._ui.lessons.page_settings import (
    apply_settings,
    default_settings,
    restore_settings,
    save_settings,
)
from pages._ui.runs.current import is_precomputed, jobs
from pages._ui.state.dataset import ADDRESS as DATA
from pages._ui.state.fields import read_parameters
from pages._ui.state.selection import LINK, STEP, runs_state, set_poses, show_step
from pages._ui.state.viewer import lessons_state, viewer

STYLE: Final = """
<style>
  /* The lesson is 1 px high until this style has loaded: otherwise it would cover the page. */
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
    /* A long text scrolls above the buttons; its end fades out, and there is a scroll bar. */
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
        _set_film(place, keep_step=STEP in keep)
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
            show_step(run, place.caption.step)


def _cancel_run() -> None:
    """Cancel the run that the last caption started, since it is no longer needed."""
    name = runs_state.linked_run
    job = jobs().get(viewer(), name) if name else None
    if job is not None and not is_precomputed(job.id):
        job.cancel()


def _show(place: Place) -> None:
    lesson, caption = place.lesson, place.caption
    number, count = LESSONS.index(lesson) + 1, len(lesson.captions)
    where = f"Lesson {number} of {len(LESSONS)}, caption {place.index + 1} of {count}"
    with st.container(key="lesson_text", gap="xsmall"):
        st.caption(f"{where}  \n{lesson.title}")
        st.subheader(caption.title, anchor=False)
        st.markdown(caption.text)
        if caption.runs and run_of(place) == runs_state.linked_run:
            with st.container(key="lesson_made"):  # hidden in projector mode, which has no Run
                st.caption("This run is precomputed; **Run** computes it here.")
        if place.neighbour(1) is None:
            _show_trial(lesson)
            if lesson is LESSONS[-1]:
                st.markdown("This was the last lesson. The Overview lists all lessons.")
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
