"""A run for another person: a zip of script, record, cassette and definitions, which replays without any tool."""

import io
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.responders.cassette import Cassette
from ptc_studio.core.trace import RunRecord
from ptc_studio.reports.formats import ReportError, as_json
from ptc_studio.storage.cassettes import CassetteFile, cassette_error, file_of, readable
from ptc_studio.storage.history import PastRun
from ptc_studio.storage.text_files import replace_file

ENDING = ".ptcrun"
VERSION = 1
LARGEST = 200_000_000
"""Of each part, unpacked: a few kilobytes may claim to be gigabytes."""
WORKSPACE = "# Unpacked from a bundle: its calls are answered from the cassette, no tool is needed.\nversion: 1\n"


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a bundle holds."""

    name: str
    """The script's."""
    code: str
    runtime: str
    target: str | None
    record: RunRecord
    cassette: Cassette
    about: dict[str, Any]
    """How and when it ran: `run_id`, `started`, `grant`, `limits`, `inputs` and more."""


def bundle(past: PastRun) -> bytes:
    """The file, whole."""
    summary = past.summary
    if summary.kind == "call" or not past.code:
        raise ReportError("Only a run of a script in text can be bundled: this one has none.")
    about = {
        "format": "ptcrun",
        "version": VERSION,
        "run_id": summary.run_id,
        "name": summary.name,
        "script": _file_name(summary.script),
        "runtime": summary.runtime,
        "target": summary.target,
        "started": summary.started_text,
        "grant": past.grant,
        "limits": past.limits,
        "inputs": past.inputs,
    }
    definitions = [{key: value for key, value in each.items() if key != "recorded"} for each in past.definitions]
    parts = {
        "manifest.json": as_json(about),
        "script": past.code,
        "record.json": as_json(past.record),
        "cassette.json": readable(file_of(past.cassette())),
        "definitions.json": as_json(definitions),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            # Without the time of packing: the same run gives the same file.
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text.encode("utf-8", "backslashreplace"))
    return packed.getvalue()


def read_bundle(path: Path) -> Bundle:
    """What the file holds; raises ReportError, whatever is wrong with it."""
    try:
        with zipfile.ZipFile(io.BytesIO(read_bytes(path, LARGEST))) as archive:
            about = json.loads(_part(archive, "manifest.json"))
            code = _part(archive, "script").decode()
            record = json.loads(_part(archive, "record.json"))
            written = json.loads(_part(archive, "cassette.json"))
    except OSError as error:
        raise ReportError(f"The bundle {path} cannot be read: {error.strerror or error}.") from None
    except (zipfile.BadZipFile, KeyError, ValueError, RecursionError, NotImplementedError, RuntimeError, EOFError):
        raise ReportError(f"{path} is no bundle of a run, or a damaged one: have it sent again.") from None
    if not isinstance(about, dict) or about.get("format") != "ptcrun" or not _is_record(record):
        raise ReportError(f"{path} is no bundle of a run: have one made by ptc-studio export RUN --format bundle.")
    if about.get("version") != VERSION:
        raise ReportError(f"{path} is of a newer PTC Studio, which you need to open it.")
    try:
        cassette = CassetteFile.model_validate(written).cassette(_file_name(about.get("script")))
    except ValidationError as error:
        raise ReportError(f"{path} holds no cassette that can be replayed: {cassette_error(error)}.") from None
    name, target = _file_name(about.get("script")), about.get("target")
    return Bundle(
        name,
        code,
        str(about.get("runtime") or ""),
        target if isinstance(target, str) else None,
        cast("RunRecord", record),
        cassette,
        about,
    )


def unpack(path: Path, folder: Path) -> tuple[Path, Path]:
    """Makes a workspace of the bundle in this folder: gives the script and the cassette. Raises ReportError."""
    read = read_bundle(path)
    script, cassette = folder / read.name, folder / "cassettes" / f"{Path(read.name).stem}.json"
    try:
        cassette.parent.mkdir(parents=True, exist_ok=True)
        # What its user made of the script since is his.
        if not script.exists():
            replace_file(script, read.code.encode("utf-8", "backslashreplace"))
        replace_file(cassette, (readable(file_of(read.cassette)) + "\n").encode("utf-8", "backslashreplace"))
        if not (folder / "studio.yaml").exists():
            replace_file(folder / "studio.yaml", WORKSPACE.encode())
    except OSError as error:
        raise ReportError(f"The bundle cannot be unpacked to {folder}: {error.strerror or error}.") from None
    return script, cassette


def folder_for(path: Path, bundles: Path) -> Path:
    """Where the bundle is unpacked: the same whenever it is opened, another for every run."""
    about = read_bundle(path).about
    run_id = "".join(letter for letter in str(about.get("run_id")) if letter.isalnum())[:40]
    return bundles / f"{Path(_file_name(about.get('script'))).stem}-{run_id or 'run'}"


def _part(archive: zipfile.ZipFile, name: str) -> bytes:
    with archive.open(name) as part:
        content = part.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ValueError(name)
    return content


def _file_name(named: Any) -> str:
    """The last part of a path, wherever it came from; a name that means nothing else."""
    name = str(named or "").replace("\\", "/").rpartition("/")[2].strip("<>").strip()
    harmless = "".join(letter if letter.isprintable() else "_" for letter in name)
    return (
        harmless if harmless.strip(".") and len(harmless.encode()) < 200 and harmless != "studio.yaml" else "script.py"
    )


def _is_record(record: Any) -> bool:
    needed = ("run_id", "status", "return_code", "value", "stdout", "stderr", "error", "duration_ms")
    return isinstance(record, dict) and all(key in record for key in needed) and isinstance(record.get("calls"), list)
