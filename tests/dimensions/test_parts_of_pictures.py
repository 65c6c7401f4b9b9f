"""In which third of a picture something is: what is offered, and how both derivations cut it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from fathom.benchmarks.seedbench.construction import templates
from fathom.benchmarks.seedbench.sentence_forms import SAID
from fathom.benchmarks.seedbench.sentences import read_text
from fathom.programs.operators.pictured import CELLS
from fathom.questions.sampling.choice_pools import POOLS
from fathom.questions.sampling.filling import Filling
from fathom.records import Question
from fathom.verify.engine import derive
from tests.dimensions.conftest import Seen
from tests.dimensions.test_orders import groups

FORM = next(t for t in templates().templates if t.asks == "cells")
EVERY = [cell for row in CELLS for cell in row]


def test_whichever_of_four_parts_is_right_the_others_are_the_same() -> None:
    right: defaultdict[frozenset[str], set[str]] = defaultdict(set)
    for cell in EVERY:
        found = POOLS["cells"](None, FORM, Filling(()), cell, (), {})
        assert found is not None
        for options in groups(*found):
            right[frozenset(o.value for o in options)].add(cell)
    assert len(right) == 9
    assert all(options == answers and len(options) == 4 for options, answers in right.items())


def test_the_reader_knows_every_part_by_its_words_and_the_quarters_of_older_sets() -> None:
    said = SAID["part of the picture"]
    assert {text: value for value, text in FORM.options.items()}.items() <= said.items()
    assert said["in the top left quarter"] == "top left"


def test_a_picture_of_another_size_is_cut_elsewhere(seen: Sequence[Seen]) -> None:
    agreed, differs = 0, 0
    for one in seen:
        wide, high = one.observed.size_px
        other = replace(one.observed, size_px=(wide * 3, high * 3), memo={})
        for c in (c for c in one.candidates if c.template is FORM):
            second, elsewhere = derive(c.program, one.observed), derive(c.program, other)
            assert second is None or second.word == c.answer.value, (one.scene.id, c.words)
            agreed += second is not None
            differs += elsewhere is not None and elsewhere.word != c.answer.value
    assert agreed and differs


def test_an_older_set_is_read_in_its_own_words(seen: Sequence[Seen], questions: Sequence[Question]) -> None:
    scenes = {s.scene.id: s.scene for s in seen}
    change = msgspec.structs.replace
    quarters = [f"{v} {h}" for v in ("top", "bottom") for h in ("left", "right")]
    said = tuple(f"in the {quarter} quarter" for quarter in quarters)
    some = [q for q in questions if q.tags["form"] == FORM.id]
    assert some
    for q in some:
        last = change(q.program[-1], op="quarter_of_picture")
        tags = {**q.tags, "options_mean": ", ".join(quarters)}
        old = change(q, choices=said, answer=said[0], tags=tags, program=(*q.program[:-1], last))
        assert read_text(old, scenes[q.scene]).verdict == "agree"
        mixed = change(old, choices=(*said[:3], "in the center"))
        assert read_text(mixed, scenes[q.scene]).verdict != "agree"
