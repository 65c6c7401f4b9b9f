"""Manifests: what a folder of models holds, which way each looks, how large it really is.

A folder says it in `fathom-assets.json`. For packs that many people have, the project says it (packs/), and
knows them by their files' names and hashes.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from fathom.assets.gltf.axes import AXES
from fathom.records import AssetError, Record
from fathom.store.files import sha256_file, write_json

FILE_NAME = "fathom-assets.json"
PROPOSED_NAME = "fathom-assets.proposed.json"
PACKS = Path(__file__).with_name("packs")

_WORDS = re.compile(r"[a-z0-9]+([ -][a-z0-9]+)*")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._()/-]*")


class ModelEntry(Record, frozen=True, kw_only=True):
    """What is known of one model.

    `file` is relative to the folder; `name` is what scenes call the model, the file's name without its ending
    where it is empty. `category` and `subtype` are words that questions can use. `front` and `up` are axes of
    the file ("+z", "-x" …), `size_m` the real length from front to back. `body_materials` are the materials
    that may take another colour, none where the colour must stay. `reviewed` says that somebody looked.
    """

    file: str
    category: str
    subtype: str
    size_m: float
    name: str = ""
    front: str = "+z"
    up: str = "+y"
    body_materials: tuple[str, ...] = ()
    license: str = ""
    note: str = ""
    reviewed: bool = False

    @property
    def called(self) -> str:
        """The name that scenes keep."""
        return self.name or self.file.rsplit(".", 1)[0]


class AssetManifest(Record, frozen=True, kw_only=True):
    """The models of a folder; `files` maps files to their SHA-256, `refused` others to why not."""

    name: str
    models: tuple[ModelEntry, ...]
    source: str = ""
    license: str = ""
    files: dict[str, str] = {}
    refused: dict[str, str] = {}


def read_manifest(path: Path) -> AssetManifest:
    """Return the manifest in a file. Raises AssetError that names the entry, the key and what would fit."""
    try:
        raw = msgspec.json.decode(path.read_bytes())
    except OSError as e:
        raise AssetError(f"{path}: cannot be read ({e.strerror or e})") from e
    except RecursionError as e:
        raise AssetError(f"{path}: is nested too deeply to be a manifest") from e
    except (msgspec.DecodeError, UnicodeDecodeError) as e:
        raise AssetError(f"{path}: is not JSON ({e}); correct it at that place") from e
    _check_keys(path, raw)
    try:
        manifest = msgspec.convert(raw, AssetManifest)
    except msgspec.ValidationError as e:
        raise AssetError(f"{path}: {_where(str(e), raw)}; correct it there") from e
    for problem in problems(manifest):
        raise AssetError(f"{path}: {problem}")
    return manifest


def write_manifest(path: Path, manifest: AssetManifest) -> None:
    """Write a manifest with every key of every model, so that a person sees what can be corrected."""
    models = [{k: getattr(m, k) for k in m.__struct_fields__} for m in manifest.models]
    write_json(path, {**msgspec.to_builtins(manifest), "models": models})


def problems(manifest: AssetManifest) -> Iterable[str]:
    """Yield what a manifest says that cannot be, each in one sentence with the remedy."""
    if not manifest.models:
        yield "lists no models; add some, or run `fathom assets index` to have them proposed"
    taken: dict[str, str] = {}
    classes: dict[str, str] = {}
    for m in manifest.models:
        who = f"model {m.file!r}"
        if not _NAME.fullmatch(m.called):
            yield f"{who}: {m.called!r} cannot be its name; use letters, digits, '.', '_' and '-'"
        if m.called in taken:
            yield f"{who}: the name {m.called!r} is taken by {taken[m.called]!r}; give it another `name`"
        taken[m.called] = m.file
        for key, word in (("category", m.category), ("subtype", m.subtype)):
            if not _WORDS.fullmatch(word) or len(word) > 40:
                yield f"{who}: its {key} is {word!r}; expected one or a few words in small letters"
        if classes.setdefault(m.subtype, m.category) != m.category:
            yield (
                f"{who}: the subtype {m.subtype!r} is a {classes[m.subtype]!r} elsewhere and a "
                f"{m.category!r} here; a subtype has one category"
            )
        for key, axis in (("front", m.front), ("up", m.up)):
            if axis not in AXES:
                yield f"{who}: its {key} is {axis!r}; there are {', '.join(AXES)}"
        if m.front[1:] == m.up[1:]:
            yield f"{who}: its front {m.front} and its up {m.up} lie on one axis; they stand at right angles"
        if not 0.001 <= m.size_m <= 1000:
            yield f"{who}: its size_m is {m.size_m:g}; expected the real length in metres, 0.001 to 1000"


def manifest_of(folder: Path) -> AssetManifest:
    """Return the manifest of a folder: its own, or that of the well-known pack that it holds.

    Raises AssetError where there is neither, or a file is not the one that the manifest means.
    """
    if not folder.is_dir():
        raise AssetError(f"{folder}: expected a folder of models, but there is none; check the path")
    own = folder / FILE_NAME
    if own.exists():
        manifest = read_manifest(own)
        _verify(folder, manifest)
        return manifest
    for pack in sorted(PACKS.glob("*.json")):
        manifest = read_manifest(pack)
        if _holds(folder, manifest):
            present = tuple(m for m in manifest.models if (folder / m.file).is_file())
            files = {f: h for f, h in manifest.files.items() if (folder / f).is_file()}
            found: AssetManifest = msgspec.structs.replace(manifest, models=present, files=files)
            _verify(folder, found)
            return found
    raise AssetError(
        f"{folder}: has no {FILE_NAME} and is not a well-known pack; run `fathom assets index {folder}`, "
        f"look at the sheet, correct {PROPOSED_NAME} and save it as {FILE_NAME}"
    )


def _holds(folder: Path, pack: AssetManifest) -> bool:
    """Return whether at least half of a pack's models lie in the folder, unchanged."""
    there = [m.file for m in pack.models if (folder / m.file).is_file()]
    if 2 * len(there) < len(pack.models):
        return False
    same = sum(sha256_file(folder / f) == pack.files.get(f) for f in there)
    return 2 * same >= len(pack.models)


