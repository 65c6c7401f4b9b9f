"""Where in a scene an answer can be had is what trying everything finds."""

from __future__ import annotations

from itertools import product

import pytest

from fathom.benchmarks.pulsecheck457.construction import recipe
from fathom.benchmarks.pulsecheck457.tasks import templates
from fathom.programs import FATHOM, StillView, still_view
from fathom.programs.values import Pair, Unanswerable
from fathom.questions.aiming import Aims
from fathom.questions.asking import Chances
from fathom.questions.described import Described, bits
from fathom.questions.drafting import CandidateSampler
from fathom.questions.drafts import DRAWN, OPERATORS, Draft
from fathom.questions.places import SOME, Places, anchor_of, end_of, sides_of
from fathom.questions.scene_words import SceneWords
from fathom.questions.templates import Template
from tests.questions.test_shares import clear_scene

FAMILIES = {t.id: t for t in templates()}
ENDS = [t for t in templates() if end_of(t) is not None and t.asks in ("count", "exist")]


def view(index: int) -> StillView:
    return still_view(clear_scene("places", index), FATHOM)


def words_of(facts: StillView, places: str = "words") -> SceneWords:
    return SceneWords(facts, Chances(places, facts.scene), enforce=True)


def near(words: SceneWords, op: str, k: int) -> list[tuple[Pair, tuple[Pair, ...]]]:
    """Return what stands in each relation of an operator to object k, and what is left without it."""
    found: list[tuple[Pair, tuple[Pair, ...]]] = []
    for word in OPERATORS[op][0].words or ("",):
        try:
            found.append(words.near(op, word, k))
        except Unanswerable:
            continue
    return found


def changes(one: Described, count: int, within: Pair, outers: tuple[Pair, ...]) -> bool:
    """Return whether dropping any word, or the relation, certainly leaves another number of objects."""
    dropped = [one.yes & outer[0] for outer in outers] + [rest & within[0] for rest in one.shorter]
    return all(left.bit_count() != count for left in dropped)


@pytest.mark.parametrize("template", ENDS[::4], ids=lambda t: t.id)
@pytest.mark.parametrize("index", range(3))
def test_sets_are_found_beside_the_objects_beside_which_trying_all_words_finds_them(
    template: Template, index: int
) -> None:
    node, words = end_of(template), words_of(view(index))
    assert node is not None
    limits, op = template.limits[node.slot], node.related[0].op
    found = Places(words).beside(node, limits)
    tried: dict[int, int] = {}
    for k in range(words.facts.n):
        for within, outers in near(words, op, k):
            for one in (d for some in words.sets(limits, False).values() for d in some):
                fits = one.yes & within[0]
                if fits == one.maybe & within[1] and changes(one, fits.bit_count(), within, outers):
                    tried[fits.bit_count()] = tried.get(fits.bit_count(), 0) | 1 << k
            if within[0]:
                tried[SOME] = tried.get(SOME, 0) | 1 << k
    assert found == tried


class Aimless(Aims):
    """Leaves a draft free to speak of any object."""

    def aim(self, template: Template, draft: Draft) -> bool:
        return True

    def aim_second(self, template: Template, draft: Draft) -> bool:
        return True


@pytest.mark.parametrize("index", range(3))
def test_an_answer_that_can_be_had_nowhere_is_not_found_by_trying_either(index: int) -> None:
    facts, asking = view(index), recipe("places").asking
    sampler = CandidateSampler(facts, None, asking, Chances("places", facts.scene))
    aims, sampler.aims = sampler.aims, Aimless(sampler.places)
    hopeless = found = 0
    for template in (t for t in asking.templates if t.asks in DRAWN and (end_of(t) or sides_of(t))):
        for answer in asking.vocabulary.answers(template):
            draft = Draft(answer=answer, wanted=answer == "yes" if template.compared is not None else None)
            can, asked = aims.aim(template, draft), False
            for _ in range(6):
                sampler.due[template.id] = answer, 0
                asked |= any(c.template == template.id for c in sampler.propose([template]))
            hopeless += not can
            found += asked
            assert can or not asked, (template.id, answer)
    assert hopeless > 5 and found > 20


@pytest.mark.parametrize("family", ["L3.compare_shape.both", "L5.own.compare_color.second"])
def test_the_first_of_two_objects_leaves_a_second_for_the_answer(family: str) -> None:
    template, seen = FAMILIES[family], 0
    sides = sides_of(template)
    assert sides is not None
    for index, wanted in product(range(8), (True, False)):
        facts = view(index)
        aims = Aims(Places(words_of(facts)))
        draft = Draft(answer="yes" if wanted else "no", wanted=wanted)
        if not aims.aim(template, draft):
            continue
        values = facts.values["shape" if "shape" in family else "color"]
        for first in bits(draft.among[sides[0]]):
            later = Draft(answer=draft.answer, wanted=wanted, first=values[first], objects=[first])
            assert aims.aim_second(template, later), (facts.scene, first)
            anchor = anchor_of(sides[1])
            assert anchor is not None and later.among[anchor]
            seconds = bits(later.among[sides[1]])
            assert seconds and all((values[k] == values[first]) is wanted for k in seconds)
            seen += 1
    assert seen > 10
