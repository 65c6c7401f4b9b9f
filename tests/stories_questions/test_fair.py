"""What questions of films are fair to ask: a rival stands there, no word gives the answer away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import msgspec
import numpy as np
import pytest

from fathom.assets.model import Material
from fathom.benchmarks.fourdbench.construction import templates
from fathom.benchmarks.fourdbench.vague import is_charcoal
from fathom.questions.animated_candidate import AnimatedCandidate
from fathom.questions.balancing.false_choices import draw
from fathom.questions.contexts.animated_words import ActionWords, sentence
from fathom.questions.distractors.sources import ABSENT, RIVAL, Option
from fathom.questions.sampling.animated import offer
from fathom.questions.templates import Fill
from tests.stories_questions.made import FRAMES, Prop, acts, at, made_recipe, scene_of, visibility_of
from tests.stories_questions.test_questions import chosen

EAGER = made_recipe(tries=40)
PLACED = ("spatial.side", "spatial.nearest", "spatial.farthest", "spatial.nearest_to", "spatial.opposite",
          "spatial.nearest_to_changer", "spatial.opposite_changer")  # fmt: skip
ORDERING = (
    "temporal.order",
    "temporal.earlier",
    "temporal.later",
    "temporal.next_event",
    "temporal.previous_event",
)
HAT = Prop("hat", "purple", attributes={"worn_on": "head"}, events=(at("vanishes", 40),))
FILM = (
    Prop("ball", "red", 0.0, events=(at("vanishes", 12),)),
    Prop("cube", "blue", 90.0, 3.0),
    Prop("vase", "green", 180.0, 4.0),
    Prop("barrel", "yellow", 270.0, 1.0, events=(at("appears", 24),)),
)


def candidates(props: Sequence[Prop], *verbs: str) -> tuple[AnimatedCandidate, ...]:
    scene = scene_of(props, acts(*verbs) if verbs else ())
    return offer(scene, visibility_of(scene), EAGER).candidates


@pytest.mark.parametrize(
    ("shade", "vague"), [((70, 70, 70), True), ((20, 20, 20), False), ((140, 140, 140), False),
                         ((90, 40, 30), False)]
)  # fmt: skip
def test_a_charcoal_part_is_neither_gray_nor_black(shade: tuple[int, int, int], vague: bool) -> None:
    assert is_charcoal(Material("paint", (shade[0] / 255, shade[1] / 255, shade[2] / 255))) == vague


def test_a_part_without_one_plain_color_is_neither_asked_about_nor_offered() -> None:
    scene = scene_of(FILM, acts("walk", "jump"))
    for vague in (frozenset[str](), frozenset(("paws",))):
        words = replace(EAGER.language, natural_looks=frozenset())
        recipe = replace(EAGER, language=words, vague=lambda _, found=vague: found)  # type: ignore[misc]
        said = [f"{c.fills.get('P')} {c.answer.key} {[o.key for o in c.pool]}"
                for c in offer(scene, visibility_of(scene), recipe).candidates
                if "part" in c.form]  # fmt: skip
        assert said
        assert any("paws" in s for s in said) == (not vague)


def test_who_bobs_goes_neither_up_nor_down_among_the_choices() -> None:
    words = {**EAGER.verbs, "bob": ActionWords("bob", "bobbing", "bobs", (), True)}
    recipe = replace(EAGER, verbs=words)
    scene = scene_of([Prop("ball", "red")], acts("walk", "bob"))
    for way in ((0.1, 1.0, 0.2), (0.1, 0.1, 1.0)):
        visibility = visibility_of(scene)
        visibility.limb_centres_m[:, 0, :] = np.linspace(0, 0.5, FRAMES)[:, None] * np.array(way)
        found = [c for c in offer(scene, visibility, recipe).candidates if c.form == "action.limb_way"]
        assert bool(found) == (way[1] == 1.0)
        assert not [c for c in found if {"up", "down"} & {c.answer.key, *(o.key for o in c.pool)}]


def test_nothing_is_nearest_to_or_opposite_of_what_is_worn() -> None:
    found = [c for c in candidates([*FILM, HAT], "walk", "jump") if c.form.endswith("_changer")]
    assert found
    for c in (c for c in found if c.form in PLACED):
        assert not c.fills["T"].key.startswith("last")


def test_no_moment_is_an_event_of_the_object_that_is_to_be_found() -> None:
    found = [c for c in candidates(FILM, "walk", "jump") if c.fills.get("T") and "M" in c.fills]
    changers = [c for c in found if c.form.endswith("changer")]
    assert changers
    own = {"first": "ball", "the vanishes": "ball", "last": "barrel", "the appears": "barrel"}
    for c in changers:
        assert own[c.fills["T"].key] not in c.fills["M"].key, (c.form, c.fills)


def test_a_rival_that_stands_there_is_among_the_choices() -> None:
    asked = [
        c
        for c in candidates(FILM, "walk", "jump")
        if c.form in PLACED or any(o.source == RIVAL for o in c.pool)
    ]
    assert asked
    for c, options in zip(asked, draw(asked, [0] * len(asked), "seed"), strict=True):
        assert any(o.source == RIVAL for o in options), c.form


def test_where_only_the_answer_stands_there_nothing_is_asked_of_where_it_is() -> None:
    alone = [FILM[0], *(replace(p, events=(at("appears", 20 + 6 * k),)) for k, p in enumerate(FILM[1:]))]
    found = [c for c in candidates(alone, "walk", "jump") if c.form == "spatial.side"]
    assert found
    assert not [c for c in found if c.fills["M"].key == "start"]


def test_the_color_of_what_is_somewhere_is_asked_only_where_others_have_another() -> None:
    alike = [replace(p, color="red") for p in FILM[:3]]
    names = ("appearance.side", "appearance.nearest", "appearance.nearest_to", "appearance.opposite")
    assert [c for c in candidates(FILM, "walk", "jump") if c.form in names]
    assert not [c for c in candidates(alike, "walk", "jump") if c.form in names]


def test_what_is_abreast_of_a_long_body_is_neither_ahead_nor_beside() -> None:
    props = [Prop("ball", "red", 30.0, 1.0), *FILM[1:]]
    scene = scene_of(props, acts("walk", "jump"))
    for half, asked in ((0.1, True), (1.2, False)):
        visibility = visibility_of(scene)
        visibility.lows_m[:, 0, :2], visibility.highs_m[:, 0, :2] = (-half, -0.1), (half, 0.1)
        found = [c for c in offer(scene, visibility, EAGER).candidates if c.form == "spatial.where"]
        assert any(c.fills["T"].key == "ball" for c in found) == asked
        assert any(c.fills["T"].key == "vase" for c in found)


def test_sentences_say_neither_right_right_nor_an_unclear_it() -> None:
    side = Fill("right", {"said": ("on the fox's own right",)})
    moment = Fill("after", {"said": ("right after the duck vanishes",)})
    assert sentence("What is {D} {M}?", "fox", {"D": side, "M": moment}, 0) == (
        "What is on the fox's own right just after the duck vanishes?"
    )
    duck = Fill("duck", {"said": ("the duck",), "is": ("is the duck",)})
    text = "Looking from {T} straight across the {actor}, which object is on the other side {M}?"
    assert sentence(text, "fox", {"T": duck, "M": moment}, 0).endswith("right after the duck vanishes?")
    text = "Which object is on the opposite side of the {actor} from {T} {M}?"
    assert sentence(text, "fox", {"T": duck, "M": moment}, 0).endswith("right after the duck vanishes?")
    assert sentence("Where {T.is} {M}?", "fox", {"T": duck, "M": moment}, 0).endswith("after it vanishes?")
    texts = [t for f in templates() for t in f.texts]
    assert not [t for t in texts if "as well" in t or "Which color" in t]


def test_no_two_questions_of_a_film_come_to_the_same() -> None:
    facts = Counter[str]()
    for found in chosen().by_scene().values():
        for head in ("count", "happened", "deed"):
            asks = [fact for p in found for fact in p.candidate.asks if fact[0] == head]
            assert len(asks) == len(set(asks))
            facts[head] += len(asks)
    assert all(facts[head] for head in ("count", "happened", "deed"))


def test_an_order_and_what_follows_what_are_not_both_asked() -> None:
    told = Counter[str]()
    for found in chosen().by_scene().values():
        pairs = [pair for p in found for pair in ordered_pairs(p.candidate)]
        assert len(pairs) == len(set(pairs))
        told.update(p.form for p in (one.candidate for one in found) if p.form in ORDERING)
    assert told["temporal.order"] and sum(told.values()) > told["temporal.order"]


def ordered_pairs(candidate: AnimatedCandidate) -> list[frozenset[str]]:
    """Return any two changes of which a question's answer says which of them comes first."""
    if candidate.form not in ORDERING:
        return []
    keys = [k for k in candidate.answer.key.split(">") if ":" in k]
    keys += [fill.key for slot, fill in candidate.fills.items() if slot == "H"]
    return [frozenset(pair) for pair in combinations(keys, 2)]