def _verify(folder: Path, manifest: AssetManifest) -> None:
    for name, expected in manifest.files.items():
        path = folder / name
        found = sha256_file(path) if path.is_file() else "nothing"
        if found != expected:
            raise AssetError(
                f"{path}: expected the file with SHA-256 {expected[:12]} that the manifest {manifest.name} "
                f"means, found {found[:12]}; restore it, or index the folder again"
            )


def _check_keys(path: Path, raw: Any) -> None:
    """Raise for keys that do not exist, with the nearest one that does."""
    if not isinstance(raw, dict):
        raise AssetError(f"{path}: expected an object with `name` and `models`, found {type(raw).__name__}")
    _known(path, "the manifest", raw, AssetManifest.__struct_fields__)
    models = raw.get("models")
    for k, m in enumerate(models if isinstance(models, list) else []):
        if isinstance(m, dict):
            _known(path, f"models[{k}] ({m.get('file', 'without a file')})", m, ModelEntry.__struct_fields__)


def _known(path: Path, where: str, given: Mapping[str, object], known: tuple[str, ...]) -> None:
    for key in given:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1, 0.5)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
            raise AssetError(f"{path}: {where} has the unknown key {key[:60]!r}; {hint}")


def _where(message: str, raw: Any) -> str:
    """Return a validation message with the model's file in place of its number."""
    found = re.search(r"\$\.models\[(\d+)\]", message)
    if found is None:
        return message
    m = raw["models"][int(found[1])]
    file = m.get("file", "") if isinstance(m, dict) else ""
    return f"models[{found[1]}]{f' ({file})' if file else ''}: {message}"
