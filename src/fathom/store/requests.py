"""A request folder: what a stage wants a model to be asked, written down until `fathom run` asks it.

    REQUESTS/manifest.json    kind "requests"; `identity` is the hash of the requests
    REQUESTS/requests.jsonl   one records.Request a line

The key of a stored request hashes what is asked; which model is asked, and how, the runner adds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from fathom.records import DataError, InputError, Manifest, Request
from fathom.store.datasets import MANIFEST, MEDIA, MEDIA_FOLDER, check_manifest
from fathom.store.files import read_json, read_jsonl, sha256_file, sweep, write_json, write_jsonl

REQUESTS = "requests.jsonl"


@dataclass(frozen=True)
class RequestFolder:
    """Requests on disk."""

    path: Path
    manifest: Manifest

    def requests(self) -> Iterator[Request]:
        """Yield the requests. Raises DataError with file and line where one does not validate."""
        return read_jsonl(self.path / REQUESTS, Request)


def request_key(request: Request) -> str:
    """Return the key of what is asked, whoever is asked: 32 hexadecimal digits."""
    asked = [request.asked.id, request.purpose, request.variant, request.prompt]
    return hashlib.sha256(msgspec.json.encode(asked)).hexdigest()[:32]


def write_requests(path: Path, requests: Iterable[Request], manifest: Manifest) -> RequestFolder:
    """Write requests into a folder, whole or not at all, and return it; what differs is replaced.

    Raises InputError where the folder holds something else.
    """
    check_place(path)
    listed = list(requests)
    write_jsonl(path / REQUESTS, listed)
    made = msgspec.structs.replace(
        manifest,
        kind="requests",
        counts={**manifest.counts, "requests": len(listed)},
        identity=sha256_file(path / REQUESTS),
        complete=True,
    )
    write_json(path / MANIFEST, made)
    return RequestFolder(path, made)


def check_place(path: Path) -> None:
    """Raise InputError where a folder holds something else than requests and the pictures that they show.

    Requests that were cut off before they were whole are no hindrance.
    """
    sweep(path, MANIFEST, REQUESTS, MEDIA)
    own = (MEDIA_FOLDER, MEDIA, REQUESTS)
    if (path / MANIFEST).exists():
        check_manifest(path, read_json(path / MANIFEST, Manifest), "requests")
    elif path.exists() and (not path.is_dir() or any(p.name not in own for p in path.iterdir())):
        raise InputError(f"{path}: is not empty, and holds no requests; choose another folder")


def holds_requests(path: Path) -> bool:
    """Return whether a folder says of itself that it holds requests."""
    return (path / MANIFEST).is_file() and read_json(path / MANIFEST, Manifest).kind == "requests"


def open_requests(path: Path) -> RequestFolder:
    """Return the requests in a folder.

    Raises InputError where there are none, DataError where they were changed.
    """
    if not (path / MANIFEST).is_file():
        raise InputError(f"{path}: expected a request folder, which `fathom score` writes; check the path")
    manifest = read_json(path / MANIFEST, Manifest)
    check_manifest(path, manifest, "requests")
    if not (path / REQUESTS).is_file() or sha256_file(path / REQUESTS) != manifest.identity:
        raise DataError(f"{path / REQUESTS}: is missing or was changed; write the requests again")
    return RequestFolder(path, manifest)
