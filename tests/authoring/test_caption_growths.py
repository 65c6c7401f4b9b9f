"""Captions of what comes and goes on the object, and of people."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import msgspec
import pytest

from fathom.authoring.captions.claim_checks import faults
from fathom.authoring.captions.claims import Caption
from fathom.authoring.captions.grammar import captions_of
from fathom.authoring.captions.own_facts import growth_of
from fathom.programs.visibility_grid import VisibilityGrid
from fathom.records import Event, Scene
from tests.authoring.captions import LEXICON, appears, obj, scene

SEEDS = range(10)


def vanishes(at_s: float) -> tuple[Event, ...]:
    return (Event(what="vanishes", start_s=at_s, end_s=at_s),)


def on(noun: str, *changes: tuple[str, tuple[Event, ...]]) -> Scene:
    """Return somebody who gallops and sits down, with flowers of these colors on the back."""
    flowers = [
        obj(f"flower {k}", "flower", color, worn_on="back", events=events)
        for k, (color, events) in enumerate(changes)
    ]
    return scene(obj("actor", noun, "gray", acts=("gallop", "sit down")), *flowers)


def texts(found: Scene) -> tuple[Caption, ...]:
    return tuple(c for seed in SEEDS for c in captions_of(found, LEXICON, seed))


def test_two_that_come_are_told_by_their_colors_in_the_order_in_which_they_come() -> None:
    found = on("wolf", ("blue", appears(2.0)), ("red", appears(1.0)), ("yellow", vanishes(3.0)))
    captions = texts(found)
    assert all("ith a yellow flower on its back" in c.text for c in captions), "what goes is told of before"
    told = ("ed and then a blue flower grow on its back", ", then the yellow one disappears")
    assert all(all(words in c.text for words in told) for c in captions), captions
    assert not [(c.text, why) for c in captions if (why := faults(c, found, LEXICON))]


COMING = tuple((color, appears(at)) for color, at in (("red", 1.0), ("blue", 2.0), ("green", 3.0)))


def test_three_are_told_by_their_colors_and_more_are_counted() -> None:
    found = on("wolf", *COMING)
    captions = texts(found)
    told = "ed, a blue and a green flower grow on its back one by one"
    assert captions and all(told in c.text for c in captions)
    more = on("wolf", *COMING, ("yellow", appears(3.5)), ("white", ()))
    counted = [c.text for c in texts(more)]
    assert counted and all("our flowers grow" in t or "our more flowers grow" in t for t in counted)
    assert all("white flower on its back" in t and "our more" in t for t in counted)
    for scene_, said in ((found, captions), (more, texts(more))):
        assert not [(c.text, why) for c in said if (why := faults(c, scene_, LEXICON))]


def test_what_comes_at_one_time_is_told_in_no_order() -> None:
    found = on("wolf", ("red", appears(1.0)), ("blue", appears(1.0)))
    captions = texts(found)
    assert captions and all("ed and a blue flower grow on its back" in c.text for c in captions)
    assert not any(claim.kind == "order" for c in captions for claim in c.claims)


def test_what_goes_is_called_by_a_color_that_others_have_as_well() -> None:
    found = on("wolf", ("red", vanishes(1.0)), ("red", ()), ("blue", ()))
    captions = texts(found)
    assert captions and all("red flower disappears" in c.text for c in captions)
    assert not any("he red flower disappears" in c.text for c in captions)


def test_where_it_grows_is_said_where_that_is_one_place() -> None:
    sides = ("left side", "right side", "back")
    apart = on("wolf", *COMING)
    flowers = [
        msgspec.structs.replace(o, attributes={**o.attributes, "worn_on": side})
        for o, side in zip(apart.objects[1:], sides, strict=True)
    ]
    apart = msgspec.structs.replace(apart, objects=(apart.objects[0], *flowers))
    assert all("flower grow on it one by one" in c.text for c in texts(apart))
    machine = msgspec.structs.replace(apart.objects[0], category="robot")
    alone = msgspec.structs.replace(apart, objects=(machine, flowers[0]))
    assert all("flower grows on its left side" in c.text for c in texts(alone))
    on_top = msgspec.structs.replace(apart, objects=(machine, flowers[2]))
    assert all("flower grows on it" in c.text and "back" not in c.text for c in texts(on_top))
    elsewhere = msgspec.structs.replace(
        alone, objects=(machine, msgspec.structs.replace(flowers[0], attributes=flowers[1].attributes))
    )
    assert any(faults(c, elsewhere, LEXICON) for c in texts(alone)), "a wrong place is found"


def placed(found: Scene, *places: str, category: str = "animal") -> Scene:
    """Return somebody on whom each flower grows on a place of its own."""
    flowers = [
        msgspec.structs.replace(o, attributes={**o.attributes, "worn_on": place})
        for o, place in zip(found.objects[1:], places, strict=True)
    ]
    actor = msgspec.structs.replace(found.objects[0], category=category)
    return msgspec.structs.replace(found, objects=(actor, *flowers))


def test_two_that_are_there_are_told_each_with_its_place_and_more_on_the_body() -> None:
    two = on("wolf", ("red", vanishes(1.0)), ("blue", ()))
    found = placed(two, "left side", "head")
    captions = texts(found)
    assert all("ith a red flower on its left side and a blue one on its head" in c.text for c in captions)
    assert not [(c.text, why) for c in captions if (why := faults(c, found, LEXICON))]
    exchanged = placed(two, "head", "left side")
    assert all(faults(c, exchanged, LEXICON) for c in captions)
    three = placed(on("wolf", ("red", vanishes(1.0)), ("blue", ()), ("green", ())), "head", "back", "back")
    assert all("a red, a blue and a green flower on its body" in c.text for c in texts(three))
    machine = msgspec.structs.replace(three.objects[0], category="robot")
    robot = msgspec.structs.replace(three, objects=(machine, *three.objects[1:]))
    assert all("flower on it" in c.text and "body" not in c.text for c in texts(robot))


def test_what_is_known_to_have_no_head_has_no_chest() -> None:
    found = placed(on("bee", ("red", vanishes(1.0))), "chest", category="insect")
    actor, flower = found.objects
    assert growth_of(actor, [flower]).place([flower.id]) == "chest"  # type: ignore[union-attr]
    for limbs, place in (((), ""), (("head",), "chest")):
        seen = SimpleNamespace(limbs_of=lambda _, limbs=limbs: {limb: k for k, limb in enumerate(limbs)})
        fact = growth_of(actor, [flower], cast(VisibilityGrid, seen))
        assert fact is not None and fact.place([flower.id]) == place


def test_who_does_more_than_is_told_does_not_do_it_while_something_grows() -> None:
    found = on("wolf", ("red", appears(1.0)))
    for acts, alone in ((("gallop",), True), (("gallop", "flinch"), False)):
        actor = obj("actor", "wolf", "gray", acts=acts)
        told = texts(msgspec.structs.replace(found, objects=(actor, *found.objects[1:])))
        assert any(" while a red flower grows" in c.text for c in told) == alone


def test_a_wrong_order_is_found() -> None:
    found = on("wolf", ("blue", appears(2.0)), ("red", appears(1.0)))
    caption = next(c for c in texts(found) if any(claim.kind == "order" for claim in c.claims))
    claims = tuple(
        msgspec.structs.replace(c, objects=c.objects[::-1]) if c.kind == "order" else c
        for c in caption.claims
    )
    said = faults(msgspec.structs.replace(caption, claims=claims), found, LEXICON)
    assert any(why.startswith("order ") and "is not so" in why for why in said), said


def test_what_was_not_there_at_first_is_found() -> None:
    found = on("wolf", ("red", vanishes(1.0)), ("blue", appears(2.0)))
    caption = next(c for c in texts(found) if any(claim.kind == "there" for claim in c.claims))
    claims = tuple(
        msgspec.structs.replace(c, objects=("flower 1",), words=("flower", "blue"))
        if c.kind == "there"
        else c
        for c in caption.claims
    )
    said = faults(msgspec.structs.replace(caption, claims=claims), found, LEXICON)
    assert any(why.startswith("there ") and "is not so" in why for why in said), said


@pytest.mark.parametrize(("place", "word"), [(1, "green"), (2, "vanishes"), (0, "lamp")])
def test_a_wrong_color_noun_or_change_is_found(place: int, word: str) -> None:
    found = on("wolf", ("red", appears(1.0)), ("blue", ()))
    caption = next(c for c in texts(found) if any(claim.kind == "turned" for claim in c.claims))
    claims = tuple(
        msgspec.structs.replace(c, words=tuple(word if k == place else w for k, w in enumerate(c.words)))
        if c.kind == "turned"
        else c
        for c in caption.claims
    )
    said = faults(msgspec.structs.replace(caption, claims=claims), found, LEXICON)
    assert any(why.startswith("turned ") and "is not so" in why for why in said), said


@pytest.mark.parametrize(
    ("noun", "own", "others"), [("man", "he", {"it", "she"}), ("woman", "she", {"it", "he"})]
)
def test_a_person_is_he_or_she(noun: str, own: str, others: set[str]) -> None:
    found = on(noun, ("red", appears(1.0)), ("blue", ()))
    captions = texts(found)
    words = [set(c.text.casefold().replace(".", "").replace(",", "").split()) for c in captions]
    assert any(own in w for w in words) and not any(others & w for w in words)
    assert not [(c.text, why) for c in captions if (why := faults(c, found, LEXICON))]


def test_a_caption_that_calls_a_wolf_her_is_found() -> None:
    found = on("wolf", ("red", appears(1.0)), ("blue", ()))
    caption = next(c for c in texts(found) if " it " in c.text)
    wrong = msgspec.structs.replace(caption, text=caption.text.replace(" it ", " she ", 1))
    assert any("'she'" in why for why in faults(wrong, found, LEXICON))


def test_two_that_come_after_something_went_are_each_called_one() -> None:
    found = on("wolf", ("yellow", vanishes(0.5)), ("blue", appears(1.5)), ("red", appears(2.5)))
    captions = texts(found)
    told = "the yellow flower disappears, then a blue one and then a red one grow"
    assert captions and all(told in c.text.casefold() for c in captions), captions
    assert not [(c.text, why) for c in captions if (why := faults(c, found, LEXICON))]


def test_what_was_not_told_of_before_is_not_the_one_that_goes() -> None:
    """Of three flowers of which two are alike only the number is told."""
    found = on("wolf", ("cyan", vanishes(3.0)), ("red", ()), ("red", ()), ("blue", appears(1.0)))
    for caption in texts(found):
        assert "hree flowers" in caption.text and "a cyan one disappears" in caption.text, caption.text
        assert not faults(caption, found, LEXICON)
