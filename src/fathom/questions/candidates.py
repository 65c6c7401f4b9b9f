"""Everything that could be asked of one scene: a bounded, random lot of checked question candidates.

A candidate is a template with its slots filled, and its answer. Under enforcing settings it is decided in all
readings with its margin, every word is needed, no world of the jitter test changes its answer, and its own
words do not give the answer away.
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.programs.views.still import StillView
from fathom.questions.asking import Asking, Chances, Slots, StillCandidate
from fathom.questions.candidate import SceneCandidates
from fathom.questions.drafting import CandidateSampler
from fathom.questions.repeats import asked
from fathom.questions.templates import Template


def meant(kin: Sequence[Template], candidate: StillCandidate) -> Slots | str:
    """Return what tells a candidate from others of its template: its slots, or what it asks where two of them
    can change places.
    """
    if kin[0].joint is None:
        return candidate.slots
    template = next(t for t in kin if t.id == candidate.template)
    return asked(template, candidate.slots)[-1]


def rounded(wanted: float, batch: int, chances: Chances) -> int:
    """Return a whole number of candidates that is `wanted` on average, none or a `batch` at least."""
    if wanted < batch:
        return batch * (chances.unit() < wanted / batch)
    whole = int(wanted)
    return whole + (chances.unit() < wanted - whole)


def candidates(
    facts: StillView, hard: StillView | None, asking: Asking, seed: str
) -> SceneCandidates[StillCandidate]:
    """Return the candidates of a scene; `hard` are its facts hardened by the jitter test.

    A pure function of the facts, the settings and the seed.
    """
    chances = Chances(seed, "candidates", facts.scene)
    sampler = CandidateSampler(facts, hard, asking, chances)
    found: dict[tuple[str, Slots | str], StillCandidate] = {}
    for kin in asking.kin:
        batch = asking.batch if len(kin) == 1 else 1
        wanted = {t.id: rounded(asking.wanted[t.id], batch, chances) for t in kin}
        for t in kin:
            sampler.wants(t, wanted[t.id])
        patience = kin[0].patience
        sampler.dead.clear()
        in_vain = 0
        for _ in range(patience * max(wanted.values()) // 2):
            lacking = [t for t in kin if wanted[t.id] > 0 and not sampler.is_barren(t)]
            # Given up where so many tries, one after the other, come to nothing new. An answer that is given
            # up leaves the others: they are tried as patiently.
            if not lacking or len(sampler.dead) == facts.n or in_vain > patience:
                break
            in_vain += 1
            left = len(sampler.barren)
            for candidate in sampler.propose(lacking):
                key = candidate.template, meant(kin, candidate)
                if key not in found:
                    found[key] = candidate
                    wanted[candidate.template] -= 1
                    in_vain = 0
            if len(sampler.barren) > left:
                in_vain = 0
    return SceneCandidates(facts.scene, tuple(found.values()), sampler.tried)
