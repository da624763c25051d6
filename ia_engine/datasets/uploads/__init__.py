"""Uploaded files, read safely into one set of images."""

from ia_engine.datasets.uploads.archive import Upload
from ia_engine.datasets.uploads.canvas import PHOTOGRAPHS, UploadConfig, match_settings
from ia_engine.datasets.uploads.limits import Refusal
from ia_engine.datasets.uploads.reading import COMPARED, UploadResult, read_upload

__all__ = [
    "COMPARED",
    "PHOTOGRAPHS",
    "Refusal",
    "Upload",
    "UploadConfig",
    "UploadResult",
    "match_settings",
    "read_upload",
]
