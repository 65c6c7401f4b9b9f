"""Captions tell what anybody would say at once, and nothing that hardly anybody could see."""

from __future__ import annotations

import pytest

from fathom.authoring.captions.claim_checks import faults
from fathom.authoring.captions.grammar import captions_of
from fathom.records import Scene
from tests.authoring.captions import FRAMES, LEXICON, obj, pose, scene


def all_of(made: Scene) -> str:
    """Return what an object's captions say under many seeds."""
    return "\n".join(c.text for seed in range(12) for c in captions_of(made, LEXICON, seed))


BACK = tuple(pose(x=-0.05 * i) for i in range(FRAMES))


def test_a_way_is_told_of_who_gets_along_it() -> None:
    assert "A fox gallops backward." in all_of(scene(obj("t0", "fox", poses=BACK, acts=("-gallop",))))
    assert "A fox gallops." in all_of(scene(obj("t0", "fox", acts=("-gallop",))))
    assert "backward" not in all_of(scene(obj("t0", "fox", acts=("-gallop", "eat"))))


def test_a_way_that_nobody_gets_along_is_found() -> None:
    made = scene(obj("t0", "fox", poses=BACK, acts=("-gallop",)))
    told = next(c for c in captions_of(made, LEXICON, "0") if "backward" in c.text)
    assert faults(told, made, LEXICON) == []
    there = scene(obj("t0", "fox", acts=("-gallop",)))
    assert any(why.startswith("goes ") for why in faults(told, there, LEXICON))
    ahead = scene(obj("t0", "fox", poses=BACK[::-1], acts=("-gallop",)))
    assert any(why.startswith("goes ") for why in faults(told, ahead, LEXICON))


def test_what_hardly_shows_is_passed_over() -> None:
    made = scene(obj("t0", "fox", acts=("eat", "flinch", "jump")))
    said = all_of(made)
    assert "A fox eats and then jumps." in said and "flinch" not in said
    assert "A fox moves a little." in all_of(scene(obj("t0", "fox", acts=("flinch",))))
    told = next(c for c in captions_of(made, LEXICON, "0") if c.text == "A fox eats and then jumps.")
    assert faults(told, made, LEXICON) == []
    for acts in (("eat", "gallop", "jump"), ("eat", "flinch"), ("jump", "eat"), ("flinch",)):
        assert faults(told, scene(obj("t0", "fox", acts=acts)), LEXICON), acts


def test_who_does_more_than_stir_does_not_move_a_little() -> None:
    made = scene(obj("t0", "fox", acts=("flinch",)))
    told = next(c for c in captions_of(made, LEXICON, "0") if "moves a little" in c.text)
    assert faults(told, made, LEXICON) == []
    assert faults(told, scene(obj("t0", "fox", acts=("flinch", "eat"))), LEXICON)


def test_what_is_done_again_after_what_hardly_shows_is_done_twice() -> None:
    made = scene(obj("t0", "fox", acts=("eat", "flinch", "eat")))
    assert "A fox eats twice." in all_of(made)
    assert not [c.text for c in captions_of(made, LEXICON, "0") if faults(c, made, LEXICON)]


ATTACHED = {
    "wings": ("with red wings", "wings on"),
    "wheels": ("with wheels", "red wheels"),
    "tree": ("red tree on its back", "its head"),
}


@pytest.mark.parametrize("noun", ATTACHED)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_attached_is_told_in_three_captions_at_least(noun: str, seed: int) -> None:
    worn = obj("worn", noun, "red", worn_on="back")
    hat = obj("hat", "hat", "blue", worn_on="head")
    made = scene(obj("t0", "wolf", acts=("eat", "jump"), parts=EYES), worn, hat)
    five = captions_of(made, LEXICON, seed)
    told, never = ATTACHED[noun]
    assert sum(told in c.text for c in five) >= 3, [c.text for c in five]
    assert not any(never in c.text for c in five)
    assert [faults(c, made, LEXICON) for c in five] == [[]] * 5
    other = scene(made.objects[0], obj("worn", "balloon", "red", worn_on="back"), hat)
    assert all(faults(c, other, LEXICON) for c in five if told in c.text)


EYES = {"eyes": {"word": "eyes", "color": "yellow"}, "belly": {"word": "belly", "color": "white"}}


def test_coins_are_told_of_whatever_their_color() -> None:
    coins = {"coins": {"word": "coins", "color": ""}, "wood": {"word": "wood", "color": "brown"}}
    made = scene(obj("t0", "chest", "brown", acts=("jump",), parts=coins))
    five = captions_of(made, LEXICON, "0")
    assert sum("brown chest with coins" in c.text for c in five) >= 3
    assert [faults(c, made, LEXICON) for c in five] == [[]] * 5
    empty = scene(obj("t0", "chest", "brown", acts=("jump",), parts={"wood": coins["wood"]}))
    assert all(faults(c, empty, LEXICON) for c in five if "coins" in c.text)
