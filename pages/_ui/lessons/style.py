"""Where a lesson stands: in the place of the sidebar, or above the page where it is narrow."""

from typing import Final

STYLE: Final = """
<style>
  .st-key-lesson {
    padding: 0.9rem 1.1rem; border-left: 4px solid #0b5fa5; border-radius: 4px;
    background: color-mix(in srgb, currentColor 5%, transparent);
  }
  .st-key-lesson h3 { padding: 0; font-size: 1.3rem; }
  .st-key-lesson p { line-height: 1.45; }
  .st-key-lesson > :has(> .st-key-lesson_steps) { position: sticky; z-index: 1; bottom: 0; }
  .st-key-lesson_steps {
    padding: 0.4rem 0;
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
      margin-left: 300px; width: calc(100% - 300px);
    }
    .stApp:has(.st-key-lesson) .stMainBlockContainer { padding-top: 0.7rem; }
    .st-key-lesson {
      position: fixed; z-index: 100; left: 0; top: 0; bottom: 0; width: 300px;
      box-sizing: border-box; overflow-y: auto; border-radius: 0;
    }
  }
</style>
"""
