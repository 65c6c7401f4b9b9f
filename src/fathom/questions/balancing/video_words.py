"""Which drafts about words and orders become questions, so that no word and no order is right more often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations

import numpy as np

from fathom.questions.contexts.video_relations import RELATION_TEXTS
from fathom.questions.numeric.error_sampling import POINTS
from fathom.questions.video_candidate import OptionPlan, VideoCandidate
from fathom.store.seeds import rng

UPRIGHT_WORDS = ("above", "below")


def orders(
    candidates: Sequence[VideoCandidate], count: int, before: Mapping[str, int], names: tuple[str, ...]
) -> list[OptionPlan]:
    """Return drafts of three objects in order, each with four of the five other orders; each of the six is
    right as often as the others, with those that were `before`.
    """
    g = rng("orders", *names)
    by_order: dict[str, list[VideoCandidate]] = {" ".join(map(str, p)): [] for p in permutations((1, 2, 3))}
    for k in g.permutation(len(candidates)).tolist():
        by_order[str(candidates[k].answered.value)].append(candidates[k])
    had = Counter(dict(before))
    out: list[OptionPlan] = []
    while len(out) < count and any(by_order.values()):
        there = [o for o, found in by_order.items() if found]
        one = min(there, key=lambda o: (had[o], g.random()))
        had[one] += 1
        false = [o for o in by_order if o != one]
        false.pop(int(g.integers(len(false))))
        out.append(OptionPlan(by_order[one].pop(), false=tuple(false)))
    return out


def words(candidates: Sequence[VideoCandidate], count: int, names: tuple[str, ...]) -> list[OptionPlan]:
    """Return drafts about relations, each with four false words, so that each word is right in a fifth of the
    questions in which it is offered.

    A word that is right in a share p ≤ 1/5 of all questions is left out of 1 − 5·p of them: of six words one
    is left out each time. Above and below are right in a fifth together: the nouns tell which of these two it
    might be.
    """
    g = rng("relations", *names)
    by_word: dict[str, list[VideoCandidate]] = {word: [] for word in RELATION_TEXTS}
    for k in g.permutation(len(candidates)).tolist():
        by_word[str(candidates[k].answered.value)].append(candidates[k])
    counts = even_counts({w: len(d) for w, d in by_word.items()}, count)
    total = sum(counts.values())
    if not total:
        return []
    out = []
    for word, n in counts.items():
        rest = np.array([total - POINTS * counts[w] if w != word else 0 for w in counts], dtype=float)
        for candidate in by_word[word][:n]:
            absent = [*counts][int(g.choice(len(rest), p=rest / rest.sum()))] if rest.sum() else ""
            false = [w for w in counts if w not in (word, absent)]
            out.append(OptionPlan(candidate, false=tuple(false)))
    return out


def of_stacked_nouns(candidates: Sequence[VideoCandidate]) -> list[VideoCandidate]:
    """Return the drafts about two objects of which the one kind carries the other in some video: else "desk"
    and "lamp" would tell that one is above.
    """
    stacked = [d for d in candidates if d.answered.value in UPRIGHT_WORDS]
    carried = {d.nouns[d.answered.value != "above"] for d in stacked}
    carriers = {d.nouns[d.answered.value == "above"] for d in stacked}
    return [
        d
        for d in candidates
        if any(one in carried and other in carriers for one, other in (d.nouns, d.nouns[::-1]))
    ]


def even_counts(available: Mapping[str, int], most: int) -> dict[str, int]:
    """Return how often each of six words is right in at most `most` questions: each of four in a fifth, above
    and below in a fifth together.
    """
    upright = [available[w] for w in UPRIGHT_WORDS]
    each = min(most // POINTS, sum(upright), *(n for w, n in available.items() if w not in UPRIGHT_WORDS))
    above = min(max(each // 2, each - upright[1]), upright[0])
    counts = dict(zip(UPRIGHT_WORDS, (above, each - above), strict=True))
    return {word: counts.get(word, each) for word in available}
