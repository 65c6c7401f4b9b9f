"""Blocks of still scenes: what each is asked, kept on disk, and which of them get further scenes.

A block is chosen for by itself. One that gets no further scenes is not chosen for again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fathom.datasets.plan import AnyPlan
from fathom.datasets.stages import read_scene
from fathom.questions.asking import Asking, StillSelected
from fathom.questions.candidate import SceneCandidates
from fathom.questions.making import Recipe
from fathom.questions.selection import blocks, select
from fathom.records import Record
from fathom.store.files import read_json, write_json

CHOSEN = "chosen"
"""The folder of what is asked of blocks, beside those of scenes."""

SHORT = 0.02
"""Further scenes are drawn where more than this share of the questions of a task is missing, or more than"""

SELDOM = 0.1
"""this share of those of a family."""

GIVES = 4.0
"""How many of the missing questions a further scene is taken to give,"""

BATCH = 0.1
"""and how many are drawn at least at a time, for each scene of the block."""


class BlockChoice(Record, frozen=True, kw_only=True):
    """What is asked of a block of scenes: index → what becomes questions; what became of all that was tried;
    and of which tasks how many questions could not be had.
    """

    work: dict[int, tuple[StillSelected, ...]]
    tried: dict[str, int]
    short: dict[str, int]


@dataclass(frozen=True)
class Block:
    """A block of scenes: those that were asked for, and further ones, by their indices."""

    number: int
    first: range
    more: tuple[int, ...]


def blocks_of(scenes: int, size: int, drawn: Sequence[int]) -> list[Block]:
    """Return the blocks of so many scenes, with the further ones among those drawn: they are dealt out in
    turn, so that a scene's block hangs on its index alone.
    """
    there = blocks(scenes, size)
    more = sorted(k for k in drawn if k >= scenes)
    return [
        Block(n, some, tuple(k for k in more if (k - scenes) % len(there) == n))
        for n, some in enumerate(there)
    ]


def chosen_for(plan: AnyPlan, recipe: Recipe, block: Block) -> BlockChoice:
    """Return what is asked of a block. It is chosen once: from then on it stands on disk."""
    size = len(block.first) + len(block.more)
    part = plan.work / CHOSEN / f"block-{block.number:04d}-of-{size}.json"
    if not part.exists():
        write_json(part, _chosen(plan, recipe, block))
    return read_json(part, BlockChoice)


def _chosen(plan: AnyPlan, recipe: Recipe, block: Block) -> BlockChoice:
    lots, tried = {}, Counter[str]()
    for k in (*block.first, *block.more):
        part = read_scene(plan, k)
        lots[k] = SceneCandidates(part.scene.id, part.own.candidates, Counter(part.own.tried))
        tried.update(part.own.tried)
    chosen, short = select([*lots.values()], recipe.asking, recipe.seed, block.number, len(block.first))
    work = {k: tuple(chosen[lot.scene]) for k, lot in lots.items()}
    return BlockChoice(work=work, tried=dict(tried), short=dict(short))


Work = Mapping[int, Sequence[StillSelected]]
"""Scene's index → what is asked of it."""


def seldom(work: Work, asking: Asking, scenes: int) -> dict[str, int]:
    """Return the families of which more than a tenth, and more than one question, is missing; and how many
    are.
    """
    wanted = _wanted(asking, scenes)
    lack = _lacks(work, wanted)
    return {name: round(n) for name, n in lack.items() if n > max(SELDOM * wanted[name], 1.0)}


def further_of(there: Sequence[Block], work: Work, asking: Asking, share: float) -> list[int]:
    """Return which scenes are drawn besides for what is lacking: in blocks that lack it, up to a `share` of
    their scenes in all; none where so little is missing that it is put up with.
    """
    scenes = sum(len(b.first) for b in there)
    rare = set(seldom(work, asking, scenes))
    missing = {t.id for t in asking.templates if t.id in rare or t.task in _short_tasks(work, asking, scenes)}
    found = []
    for block in there:
        own = {k: work.get(k, ()) for k in (*block.first, *block.more)}
        lack = _lacks(own, _wanted(asking, len(block.first)))
        need = sum(int(n) for name, n in lack.items() if name in missing and n > 0)
        if need < 1:
            continue
        least = math.ceil(BATCH * len(block.first))
        room = math.ceil(share * len(block.first)) - len(block.more)
        have = len(block.more)
        added = range(have, have + min(room, max(least, math.ceil(need / GIVES))))
        found += [scenes + j * len(there) + block.number for j in added]
    return sorted(found)


def _wanted(asking: Asking, scenes: int) -> dict[str, float]:
    """Return how many questions of each family are wanted of so many scenes."""
    targets = asking.targets(scenes)
    return {t.id: targets[t.id] * asking.amounts[t.task] * scenes for t in asking.templates}


def _lacks(work: Work, wanted: Mapping[str, float]) -> dict[str, float]:
    """Return how many questions of each family are missing; below 0 where there are more than wanted."""
    found = Counter(c.candidate.template for chosen in work.values() for c in chosen)
    return {name: n - found[name] for name, n in wanted.items()}


def _short_tasks(work: Work, asking: Asking, scenes: int) -> set[str]:
    """Return the tasks of which more questions are missing than is put up with."""
    task_of = {t.id: t.task for t in asking.templates}
    found = Counter(task_of[c.candidate.template] for chosen in work.values() for c in chosen)
    wanted = {task: n * scenes for task, n in asking.amounts.items()}
    return {task for task, n in wanted.items() if n - found[task] > SHORT * n}
