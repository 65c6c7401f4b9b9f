"""Orders of four: their options tell nothing, and as many things are put in order as there are."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import permutations

import msgspec
import numpy as np
import pytest

from fathom.benchmarks.seedbench.sentences import read_text
from fathom.datasets.generators.dimensions_settings import DimensionSettings
from fathom.programs.views.video import video_view
from fathom.questions.choice_candidate import DrawnOption
from fathom.questions.sampling.order_options import order_options
from fathom.records import Question, Step
from fathom.scenes.videos.desktop import draw_desktop
from fathom.verify.engine import derive
from tests.dimensions.conftest import Seen

SAID = ("the mug", "the bowl", "the box", "the book")
ORDERS = [" ".join(map(str, order)) for order in permutations((1, 2, 3, 4))]


def groups(answer: DrawnOption, false: Sequence[DrawnOption]) -> list[tuple[DrawnOption, ...]]:
    """Return the options that are shown together, one group after the other."""
    own = sorted({o.group for o in false})
    return [(answer, *(o for o in false if o.group == group)) for group in own]


def test_whichever_of_four_orders_is_right_the_others_are_the_same() -> None:
    right: defaultdict[frozenset[str], set[str]] = defaultdict(set)
    for value in ORDERS:
        answer, false = order_options(SAID, value)
        for options in groups(answer, false):
            assert answer.value == value and len({o.text for o in options}) == 4
            right[frozenset(o.value for o in options)].add(value)
    assert len(right) == 18, "six sets of options for each way to take two pairs of places"
    assert all(options == answers for options, answers in right.items())


def test_what_comes_first_tells_no_more_than_half_of_an_order_of_four() -> None:
    for value in ORDERS:
        for options in groups(*order_options(SAID, value)):
            listed = [o.text.split(", then ") for o in options]
            for place in range(4):
                assert sorted(Counter(one[place] for one in listed).values()) == [2, 2]


def test_of_three_things_all_orders_are_offered() -> None:
    answer, false = order_options(SAID[:3], "2 3 1")
    assert answer.text == "the bowl, then the box, then the mug"
    assert len({answer.value, *(o.value for o in false)}) == 6


def test_nearly_every_table_has_four_that_plainly_get_elsewhere() -> None:
    """Of every second move one could have said that it only turns, or hardly slides."""
    counts = []
    for k in range(6):
        view = video_view(draw_desktop(k, "orders", DimensionSettings().table))
        gone = np.linalg.norm(view.positions_m - view.positions_m[:, :1], axis=2).max(axis=1)
        counts.append(int((gone >= np.maximum(0.06, 0.65 * view.sizes_m[:, :2].max(axis=1))).sum()))
    assert sum(n >= 4 for n in counts) >= 5, counts


def test_four_are_put_in_order_where_a_video_has_four(seen: Sequence[Seen]) -> None:
    lengths: Counter[tuple[str, int]] = Counter()
    for one in seen:
        own = {len(c.placed) for c in one.candidates if c.placed}
        assert len(own) <= 1, one.scene.id
        lengths.update((one.scene.source["setting"], n) for n in own)
    assert lengths["desktop", 4] and lengths["acted", 3], lengths


def test_an_order_that_four_have_is_derived_again(seen: Sequence[Seen]) -> None:
    agreed = 0
    for one in seen:
        for c in (c for c in one.candidates if len(c.placed) == 4):
            second = derive(c.program, one.observed)
            if second is not None:
                assert second.word == c.answer.value, (one.scene.id, c.words)
                agreed += 1
            turned = derive((*c.program[:-1], _exchanged(c.program[-1])), one.observed)
            assert turned is None or turned.word != c.answer.value
    assert agreed


def _exchanged(last: Step) -> Step:
    """Return the step with the first two of what it puts in order in each other's place."""
    change = msgspec.structs.replace
    if len(last.inputs) > 2:
        return change(last, inputs=(last.inputs[1], last.inputs[0], *last.inputs[2:]))
    first, second, *rest = last.args[0].split("+")
    return change(last, args=("+".join((second, first, *rest)), *last.args[1:]))


@pytest.mark.parametrize("fault", ["names", "meaning", "options"])
def test_a_fault_in_an_order_of_four_is_read(
    fault: str, seen: Sequence[Seen], questions: Sequence[Question]
) -> None:
    scenes = {s.scene.id: s.scene for s in seen}
    some = [q for q in questions if q.tags["form"] == "order_of_four_moves"]
    assert some
    for q in some:
        assert read_text(q, scenes[q.scene]).verdict == "agree"
        assert read_text(_planted(q, fault), scenes[q.scene]).verdict != "agree", q.text


def _planted(q: Question, fault: str) -> Question:
    change = msgspec.structs.replace
    first, second, third, last = q.choices[0].split(", then ")
    if fault == "names":
        return change(q, text=q.text.replace(first, last, 1))
    if fault == "meaning":
        values = q.tags["options_mean"].split(", ")
        return change(q, tags={**q.tags, "options_mean": ", ".join((*values[1:], values[0]))})
    listed = ", then ".join((first, second, third, third))
    return change(q, choices=(listed, *q.choices[1:]))
