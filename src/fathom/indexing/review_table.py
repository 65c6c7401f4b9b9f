"""A manifest of animated models as one table, a row a clip, which a person corrects in any spreadsheet.

What is said of a whole model stands in the first row of its clips.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from fathom.assets.animated.lexicon import Lexicon, lexicon_in, read_lexicon
from fathom.assets.animated.manifest import (
    FILE_NAME,
    PROPOSED_NAME,
    AnimatedEntry,
    AnimatedManifest,
    ClipEntry,
    problems,
    read_animated_manifest,
    write_animated_manifest,
)
from fathom.records import AssetError

TABLE = "fathom-cast-review.tsv"

MODEL = ("file", "noun", "category", "front", "size_m", "reviewed")
CLIP = ("clip", "verb", "confidence", "told_by", "left_out")
COLUMNS = (*MODEL, *CLIP)
YES, NO = "yes", "no"

UNKNOWN = "unknown"
"""What stands for a verb that nothing tells."""

_CORRECTED = ("noun", "category", "front")


def manifest_file(folder: Path) -> Path:
    """Return the manifest that is reviewed: the folder's own, else the proposed one. Raises AssetError."""
    for name in (FILE_NAME, PROPOSED_NAME):
        if (folder / name).is_file():
            return folder / name
    raise AssetError(f"{folder}: has no {PROPOSED_NAME}; run `fathom assets index {folder}` first")


def accept(folder: Path, table: Path, lexicon: Path | None = None) -> str:
    """Write a folder's manifest as a table corrects it, and say how many models are reviewed."""
    words = read_lexicon(lexicon_in(folder, lexicon))
    manifest = with_table(read_animated_manifest(manifest_file(folder)), table, words)
    write_animated_manifest(folder / FILE_NAME, manifest)
    done = sum(a.reviewed for a in manifest.assets)
    left = (
        f"; a build leaves out the other {len(manifest.assets) - done}" if done < len(manifest.assets) else ""
    )
    return f"{folder / FILE_NAME}: {done} of {len(manifest.assets)} models are reviewed{left}"


def table_of(manifest: AnimatedManifest) -> str:
    """Return the table, its columns apart by tabs."""
    out = io.StringIO()
    writer = csv.writer(out, "excel-tab", lineterminator="\n")
    writer.writerow(COLUMNS)
    for asset in manifest.assets:
        for k, clip in enumerate(asset.clips or (ClipEntry(name=""),)):
            writer.writerow([*(_of_model(asset) if k == 0 else [""] * len(MODEL)), *_of_clip(clip)])
    return out.getvalue()


def _of_model(a: AnimatedEntry) -> list[str]:
    return [a.file, a.noun, a.category, a.front, f"{a.size_m:g}", YES if a.reviewed else NO]


def _of_clip(c: ClipEntry) -> list[str]:
    if c.reason:
        return [c.name, "", "", "", c.reason]
    return [c.name, c.verb or UNKNOWN, f"{c.confidence:.2f}" if c.verb else "", c.told_by, ""]


def with_table(manifest: AnimatedManifest, path: Path, lexicon: Lexicon) -> AnimatedManifest:
    """Return the manifest as a table in a file corrects it; what the table does not name stays as it is.

    A verb that was corrected is sure. Raises AssetError that names the row, where something does not fit.
    """
    rows = _read(path)
    known = {a.file: a for a in manifest.assets}
    blocks: dict[str, list[tuple[int, dict[str, str]]]] = {}
    file = ""
    for number, row in rows:
        file = row["file"] or file
        if file not in known:
            raise AssetError(
                f"{path}: row {number} is of the model {file!r}, which the manifest does not list"
            )
        blocks.setdefault(file, []).append((number, row))
    assets = tuple(_corrected(a, blocks.get(a.file, ()), path, lexicon) for a in manifest.assets)
    found: AnimatedManifest = msgspec.structs.replace(manifest, assets=assets)
    for problem in problems(found):
        raise AssetError(f"{path}: {problem}")
    return found


def _read(path: Path) -> list[tuple[int, dict[str, str]]]:
    """Return the rows with their numbers, as a spreadsheet counts them."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as e:
        raise AssetError(f"{path}: the table cannot be read ({e})") from e
    lines = csv.reader(io.StringIO(text), "excel-tab")
    head = next(lines, [])
    if missing := [c for c in ("file", "clip", "verb") if c not in head]:
        raise AssetError(f"{path}: expected the columns {', '.join(COLUMNS)}; {missing[0]!r} is not there")
    found = []
    for number, line in enumerate(lines, 2):
        if any(cell.strip() for cell in line):
            cells = {name: cell.strip() for name, cell in zip(head, line, strict=False)}
            found.append((number, dict.fromkeys(COLUMNS, "") | cells))
    return found


def _corrected(
    asset: AnimatedEntry, rows: Sequence[tuple[int, dict[str, str]]], path: Path, lexicon: Lexicon
) -> AnimatedEntry:
    changes: dict[str, object] = {}
    clips = {c.name: c for c in asset.clips}
    for number, row in rows:
        changes |= {name: row[name] for name in _CORRECTED if row[name]}
        if row["size_m"]:
            changes["size_m"] = _number(row["size_m"], f"{path}: row {number}")
        if row["reviewed"]:
            changes["reviewed"] = row["reviewed"].lower() == YES
        if row["clip"]:
            if row["clip"] not in clips:
                raise AssetError(f"{path}: row {number}: {asset.file} has no clip {row['clip']!r}")
            clips[row["clip"]] = _clip(clips[row["clip"]], row, f"{path}: row {number}", lexicon)
    return msgspec.structs.replace(asset, clips=tuple(clips.values()), **changes)


def _clip(clip: ClipEntry, row: dict[str, str], where: str, lexicon: Lexicon) -> ClipEntry:
    verb = "" if row["verb"] == UNKNOWN else row["verb"]
    if verb and verb not in lexicon.by_key:
        near = ", ".join(_near(verb, lexicon)) or "fathom-lexicon.json takes verbs of your own"
        raise AssetError(f"{where}: the verb {verb!r} is not in the lexicon ({near}); correct it")
    found = msgspec.structs.replace(clip, reason=row["left_out"])
    if verb == clip.verb:
        return found
    return msgspec.structs.replace(found, verb=verb, confidence=1.0, told_by="a person" if verb else "")


def _near(verb: str, lexicon: Lexicon) -> Iterator[str]:
    import difflib

    yield from difflib.get_close_matches(verb, lexicon.by_key, 4)


def _number(text: str, where: str) -> float:
    try:
        return float(text)
    except ValueError as e:
        raise AssetError(f"{where}: expected a size in meters, found {text!r}") from e
