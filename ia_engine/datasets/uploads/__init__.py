"""Uploaded files, read safely to one set of images."""

from ia_engine.datasets.uploads.canvas import PHOTOGRAPHS, UploadConfig
from ia_engine.datasets.uploads.collector import COMPARED, UploadResult
from ia_engine.datasets.uploads.reading import read_upload
from ia_engine.datasets.uploads.stack import Refusal, Upload

__all__ = [
    "COMPARED",
    "PHOTOGRAPHS",
    "Refusal",
    "Upload",
    "UploadConfig",
    "UploadResult",
    "read_upload",
]
