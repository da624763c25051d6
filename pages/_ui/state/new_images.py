"""The state of the upload of new images, which pages with clusters share."""

from dataclasses import dataclass

from ia_engine.datasets.uploads import UploadResult
from pages._ui.state.fields import InSession


@dataclass(frozen=True, eq=False)
class NewImages:
    """The last new images, the run for which they were read, and their files.

    There is no result if the user has cancelled reading.
    """

    run: str = ""
    ids: tuple[str, ...] = ()
    result: UploadResult | None = None


class NewImagesState:
    """State of the upload of new images."""

    read = InSession("new images that were read", NewImages())
    """The last new images."""


new_images_state = NewImagesState()
