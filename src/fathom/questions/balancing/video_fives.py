"""Five trajectories, turns or poses that bodies of one build really had, any of which could be asked about.

The five are put together first, and then it is drawn which of them is asked about. So all five have to be
alike in whatever the question says: how long it lasted, and about when it began. What is asked of a camera
besides is asked among the same five cameras: of two such questions on one video, each of the five cameras
fits both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fathom.questions.balancing.video_numbers import vector_of
from fathom.questions.contexts.video_visibility import Reading
from fathom.questions.numeric.error_sampling import Floats
from fathom.questions.numeric.separation import LEVELS, Slot
from fathom.questions.numeric.trajectory_sets import at_one_pace, sets_of_five
from fathom.questions.numeric.vector_answers import Vector
from fathom.questions.repeating.video import repeats
from fathom.questions.video_candidate import OptionPlan, VideoCandidate
from fathom.store.seeds import Name

SETS = 12
"""So many sets are put together for each question, of which one is asked."""

BEGUN = {"number": 0.3, "trajectory": 0.5}
"""By which share of a span spans of the camera begin earlier or later, at most, of turns and of trajectories:
cars turn in the middle of their videos more often than at the beginning."""

AT_ONCE = 0.02
"""By which share of the time from the start poses of one set differ in it, at most."""

EITHER_SIDE = ("desktop", "indoor")
"""Where turns and poses may be those in a mirror: who walks, or holds a camera, goes to either side alike.
Cars do not: they turn to the right more closely than to the left."""

FAR = (LEVELS["easy"][0], 40.0)
"""How far apart they may lie where there are no five nearer ones, in what a careful person could tell."""

SIDES = ("x", "yaw", "roll", "turn")
"""The numbers that are the opposite in a mirror."""

INSTEAD = {"hard": ("middle", "easy"), "middle": ("easy", "hard"), "easy": ("middle", "hard"), "": ()}
"""Level → the ones that are asked instead, where no five lie so far apart."""


@dataclass(frozen=True)
class _Pool:
    """What five are taken of: drafts, of one kind, their numbers as they would be in the same time (n, d),
    how long each lasted (n,), and −1 where the numbers are those in a mirror (n,).
    """

    drafts: tuple[VideoCandidate, ...]
    kind: Vector
    rows: Floats
    lasts_s: Floats
    sides: NDArray[np.intp]


def fives(candidates: Sequence[VideoCandidate], slot: Slot, names: Sequence[Name]) -> Iterator[OptionPlan]:
    """Yield drafts to ask about, each with four others beside it: all five of these drafts, any of which
    could be asked about. Those that lie as far apart as the slot says come first.
    """
    pool = _pool(candidates)
    never = _never_together(pool.drafts) | _half_turns(pool)
    apart = np.where(never, 0.0, _apart(pool))
    levels = (slot.level, *INSTEAD[slot.level])
    for turn, (least, most) in enumerate([*(_bounds(pool, level) for level in levels), FAR]):
        sets = sets_of_five(apart, least, most, *names, turn)
        for five, _ in zip(sets, range(SETS), strict=False):
            yield _plan(pool, five, slot)


def among_the_same(
    one: VideoCandidate, beside: Mapping[str, int], drafts: Sequence[VideoCandidate], slot: Slot
) -> OptionPlan | None:
    """Return a question among the cameras that stand beside its own in another question: scene → 1, or −1
    for what it is in a mirror. `drafts` are what could be asked about at the same time. None where one of
    them could not, or two of the five cannot be told apart.
    """
    found = {d.scene: d for d in drafts if d.scene in beside and d.times == one.times}
    if len(found) < len(beside):
        return None
    five, sides = (one, *(found[scene] for scene in beside)), np.array([1, *beside.values()])
    kind, lasts = vector_of(one), np.array([d.took_s for d in five])
    rows = np.array([d.answered.numbers for d in five], dtype=np.float64)
    rows = rows * np.where(sides[:, None] < 0, _turned_round(kind), 1.0)
    pool = _Pool(five, kind, rows, lasts, sides)
    apart = _apart(pool) + np.diag(np.full(len(five), np.inf))
    least, most = _bounds(pool, "hard")[0], FAR[1]
    if _half_turns(pool).any() or apart.min() < least or apart.min(axis=1).max() > most:
        return None
    return _plan(pool, range(len(five)), slot)


def _bounds(pool: _Pool, level: str) -> tuple[float, float]:
    """Return how far the nearest option of each lies, at least and at most, in `_apart`."""
    if not pool.drafts[0].known:
        return pool.kind.errors.least, pool.kind.errors.most
    return LEVELS[level]


def _apart(pool: _Pool) -> Floats:
    """Return (n, n) how far two of them are apart, in what a careful person could tell of the one that is
    known less finely; in the setting's measure where nobody knows how finely.
    """
    off = pool.rows[:, None] - pool.rows[None]
    known = np.array([d.known for d in pool.drafts])
    if not known.any():
        return np.asarray(np.linalg.norm(off * pool.kind.weights, axis=-1))
    pose = pool.drafts[0].template.asks == "pose"
    turns = np.array([pose and part.unit == "°" for part in pool.kind.parts])
    coarser = np.maximum(known[:, None], known[None])[..., None]
    return np.asarray(
        np.linalg.norm(np.where(turns, off / Reading().turn_deg, off * pool.kind.weights / coarser), axis=-1)
    )


def _plan(pool: _Pool, five: Sequence[int], slot: Slot) -> OptionPlan:
    """Return a question about the first of five, which are all turned round if it is one in a mirror."""
    first, *rest = five
    one = pool.drafts[first]
    numbers = at_one_pace(pool.rows[rest], pool.kind, pool.lasts_s.min(), pool.lasts_s[first])
    if pool.sides[first] < 0:
        numbers = numbers * _turned_round(pool.kind)
    # As finely as the one that is known least: how digits are written tells nothing of which is the answer.
    coarsest = replace(one, known=max(pool.drafts[k].known for k in five))
    return OptionPlan(
        one,
        vector=vector_of(coarsest) if one.template.asks != "number" else None,
        others=tuple(tuple(n) for n in numbers.tolist()),
        beside=tuple(pool.drafts[k] for k in rest),
        sides=tuple(int(pool.sides[first] * pool.sides[k]) for k in rest),
        slot=slot,
    )


def _pool(candidates: Sequence[VideoCandidate]) -> _Pool:
    kind, lasts = vector_of(candidates[0]), np.array([d.took_s for d in candidates])
    numbers = np.array([d.answered.numbers for d in candidates], dtype=np.float64)
    rows = at_one_pace(numbers, kind, lasts, float(lasts.min()))
    one, sides = candidates[0], np.ones(len(candidates), dtype=np.intp)
    if one.template.asks == "trajectory" or one.setting not in EITHER_SIDE:
        return _Pool(tuple(candidates), kind, rows, lasts, sides)
    rows = np.concatenate([rows, rows * _turned_round(kind)])
    return _Pool((*candidates, *candidates), kind, rows, np.tile(lasts, 2), np.concatenate([sides, -sides]))


def _turned_round(kind: Vector) -> Floats:
    """Return (d,) what numbers are multiplied by in a mirror."""
    return np.array([-1.0 if part.name in SIDES else 1.0 for part in kind.parts])


def _half_turns(pool: _Pool) -> NDArray[np.bool_]:
    """Return (n, n) which two poses are more than half a turn from one another by their numbers, and less in
    truth.
    """
    yaws = [k for k, part in enumerate(pool.kind.parts) if part.name == "yaw"]
    own = pool.rows[:, yaws].sum(axis=1)
    found: NDArray[np.bool_] = np.abs(own[:, None] - own[None]) > 180.0
    return found


def _never_together(candidates: Sequence[VideoCandidate]) -> NDArray[np.bool_]:
    """Return (n, n) which drafts are no options of one question: two of one camera, those that could not both
    be asked about, and what was not at about the same time.
    """
    one = candidates[0]
    scenes = np.array([d.scene for d in candidates])
    found: NDArray[np.bool_] = scenes[:, None] == scenes[None]
    if one.template.asks == "pose":
        ends = np.array([d.took_s for d in candidates])
        off: NDArray[np.bool_] = np.abs(ends[:, None] - ends[None]) > AT_ONCE * ends.min()
        return found | off
    if one.template.asks == "trajectory":
        for i, j in np.argwhere(found):
            found[i, j] = repeats(candidates[i], candidates[j])
    begun, share = np.array([d.span_s[0] for d in candidates]), BEGUN[one.template.asks]
    off = np.abs(begun[:, None] - begun[None]) > share * min(d.took_s for d in candidates)
    return found if one.objects else found | off
