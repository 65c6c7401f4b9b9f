"""Write the built-in models: their GLB files and catalogues, the same bytes every time.

    python tools/make_assets.py                    # all packs, in the package
    python tools/make_assets.py --pack props       # one of them
    python tools/make_assets.py --check            # nothing is written; exit code 1 where a file differs

The bytes are the same with the same version of NumPy on the same kind of processor: the last bits of a sine
depend on both. Files whose numbers differ by no more than that are not said to differ.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from fathom.assets.animated.manifest import FILE_NAME, AnimatedManifest  # noqa: E402
from fathom.assets.catalogue import BUILT_IN_NAME, MODELS  # noqa: E402
from fathom.assets.loading import as_it_lies  # noqa: E402
from fathom.assets.model import BODY, Model, fingerprint  # noqa: E402
from fathom.assets.spec import AssetSpec, Catalogue  # noqa: E402
from tools.modelling.creatures import creatures  # noqa: E402
from tools.modelling.glb import glb_of  # noqa: E402
from tools.modelling.packs import PACKS, Modelled  # noqa: E402
from tools.modelling.rigged import rigged_glb  # noqa: E402

LICENSE = "Apache-2.0"
CREATURES = "creatures"
"""The pack of what moves by itself, in the format of folders of animated models."""


@dataclass
class Writer:
    """What has been made of the packs so far: files by their paths under the folder of models."""

    files: dict[str, bytes] = field(default_factory=dict)

    def spec(self, pack: str, modelled: Modelled, model: Model) -> AssetSpec:
        """Return a model's entry in the catalogue: what people wrote, and what is measured of the model.

        Its file is kept, where no other pack has it.
        """
        where, name = modelled.shares or (pack, modelled.name)
        path = f"{where}/{name.replace(' ', '-')}.glb"
        if modelled.shares is not None:
            data = self.shared(path)
        else:
            data = glb_of(model) if modelled.rigged is None else rigged_glb(modelled.rigged())
            self.files[path] = data
        return measured(written(pack)[modelled.name], path, data, model)

    def shared(self, path: str) -> bytes:
        """Return the bytes of another pack's file: those that were made, or those that lie there."""
        return self.files[path] if path in self.files else (MODELS / path).read_bytes()


def written(pack: str) -> dict[str, AssetSpec]:
    """Return the entries of a pack as people wrote them, by their names."""
    found = msgspec.json.decode((MODELS / pack / BUILT_IN_NAME).read_bytes(), type=Catalogue)
    return {m.name: m for m in found.models}


def measured(spec: AssetSpec, path: str, data: bytes, model: Model) -> AssetSpec:
    """Return an entry with what is measured of its model, and of the bytes of its file."""
    return msgspec.structs.replace(
        spec,
        file=path,
        box_m=_size(model),
        recolourable=any(p.material.name == BODY for p in model.parts),
        sha256=hashlib.sha256(data).hexdigest(),
        shape=fingerprint(model),
        triangles=model.triangles,
        license=spec.license or LICENSE,
    )


def made(packs: list[str], only: tuple[str, ...] = ()) -> dict[str, bytes]:
    """Return the files of some packs by their paths; with `only` these ids, and no catalogue."""
    writer = Writer()
    for pack in packs:
        modelled = {m.name: m for m in PACKS[pack]() if not only or m.name in only}
        specs = {name: writer.spec(pack, m, m.make()) for name, m in modelled.items()}
        if only:
            continue
        path = MODELS / pack / BUILT_IN_NAME
        there = msgspec.json.decode(path.read_bytes(), type=Catalogue)
        models = tuple(specs.get(m.name) or _from_file(writer, m) for m in there.models)
        text = msgspec.json.format(
            msgspec.json.encode(msgspec.structs.replace(there, models=models)), indent=1
        )
        writer.files[f"{pack}/{BUILT_IN_NAME}"] = text + b"\n"
    return writer.files


def made_creatures() -> dict[str, bytes]:
    """Return the files of the animated pack: what moves, and the manifest that says what it is."""
    files, assets = {}, []
    for rig in creatures():
        file = f"{rig.name.lower()}.glb"
        files[f"{CREATURES}/{file}"] = rigged_glb(rig.rigged())
        assets.append(rig.entry(file))
    hashes = {a.file: hashlib.sha256(files[f"{CREATURES}/{a.file}"]).hexdigest() for a in assets}
    manifest = AnimatedManifest(name="built-in", assets=tuple(assets), license=LICENSE, files=hashes)
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
    return files | {f"{CREATURES}/{FILE_NAME}": text + b"\n"}


def _from_file(writer: Writer, spec: AssetSpec) -> AssetSpec:
    """Return the entry of a model that no code makes, measured in the file that lies there."""
    model = as_it_lies(spec, MODELS / spec.file)
    return measured(spec, spec.file, writer.shared(spec.file), model)


def differing(files: dict[str, bytes]) -> Iterator[str]:
    """Yield the paths whose files are missing, or differ by more than the last bits of a sine."""
    for path, data in files.items():
        file = MODELS / path
        if not file.is_file() or not _alike(file.read_bytes(), data):
            yield path


LAST_BITS, NO_FLOAT = 1e-5, 1e-20
"""By how much numbers may differ that are the same; what is smaller, read as a float, is an index."""


def _alike(one: bytes, other: bytes) -> bool:
    """Return whether two files are the same but for the last bits of the floats in a GLB's binary part."""
    if one == other:
        return True
    start = 20 + int.from_bytes(one[12:16], "little")
    if len(one) != len(other) or one[:4] != b"glTF" or one[:start] != other[:start]:
        return False
    words = [np.frombuffer(data[start:], dtype="<u4") for data in (one, other)]
    apart = words[0] != words[1]
    a, b = (w[apart].view("<f4").astype(np.float64) for w in words)
    floats = np.maximum(np.abs(a), np.abs(b)) > NO_FLOAT
    return bool((floats & (np.abs(a - b) <= LAST_BITS)).all())


def _size(model: Model) -> tuple[float, float, float]:
    length, width, height = (round(v, 12) for v in model.extents)
    return length, width, height


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pack", action="append", choices=[*PACKS, CREATURES], help="one; may be repeated")
    parser.add_argument("--check", action="store_true", help="write nothing; say which files differ")
    args = parser.parse_args()
    packs = args.pack or [*PACKS, CREATURES]
    files = made([p for p in packs if p != CREATURES])
    files |= made_creatures() if CREATURES in packs else {}
    wrong = list(differing(files))
    for path in wrong:
        if not args.check:
            (MODELS / path).parent.mkdir(parents=True, exist_ok=True)
            (MODELS / path).write_bytes(files[path])
        print(f"{path}: {'differs' if args.check else f'{len(files[path]):,} bytes written'}")
    print(f"{len(files)} files, {sum(map(len, files.values())):,} bytes, {len(wrong)} of them differ")
    return 1 if args.check and wrong else 0


if __name__ == "__main__":
    sys.exit(main())
