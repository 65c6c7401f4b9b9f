"""Catalogues: what a folder of models holds, which way each looks, how large it really is, what it is for.

catalogue("street")["street lamp"].box_m        # a built-in pack
catalogue_of(Path("models"))                    # a folder, as its own file says

A folder says it in `fathom-assets.json`. For packs that many people have, the project says it (packs/), and
knows them by their files' names and hashes. Each built-in pack says it in its `catalogue.json`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from fathom.assets.gltf.axes import AXES
from fathom.assets.palette import PALETTES
from fathom.assets.spec import NOT_IN_FILES, AssetSpec, Catalogue
from fathom.records import AssetError
from fathom.store.files import sha256_file, write_json

FILE_NAME = "fathom-assets.json"
PROPOSED_NAME = "fathom-assets.proposed.json"
PACKS = Path(__file__).with_name("packs")

MODELS = Path(__file__).with_name("models")
BUILT_IN_NAME = "catalogue.json"
REMEDY = "install fathom again, or write the files again with tools/make_assets.py"

TO_CORRECT = ("name", "size_m", "front", "up", "body_materials", "license", "note", "reviewed")
"""What a proposal says of every model even where it is nothing: a person sees what can be corrected."""

KEYS = tuple(f for f in AssetSpec.__struct_fields__ if f not in NOT_IN_FILES)

_WORDS = re.compile(r"[a-z0-9]+([ -][a-z0-9]+)*")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._()/-]*")


@cache
def catalogue(pack: str) -> Mapping[str, AssetSpec]:
    """Return the assets of a built-in pack by their names. Raises AssetError where it cannot be read."""
    path = MODELS / pack / BUILT_IN_NAME
    try:
        found = _read(path)
    except AssetError as e:
        raise AssetError(f"{path}: is no catalogue of built-in models ({e}); {REMEDY}") from e
    return {m.name: m.completed("", found.name, found.palette) for m in found.models}


def read_catalogue(path: Path) -> Catalogue:
    """Return the catalogue in a file, its entries completed with the folder that it lies in.

    Raises AssetError that names the entry, the key and what would fit.
    """
    found = _read(path)
    models = tuple(m.completed(str(path.parent), found.name, found.palette) for m in found.models)
    whole: Catalogue = msgspec.structs.replace(found, models=models)
    for problem in problems(whole):
        raise AssetError(f"{path}: {problem}")
    return whole


def _read(path: Path) -> Catalogue:
    """Return the catalogue in a file as it stands there."""
    try:
        raw = msgspec.json.decode(path.read_bytes())
    except OSError as e:
        raise AssetError(f"{path}: cannot be read ({e.strerror or e})") from e
    except RecursionError as e:
        raise AssetError(f"{path}: is nested too deeply to be a catalogue") from e
    except (msgspec.DecodeError, UnicodeDecodeError) as e:
        raise AssetError(f"{path}: is not JSON ({e}); correct it at that place") from e
    _check_keys(path, raw)
    try:
        return msgspec.convert(raw, Catalogue)
    except msgspec.ValidationError as e:
        raise AssetError(f"{path}: {_where(str(e), raw)}; correct it there") from e


def write_catalogue(path: Path, found: Catalogue) -> None:
    """Write a catalogue in which a person sees what can be corrected of every model (`TO_CORRECT`)."""
    raw = msgspec.to_builtins(found)
    for entry, model in zip(raw["models"], found.models, strict=True):
        entry |= {key: getattr(model, key) for key in TO_CORRECT}
    write_json(path, raw)


def problems(found: Catalogue) -> Iterable[str]:
    """Yield what a catalogue says that cannot be, each in one sentence with the remedy."""
    if not found.models:
        yield "lists no models; add some, or run `fathom assets index` to have them proposed"
    taken: dict[str, str] = {}
    classes: dict[str, str] = {}
    for m in found.models:
        who = f"model {m.file!r}"
        if not _NAME.fullmatch(m.name):
            yield f"{who}: {m.name!r} cannot be its name; use letters, digits, '.', '_' and '-'"
        if m.name in taken:
            yield f"{who}: the name {m.name!r} is taken by {taken[m.name]!r}; give it another `name`"
        taken[m.name] = m.file
        for key, word in (("category", m.category), ("subtype", m.subtype)):
            if not _WORDS.fullmatch(word) or len(word) > 40:
                yield f"{who}: its {key} is {word!r}; expected one or a few words in small letters"
        if classes.setdefault(m.subtype, m.category) != m.category:
            yield (
                f"{who}: the subtype {m.subtype!r} is a {classes[m.subtype]!r} elsewhere and a "
                f"{m.category!r} here; a subtype has one category"
            )
        for word in (*m.colors, m.color):
            if word and word not in PALETTES.get(m.palette, {}):
                known = ", ".join(PALETTES.get(m.palette, {})) or f"no palette {m.palette!r}"
                yield f"{who}: its color {word!r} has no name in its palette; there are {known}"
        if any(m.colors) and not m.recolourable:
            yield f"{who}: it comes in colors and nothing of it takes one; name its `body_materials`"
        for g in m.varies:
            if not g.axes or set(g.axes) - set("xyz") or (g.by > 0) == (g.wide > 0):
                yield f"{who}: it varies along {g.axes!r}; expected some of xyz, and either `by` or `wide`"
        for key, axis in (("front", m.front), ("up", m.up)):
            if axis not in AXES:
                yield f"{who}: its {key} is {axis!r}; there are {', '.join(AXES)}"
        if m.front[1:] == m.up[1:]:
            yield f"{who}: its front {m.front} and its up {m.up} lie on one axis; they stand at right angles"
        if not 0.001 <= m.size_m <= 1000:
            yield f"{who}: its size_m is {m.size_m:g}; expected the real length in meters, 0.001 to 1000"


def catalogue_of(folder: Path) -> Catalogue:
    """Return the catalogue of a folder: its own, or that of the well-known pack that it holds.

    Raises AssetError where there is neither, or a file is not the one that the catalogue means.
    """
    if not folder.is_dir():
        raise AssetError(f"{folder}: expected a folder of models, but there is none; check the path")
    own = folder / FILE_NAME
    if own.exists():
        found = read_catalogue(own)
        _verify(folder, found)
        return found
    for pack in sorted(PACKS.glob("*.json")):
        known = read_catalogue(pack)
        if _holds(folder, known):
            there = [m for m in known.models if (folder / m.file).is_file()]
            models = tuple(m.completed(str(folder), known.name, known.palette) for m in there)
            files = {f: h for f, h in known.files.items() if (folder / f).is_file()}
            present: Catalogue = msgspec.structs.replace(known, models=models, files=files)
            _verify(folder, present)
            return present
    raise AssetError(
        f"{folder}: has no {FILE_NAME} and is not a well-known pack; run `fathom assets index {folder}`, "
        f"look at the sheet, correct {PROPOSED_NAME} and save it as {FILE_NAME}"
    )


def _holds(folder: Path, pack: Catalogue) -> bool:
    """Return whether at least half of a pack's models lie in the folder, unchanged."""
    there = [m.file for m in pack.models if (folder / m.file).is_file()]
    if 2 * len(there) < len(pack.models):
        return False
    same = sum(sha256_file(folder / f) == pack.files.get(f) for f in there)
    return 2 * same >= len(pack.models)


def _verify(folder: Path, found: Catalogue) -> None:
    for name, expected in found.files.items():
        path = folder / name
        there = sha256_file(path) if path.is_file() else "nothing"
        if there != expected:
            raise AssetError(
                f"{path}: expected the file with SHA-256 {expected[:12]} that the catalogue {found.name} "
                f"means, found {there[:12]}; restore it, or index the folder again"
            )


def _check_keys(path: Path, raw: Any) -> None:
    """Raise for keys that do not exist, with the nearest one that does."""
    if not isinstance(raw, dict):
        raise AssetError(f"{path}: expected an object with `name` and `models`, found {type(raw).__name__}")
    _known(path, "the catalogue", raw, Catalogue.__struct_fields__)
    models = raw.get("models")
    for k, m in enumerate(models if isinstance(models, list) else []):
        if isinstance(m, dict):
            _known(path, f"models[{k}] ({m.get('file', 'without a file')})", m, KEYS)


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
