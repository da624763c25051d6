"""Files made to hurt: read rightly or refused in one sentence, quickly, in little memory."""

import time
from pathlib import Path

import pytest

from ia_engine.datasets.uploads import Upload, UploadConfig, read_upload
from tests.crafted import GOOD
from tests.hostile import READ, REFUSED, pixel_bombs

SECONDS, MEGABYTES = 2.0, 200
_CLEAR, _STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")
_MEASURABLE = _CLEAR.exists()


def memory(field):
    """A line of the process's status [MB]."""
    lines = _STATUS.read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field)) / 1024


def read_beside_good(name, content):
    """Read the file beside a good picture, within the limits of time and memory."""
    files = [Upload(name, content), Upload("good.png", GOOD)]
    if _MEASURABLE:
        _CLEAR.write_text("5")  # forgets the greatest size so far
    before = memory("VmRSS") if _MEASURABLE else 0
    start = time.process_time()
    result = read_upload(files, UploadConfig())
    assert time.process_time() - start < SECONDS
    assert not _MEASURABLE or memory("VmHWM") - before < MEGABYTES
    assert result.images is not None
    assert "good.png" in result.images.names
    return result


def assert_sentences(result):
    for text in [refusal.reason for refusal in result.refused] + list(result.notes):
        assert text.isprintable()
        assert len(text) < 300
        assert "Traceback" not in text
        assert " /" not in text
        assert not text.startswith("/")


@pytest.mark.parametrize("name", READ)
def test_odd_files_are_read_beside_a_good_one(name):
    expected, build = READ[name]
    result = read_beside_good(name, build())
    assert len(result.images.images) == expected + 1
    assert_sentences(result)


@pytest.mark.cpu_only("it is about bytes that never become tensors")
@pytest.mark.parametrize("name", REFUSED)
def test_bad_files_are_refused_in_a_sentence_and_hurt_no_other(name):
    phrase, expected, build = REFUSED[name]
    result = read_beside_good(name, build())
    assert any(phrase in refusal.reason for refusal in result.refused), result.refused
    assert len(result.images.images) == expected + 1
    assert_sentences(result)


def test_pictures_that_unpack_to_billions_of_pixels_are_refused_together():
    result = read_beside_good("pixels.zip", pixel_bombs())
    assert any("fewer pixels" in refusal.reason for refusal in result.refused)
    assert len(result.images.images) >= 2
