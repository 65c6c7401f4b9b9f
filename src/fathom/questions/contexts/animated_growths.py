"""What can fill the slots of forms about what grows on the actor of a film, and how it is said."""

from __future__ import annotations

from collections import Counter

from fathom.programs.growths import GROWTHS, MACHINES, comes_and_goes, growing, grown, possible
from fathom.programs.state import TOGETHER
from fathom.questions.contexts.animated_limbs import LimbFills
from fathom.questions.notation import chained
from fathom.questions.templates import Fill
from fathom.records import Scene

OPPOSITE_SIDES = (("left side", "right side"), ("chest", "back"))
"""Two places of a body that no one view shows together."""

GROWING_PLACES = ("left side", "right side", "back", "head", "chest", "belly")
"""The places of a body that are told apart."""


class GrowthFills(LimbFills):
    """What grows on the actor of a story."""

    scene: Scene

    @property
    def actor(self) -> str:
        """What the actor is called."""
        raise NotImplementedError

    @property
    def is_upright(self) -> bool:
        """Whether the actor is taller than long, so that it has a chest."""
        length, _, tall = self.scene.objects[0].size_m
        places = {self.timeline.places[k] for k in growing(self.timeline)}
        return "chest" in places or (tall > length and not places & {"left side", "right side"})

    def growing_place(self, place: str) -> str:
        """Return how a place of the actor is said: what is a back on a body is the top of a machine, and what
        has no head has no chest.
        """
        words = self.language
        if place == "chest":
            return place if self._has_head else words.headless_places.get(place, place)
        level = self.scene.objects[0].category in MACHINES and not self.is_upright
        return words.machine_places.get(place, place) if level else place

    @property
    def _has_head(self) -> bool:
        return any("head" in n.split(" ") for n in self.timeline.visibility.limbs_of(0))

    def _growth(self) -> tuple[Fill, ...]:
        """What grows on the actor; one alone is spoken of as one where it is called its own."""
        found = grown(self.timeline)
        if not found:
            return ()
        name, many = self.timeline.names[found[0]][0], len(found) > 1
        plural = GROWTHS[name].plural
        own = {"own": (plural if many else name,), "is": ("are" if many else "is",)}
        where = self.growing_place(self.timeline.places[found[0]])
        return (Fill(name, {"said": (plural,), "where": (where,), **own}),)

    def _growing_place(self) -> tuple[Fill, ...]:
        """Where several of a kind grow."""
        found = grown(self.timeline)
        place = self.timeline.places[found[0]] if len(found) > 1 else ""
        return (Fill(place, {"said": (self.growing_place(place),)}),) if place else ()

    def growths_at(self, place: str) -> tuple[str, ...]:
        """Return what could grow at a place of the actor."""
        actor = self.scene.objects[0]
        limbs, words = self.timeline.visibility.limbs_of(0), (p.get("word", "") for p in actor.parts.values())
        said = " ".join((actor.category, self.actor, *limbs, *words))
        return possible(place, said.split(" "))

    def places_there(self) -> tuple[str, ...]:
        """Return the places that the actor's body has."""
        lacking = {"chest"} if not self.is_upright else {"belly"}
        return tuple(p for p in GROWING_PLACES if p not in lacking and (p != "head" or self._has_head))

    def _coming_growth(self) -> tuple[Fill, ...]:
        """What grows all around the actor, and comes or goes."""
        names = {self.timeline.names[k][0] for k in growing(self.timeline)}
        if len(names) != 1 or not comes_and_goes(self.timeline):
            return ()
        name = names.pop()
        return (Fill(name, {"said": (GROWTHS[name].plural,), "one": (name,)}),)

    def _growth_side(self) -> tuple[Fill, ...]:
        """The places where that grows at any time."""
        places = {self.timeline.places[k] for k in growing(self.timeline)} if self._coming_growth() else set()
        return tuple(Fill(p, {"said": (self.growing_place(p),)}) for p in sorted(places))

    def _opposite_sides(self) -> tuple[Fill, ...]:
        """The two sides of the actor on which that grows at any time, of which no view shows both."""
        places = {f.key for f in self._growth_side()}
        return tuple(
            Fill(TOGETHER.join(two), {"one": (one,), "other": (other,)})
            for two in OPPOSITE_SIDES
            if places.issuperset(two)
            for one, other in [map(self.growing_place, two)]
        )

    def _events_of_growths(self) -> Counter[str]:
        own = set(growing(self.timeline)) if self._coming_growth() else set()
        return Counter(h.what for h in self.timeline.happenings if h.object_id in own)

    def _called(self, what: str) -> str:
        """Return whether it comes or goes: what comes is new where others are there from the start."""
        there = self.timeline.visibility.there[0, growing(self.timeline)].any()
        return "appears besides" if what == "appears" and there else what

    def _growth_change(self) -> tuple[Fill, ...]:
        """Whether it comes or goes, for who counts how many do."""
        if not self._coming_growth():
            return ()
        plural = self._coming_growth()[0].said["said"][0]
        words = self.language.growth_changes
        return tuple(
            Fill(what, {"ask": (words[self._called(what)].format(plural=plural, actor=self.actor),)})
            for what in sorted(self._events_of_growths())
        )

    def _growth_time(self) -> tuple[Fill, ...]:
        """The times at which one comes or goes: the first, the last, of three the second, or the only one."""
        words, found = self.language.growth_times, []
        for what, count in sorted(self._events_of_growths().items()):
            name = self._coming_growth()[0].key
            ranks = ("first", "last", "second") if count > 2 else ("first", "last") if count > 1 else ("the",)
            texts = words[f"{self._called(what)} {'the' if count == 1 else 'ranked'}"]
            a = self.language.with_article(name)
            for rank in ranks:
                # The last one to disappear is not the last one that is there.
                own = {**texts, "said": texts.get(f"{rank} said", texts["said"])}
                says = {
                    form: (text.format(name=name, actor=self.actor, rank=rank, a=a),)
                    for form, text in own.items()
                }
                step = ("nth", "2") if rank == "second" else rank
                found.append(Fill(f"{rank} {what}", says, chained(step, ("sprouting", what))))
        return tuple(found)
