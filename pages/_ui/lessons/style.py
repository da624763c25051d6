"""The styles of the lesson panel, and of a page that is hidden until a prediction is made."""

from typing import Final

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
  .st-key-lesson_steps { flex-wrap: nowrap; gap: 0.5rem; }
  .st-key-lesson_steps > * { flex: 1 1 0 !important; min-width: 0; width: auto !important; }
  .st-key-lesson_steps :is(a, button) {
    width: 100%; height: 2.4rem; min-height: 0; box-sizing: border-box; margin: 0;
    padding: 0 0.4rem; justify-content: center; white-space: nowrap;
  }
  .st-key-lesson_steps kbd { margin-left: 0.4rem; font-size: 0.75rem; }
  :is(.st-key-lesson-Next-lesson, .st-key-lesson-Previous-lesson) kbd { display: none; }
  .st-key-lesson_question button { justify-content: start; text-align: left; }
  .st-key-lesson_answer {
    padding-left: 0.6rem; border-left: 3px solid color-mix(in srgb, currentColor 30%, transparent);
  }
  .st-key-lesson_answer button { min-height: 1.6rem; padding: 0; font-size: 0.85rem; }
  .st-key-lesson_steps a {
    border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 8px;
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
    /* The text takes the space that the buttons leave, so that the buttons never move. A long text
       scrolls; its end fades out, and there is a scroll bar. */
    .st-key-lesson > :has(> .st-key-lesson_text) {
      flex: 1 1 0; min-height: 0; margin-right: calc(-1 * var(--edge)); width: auto;
    }
    .st-key-lesson_text {
      height: 100%; flex-wrap: nowrap; overflow-y: auto; scrollbar-width: thin;
      padding: 0 var(--edge) 1rem 0; mask: linear-gradient(to top, transparent, #000 1rem);
    }
    .st-key-lesson_text > * { flex: none; }
    .st-key-lesson p { font-size: 0.92rem; line-height: 1.36; }
    .st-key-lesson [data-testid="stCaptionContainer"] p { font-size: 0.82rem; }
    .st-key-lesson_ways :is(a, button) { min-height: 2.2rem; }
    .st-key-lesson_ways { margin-top: -0.4rem; flex-wrap: nowrap; gap: 0.4rem; }
    .st-key-lesson_ways :is(a, button) { padding-inline: 0.2rem; white-space: nowrap; }
    .st-key-lesson > :not(:has(> .st-key-lesson_text)) { flex: none; }
    .st-key-lesson_steps { background: none; }
  }
</style>
"""
HIDE_PAGE: Final = """
<style>
  .stMainBlockContainer > .stVerticalBlock {
    > :not(:has(.st-key-lesson, [class*="st-key-projector_"], h1)),
    > :not(:has(.st-key-lesson, [class*="st-key-projector_"], h1)) * {
      visibility: hidden !important;
    }
  }
</style>
"""
"""Hides the page below its title until a prediction is made, also from the keyboard."""
HIDE_ALL_BUT_PLAYER: Final = f"""{HIDE_PAGE}
<style>
  .stApp .stMainBlockContainer > .stVerticalBlock [class*="st-key-player_"] {{
    &, * {{ visibility: visible !important; }}
  }}
</style>
"""
"""Hides the same, but not the player, which shows iteration 0."""
