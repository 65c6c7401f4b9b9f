"""Actions that an actor could do and plainly does not: those of others of the cast with a body like its own.

Many an asset has three or four clips, half of which look alike: too few for three false choices. What others
do serves as well, where the actor has the limbs for it and none of the clips that its film shows moves as
such an action would.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from fathom.assets.animated.lexicon import Verb, unmet
from fathom.assets.animated.library import AnimatedAsset, AnimatedLibrary
from fathom.assets.animated.motion import measures
from fathom.benchmarks.fourdbench.words import LANGUAGE
from fathom.records import Scene
from fathom.scenes.actions import shown_clips

BODILY = frozenset(("leg", "legs", "arm", "wing", "fin", "flipper"))
"""Limbs by which bodies are told apart."""

THING = "object"
"""The category of what has nothing in common with others of it: a chest does not bounce as a spring does."""

PERSONS = frozenset(("character", "robot"))
"""Categories of what has hands as people have: a dinosaur gives no thumbs-up, and swings no sword."""

BY_HEAD = frozenset(("bite", "eat", "headbutt", "look_around", "lower_head", "nod", "shake_head"))
"""What a head does alone, whatever body it sits on."""


def rivals_of(library: AnimatedLibrary, verbs: Mapping[str, Verb]) -> Callable[[Scene], tuple[str, ...]]:
    """Return what gives the verbs that a scene's actor could do, and that nothing in its film looks like."""
    done = {a.name: frozenset(c.verb for c in shown_clips(a) if c.verb) for a in library.assets}

    @cache
    def found(name: str, clips: frozenset[str]) -> tuple[str, ...]:
        asset = library.asset(name)
        able = {
            v
            for other in library.assets
            for v in done[other.name] - done[name]
            if v in verbs and _able(asset, other, verbs[v])
        }
        shown = [measures(asset, c) for c in asset.clips if c.name in clips]
        return tuple(v for v in sorted(able) if all(unmet(verbs[v], m) for m in shown))

    def rivals(scene: Scene) -> tuple[str, ...]:
        actor = scene.objects[0]
        return found(actor.asset.name, frozenset(a.clip for a in actor.animations))

    return rivals


def _able(asset: AnimatedAsset, other: AnimatedAsset, verb: Verb) -> bool:
    """Return whether an asset could do what another one does: it has the limbs that move then, and a body
    like the other's, unless a head does it alone.
    """
    own = frozenset(n.split(" ")[-1] for n in asset.limbs)
    limbs = [*LANGUAGE.obvious_limbs.get(verb.key, ()), *_busiest(verb)]
    body, its = _body(asset), _body(other)
    kin = asset.category == other.category != THING
    alike = body == its if body and its else not body and not its and kin
    alike = alike and (asset.category in PERSONS) == (other.category in PERSONS)
    return (not limbs or bool(own & {*limbs})) and (alike or verb.key in BY_HEAD)


def _busiest(verb: Verb) -> list[str]:
    """Return the limbs of which one moves most in a verb's clips."""
    return [c.split(" ")[-1] for any_of in verb.expects for c in any_of if c.startswith("busiest ")]


def _body(asset: AnimatedAsset) -> tuple[str, ...]:
    """Return the limbs by which a body is told from others, each as often as there are of it."""
    return tuple(sorted(w for n in asset.limbs if (w := n.split(" ")[-1]) in BODILY))
