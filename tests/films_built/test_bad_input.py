"""What cannot be used is left out of a build of films with a reason; a strict one stops at the first."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from fathom.assets.animated.manifest import (
    FILE_NAME,
    PROPOSED_NAME,
    read_animated_manifest,
    write_animated_manifest,
)
from fathom.curation.curate import Curation
from fathom.store.datasets import open_dataset
from fathom.store.files import read_json
from tests.cli.conftest import Fathom
from tests.films_built.made import ODD, REFUSED, SET, UID, bad_folder, believed, reviewed

SEED = "1"
BUILD = ("build", "4d-bench", "--renderer", "none", "--workers", "1", "--quiet", *SET)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return bad_folder(tmp_path / "models")


def test_an_index_says_what_cannot_be_used_and_what_a_person_must_check(fathom: Fathom, folder: Path) -> None:
    said = fathom("assets", "index", folder, "--quiet")
    assert (said.code, said.err) == (0, "")
    for name, (_, word) in REFUSED.items():
        (line,) = [s for s in said.out.splitlines() if s.startswith(f"  {name}.gltf: ")]
        assert word in line
    assert "truncated.glb: " in said.out
    assert "4 animated models can be used, 9 cannot" in said.out
    for what in ("front: guessed", "size_m: ", f"noun: no name says what it is (1): {UID}"):
        assert what in said.out
    proposed = read_animated_manifest(folder / PROPOSED_NAME)
    assert {a.name for a in proposed.assets} == {UID, *ODD}
    assert not any(a.reviewed for a in proposed.assets)
    assert len(list((folder / "fathom-cast-sheets").glob("*.png"))) == len(proposed.assets)
    assert [c.name for a in proposed.assets if a.name == "twice" for c in a.clips] == ["Slide", "Slide (2)"]


def test_a_build_leaves_out_what_it_cannot_use_and_goes_on(fathom: Fathom, folder: Path) -> None:
    fathom("assets", "index", folder, "--quiet")
    sentence = fathom(*BUILD, "--assets", folder, "--out", folder.parent / "d").sentence()
    assert "has no fathom-cast.json" in sentence
    manifest = reviewed(folder)
    # What was there when it was reviewed, and has broken since.
    broken = [believed(f"{name}.gltf") for name in REFUSED] + [
        believed("truncated.glb"),
        believed("gone.glb"),
    ]
    changed = believed("plain.gltf", "Slide")
    write_animated_manifest(
        folder / FILE_NAME,
        msgspec.structs.replace(
            manifest,
            assets=(*manifest.assets, *broken, changed),
            refused={},
            files={**manifest.files, "plain.gltf": "0" * 64},
        ),
    )
    out = folder.parent / "d"
    said = fathom(*BUILD, "--assets", folder, "--out", out, "--scenes", "4", "--seed", SEED)
    assert said.code == 0, said.err
    found = read_json(out / "curation.json", Curation)
    reasons = {d.name: d.reason for d in found.assets}
    for name, (_, word) in REFUSED.items():
        assert word in reasons[f"believed {name}"], reasons
    assert "cut short" in reasons["believed truncated"]
    assert "there is no such file" in reasons["believed gone"]
    assert "expected the file with SHA-256 000000000000" in reasons["believed plain"]
    assert all(why in said.out for why in reasons.values())
    scenes = list(open_dataset(out).scenes())
    assert {s.objects[0].asset.name for s in scenes} == {UID}
    assert len(found.kept) + len(found.dropped) == 4
    assert {d.stage for d in found.dropped} == {"quality"}
    assert all("triangles: 8, at least 200 asked for" in d.reason for d in found.dropped)


def test_a_strict_build_stops_at_the_first_in_one_sentence(fathom: Fathom, folder: Path) -> None:
    fathom("assets", "index", folder, "--quiet")
    reviewed(folder)
    words = (*BUILD, "--assets", folder, "--out", folder.parent / "d", "--strict")
    first = min(["truncated.glb", *(f"{name}.gltf" for name in REFUSED)])
    sentence = fathom(*words).sentence()
    assert first in sentence
    assert sentence.endswith("fix it, or build without --strict")
    assert not (folder.parent / "d").exists()


def test_a_verb_of_ones_own_is_taken_from_the_folder_or_from_a_file(fathom: Fathom, tmp_path: Path) -> None:
    folder = bad_folder(tmp_path / "models")
    verb = {
        "key": "whirl", "base": "whirl", "third": "whirls", "ing": "whirling", "past": "whirled",
        "plain": "turns round and round", "alike": ["spin"],
    }  # fmt: skip
    known = tmp_path / "verbs.json"
    known.write_bytes(msgspec.json.encode({"verbs": [verb]}))
    fathom("assets", "index", folder, "--lexicon", known, "--quiet")
    (bird,) = [a for a in read_animated_manifest(folder / PROPOSED_NAME).assets if a.name == UID]
    assert {c.name: c.verb for c in bird.clips} == {"Jump": "jump", "Yes": "nod", "Whirl": "whirl"}
    words = ("--assets", folder, "--out", tmp_path / "d", "--strict")
    write_animated_manifest(
        folder / FILE_NAME,
        msgspec.structs.replace(
            read_animated_manifest(folder / PROPOSED_NAME),
            assets=(msgspec.structs.replace(bird, reviewed=True),),
            refused={},
        ),
    )
    assert "its verb 'whirl' is not in the lexicon" in fathom(*BUILD, *words).sentence()
    (folder / "fathom-lexicon.json").write_bytes(known.read_bytes())
    assert "expected a number" in fathom(*BUILD, *words, "--set", "fps=x").sentence()
    known.write_bytes(b"{}")
    assert (
        f"{known}: is no lexicon of verbs" in fathom(*BUILD, *words, "--set", f"lexicon={known}").sentence()
    )