def test_what_changes_together_is_no_moment_just_before_or_after_which_something_is_asked() -> None:
    def moments(together: bool) -> set[str]:
        later = 12 if together else 30
        props = [FILM[0], *FILM[1:3], replace(FILM[3], events=(at("vanishes", later),))]
        return {c.fills["M"].key for c in candidates(props, "walk", "jump") if "M" in c.fills}

    assert {"before vanishes:red ball", "after vanishes:red ball"} <= moments(together=False)
    assert not [m for m in moments(together=True) if "vanishes" in m]


def test_choices_that_nearly_say_the_same_are_not_offered_together() -> None:
    """Three leaps beside a nod: whoever sees that they are one and the same picks the nod."""
    one = candidates(FILM, "walk", "jump")[0]
    form = msgspec.structs.replace(one.template, asks="verbs", near=0)
    leaps = frozenset(("jump", "leap", "land"))
    alike = {v: leaps - {v} for v in leaps}
    words = ("jump", "leap", "land", "kick", "wave", "bow")
    offered = tuple(Option(v, v.title(), ABSENT, alike.get(v, frozenset())) for v in words)
    asked = replace(one, template=form, answer=Option("nod", "Nod", ABSENT), pool=offered)
    for seed in map(str, range(8)):
        shown = {o.key for o in draw([asked], [0], seed)[0]}
        assert len(shown & leaps) <= 1
