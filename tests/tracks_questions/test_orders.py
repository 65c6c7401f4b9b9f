"""Orders of three: which of five orders stand beside the answer, and what one place alone tells of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fathom.questions.balancing.video_words import orders
from fathom.questions.video_candidate import VideoCandidate
from fathom.store.seeds import rng

MANY = 900


def test_no_place_in_an_order_tells_more_than_another_and_the_set_tells_nothing(
    candidates: list[VideoCandidate],
) -> None:
    """Five of six orders are offered. Where the one that is left out has an object where the answer has it,
    that object tells the answer. Were such orders never left out, the set would tell: two of five would be
    likelier. So each place tells in a fifth of the questions, the last one no oftener than the first.
    """
    one = next(d for d in candidates if d.template.asks == "order")
    g = rng("orders of three")
    made = []
    for k in range(MANY):
        value = " ".join(str(i + 1) for i in g.permutation(3))
        made.append(replace(one, scene=f"s{k}", answered=replace(one.answered, value=value)))
    alone, common = np.zeros(3), 0.0
    picked = orders(made, MANY, {}, ("test",))
    assert len(picked) == MANY
    for p in picked:
        said = [str(p.candidate.answered.value).split(), *(order.split() for order in p.false)]
        counts = [[sum(o[k] == own[k] for o in said) for k in range(3)] for own in said]
        alone += [n == 1 for n in counts[0]]
        shared = [sum(own) for own in counts]
        common += (shared[0] == max(shared)) / shared.count(max(shared))
    assert np.abs(alone / MANY - 0.2).max() < 0.05, alone
    assert abs(common / MANY - 0.2) < 0.04
