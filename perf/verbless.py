"""A folder of models whose names say nothing, and how well what moves is told without them.

    python perf/verbless.py make ASSETS/animated FOLDER [--objects 40] [--seed 0] [--others KEY]
    fathom assets index FOLDER
    python perf/verbless.py tell FOLDER            # verbs by motion against the hidden names
    python perf/verbless.py accept FOLDER          # as if somebody had reviewed all of it and changed nothing
    fathom build 4d-bench --assets FOLDER --out DATASET --renderer none

`make` copies models under numbers, with each clip called "Take 001", and keeps beside the folder which is
which (FOLDER.key.json); with `--others` it takes the models that are not in such a file. Of all clips that a
reviewed pack has a verb for, `tell` prints how many verbs are the same, alike, wrong and missing, and each
wrong one.
"""

from __future__ import annotations

import argparse
import json
import struct
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from fathom.assets.animated.lexicon import read_lexicon
from fathom.assets.animated.manifest import (
    FILE_NAME,
    PACKS,
    PROPOSED_NAME,
    ClipEntry,
    read_animated_manifest,
    write_animated_manifest,
)
from fathom.store.seeds import rng

TAKE = "Take 001"


def make(source: Path, folder: Path, objects: int, seed: str, others: Path | None) -> None:
    """Write the folder, and its key."""
    taken = {was for was, _ in json.loads(others.read_text("utf-8")).values()} if others else set()
    files = sorted(p for p in source.iterdir() if p.suffix in (".glb", ".gltf") and p.name not in taken)
    chosen = [files[i] for i in sorted(rng(seed, "verbless").permutation(len(files))[:objects].tolist())]
    order = rng(seed, "verbless", "numbers").permutation(len(chosen)).tolist()
    folder.mkdir(parents=True)
    key = {}
    for number, k in enumerate(order, 1):
        path = chosen[k]
        whole, rest = _read(path)
        key[f"{number:04d}{path.suffix}"] = [path.name, [a.get("name", "") for a in whole["animations"]]]
        for animation in whole["animations"]:
            animation["name"] = TAKE
        for buffer in whole.get("buffers", ()):
            if not buffer.get("uri", "data:").startswith("data:"):
                (folder / buffer["uri"]).write_bytes((source / buffer["uri"]).read_bytes())
        (folder / f"{number:04d}{path.suffix}").write_bytes(_written(whole, rest))
    _key(folder).write_text(json.dumps(key, indent=1), "utf-8")


def tell(folder: Path) -> None:
    """Print how many verbs of the proposal are those of the reviewed packs."""
    hidden, lexicon = _hidden(folder), read_lexicon()
    counts: Counter[tuple[str, str]] = Counter()
    for asset in read_animated_manifest(folder / PROPOSED_NAME).assets:
        for clip, (name, verb) in zip(asset.clips, hidden[asset.file], strict=True):
            if not verb:
                continue
            if not clip.verb:
                how = "none"
            elif clip.verb == verb:
                how = "same"
            else:
                how = "alike" if clip.verb in lexicon.verb(verb).alike else "wrong"
            counts[clip.told_by or "nothing", how] += 1
            if how == "wrong":
                print(f"wrong: {asset.file} {name}: {verb}, told as {clip.verb} ({clip.told_by})")
    for by in sorted({b for b, _ in counts}):
        print(by, {h: counts[by, h] for h in ("same", "alike", "wrong", "none")})
    print(
        "all",
        {h: sum(n for (_, k), n in counts.items() if k == h) for h in ("same", "alike", "wrong", "none")},
    )
    fronts(folder)


def fronts(folder: Path) -> None:
    """Print how many fronts of the proposal are those of the reviewed packs."""
    packs = {a.file: a for p in sorted(PACKS.glob("*.json")) for a in read_animated_manifest(p).assets}
    key = json.loads(_key(folder).read_text("utf-8"))
    same = Counter(
        a.front == packs[key[a.file][0]].front for a in read_animated_manifest(folder / PROPOSED_NAME).assets
    )
    print("fronts", {"same": same[True], "wrong": same[False]})


def accept(folder: Path) -> None:
    """Write the proposal as the manifest, with every entry marked as reviewed."""
    proposed = read_animated_manifest(folder / PROPOSED_NAME)
    assets = tuple(msgspec.structs.replace(a, reviewed=True) for a in proposed.assets)
    write_animated_manifest(folder / FILE_NAME, msgspec.structs.replace(proposed, assets=assets))


def _hidden(folder: Path) -> dict[str, list[tuple[str, str]]]:
    """Return, for each file, the real name of each clip and its verb in the reviewed pack, "" for none."""
    packs = {a.file: a for p in sorted(PACKS.glob("*.json")) for a in read_animated_manifest(p).assets}
    key = json.loads(_key(folder).read_text("utf-8"))
    found = {}
    for file, (was, clips) in key.items():
        known: dict[str, ClipEntry] = {c.name: c for c in packs[was].clips}
        found[file] = [(name, known[name].verb if name in known else "") for name in clips]
    return found


def _key(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.key.json")


def _read(path: Path) -> tuple[dict[str, Any], bytes]:
    """Return a model's JSON, and the chunks after it."""
    data = path.read_bytes()
    if data[:4] != b"glTF":
        return json.loads(data), b""
    (size,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20 : 20 + size]), data[20 + size :]


def _written(whole: dict[str, Any], rest: bytes) -> bytes:
    text = json.dumps(whole).encode()
    if not rest:
        return text
    text += b" " * (-len(text) % 4)
    head = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A)
    return head + text + rest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    what = parser.add_subparsers(dest="what", required=True)
    made = what.add_parser("make")
    made.add_argument("source", type=Path)
    made.add_argument("folder", type=Path)
    made.add_argument("--objects", type=int, default=40)
    made.add_argument("--seed", default="0")
    made.add_argument("--others", type=Path)
    for name in ("tell", "accept"):
        what.add_parser(name).add_argument("folder", type=Path)
    args = parser.parse_args()
    if args.what == "make":
        make(args.source, args.folder, args.objects, args.seed, args.others)
    else:
        {"tell": tell, "accept": accept}[args.what](args.folder)


if __name__ == "__main__":
    main()
