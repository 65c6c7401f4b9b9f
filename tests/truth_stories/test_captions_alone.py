"""Captions of an object by itself: what they tell is so, and a false claim is found out."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import msgspec
import pytest

from fathom.authoring.captions.claim_checks import faults
from fathom.authoring.captions.claims import Caption
from fathom.authoring.captions.english import CaptionLexicon
from fathom.authoring.captions.facts import facts_of
from fathom.authoring.captions.grammar import STYLES, captions_of
from fathom.authoring.captions.own_facts import PaintFact
from fathom.authoring.captions.phrases import Speaker
from fathom.benchmarks.fourdbench.words import VERBS
from fathom.geometry.poses import yaw_quaternion
from fathom.programs.visibility_grid import VisibilityGrid
from fathom.records import Pose, Scene
from fathom.store.seeds import rng
from tests.truth_stories.test_looks import film, odd
from tests.truth_stories.yard import FRAMES

LEXICON = CaptionLexicon(VERBS)


@cache
def still() -> tuple[Scene, VisibilityGrid]:
    """Return the robot with painted limbs and horns, and what shows of it."""
    return odd(), film()[0].visibility


@cache
def captions() -> tuple[Caption, ...]:
    scene, visibility = still()
    return tuple(c for seed in range(12) for c in captions_of(scene, LEXICON, seed, visibility=visibility))


def test_every_caption_is_true_and_the_styles_differ_in_what_they_tell() -> None:
    scene, visibility = still()
    assert not [(c.text, why) for c in captions() if (why := faults(c, scene, LEXICON, visibility))]
    told = {c.style: frozenset(claim.kind for claim in c.claims) for c in captions()}
    assert {"limbs", "sentences"} <= set(told) <= set(STYLES)
    assert "moves" in told["limbs"] and "moves" not in told["plain"]
    assert any("its arms move forward and back as it walks" in c.text for c in captions())
    assert not any("leg moves" in c.text or "legs move" in c.text for c in captions())
    looks = [c.text for c in captions()]
    assert any("one purple arm" in t for t in looks), looks


def test_a_caption_tells_three_things_of_its_looks_at_most() -> None:
    looks = ("part", "paint", "grown", "worn", "held", "limbs")
    counts = {sum(claim.kind in looks for claim in c.claims) for c in captions()}
    assert counts == {1, 2, 3}
    assert any("three red horns on its head" in c.text for c in captions())


def test_who_is_painted_over_has_no_color() -> None:
    scene, visibility = still()
    speaker = Speaker(facts_of(scene, None, True, visibility), LEXICON, rng("painted"))
    said = speaker.actor(0)
    for paint, colored in (
        ((PaintFact("arm", "purple", 1, 2),), True),
        ((PaintFact("leg", "purple", 4, 4),), False),
        ((PaintFact("head", "yellow", 1, 1),), False),
    ):
        facts = replace(speaker.facts, color="green", paint=paint)
        said = Speaker(facts, LEXICON, rng("painted")).actor(0)
        assert said.startswith("a green ") == colored, said


FALSE = {
    "paint": {1: "green", 2: "4"},
    "grown": {1: "blue", 2: "back"},
    "moves": {1: "sideways"},
}


@pytest.mark.parametrize("kind", FALSE)
def test_a_claim_that_is_not_so_is_found(kind: str) -> None:
    scene, visibility = still()
    for place, word in FALSE[kind].items():
        found = next(c for c in captions() if any(claim.kind == kind for claim in c.claims))
        claims = []
        for claim in found.claims:
            words = tuple(word if k == place else w for k, w in enumerate(claim.words))
            claims.append(msgspec.structs.replace(claim, words=words) if claim.kind == kind else claim)
        wrong = msgspec.structs.replace(found, claims=tuple(claims))
        said = faults(wrong, scene, LEXICON, visibility)
        assert any(why.startswith(f"{kind} ") and "is not so" in why for why in said), said


@pytest.mark.parametrize(("sign", "side"), [(1, "left"), (-1, "right")])
def test_what_turns_in_one_of_its_actions_turns_as_it_does_that(sign: int, side: str) -> None:
    scene, _ = still()
    half = [sign * 0.05 * max(k - 16, 0) for k in range(FRAMES)]
    poses = tuple(Pose(position_m=(0, 0, 0), rotation_wxyz=yaw_quaternion(a)) for a in half)
    scene = msgspec.structs.replace(scene, objects=(msgspec.structs.replace(scene.objects[0], poses=poses),))
    found = [c for seed in range(12) for c in captions_of(scene, LEXICON, seed)]
    turning = [c for c in found if any(claim.kind == "turn" for claim in c.claims)]
    assert turning and all(re.search(rf"bow(s|ing) while turning to its {side}", c.text) for c in turning)
    assert not [c.text for c in turning if faults(c, scene, LEXICON)]
    other = "right" if side == "left" else "left"
    claims = tuple(
        msgspec.structs.replace(claim, words=(other, *claim.words[1:])) if claim.kind == "turn" else claim
        for claim in turning[0].claims
    )
    assert faults(msgspec.structs.replace(turning[0], claims=claims), scene, LEXICON)


def test_paint_is_not_told_where_nobody_has_looked() -> None:
    scene, _ = still()
    assert not any("purple" in c.text for seed in range(6) for c in captions_of(scene, LEXICON, seed))
