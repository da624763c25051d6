"""The format of a project: a zip whose manifest lists the size and the checksum of every file.

project.json            format, version, files and data sets
runs/ID/…               the files of a run, as `runs/library.py` describes them, without owner
data/1.safetensors      the images of an uploaded data set
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Final
from zipfile import BadZipFile

from ia_engine.datasets.data import Data
from ia_engine.datasets.uploads.limits import MOST_VALUES, show_name
from ia_engine.errors import EngineError
from ia_engine.runs.folder import DAMAGE, RECORD

FORMAT: Final = "ia-project"
VERSION: Final = 1
MANIFEST: Final = "project.json"
NOTE: Final = "note.json"
MAX_FILES: Final = 100_000
MAX_BYTES: Final = 8 << 30
"""Maximum size of all files of a project, unpacked."""
MAX_JSON: Final = 24 << 20
"""Maximum size of the manifest, and of a record, which may list the names of 60,000 images."""
MAX_SMALL_JSON: Final = 1 << 16
"""Maximum size of a note, and of the file that states how a run ended."""
MAX_SETS: Final = 10
MAX_IMAGES: Final = 4 * MOST_VALUES + MAX_JSON
"""Maximum size of all uploaded images of a project: those of one upload, which are floats of four
bytes, and their names. Opening a project holds them in memory."""
RUN: Final = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9]{6}-[A-Za-z0-9_-]{1,64}")
"""IDs of runs that a project may contain."""
RUN_FILE: Final = re.compile(
    r"run\.json|note\.json|ended\.json|(?:given|state|step-[0-9]{5,7})\.safetensors"
)
"""Names of the files of a run that a project contains."""
DATA_FILE: Final = re.compile(r"data/[0-9]{1,3}\.safetensors")
SUM: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class DataSet:
    """A data set of a project: its recipe as JSON, and its images if they were uploaded."""

    recipe: str
    data: Data | None = None


@dataclass(frozen=True)
class FileEntry:
    """Size and SHA-256 of a file in a project."""

    size: int
    sha256: str


@dataclass(frozen=True)
class DataEntry:
    """A data set in the manifest. `file` and `digest` are "" unless it was uploaded."""

    recipe: str
    file: str = ""
    digest: str = ""


@dataclass(frozen=True)
class Manifest:
    """The contents of a project."""

    files: Mapping[str, FileEntry]
    data: tuple[DataEntry, ...] = ()

    @property
    def size(self) -> int:
        """Size of all files, unpacked."""
        return sum(entry.size for entry in self.files.values())

    def runs(self) -> dict[str, dict[str, FileEntry]]:
        """Return the files of each run by name."""
        found: dict[str, dict[str, FileEntry]] = {}
        for name, entry in self.files.items():
            folder, _, file = name.rpartition("/")
            if folder != "data":
                found.setdefault(folder.removeprefix("runs/"), {})[file] = entry
        return found

    def to_json(self) -> bytes:
        files = {name: asdict(entry) for name, entry in self.files.items()}
        data = [asdict(entry) for entry in self.data]
        values = {"format": FORMAT, "version": VERSION, "files": files, "data": data}
        return json.dumps(values, ensure_ascii=False, indent=1).encode()


def read_manifest(project: str, content: bytes) -> Manifest:
    """Read an untrusted manifest. Raises EngineError if it lists anything unexpected."""
    with refusing(project):
        values = json.loads(content)
        if values["format"] != FORMAT:
            raise not_a_project(project, "a zip with a different project.json")
        if values["version"] != VERSION:
            raise EngineError(
                f"{project} has project version {show_name(str(values['version']))}, but this "
                f"program reads version {VERSION}: update the program, or save the project again "
                "with this version"
            )
        files = {name: _read_entry(project, name, x) for name, x in values["files"].items()}
        data = tuple(DataEntry(str(x["recipe"]), x["file"], x["digest"]) for x in values["data"])
        uploads = [entry.file for entry in data if entry.file]
        if any(file not in files or not DATA_FILE.fullmatch(file) for file in uploads):
            raise KeyError("data")
        if len(set(uploads)) < len(uploads):
            raise ValueError("two data sets in one file")
        check_sets(project, len(data), sum(files[file].size for file in uploads))
        manifest = Manifest(files, data)
        if any(RECORD not in run for run in manifest.runs().values()):
            raise KeyError(RECORD)
    if manifest.size > MAX_BYTES:
        raise too_large(project, manifest.size)
    return manifest


def _read_entry(project: str, name: str, values: Mapping[str, object]) -> FileEntry:
    folder, _, file = name.rpartition("/")
    in_run = RUN.fullmatch(folder.removeprefix("runs/")) and folder.startswith("runs/")
    if not (DATA_FILE.fullmatch(name) or (in_run and RUN_FILE.fullmatch(file))):
        raise unexpected_file(project, name)
    size, found = values["size"], values["sha256"]
    if type(size) is not int or size < 0 or not isinstance(found, str) or not SUM.fullmatch(found):
        raise ValueError(name)
    most = MAX_JSON if file == RECORD else MAX_SMALL_JSON
    if file.endswith(".json") and size > most:
        raise EngineError(
            f"{project} contains a {file} of {size:,} bytes; at most {most:,} are allowed: open "
            "only projects that this program has saved"
        )
    return FileEntry(size, found)


def check_sets(project: str, count: int, size: int) -> None:
    """Raise EngineError if a project has too many data sets, or too many uploaded images."""
    if count > MAX_SETS or size > MAX_IMAGES:
        raise EngineError(
            f"{project} must contain at most {MAX_SETS} data sets with at most "
            f"{MAX_IMAGES >> 20} MB of uploaded images; got {count:,} data sets with "
            f"{size / (1 << 20):,.1f} MB: save fewer data sets in one project"
        )


def digest_run(files: Mapping[str, FileEntry]) -> str:
    """Return the digest of a run, which does not depend on its ID, owner, name and note."""
    sums = {name: entry.sha256 for name, entry in files.items() if name != NOTE}
    return hashlib.sha256(json.dumps(sums, sort_keys=True).encode()).hexdigest()


def to_entry(content: bytes) -> FileEntry:
    return FileEntry(len(content), hashlib.sha256(content).hexdigest())


def not_a_project(project: str, got: str) -> EngineError:
    return EngineError(
        f"{project} must be a project saved with 'Save project' or 'project save'; got {got}: "
        "choose another file"
    )


def unexpected_file(project: str, name: str) -> EngineError:
    return EngineError(
        f"{project} must contain only files of runs and data sets; got {show_name(name)}: open "
        "only projects that this program has saved"
    )


def too_large(project: str, size: int) -> EngineError:
    return EngineError(
        f"{project} must contain at most {MAX_BYTES >> 30} GB of unpacked files; got "
        f"{size / (1 << 30):.1f} GB: save fewer runs in one project"
    )


@contextmanager
def refusing(project: str) -> Iterator[None]:
    """Convert any error that a damaged or hostile file causes into one sentence."""
    try:
        yield
    except EngineError:
        raise
    except (*DAMAGE, BadZipFile) as cause:
        raise EngineError(
            f"{project} is damaged or incomplete: copy or download it again, or save the project "
            "again"
        ) from cause
