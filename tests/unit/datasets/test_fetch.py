import http.server
import socket
import threading
from contextlib import closing

import pytest

from ia_engine.datasets import published
from ia_engine.datasets.cache import download
from ia_engine.datasets.published import NAMED, fetch
from ia_engine.errors import EngineError
from tests.unit.datasets.samples import COUNT, LABELS, assert_reads, cifar_archive, pixels, small

pytestmark = pytest.mark.usefixtures("places")


def silent(name, done, total):
    """A progress callback that does nothing."""


class Host(http.server.BaseHTTPRequestHandler):
    """Serves the entries of the server's `files`."""

    def do_GET(self):
        content = self.server.files.get(self.path.strip("/"))
        if content is None:
            self.send_error(404)
            return
        self.server.asked.append(
            self.path.strip("/")
        )  # this must precede the response, which ends the request
        self.send_response(200)
        self.send_header("Content-Length", str(len(content) + self.server.missing))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Log nothing."""


@pytest.fixture
def host():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Host) as server:
        server.files, server.asked, server.missing = {}, [], 0
        server.url = f"http://127.0.0.1:{server.server_port}/"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def dead_host():
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    return f"http://127.0.0.1:{port}/"


def test_a_data_set_is_fetched_only_once_verified_and_read(monkeypatch, places, host):
    images, seen = pixels(COUNT, 3, 32, 32), []
    monkeypatch.setitem(published.NAMED, "cifar-10", small("cifar-10"))
    host.files["cifar-10-binary.tar.gz"] = cifar_archive(images)
    for _ in range(2):
        fetch("cifar-10", lambda *step: seen.append(step), host.url)
    assert host.asked == ["cifar-10-binary.tar.gz"]
    size = len(host.files["cifar-10-binary.tar.gz"])
    assert seen[-1] == ("cifar-10-binary.tar.gz", size, size)
    assert_reads(small("cifar-10"), "train", images)
    assert [path.name for path in (places[1] / "cifar-10").iterdir()] == host.asked


def test_a_file_with_the_wrong_content_is_not_kept(monkeypatch, places, host):
    monkeypatch.setitem(published.NAMED, "cifar-10", small("cifar-10"))
    host.files["cifar-10-binary.tar.gz"] = cifar_archive(pixels(4, 3, 32, 32), LABELS[:4])
    with pytest.raises(EngineError, match="must have images"):
        fetch("cifar-10", silent, host.url)
    assert not list((places[1] / "cifar-10").iterdir())


def test_a_truncated_file_is_not_kept(places, host):
    host.files["cifar-10-binary.tar.gz"], host.missing = b"half of it", 10
    with pytest.raises(EngineError, match="must be 20 bytes long; got only 10"):
        fetch("cifar-10", silent, host.url)
    assert not list((places[1] / "cifar-10").iterdir())


def test_a_file_larger_than_its_limit_is_not_kept(tmp_path, host):
    host.files["big"] = bytes(2000)
    with pytest.raises(EngineError, match="at most 1,000 bytes"):
        download(host.url + "big", tmp_path / "into" / "big", 1000, silent)
    assert not list((tmp_path / "into").iterdir())


def test_a_fetch_can_be_stopped_by_its_progress_callback(tmp_path, host):
    def stop(name, done, total):
        raise KeyboardInterrupt

    host.files["file"] = b"content"
    with pytest.raises(KeyboardInterrupt):
        download(host.url + "file", tmp_path / "into" / "file", 1000, stop)
    assert not list((tmp_path / "into").iterdir())


def test_a_file_that_is_missing_on_the_host_raises_an_engine_error(places, host):
    with pytest.raises(EngineError, match=r"could not be fetched .*Not Found"):
        fetch("usps", silent, host.url)


def test_without_a_network_the_error_names_the_file_and_its_folder(places, dead_host):
    with pytest.raises(EngineError, match="could not be fetched") as error:
        fetch("mnist", silent, dead_host)
    folder = places[1] / "mnist"
    assert "download train-images-idx3-ubyte.gz yourself" in str(error.value)
    assert f"put it into {folder}" in str(error.value)


@pytest.mark.parametrize("url", ["http://example.org/file", "file:///etc/hostname", "ftp://x/y"])
def test_files_are_fetched_only_over_https(tmp_path, url):
    with pytest.raises(EngineError, match="must begin with https://"):
        download(url, tmp_path / "file", 1000, silent)


def test_every_host_in_the_catalogue_is_reached_over_https():
    assert all(named.host.startswith("https://") for named in NAMED.values())


def test_an_unknown_set_is_refused():
    with pytest.raises(EngineError, match="a named set must be one of mnist"):
        fetch("kittens", silent)


def test_a_cache_that_cannot_be_written_raises_an_engine_error(tmp_path, host):
    host.files["file"] = b"content"
    (tmp_path / "taken").write_text("no folder")
    with pytest.raises(EngineError, match="set IA_CACHE to a writable folder"):
        download(host.url + "file", tmp_path / "taken" / "file", 1000, silent)
