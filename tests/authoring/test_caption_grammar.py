"""Five captions of each object: all true, no two alike, in correct English, and a lie is found."""

from __future__ import annotations

import re
from dataclasses import replace

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.authoring.captions.claim_checks import faults
from fathom.authoring.captions.claims import Caption, Claim
from fathom.authoring.captions.english import CaptionLexicon, VerbForms, is_many, one
from fathom.authoring.captions.facts import facts_of
from fathom.authoring.captions.grammar import STYLES, captions_of
from fathom.authoring.captions.own_facts import _worth_telling
from fathom.authoring.captions.phrases import Speaker
from fathom.authoring.captions.questions import caption_question
from fathom.records import Event, Scene, UnfitError
from tests.authoring.captions import LEXICON, PLACES, SIX, TWO_LESS, appears, drawn_scene, obj, pose, scene
from tests.stories_questions.made import acts, scene_of, visibility_of


def texts(made: Scene, seed: str = "0") -> list[str]:
    return [c.text for c in captions_of(made, LEXICON, seed)]


def all_of(made: Scene) -> str:
    """Return what an object's captions say under many seeds."""
    return "\n".join(text for seed in range(12) for text in texts(made, str(seed)))


@given(st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_five_captions_of_any_object_are_true_and_differ_in_words_and_style(number: int) -> None:
    made = drawn_scene(number)
    five = captions_of(made, LEXICON, "0")
    assert len(five) == 5
    assert len({c.text.casefold() for c in five}) == len({c.style for c in five}) == 5
    assert [faults(c, made, LEXICON) for c in five] == [[]] * 5


@given(st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_captions_are_whole_sentences_with_the_right_articles(number: int) -> None:
    for caption in captions_of(drawn_scene(number), LEXICON, "0"):
        text = caption.text
        assert re.fullmatch(r"[A-Z][^\n]*[a-z]\.", text), text
        assert not re.search(r"  |,,|\.\.| [,.;]|[,;]\.|\b(\w+) \1\b", text), text
        assert not re.search(r"\ba [aeiou]|\ban [^aeiou]", text.casefold()), text
        assert not re.search(
            r"\bone \w+s\b|\b(two|three|four|five) (other )?(\w+ )?(crate|cone|ball|wolf|cactus)\b", text
        )


def test_the_same_seed_gives_the_same_captions_and_another_gives_others() -> None:
    assert texts(drawn_scene(1)) == texts(drawn_scene(1))
    assert texts(drawn_scene(1)) != texts(drawn_scene(1), "1")


def test_every_style_is_used_and_no_style_is_always_first() -> None:
    five = [captions_of(drawn_scene(n), LEXICON, "0") for n in range(60)]
    # How limbs move is told only of a film of which is known what it shows.
    assert {c.style for each in five for c in each} == set(STYLES) - {"limbs"}
    assert len({each[0].style for each in five}) > 5


def test_acts_are_told_in_their_order_and_what_comes_again_is_said_to() -> None:
    said = all_of(scene(obj("t0", "ox", acts=("eat", "gallop", "eat"))))
    assert "eats, gallops and then eats again" in said
    assert "An ox first eats, then gallops, and" in said
    assert not re.search(r"gallop\w*,? (then |and )*eats?(ing)? (?!again)", said)


def test_nobody_tells_that_something_rests_beside_what_it_does() -> None:
    words = CaptionLexicon(
        {**LEXICON.verbs, "idle": VerbForms("stays still", "staying still")}, LEXICON.plurals
    )
    made, resting = (scene(obj("t0", "ox", acts=acts)) for acts in (("eat", "idle"), ("idle",)))
    said = captions_of(made, words, "0")
    assert not any("still" in c.text for c in said)
    assert not [c.text for c in said if faults(c, made, words)]
    assert all("still" in c.text for c in captions_of(resting, words, "0"))
    claims = tuple(
        msgspec.structs.replace(c, words=("gallop",)) if c.kind == "does" else c for c in said[0].claims
    )
    assert faults(msgspec.structs.replace(said[0], claims=claims), made, words)


def test_every_caption_is_a_sentence_with_a_verb() -> None:
    for verbs in (("eat",), ("eat", "jump")):
        every = [c for k in range(12) for c in captions_of(scene(obj("t0", "ox", acts=verbs)), LEXICON, k)]
        assert all(re.search(r"\b(eats|is eating|keeps eating)\b", c.text) for c in every)


def test_the_part_that_shows_most_is_told_most_often() -> None:
    made = scene_of((), acts("eat"))
    own = made.objects[0]
    parts = {n: {"word": n, "color": c} for n, c in (("coat", "brown"), ("paws", "red"))}
    bare = {k: v for k, v in own.attributes.items() if k != "color"} | {"name": "ox"}
    ox = msgspec.structs.replace(own, parts=parts, attributes=bare)
    made = msgspec.structs.replace(made, objects=(ox,))
    grid = visibility_of(made)
    for large, small, px in (("coat", "paws", (900, 10)), ("paws", "coat", (10, 900))):
        seen = replace(grid, part_px=np.broadcast_to(np.array(px, np.int32), grid.part_px.shape))
        told = [c.text for k in range(20) for c in captions_of(made, LEXICON, k, visibility=seen)]
        first = sum(large in t and small not in t for t in told)
        assert first > 5 * sum(small in t and large not in t for t in told)


def test_what_is_held_is_always_told() -> None:
    sword = obj("sword", "sword", "gray", held_in="right hand")
    made = scene(obj("t0", "fox", acts=("eat",)), sword)
    for caption in (c for k in range(8) for c in captions_of(made, LEXICON, k)):
        assert "sword" in caption.text, caption.text


def test_clips_of_one_verb_in_a_row_are_one_act_that_is_done_so_often() -> None:
    said = all_of(scene(obj("t0", "fox", acts=("eat", "eat"))))
    assert "A fox eats twice." in said
    assert "again" not in said
    assert "A fox eats three times." in all_of(scene(obj("t0", "fox", acts=("eat", "eat", "eat"))))


@pytest.mark.parametrize(("said", "wrong"), [("twice", "three times"), ("twice", "")])
def test_how_often_something_is_done_is_checked(said: str, wrong: str) -> None:
    made = scene(obj("t0", "fox", acts=("eat", "eat")))
    told = next(c for c in captions_of(made, LEXICON, "0") if said in c.text)
    assert faults(told, made, LEXICON) == []
    words = msgspec.structs.replace(told, text=told.text.replace(f" {said}", f" {wrong}".rstrip()))
    assert faults(words, made, LEXICON)
    thrice = scene(obj("t0", "fox", acts=("eat", "eat", "eat")))
    assert faults(told, thrice, LEXICON)


def test_props_are_counted_by_description_and_a_second_lot_is_other() -> None:
    crates = [obj(f"t{k}", "crate", "red", poses=(pose(1.5, 1.5),)) for k in (1, 2)]
    later = obj("t3", "crate", "red", poses=(pose(1.5, 1.5),), events=appears(1.0))
    said = all_of(scene(obj("t0", "fox", acts=("eat",)), *crates, later))
    assert "two red crates are near the fox" in said
    assert "nother red crate appears" in said


def test_left_and_right_are_the_actors_own() -> None:
    left = obj("t1", "cone", "red", poses=(pose(0.0, 2.0),))
    turned = obj("t0", "fox", acts=("eat",), poses=(pose(heading=3.14159),))
    assert "red cone is to the fox's left" in all_of(scene(obj("t0", "fox", acts=("eat",)), left))
    assert "red cone is to the fox's right" in all_of(scene(turned, left))


def test_what_is_worn_and_held_and_what_it_has_too_many_of_is_said() -> None:
    hat = obj("hat", "hat", "red", worn_on="head")
    sword = obj("sword", "sword", held_in="right hand")
    made = scene(obj("t0", "spider", acts=("jump",), edits=TWO_LESS), hat, sword, source=SIX)
    said = all_of(made)
    assert "with six legs, wearing a red hat and holding a sword," in said
    assert "with six legs jumps" not in said, "what it wears is told before what it lacks"


def test_what_becomes_of_what_is_worn_and_held_is_said_with_its_place() -> None:
    swap = (Event(what="swaps", start_s=1.0, end_s=1.0, detail="flag"),)
    sword = obj("sword", "sword", "red", held_in="right hand", events=swap)
    hat = obj("hat", "hat", worn_on="head", events=appears(1.0))
    said = all_of(scene(obj("t0", "robot", acts=("eat",)), hat, sword)).casefold()
    assert "a red sword in the robot's right hand turns into a flag" in said
    assert "a hat appears on the robot's head" in said
    assert "wearing" not in said


def test_what_grows_is_not_worn_and_a_part_that_turns_is_named() -> None:
    turns = (Event(what="recolours", start_s=1.0, end_s=1.0, detail="coat=blue"),)
    grown = obj("m", "mushroom", "red", worn_on="back")
    said = all_of(scene(obj("t0", "dog", "brown", acts=("eat",), events=turns), grown))
    assert "with a red mushroom on its back" in said
    assert "the dog's coat turns blue" in said.casefold().replace("the dog is", "")


def test_parts_of_one_word_in_two_colors_are_not_spoken_of() -> None:
    parts = {"A": {"word": "hooves", "color": "black"}, "B": {"word": "hooves", "color": "gray"}}
    assert "hooves" not in all_of(scene(obj("t0", "ox", acts=("eat",), parts=parts)))
    seen = {**parts, "C": {"word": "tail", "color": "red"}}
    made = scene(obj("t0", "ox", acts=("eat",), parts=seen))
    assert "a red tail" in all_of(made)
    assert facts_of(made, parts=()).looks == ()


def test_a_color_that_the_noun_says_is_not_said_again() -> None:
    said = all_of(scene(obj("t0", "white horse", "white", acts=("eat",))))
    assert "white horse" in said
    assert "white white" not in said
    assert "a green white horse" in all_of(scene(obj("t0", "white horse", "green", acts=("eat",)))).casefold()


def test_an_actor_of_two_colors_has_both_and_its_parts_are_not_told_in_either() -> None:
    parts = {"A": {"word": "tail", "color": "red"}, "B": {"word": "nose", "color": "blue"}}
    said = all_of(scene(obj("t0", "fox", "red and white", acts=("eat",), parts=parts)))
    assert "red and white fox" in said
    assert "tail" not in said
    assert "a blue nose" in said


@pytest.mark.parametrize("noun", ["triceratops", "row of blocks", "seven wheels"])
def test_a_single_figure_has_an_article_whatever_its_noun_looks_like(noun: str) -> None:
    said = all_of(scene(obj("t0", noun, "red", acts=("eat",)))).casefold()
    assert f"a red {noun} eats" in said
    assert not re.search(rf"(?<!a )red {noun}", said)
    assert f"a {noun} eats" in all_of(scene(obj("t0", noun, acts=("eat",)))).casefold()


def test_parts_that_are_many_turn_and_one_that_is_not_turns() -> None:
    for part, says in (("wheels", "wheels turn blue"), ("mane and tail", "mane and tail turn blue"),
                       ("coat", "coat turns blue")):  # fmt: skip
        turns = (Event(what="recolours", start_s=1.0, end_s=1.0, detail=f"{part}=blue"),)
        made = scene(obj("t0", "tank", acts=("eat",), events=turns))
        assert f"the tank's {says}" in all_of(made).casefold()


def test_a_caption_leaves_out_what_only_hides_other_objects() -> None:
    tent = msgspec.structs.replace(obj("s0", "tent", poses=(pose(*PLACES["left"]),)), category="screen")
    cone = obj("t1", "cone", "red", poses=(pose(*PLACES["right"]),))
    said = all_of(scene(obj("t0", "fox", acts=("eat",)), tent, cone))
    assert "cone" in said
    assert "tent" not in said


def test_bad_english_is_found_by_the_second_check() -> None:
    made = scene(obj("t0", "ox", "orange", acts=("eat",)))
    caption = next(c for c in captions_of(made, LEXICON, "0") if c.text.startswith("An orange ox"))
    twice = msgspec.structs.replace(caption, text=caption.text.replace("orange", "orange orange"))
    assert faults(twice, made, LEXICON) == ["'orange' is said twice in a row"]
    wrong = msgspec.structs.replace(caption, text=caption.text.replace("An ", "A "))
    assert faults(wrong, made, LEXICON) == ["'a orange' has the wrong article"]


def test_what_happens_at_the_border_of_two_acts_is_in_neither() -> None:
    actor = obj("t0", "fox", acts=("eat", "jump"))
    inside = obj("t1", "crate", events=appears(1.0))
    border = obj("t1", "crate", events=appears(2.0))
    assert "while the fox is eating" in all_of(scene(actor, inside)).casefold()
    assert "while" not in all_of(scene(actor, border)).casefold()


@pytest.mark.parametrize(
    "lie",
    [
        {"acts": ("jump", "eat")},
        {"color": "blue"},
        {"parts": {"M": {"word": "tail", "color": "blue"}}},
        {"edits": ()},
        {"poses": tuple(pose(x=-0.05 * i) for i in range(48))},
    ],
)
def test_a_caption_of_an_actor_that_is_otherwise_is_found_out(lie: dict[str, object]) -> None:
    truth: dict[str, object] = {
        "acts": ("eat", "jump"),
        "color": "red",
        "parts": {"M": {"word": "tail", "color": "gray"}},
        "edits": TWO_LESS,
        "poses": tuple(pose(x=0.05 * i) for i in range(48)),
    }
    made = scene(obj("t0", "fox", **truth), source=SIX)  # type: ignore[arg-type]
    other = scene(obj("t0", "fox", **{**truth, **lie}), source=SIX)  # type: ignore[arg-type]
    full = next(c for s in range(9) for c in captions_of(made, LEXICON, s) if c.style == "detailed")
    assert not faults(full, made, LEXICON)
    assert faults(full, other, LEXICON)


@pytest.mark.parametrize(
    "other",
    [
        obj("t1", "crate", "blue", poses=(pose(2.0),), events=appears(1.0)),
        obj("t1", "cone", "red", poses=(pose(2.0),), events=appears(1.0)),
        obj("t1", "crate", "red", poses=(pose(2.0),)),
        obj("t1", "crate", "red", poses=(pose(2.0),), events=appears(3.0)),
        obj("t1", "crate", "red", poses=(pose(2.0),), events=(Event(what="vanishes", start_s=1, end_s=1),)),
        obj("t1", "crate", "red", poses=tuple(pose(2.0, valid=i > 30) for i in range(48))),
    ],
)
def test_a_caption_of_a_prop_that_is_otherwise_is_found_out(other: object) -> None:
    actor = obj("t0", "fox", acts=("eat", "jump"))
    made = scene(actor, obj("t1", "crate", "red", poses=(pose(2.0),), events=appears(1.0)))
    full = next(c for s in range(9) for c in captions_of(made, LEXICON, s) if c.style == "detailed")
    assert not faults(full, made, LEXICON)
    assert faults(full, scene(actor, other), LEXICON)  # type: ignore[arg-type]


def test_a_side_is_measured_in_a_picture() -> None:
    actor = obj("t0", "fox", acts=("eat",))
    says = Caption(object="", text="", claims=(Claim(kind="side", objects=("t1",), words=("left",)),))
    for place, side in (((0.0, 2.0), True), ((0.0, -2.0), False), ((2.0, 0.0), False), ((-2.0, 0.0), False)):
        made = scene(actor, obj("t1", "cone", poses=(pose(*place),)))
        assert (not any("is not so" in fault for fault in faults(says, made, LEXICON))) == side


def test_a_word_without_a_claim_and_a_claim_without_a_word_are_found() -> None:
    made = scene(obj("t0", "fox", "red", acts=("eat",)))
    caption = captions_of(made, LEXICON, "0")[0]
    more = msgspec.structs.replace(caption, text=caption.text.replace("fox", "huge fox"))
    assert faults(more, made, LEXICON) == ["'huge' is said and not claimed"]
    less = msgspec.structs.replace(caption, text=caption.text.replace("red ", ""))
    assert faults(less, made, LEXICON) == ["color 'red' is claimed and not said"]
    many = msgspec.structs.replace(caption, text=caption.text.replace("red", "red two"))
    assert any("nothing is so many" in fault for fault in faults(many, made, LEXICON))


@pytest.mark.parametrize(
    "claim",
    [
        Claim(kind="noun", objects=("nobody",), words=("fox",)),
        Claim(kind="noun", objects=(), words=("fox",)),
        Claim(kind="noun", objects=("t0",), words=()),
        Claim(kind="wish", objects=("t0",), words=("fox",)),
        Claim(kind="part", objects=("t0",), words=("fox",)),
        Claim(kind="limbs", objects=("t0",), words=("legs", "many")),
        Claim(kind="limbs", objects=("t0",), words=()),
        Claim(kind="does", objects=("t0",), words=("yodel",)),
        Claim(kind="during", objects=("t0",), words=("yodel in reverse",)),
    ],
)
def test_a_claim_that_no_check_can_read_is_a_fault_and_stops_nothing(claim: Claim) -> None:
    made = scene(obj("t0", "fox", acts=("eat",)))
    caption = Caption(object=made.id, text="A fox eats.", claims=(claim,))
    found = faults(caption, made, LEXICON)
    assert found
    assert all(" / ".join(claim.words) in fault for fault in found)


@given(
    st.lists(
        st.builds(
            Claim,
            kind=st.sampled_from(
                ["noun", "color", "part", "worn", "held", "place", "limbs", "does", "group", "changes",
                 "side", "during", "travel", "turn", ""]
            ),
            objects=st.lists(st.sampled_from(["t0", "t1", "x"]), max_size=3).map(tuple),
            words=st.lists(st.text(max_size=5) | st.sampled_from(["eat", "6", ""]), max_size=4).map(tuple),
        ),
        max_size=3,
    )
)  # fmt: skip
def test_no_claims_break_the_second_check(claims: list[Claim]) -> None:
    made = scene(obj("t0", "fox", acts=("eat",)), obj("t1", "cone", "red"), source=SIX)
    assert isinstance(faults(Caption(object="o", text="A fox.", claims=tuple(claims)), made, LEXICON), list)


def test_an_object_of_which_too_little_is_known_says_so() -> None:
    with pytest.raises(UnfitError, match="what t0 does"):
        captions_of(scene(obj("t0", "fox")), LEXICON, "0")
    with pytest.raises(UnfitError, match="not what its object is"):
        captions_of(scene(obj("t0", "", acts=("eat",))), LEXICON, "0")
    with pytest.raises(UnfitError, match="'moonwalk': is not in the lexicon"):
        captions_of(scene(obj("t0", "fox", acts=("moonwalk",))), LEXICON, "0")


def test_nouns_get_the_article_and_number_that_they_need() -> None:
    assert [one(w) for w in ("orange fox", "gray fur", "black hooves", "red dress", "blue cactus")] == [
        "an orange fox", "gray fur", "black hooves", "a red dress", "a blue cactus",
    ]  # fmt: skip
    assert [LEXICON.many(w) for w in ("wolf", "butterfly", "gift box", "cactus", "sheep", "monkey")] == [
        "wolves", "butterflies", "gift boxes", "cacti", "sheep", "monkeys",
    ]  # fmt: skip
    assert one("hour") == "an hour"
    assert not is_many("body")


def test_the_question_has_the_five_as_references_and_the_first_as_answer() -> None:
    made = drawn_scene(3)
    five = captions_of(made, LEXICON, "0")
    question = caption_question(made, five, ("a", "b"))
    assert (question.task, question.id) == ("caption", f"{made.id}_caption")
    assert question.references == tuple(c.text for c in five)
    assert question.answer == question.references[0]
    assert (question.media, question.scene, question.groups.cluster) == (
        ("a", "b"),
        made.id,
        made.objects[0].asset.name,
    )


@pytest.mark.parametrize(
    ("limb", "verb", "told"),
    [
        *(("head", "walk", False), ("tail", "swim", False), ("left wing", "fly", False)),
        *(("head", "look_around", False), ("left legs", "walk", False), ("leg_0", "eat", False)),
        *(("tail", "walk", True), ("left arm", "jump", True)),
    ],
)
def test_nobody_tells_what_moves_as_a_matter_of_course(limb: str, verb: str, told: bool) -> None:
    assert _worth_telling(limb, verb) == told


def test_step_by_step_tells_in_which_step_it_turns() -> None:
    facts = replace(facts_of(scene(obj("t0", "ox", acts=("eat", "gallop")))), turn="left", turns_in="gallop")
    said = STYLES["step by step"](Speaker(facts, LEXICON, np.random.default_rng(0)))
    assert said.endswith("first eats and then gallops while turning to its left"), said
