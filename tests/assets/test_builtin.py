"""The built-in models are what their code models, byte for byte, and what their catalogues say."""

import hashlib
from pathlib import Path

import msgspec
import numpy as np
import pytest
from tools import make_assets
from tools.modelling.packs import PACKS

from fathom.assets import catalogue as catalogues
from fathom.assets import loading
from fathom.assets.animated.manifest import animated_manifest_of
from fathom.assets.catalogue import MODELS, catalogue
from fathom.assets.loading import CREATURES, built_in_model
from fathom.assets.model import BODY, fingerprint
from fathom.assets.spec import Catalogue
from fathom.records import AssetError, InputError

SOME = {
    "vehicles": ("biplane", "road"),
    "props": ("teapot", "tent"),
    "street": ("street lamp", "stander a"),
    "tabletop": ("mug", "vase"),
    "furniture": ("sofa", "fan"),
    "indoors": ("wall clock", "seated man"),
}

each = pytest.mark.parametrize("pack", list(PACKS))


@each
def test_the_code_writes_the_same_bytes_again(pack: str) -> None:
    files = make_assets.made([pack], SOME[pack])
    assert files
    assert list(make_assets.differing(files)) == []


def test_the_code_writes_the_same_skeletons_and_clips_again() -> None:
    walkers = make_assets.made(["street"], ("walker a", "walker b"))
    assert len(walkers) == 2
    assert list(make_assets.differing(walkers | make_assets.made_creatures())) == []


def test_every_creature_has_its_entry_its_licence_and_its_file() -> None:
    manifest = animated_manifest_of(CREATURES)
    assert (
        {a.file for a in manifest.assets} == {f.name for f in CREATURES.glob("*.glb")} == set(manifest.files)
    )
    assert all(a.license and a.reviewed and a.clips and a.limbs for a in manifest.assets)


def test_a_file_with_other_bytes_is_said_to_differ() -> None:
    files = make_assets.made(["tabletop"], ("mug",))
    (path,) = files
    assert list(make_assets.differing({path: files[path] + b"\0"})) == [path]


def test_a_coordinate_that_moved_differs_and_the_last_bit_of_one_does_not() -> None:
    ((path, data),) = make_assets.made(["tabletop"], ("mug",)).items()
    start = 20 + int.from_bytes(data[12:16], "little") + 8
    first = np.frombuffer(data[start : start + 4], dtype="<f4")[0]
    for moved_m, wrong in ((1e-3, [path]), (1e-7, [])):
        other = np.float32(first + moved_m).tobytes()
        found = {path: data[:start] + other + data[start + 4 :]}
        assert list(make_assets.differing(found)) == wrong
    index = bytearray(data)
    index[-4] ^= 1
    assert list(make_assets.differing({path: bytes(index)})) == [path]


@each
def test_every_entry_of_a_catalogue_has_its_file_and_every_file_its_entry(pack: str) -> None:
    specs = catalogue(pack).values()
    assert [s.name for s in specs] == [m.name for m in PACKS[pack]()]
    for s in specs:
        assert hashlib.sha256((MODELS / s.file).read_bytes()).hexdigest() == s.sha256
    own = {s.file for s in specs if s.file.startswith(f"{pack}/")}
    assert own == {f"{pack}/{f.name}" for f in (MODELS / pack).glob("*.glb")}


@each
def test_a_model_has_the_size_the_triangles_and_the_paint_that_its_catalogue_says(pack: str) -> None:
    for spec in catalogue(pack).values():
        model = built_in_model(pack, spec.name)
        assert model.extents == pytest.approx(spec.box_m, rel=1e-12)
        assert model.triangles == spec.triangles
        assert spec.recolourable == any(p.material.name == BODY for p in model.parts)
        assert (model.category, model.subtype) == (spec.category, spec.name)


@each
def test_a_file_holds_what_was_modelled_up_to_its_float32(pack: str) -> None:
    wanted = {m.name: m for m in PACKS[pack]()}
    for name in SOME[pack]:
        made, read = wanted[name].make(), built_in_model(pack, name)
        assert catalogue(pack)[name].shape == fingerprint(made)
        for a, b in zip(made.parts, read.parts, strict=True):
            assert (a.name, a.material.name) == (b.name, b.material.name)
            assert np.array_equal(a.faces, b.faces)
            assert np.allclose(a.vertices, b.vertices, rtol=0, atol=2e-7 * max(made.extents))
            assert a.material.color == pytest.approx(b.material.color, abs=1e-9)
            assert (a.material.metallic, a.material.roughness, a.material.clearcoat) == (
                b.material.metallic,
                b.material.roughness,
                b.material.clearcoat,
            )
            assert a.material.emission == pytest.approx(b.material.emission, abs=1e-9)
            assert a.normals is not None and b.normals is not None
            assert (np.einsum("ij,ij->i", a.normals, b.normals) > np.cos(np.radians(0.6))).all()


def test_a_model_that_is_not_there_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="'hovercraft': no such model in the built-in pack vehicles"):
        built_in_model("vehicles", "hovercraft")


def test_a_file_that_is_not_that_of_the_catalogue_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = catalogue("tabletop")["mug"]
    written = msgspec.structs.replace(spec, pack="")
    lone = Catalogue(name="tampered", models=(written,))
    (tmp_path / "tampered").mkdir()
    (tmp_path / "tampered" / "catalogue.json").write_bytes(msgspec.json.encode(lone))
    (tmp_path / "tabletop").mkdir()
    (tmp_path / spec.file).write_bytes((MODELS / spec.file).read_bytes() + b"\0")
    for module in (catalogues, loading):
        monkeypatch.setattr(module, "MODELS", tmp_path)
    with pytest.raises(AssetError, match="the catalogue says"):
        built_in_model("tampered", "mug")
    with pytest.raises(AssetError, match="is no catalogue of built-in models"):
        catalogue("nowhere")
