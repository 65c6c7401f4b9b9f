"""The index says what clips show from their names, else from their motion; stopped, it goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from fathom.assets.animated.lexicon import read_lexicon
from fathom.assets.animated.manifest import PACKS, PROPOSED_NAME, read_animated_manifest
from fathom.indexing.animated import index_animated
from fathom.indexing.clip_motions import moved_verb
from fathom.indexing.clip_names import FILE, known_as_several, named_verb
from fathom.indexing.looking import WORK
from fathom.indexing.model_names import called_by_limbs, noun_of
from tests.animated.moving_gltf import clip, hopping, primitive, skinned, sliding
from tests.assets.tiny_gltf import POINTS, Tiny, f4, wedge
from tests.stories.walker import walker

LEXICON = read_lexicon()


@pytest.mark.parametrize(
    ("name", "verb"),
    [
        ("CharacterArmature|Idle_HitReact_Left", "flinch"), ("Gallop_Jump", "jump"), ("Take 001", ""),
        ("Armature|mixamo.com|Layer0", ""), ("Armature|Take 001|BaseLayer", ""), ("NlaTrack", ""),
        ("Attack_Headbutt", "headbutt"),
        ("Hip Hop Dancing", "dance"), ("MM_Walk_Fwd", "walk"), ("MF_Unarmed_Jog_Fwd", "run"),
        ("ThirdPersonJump_Start", "jump_up"), ("HumanM@Idle01", "idle"), ("Sword And Shield Slash", "slash"),
        ("Zombie Walk", "stagger"), ("Lie_StandUp", "stand_up"), ("walking_in_place", "walk"), ("Yes", "nod"),
        ("Unarmed_Melee_Attack_Punch_A", "punch"), ("Run_Gun_Shoot", ""), ("Nothing_Known", ""),
    ],
)  # fmt: skip
def test_the_longest_words_of_a_name_that_are_known_say_what_is_done(name: str, verb: str) -> None:
    assert named_verb(name, LEXICON.by_key).verb == verb


def test_what_a_model_is_may_say_how_it_does_so() -> None:
    assert named_verb("Snake_Walk", LEXICON.by_key, "snake").verb == "slither"
    assert named_verb("Tank_Forward", LEXICON.by_key, "tank").verb == "drive"
    assert noun_of("Cyberpunk_Enemy_Robot_2Legs") == ("robot", "robot")
    assert noun_of("Fish_BlueTang") == ("blue tang", "fish")
    assert noun_of("0123456789abcdef0123456789abcdef") == ("object", "object")
    assert called_by_limbs(("head", "left arm", "right leg")) == ("figure", "animal")
    assert called_by_limbs(("head", "tail", "left leg")) == ("creature", "animal")
    assert called_by_limbs(()) == ("object", "object")


def test_names_that_say_more_are_surer_and_all_verbs_are_of_the_lexicon() -> None:
    assert named_verb("Walk", LEXICON.by_key).confidence == 1.0
    assert named_verb("Zorg_Walk", LEXICON.by_key).confidence < 1.0
    assert named_verb("Hit_A", LEXICON.by_key).confidence <= 0.5
    assert known_as_several("Run_Shoot")
    assert set(json.loads(FILE.read_text("utf-8"))["verbs"]) <= set(LEXICON.by_key)


def test_no_verb_of_a_reviewed_pack_is_contradicted() -> None:
    same, wrong = 0, []
    for path in sorted(PACKS.glob("*.json")):
        for asset in read_animated_manifest(path).assets:
            for c in (c for c in asset.clips if c.verb):
                found = named_verb(c.name, LEXICON.by_key, asset.noun).verb
                same += found == c.verb
                if found and found != c.verb and found not in LEXICON.verb(c.verb).alike:
                    wrong.append((asset.name, c.name, c.verb, found))
    assert wrong == []
    assert same >= 280


def test_motion_says_what_names_do_not(tmp_path: Path) -> None:
    made = walker(tmp_path)
    assert moved_verb(made, made.clip("Walk")).verb == "walk"
    assert moved_verb(made, made.clip("Walk")).confidence < 0.75
    assert moved_verb(made, made.clip("Nod")).verb in ("", "jump")


def turning(axis: int, degrees: float) -> Tiny:
    """Return the wedge that turns about an axis of the file in a second and stays so."""
    half = np.radians(np.linspace(0, degrees, 7)) / 2
    turns = np.zeros((7, 4))
    turns[:, axis], turns[:, 3] = np.sin(half), np.cos(half)
    return clip(wedge(), "Take 001", (0, "rotation", np.linspace(0, 1, 7), turns))


def waving() -> Tiny:
    """Return the wedge whose two ends go from side to side, one after the other, again and again."""
    tiny, times = skinned(name="first"), np.linspace(0, 2, 17)
    del tiny.json["animations"]
    tiny.json["nodes"][1]["name"], tiny.json["nodes"][2]["name"] = "Back", "Front"
    primitive(tiny)["attributes"]["POSITION"] = tiny.add(POINTS * f4([1, -1, 1]))
    ways = [np.stack([np.sin(np.pi * times + k), 0 * times, 0 * times], axis=-1) for k in (0.0, 1.5)]
    return clip(tiny, "Take 001", *((1 + k, "translation", times, way) for k, way in enumerate(ways)))


def test_motion_of_the_whole_tells_what_names_do_not(tmp_path: Path) -> None:
    made = {
        "1": turning(2, 180), "2": turning(2, 90), "3": turning(1, 120), "4": hopping("Take 001"),
        "5": waving(), "6": sliding(),
    }  # fmt: skip
    for name, tiny in made.items():
        tiny.write(tmp_path / f"{name}.gltf")
    index_animated(tmp_path)
    found = {a.name: a.clips[0] for a in read_animated_manifest(tmp_path / PROPOSED_NAME).assets}
    verbs = {name: c.verb for name, c in found.items()}
    assert verbs == {"1": "turn_over", "2": "fall", "3": "turn_around", "4": "jump", "5": "swim", "6": ""}
    assert all(c.confidence < 0.75 for c in found.values() if c.verb)
    assert found["1"].told_by == "it ends upside down"


def test_an_entry_tells_joints_and_how_sure_each_verb_is(tmp_path: Path) -> None:
    skinned(name="Take 001").write(tmp_path / "Grey_Fox.gltf")
    hopping("Hit_A").write(tmp_path / "Chest.gltf")
    text = index_animated(tmp_path)
    chest, fox = read_animated_manifest(tmp_path / PROPOSED_NAME).assets
    assert (fox.noun, fox.category, chest.noun, chest.category) == ("fox", "animal", "chest", "object")
    assert fox.joints == ("Back.L", "Head.R")
    assert chest.clips[0].verb == "flinch" and chest.clips[0].confidence <= 0.5
    assert "not sure" in text and "Hit_A (flinch: hit)" in text
    assert not (tmp_path / WORK).exists()


def test_units_and_lying_models_are_suspected(tmp_path: Path) -> None:
    tiny = skinned(name="Walk")
    tiny.json["nodes"][1]["name"], tiny.json["nodes"][2]["name"] = "Leg.L", "Head"
    tiny.json["nodes"].append({"name": "root", "scale": [100, 100, 100], "children": [0, 1, 2]})
    tiny.json["scenes"] = [{"nodes": [3]}]
    tiny.write(tmp_path / "fox.gltf")
    text = index_animated(tmp_path)
    assert "centimetres?" in text
    assert "beside its legs" in text


def test_an_index_that_was_killed_goes_on(tmp_path: Path) -> None:
    for k in range(10):
        clip(hopping("Jump"), f"Nod {k}", (0, "translation", [0, 1], [[0, 0, 0], [0, 1, 0]])).write(
            tmp_path / f"model{k}.gltf"
        )
    script = (
        "from pathlib import Path; from fathom.indexing.animated import index_animated; "
        f"index_animated(Path({str(tmp_path)!r}))"
    )
    with subprocess.Popen([sys.executable, "-c", script], env=os.environ) as running:
        while not len(list((tmp_path / WORK).glob("*.json"))) >= 2 and running.poll() is None:
            time.sleep(0.01)
        running.send_signal(signal.SIGKILL)
    kept = {p.name: p.stat().st_mtime_ns for p in (tmp_path / WORK).glob("*.json")}
    assert 2 <= len(kept) < 10
    assert not (tmp_path / PROPOSED_NAME).exists()
    seen: list[dict[str, int]] = []

    def say(what: str, done: int, total: int) -> None:
        seen.append({p.name: p.stat().st_mtime_ns for p in (tmp_path / WORK).glob("*.json")})

    index_animated(tmp_path, say=say)
    assert len(read_animated_manifest(tmp_path / PROPOSED_NAME).assets) == 10
    assert all(seen[-1][name] == then for name, then in kept.items())
