"""Captions of what comes and goes on the object, and of people."""

from __future__ import annotations

import msgspec
import pytest

from fathom.authoring.captions.claim_checks import faults
from fathom.authoring.captions.claims import Caption
from fathom.authoring.captions.grammar import captions_of
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
    told = [c.text for c in captions if "ver time" in c.text]
    assert told and all("a red and a blue flower appear on it" in t for t in told), told
    assert all(t.rstrip(".").endswith("and a yellow one disappears") for t in told), told
    assert not [(c.text, why) for c in captions if (why := faults(c, found, LEXICON))]


def test_more_than_two_are_counted() -> None:
    found = on("wolf", *((color, appears(at)) for color, at in (("red", 1.0), ("blue", 2.0), ("green", 3.0))),
               ("yellow", ()))  # fmt: skip
    captions = texts(found)
    told = [c.text for c in captions if "ver time" in c.text]
    assert told and all("three new flowers appear on it" in t for t in told), told
    assert any("with a flower growing on it" in c.text for c in captions)
    assert not [(c.text, why) for c in captions if (why := faults(c, found, LEXICON))]


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
