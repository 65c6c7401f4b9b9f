"""Kinds of stories: what each holds, and what has been drawn for one before anything is placed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fathom.assets.animated.library import AnimatedAsset
from fathom.records import SceneObject
from fathom.scenes.actions import PlannedAction
from fathom.scenes.animated_assets import unit_m
from fathom.scenes.attachments import Anchor
from fathom.scenes.counterfactuals import Twist
from fathom.scenes.growths import GrowthPlan
from fathom.scenes.scene_at_time import Staging
from fathom.store.seeds import rng


@dataclass(frozen=True)
class Design:
    """What a kind of story holds.

    acts : how much of one, two and three acts
    props, changes : the fewest and the most
    groups : whether props come in groups of one kind and color, to be counted
    worn, travels, stacked, actor_changes : how likely it is that the actor wears or holds something, goes
        somewhere, that a prop stands on another, and that the actor changes its color
    screens : how many props stand in screens at most: with more, the picture is of screens
    """

    acts: tuple[float, float, float]
    props: tuple[int, int]
    changes: tuple[int, int]
    groups: bool = False
    worn: float = 0.2
    travels: float = 0.2
    stacked: float = 0.2
    actor_changes: float = 0.0
    screens: int = 3


DESIGNS: dict[str, Design] = {
    "counting": Design(
        (0.4, 0.5, 0.1), (5, 6), (3, 4), groups=True, worn=0.1, travels=0.0, stacked=0.2, screens=4
    ),
    "spatial": Design((0.35, 0.4, 0.25), (4, 4), (3, 4), worn=0.2, travels=0.2, stacked=0.2),
    "temporal": Design(
        (0.15, 0.4, 0.45), (4, 5), (4, 5), worn=0.2, travels=0.15, actor_changes=0.2, screens=4
    ),
    "action": Design((0.0, 0.3, 0.7), (3, 4), (3, 4), worn=0.2, travels=0.3, stacked=0.0),
    "appearance": Design((0.3, 0.4, 0.3), (4, 4), (3, 4), worn=0.6, travels=0.15, actor_changes=0.25),
    "counterfactual": Design((0.4, 0.45, 0.15), (3, 4), (3, 3), worn=0.15, travels=0.15, stacked=0.0),
}


ACTS_ALONE = (0.0, 0.45, 0.55)
"""How much of one, two and three acts films of an object alone hold: what it does is all that happens."""


TRAVELS_ALONE = 0.75
"""How often at least an object alone goes another way than straight ahead."""


@dataclass(frozen=True, eq=False)
class SceneDraft:
    """A story before anything is placed.

    moments : the frames at which something changes, besides those at which acts begin
    actor : the actor as it stands in the record, without what becomes of it
    growths : what may grow on it against its nature, what is tried first at the head
    """

    seed: str
    index: int
    kind: str
    asset: AnimatedAsset
    staging: Staging
    anchors: tuple[Anchor, ...]
    twist: Twist | None
    acts: tuple[PlannedAction, ...]
    moments: tuple[int, ...]
    actor: SceneObject
    growths: tuple[GrowthPlan, ...] = ()

    @property
    def design(self) -> Design:
        """What its kind holds."""
        return design_of(self.kind, self.staging)

    @property
    def unit(self) -> float:
        """The length in metres that everything is sized by."""
        return unit_m(self.asset)

    def rng(self, *purpose: str | int) -> np.random.Generator:
        """Return the generator that belongs to a purpose within this story."""
        return scene_rng(self.seed, self.index, *purpose)


def design_of(kind: str, staging: Staging) -> Design:
    """Return what a kind of scene holds; of an object alone, what it does, wears and carries only."""
    design = DESIGNS[kind]
    if staging.stage == "props":
        return design
    return replace(
        design,
        acts=ACTS_ALONE,
        props=(0, 0),
        changes=(0, 0),
        groups=False,
        stacked=0.0,
        travels=max(design.travels, TRAVELS_ALONE),
    )


def scene_rng(seed: str, index: int, *purpose: str | int) -> np.random.Generator:
    """Return the generator that belongs to a purpose within story `index`."""
    return rng(seed, "story", index, *purpose)
