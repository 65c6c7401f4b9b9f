"""Manifests of animated models: what each is, which way it looks, what its limbs are, what its clips show.

A folder says it in `fathom-cast.json`. For packs that many people have, the project says it (packs/), and
knows them by their files' names and hashes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import msgspec

from fathom.assets.gltf.axes import AXES
from fathom.records import AssetError, Record
from fathom.store.files import sha256_file, write_json

FILE_NAME = "fathom-cast.json"
PROPOSED_NAME = "fathom-cast.proposed.json"
PACKS = Path(__file__).with_name("packs")

CATEGORIES = ("animal", "fish", "dinosaur", "robot", "character", "insect", "vehicle", "object")
"""What assets are sorted into."""

STANCE, FILE, CLIPS = "stance", "file", "clips"
GROUNDS = (STANCE, FILE, CLIPS)
"""Where the ground is: under the stance, at the file's own zero, or under the lowest moment of all clips."""

_NOUN = re.compile(r"[a-z0-9][a-z0-9 '-]*")


class MaterialEntry(Record, frozen=True, kw_only=True):
    """What somebody would call what a material makes, and its colour; empty where nobody would name it."""

    word: str = ""
    color: str = ""


class ClipEntry(Record, frozen=True, kw_only=True):
    """What is known of one clip.

    `verb` is a key of the lexicon. Without one a clip is shown only where none of the model's has one; with a
    `reason` not to, never. From `start_s` to
    `end_s` of the file's seconds something moves; `duration_s` is the whole length. `loops`: the last pose is
    the first. `cycles`: how many times the movement is made in between. Of a proposed verb `confidence` says
    how sure it is, from 0 to 1, and `told_by` what told it.
    """

    name: str
    verb: str = ""
    start_s: float = 0.0
    end_s: float = 0.0
    duration_s: float = 0.0
    loops: bool = False
    cycles: int = 1
    reason: str = ""
    confidence: float = 1.0
    told_by: str = ""


class AnimatedEntry(Record, frozen=True, kw_only=True):
    """What is known of one animated model.

    `file` is relative to the folder; `noun` is what questions call it. `size_m` is the longest side of its
    box in its stance: the first frame of the clip `stance`, the pose of the file where that is empty.
    `front` and `up` are axes of the file, `ground` says what it stands on (`GROUNDS`). `materials` gives
    words for what is made of them. `limbs` maps names of limbs to patterns of names of joints, besides those
    of the manifest's `rigs[rig]`; `joints` are those names. `losses` say what of the file is not shown as it
    has it.
    """

    file: str
    name: str
    noun: str
    category: str
    size_m: float
    plural: str = ""
    front: str = "+z"
    up: str = "+y"
    stance: str = ""
    ground: str = STANCE
    materials: dict[str, MaterialEntry] = {}
    rig: str = ""
    limbs: dict[str, tuple[str, ...]] = {}
    joints: tuple[str, ...] = ()
    clips: tuple[ClipEntry, ...] = ()
    license: str = ""
    note: str = ""
    losses: tuple[str, ...] = ()
    reviewed: bool = False


class AnimatedManifest(Record, frozen=True, kw_only=True, rename={"assets": "actors"}):
    """The animated models of a folder; `files` maps files to their SHA-256, `refused` others to why not.

    `rigs` are limbs by patterns that several assets share.
    """

    name: str
    assets: tuple[AnimatedEntry, ...]
    rigs: dict[str, dict[str, tuple[str, ...]]] = {}
    source: str = ""
    license: str = ""
    files: dict[str, str] = {}
    refused: dict[str, str] = {}

    def limbs_of(self, entry: AnimatedEntry) -> dict[str, tuple[str, ...]]:
        """Return an asset's limbs by patterns of joints, those of its rig first."""
        return {**self.rigs.get(entry.rig, {}), **entry.limbs}


def read_animated_manifest(path: Path) -> AnimatedManifest:
    """Return the manifest in a file. Raises AssetError that says what does not fit, and where."""
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=AnimatedManifest)
    except OSError as e:
        raise AssetError(f"{path}: cannot be read ({e.strerror or e})") from e
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as e:
        raise AssetError(f"{path}: is no manifest of animated models ({e}); correct it there") from e
    for problem in problems(manifest):
        raise AssetError(f"{path}: {problem}")
    return manifest


def write_animated_manifest(path: Path, manifest: AnimatedManifest) -> None:
    """Write a manifest; what a person may want to correct stands there even where it is empty."""
    raw = msgspec.to_builtins(manifest)
    for asset, entry in zip(raw["actors"], manifest.assets, strict=True):
        for key in ("plural", "front", "up", "stance", "ground", "rig"):
            asset.setdefault(key, getattr(entry, key))
    write_json(path, raw)


def problems(manifest: AnimatedManifest) -> Iterable[str]:
    """Yield what a manifest says that cannot be, each in one sentence with the remedy."""
    if not manifest.assets:
        yield "lists no actors; add some, or have them proposed"
    taken: dict[str, str] = {}
    for a in manifest.assets:
        who = f"model {a.file!r}"
        if not a.name:
            yield f"{who}: has no name; give it one"
        if a.name in taken:
            yield f"{who}: the name {a.name!r} is taken by {taken[a.name]!r}; give it another `name`"
        taken[a.name] = a.file
        yield from (f"{who}: {p}" for p in _problems_of(a, manifest))


