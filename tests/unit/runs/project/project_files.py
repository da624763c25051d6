"""Small runs, and projects that are changed byte by byte or file by file."""

import io
import json
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
from safetensors.numpy import save

from ia_engine.runs.folder import Record
from ia_engine.runs.library import Note
from ia_engine.runs.project.writing import write_project

STATE = save({"momentum": np.ones(3, np.float32)})
RECORD = Record("{}", '{"β": 5}', 3, "abc", "cpu", "Krabben, μ = Ø", {"torch": "2.13"})


def save_run(library, *, steps=2, owner="ann", note=None, ended="done", title=RECORD.title, seed=3):
    """Save a run with a few arrays, and return it."""
    record = Record("{}", RECORD.config, seed, "abc", "cpu", title, RECORD.versions)
    writer = library.begin("mean", record, {"v": np.arange(6.0)}, owner, f"{seed:016x}")
    for step in range(steps):
        writer.append({"mu": np.full((2, 3), step, np.float32)}, STATE if step else None)
    writer.end(ended)
    if note is not None:
        library.write_note(writer.id, note)
    return library.open(writer.id)


NOTE = Note("Ten threes", ("lesson", "blur"), "Sharper than the plain mean.\nUse it on Monday.")


def write_bytes(runs, data=()):
    """Return a project as bytes."""
    file = io.BytesIO()
    write_project(file, runs, data)
    return file.getvalue()


def unpack(project):
    """Return the files of a project by name."""
    with ZipFile(io.BytesIO(project)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack(files):
    """Return a zip of files; a list of pairs may contain a name twice."""
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items() if isinstance(files, dict) else files:
            archive.writestr(name, content)
    return packed.getvalue()


def change_manifest(project, change):
    """Return a project whose manifest `change` has edited."""
    files = unpack(project)
    values = json.loads(files["project.json"])
    change(values)
    return pack(files | {"project.json": json.dumps(values).encode()})
