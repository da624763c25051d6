"""Hostile files are read correctly or refused with one message, with little work and memory."""

from pathlib import Path, PurePosixPath

import pytest

from ia_engine.datasets.uploads import Upload, UploadConfig, archive, limits, read_upload
from ia_engine.datasets.uploads.limits import HEAD, MOST_DEPTH
from tests.crafted import GOOD, animated, packed
from tests.hostile import READ, REFUSED, pixel_bombs
from tests.work import count_work

MEGABYTES = 200
READINGS = 3
_CLEAR, _STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")
_MEASURABLE = _CLEAR.exists()


def memory(field):
    """The value of one line of the process's status [MB]."""
    lines = _STATUS.read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field)) / 1024


def read_beside_good(name, content):
    """Read the file beside a good picture, within the limits of work and memory.

    The smallest growth in several attempts counts, because swapped pages and other threads can only
    increase it.
    """
    files = [Upload(name, content), Upload("good.png", GOOD)]
    size = sum(file.size for file in files)
    growth = []
    while not growth or (growth[-1] >= MEGABYTES and len(growth) < READINGS):
        if _MEASURABLE:
            _CLEAR.write_text("5")  # this resets the peak size
        before = memory("VmRSS") if _MEASURABLE else 0
        with count_work() as work:
            result = read_upload(files, UploadConfig())
        assert work.is_bounded(size), work
        growth.append(memory("VmHWM") - before if _MEASURABLE else 0)
    assert min(growth) < MEGABYTES, growth
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
def test_unusual_files_are_read_without_affecting_a_good_one(name):
    expected, build = READ[name]
    result = read_beside_good(name, build())
    assert len(result.images.images) == expected + 1
    assert_sentences(result)


@pytest.mark.cpu_only("no tensors are created")
@pytest.mark.parametrize("name", REFUSED)
def test_bad_files_are_refused_with_a_readable_message_and_do_not_affect_others(name):
    phrase, expected, build = REFUSED[name]
    result = read_beside_good(name, build())
    assert any(phrase in refusal.reason for refusal in result.refused), result.refused
    assert len(result.images.images) == expected + 1
    assert_sentences(result)


def test_images_that_together_unpack_to_billions_of_pixels_are_refused():
    result = read_beside_good("pixels.zip", pixel_bombs())
    assert any("million more pixels" in refusal.reason for refusal in result.refused)
    assert len(result.images.images) >= 2


def test_paths_deeper_than_the_limit_are_never_split(monkeypatch):
    """A zip with 32,000 nested folders once took 26 to 37 s, because parts of a path were read many
    times.
    """
    depths = []

    def take_apart(name):
        depths.append(name.count("/"))
        return PurePosixPath(name)

    for module in (archive, limits):
        monkeypatch.setattr(module, "PurePosixPath", take_apart)
    deep = "a/" * 32_000
    members = [(f"{deep}{i}.png", GOOD) for i in range(20)] + [
        (f"{deep}{i}/", b"") for i in range(20)
    ]
    result = read_beside_good("deep.zip", packed([*members, ("cats/x.png", GOOD)]))
    assert len(result.images.images) == 2
    assert len(result.refused) == 20
    assert all("at most 64 nested folders; got 32,000" in r.reason for r in result.refused)
    assert max(depths) <= MOST_DEPTH


def test_folders_may_be_nested_up_to_64_levels_deep():
    assert len(read_beside_good("x.zip", packed([("a/" * 64 + "x.png", GOOD)])).images.images) == 2
    assert read_beside_good("x.zip", packed([("a/" * 65 + "x.png", GOOD)])).refused


def test_only_the_first_bytes_of_nested_archives_are_unpacked():
    """This once took 3.6 s, because each archive was completely unpacked before it was refused."""
    inner = packed([("blank.bin", bytes(50 << 20))])
    with count_work() as work:
        result = read_beside_good("nested.zip", packed([(f"{i}.zip", inner) for i in range(40)]))
    assert len(result.refused) == 40
    assert work.bytes <= 40 * HEAD


def test_progress_is_reported_for_every_file_in_a_zip_and_every_frame():
    """Each report is a point at which long operations, such as reading 300 megapixels, can be
    cancelled.
    """
    shares = []
    files = [
        Upload("a.zip", packed([(f"{i}.png", GOOD) for i in range(9)])),
        Upload("b.png", animated("PNG")),
    ]
    read_upload(files, UploadConfig(), shares.append)
    assert len(shares) >= 9 + 3
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_an_exception_in_the_progress_callback_ends_the_reading():
    def interrupt(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_upload([Upload("a.png", GOOD)], UploadConfig(), interrupt)