def _problems_of(a: AnimatedEntry, manifest: AnimatedManifest) -> Iterable[str]:
    for word in (a.noun, a.plural or a.noun):
        if not _NOUN.fullmatch(word) or len(word) > 60:
            yield f"its noun is {word!r}; expected words in small letters, as a question would say them"
    if a.category not in CATEGORIES:
        yield f"its category is {a.category!r}; there are {', '.join(CATEGORIES)}"
    for key, axis in (("front", a.front), ("up", a.up)):
        if axis not in AXES:
            yield f"its {key} is {axis!r}; there are {', '.join(AXES)}"
    if a.front[1:] == a.up[1:]:
        yield f"its front {a.front} and its up {a.up} lie on one axis; they stand at right angles"
    if not 0.001 <= a.size_m <= 1000:
        yield f"its size_m is {a.size_m:g}; expected the real longest side in meters, 0.001 to 1000"
    if a.ground not in GROUNDS:
        yield f"its ground is {a.ground!r}; there are {', '.join(GROUNDS)}"
    if a.rig and a.rig not in manifest.rigs:
        yield f"its rig is {a.rig!r}; the manifest has {', '.join(manifest.rigs) or 'none'}"
    names = [c.name for c in a.clips]
    if a.stance and a.stance not in names:
        yield f"its stance is the clip {a.stance!r}, which is not among its clips"
    for name in {n for n in names if names.count(n) > 1}:
        yield f"it lists the clip {name!r} twice; take one out"
    for c in a.clips:
        if c.verb and not 0 <= c.start_s < c.end_s:
            yield f"its clip {c.name!r} runs from {c.start_s:g} to {c.end_s:g} s; expected 0 ≤ start < end"
        if c.cycles < 1:
            yield f"its clip {c.name!r} has {c.cycles} cycles; expected 1 or more"
    for limb, patterns in manifest.limbs_of(a).items():
        for pattern in patterns:
            try:
                re.compile(pattern)
            except re.error as e:
                yield f"its limb {limb!r} has the pattern {pattern!r}, which is no regular expression ({e})"


def animated_manifest_of(folder: Path) -> AnimatedManifest:
    """Return the manifest of a folder: its own, or what the well-known packs say of the files in it.

    Raises AssetError where there is neither, or a file is not the one that the manifest means.
    """
    manifest = manifest_in(folder)
    verify(folder, manifest)
    return manifest


def manifest_in(folder: Path) -> AnimatedManifest:
    """Return the manifest of a folder as `cast_manifest_of` does, whatever has become of the files since."""
    if not folder.is_dir():
        raise AssetError(f"{folder}: expected a folder of animated models, but there is none; check the path")
    own = folder / FILE_NAME
    if own.exists():
        return read_animated_manifest(own)
    found = [m for m in (_held(folder, read_animated_manifest(p)) for p in sorted(PACKS.glob("*.json"))) if m]
    if not found:
        raise AssetError(
            f"{folder}: has no {FILE_NAME} and holds no well-known animated models; run "
            f"`fathom assets index {folder}`, look at the sheets, correct {PROPOSED_NAME} and save it as "
            f"{FILE_NAME}"
        )
    return found[0] if len(found) == 1 else _joined(folder, found)


def _held(folder: Path, pack: AnimatedManifest) -> AnimatedManifest | None:
    """Return what a pack says of the files that lie in the folder, unchanged; None where there are none."""
    there = {f for f, h in pack.files.items() if (folder / f).is_file() and sha256_file(folder / f) == h}
    assets = tuple(a for a in pack.assets if a.file in there)
    if not assets:
        return None
    files = {f: h for f, h in pack.files.items() if f in there}
    held: AnimatedManifest = msgspec.structs.replace(pack, assets=assets, files=files)
    return held


def _joined(folder: Path, packs: list[AnimatedManifest]) -> AnimatedManifest:
    """Return several packs as one manifest, their rigs under names of their own."""
    assets: list[AnimatedEntry] = []
    rigs: dict[str, dict[str, tuple[str, ...]]] = {}
    for pack in packs:
        rigs |= {f"{pack.name}/{k}": v for k, v in pack.rigs.items()}
        assets += [
            msgspec.structs.replace(a, rig=f"{pack.name}/{a.rig}" if a.rig else "") for a in pack.assets
        ]
    return AnimatedManifest(
        name=folder.resolve().name,
        assets=tuple(sorted(assets, key=lambda a: a.name)),
        rigs=rigs,
        source="; ".join(p.source for p in packs if p.source),
        files={f: h for p in packs for f, h in p.files.items()},
    )


def verify(folder: Path, manifest: AnimatedManifest) -> None:
    """Raise AssetError where a file is not the one that the manifest means."""
    for name in manifest.files:
        verify_file(folder, manifest, name)


def verify_file(folder: Path, manifest: AnimatedManifest, name: str) -> None:
    """Raise AssetError where one file that the manifest lists is not the one that it means."""
    path, expected = folder / name, manifest.files[name]
    found = sha256_file(path) if path.is_file() else "nothing"
    if found != expected:
        raise AssetError(
            f"{path}: expected the file with SHA-256 {expected[:12]} that the manifest {manifest.name} "
            f"means, found {found[:12]}; restore it, or index the folder again"
        )
