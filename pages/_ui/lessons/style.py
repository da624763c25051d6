"""Where a lesson stands: in the place of the sidebar, or above the page where it is narrow."""

from typing import Final

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
