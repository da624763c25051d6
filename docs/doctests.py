"""Shows the examples of docstrings as code in the reference; Markdown would show them as quotes."""

import re

from griffe import Extension, Object

EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\n).+)*", re.MULTILINE)
"""Lines from a prompt to the next empty line."""


class Doctests(Extension):
    """Encloses every example in a fence, before the docstring is rendered."""

    def on_object(self, *, obj: Object, **_: object) -> None:
        if obj.docstring is not None:
            obj.docstring.value = EXAMPLE.sub(r"```python\n\g<0>\n```", obj.docstring.value)
