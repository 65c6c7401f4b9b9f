"""Most questions of a film are about the object itself, and not about the paint on it."""

from __future__ import annotations

import re
from dataclasses import replace

import msgspec

from fathom.benchmarks.fourdbench.construction import recipe, templates
from fathom.questions.animated_candidate import AnimatedCandidate
from fathom.questions.balancing.animated import MOST_PAINTED, AnimatedSampler
from fathom.questions.balancing.film_topics import is_grown, is_painted
from fathom.questions.distractors.sources import Option, Supply
from fathom.questions.repeating.animated import FactsCheck
from fathom.questions.templates import Template
from fathom.records import Step


def candidate(form: Template, scene: str = "film") -> AnimatedCandidate:
    return AnimatedCandidate(
        scene=scene,
        asset=scene,
        template=form,
        fills={},
        program=(Step(op=re.split("[: ]", form.program)[0], args=("body",)),),
        answer=Option(form.id, form.id, "answer"),
        pool=(),
    )


def test_no_film_is_asked_more_about_paint_than_about_the_rest() -> None:
    sampler = AnimatedSampler(recipe("seed", Supply({}, (), ())))
    painted = [
        msgspec.structs.replace(f, id=f"{f.id} {k}")
        for k in (1, 2)
        for f in templates()
        if is_painted(candidate(f))
    ]
    plain = [f for f in templates() if f.id in ("action.limb_line", "spatial.foremost")]
    assert len(painted) > MOST_PAINTED
    for form in painted:
        if sampler.has_room(candidate(form)):
            sampler._add(candidate(form), 0)
    assert len(sampler.chosen) == MOST_PAINTED
    assert all(sampler.has_room(candidate(f)) for f in plain)
    assert all(sampler.has_room(candidate(f, "another film")) for f in painted)


def test_what_a_question_tells_is_never_taken_for_what_another_one_told() -> None:
    # Candidates that nobody keeps are freed, and the next one may get the address of the one before.
    form = next(f for f in templates() if f.id == "action.limb_line")
    facts = FactsCheck()
    facts.add(candidate(form))
    for k in range(200):
        assert facts.clashes(candidate(form))
        assert not facts.clashes(candidate(form, f"film {k}"))


def test_of_what_grows_on_it_no_film_is_asked_more_than_four_questions() -> None:
    made = recipe("seed", Supply({}, (), ()), shown=lambda scene: {0: (0,)})
    made = replace(made, mix=replace(made.mix, most_per_scene=20, most_per_task=20))
    sampler = AnimatedSampler(made)
    assert made.only_shown
    forms = [f for f in templates() if f.asks == "colors"][:6]
    grown = [replace(candidate(f), program=(Step(op="growing", args=(f.id,)),)) for f in forms]
    assert len(grown) == 6 and all(map(is_grown, grown))
    for one in grown:
        if sampler.has_room(one):
            sampler._add(one, 0)
    assert len(sampler.chosen) == 4
