"""What can fill the slots of forms in one story, and how it is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, pairwise

from fathom.english import bare
from fathom.programs.growths import growing
from fathom.programs.limb_groups import group_of
from fathom.programs.limb_positions import named_limbs
from fathom.programs.state import ACTS
from fathom.programs.views.animated import QUARTERS, AnimatedView, SceneEvent
from fathom.questions.contexts.animated_changes import unclear_events
from fathom.questions.contexts.animated_growths import GrowthFills
from fathom.questions.contexts.animated_words import Language, VerbWords
from fathom.questions.notation import chained
from fathom.questions.templates import Fill
from fathom.records import Scene, Step


@dataclass(frozen=True, eq=False)
class AnimatedContext(GrowthFills):
    """A story with the words to speak of it.

    views : those that a question about one view may be about; none: all
    abilities : the verbs of what the actor can do, in this film or in another
    """

    scene: Scene
    timeline: AnimatedView
    language: Language
    verbs: Mapping[str, VerbWords]
    views: tuple[int, ...] = ()
    abilities: tuple[str, ...] = ()

    @property
    def actor(self) -> str:
        """What the actor is called."""
        return self.scene.objects[0].attributes.get("name") or self.scene.objects[0].subtype

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """How each object is called at all times so that it cannot be mixed up: its name, or its colour and
        name; "" where neither will do, as of what turns into something else.
        """
        return tuple("" if k in self.timeline.swapped else s for k, s in enumerate(self.first_labels))

    @cached_property
    def first_labels(self) -> tuple[str, ...]:
        """How each object is called when it is first there."""
        names = Counter(n for course in self.timeline.names[1:] for n in set(course))
        keys = Counter(self.timeline.keys[1:])
        labels = [""]
        for k in range(1, len(self.timeline.objects)):
            if k in self.timeline.screens:
                labels.append("")
                continue
            first, steady = (
                self.timeline.names[k][self.timeline.debut(k)],
                len(set(self.timeline.colors[k])) == 1,
            )
            key = self.timeline.keys[k]
            labels.append(first if names[first] == 1 else key if steady and keys[key] == 1 else "")
        return tuple(labels)

    @cached_property
    def actions(self) -> tuple[SceneEvent, ...]:
        """The actor's actions."""
        return tuple(h for h in self.timeline.happenings if h.what == ACTS)

    @cached_property
    def plain_verbs(self) -> tuple[str, ...]:
        """The verbs that can be said, of actions that are like no other one of the film."""
        own = dict.fromkeys(h.key for h in self.actions)
        said = set(own) - self.language.unsaid_verbs
        return tuple(v for v in own if self.can_say(v) and not said & set(self.verbs[v].alike) - {v})

    @cached_property
    def single_verbs(self) -> tuple[str, ...]:
        """Those of the plain verbs that are done once."""
        counts = Counter(h.key for h in self.actions)
        return tuple(v for v in self.plain_verbs if counts[v] == 1)

    def can_say(self, verb: str) -> bool:
        """Return whether an action is spoken of."""
        return verb in self.verbs and verb not in self.language.unsaid_verbs

    @cached_property
    def single_events(self) -> tuple[SceneEvent, ...]:
        """The events that can be spoken of, none of which is like another."""
        events = [h for h in self.timeline.happenings if h.what != ACTS]
        counts = Counter(h.key for h in events)
        return tuple(h for h in events if counts[h.key] == 1 and self.subject(h) and h not in self.unclear)

    @cached_property
    def lone_events(self) -> tuple[SceneEvent, ...]:
        """The events that can be spoken of, and that come alone.

        Of two that come together nobody who sees some of the frames knows which was first, and so how objects
        stand just before one of them.
        """
        times = Counter(h.first for h in self.timeline.happenings if h.what != ACTS)
        return tuple(h for h in self.single_events if times[h.first] == 1)

    @cached_property
    def steady(self) -> frozenset[str]:
        """The actions that go on and on wherever they are done: of clips that repeat, and none that one can
        count.
        """
        clips = self.scene.objects[0].animations
        once = {a.verb for a in clips if not a.loop}
        return frozenset(v for v in self.verbs if not self.verbs[v].countable and v not in once)

    @cached_property
    def unclear(self) -> frozenset[SceneEvent]:
        """The events that one could miss, or take for something else."""
        return unclear_events(self.timeline, self.language)

    def subject(self, h: SceneEvent) -> str:
        """Return what an event is said of, as it is called then; "" where that cannot be told from others."""
        if h.object_id in self.timeline.swapped:
            now = self.timeline.names[h.object_id][max(h.first - 1, self.timeline.debut(h.object_id))]
            return now if sum(now in course for course in self.timeline.names[1:]) == 1 else ""
        if h.object_id:
            return self.labels[h.object_id]
        main = self.scene.objects[0].attributes.get("main", "")
        part, _, _ = h.detail.rpartition("=")
        word = self.scene.objects[0].parts.get(part or main, {}).get("word", "")
        return f"{self.actor}'s {word}" if word and h.what == "recolours" else ""

    def clause(self, h: SceneEvent) -> str:
        """Return what happens as a clause: "the barrel turns blue"."""
        subject, detail = self.subject(h), h.detail.rpartition("=")[2]
        many = _many_part(subject) if not h.object_id else self.language.is_many(subject)
        return f"the {subject} {self.language.verb_phrase(many, h.what, detail)}"

    def fills(self, kind: str) -> tuple[Fill, ...]:
        """Return everything that a slot of a kind can be filled with."""
        found: tuple[Fill, ...] = getattr(self, "_" + kind.replace(" ", "_"))()
        return found

    def _verb(self) -> tuple[Fill, ...]:
        return tuple(
            Fill(v, {"ing": (self.verbs[v].ing,), "third": (self.verbs[v].third,), "said": (v,)})
            for v in self.single_verbs
        )

    def _countable_verb(self) -> tuple[Fill, ...]:
        return tuple(f for f in self._verb() if self.verbs[f.key].countable)

    def _counted_verb(self) -> tuple[Fill, ...]:
        """The verbs of which one can ask how many times it is done: of actions each of which plays once, and
        of what the actor does in other films alone; none that another action of the film is like.
        """
        own = {h.key for h in self.actions}
        again = {a.verb for a in self.scene.objects[0].animations if a.loop}
        every = dict.fromkeys(v for v in (*sorted(own - again), *self.abilities) if self.can_say(v))
        kept = [
            v
            for v in every
            if self.verbs[v].countable and v not in again | self.language.seldom
            if not own & set(self.verbs[v].alike) - {v}
        ]
        return tuple(Fill(v, {"base": (bare(self.verbs[v].third),)}) for v in kept)

    def _event(self) -> tuple[Fill, ...]:
        return tuple(
            Fill(h.key, {"said": (self.clause(h),)}, names=self.named_by(h)) for h in self.single_events
        )

    def named_by(self, h: SceneEvent) -> tuple[str, ...]:
        """Return what speaking of an event names: it, its object, and what becomes of that."""
        label = self.subject(h) if h.object_id else ""
        return tuple(n for n in (h.key, label, *label.split(" "), h.detail.rpartition("=")[2]) if n)

    @cached_property
    def changes(self) -> tuple[tuple[str, str, str], ...]:
        """The changes that can be spoken of without a name: key, place in time, and what changes how.

        Nothing is said of the first or the last object to change where the actor itself changes its colour,
        or where one of the changes could be missed.
        """
        kinds = Counter(h.what for h in self.timeline.happenings if h.what != ACTS)
        own = {h.what for h in self.timeline.happenings if h.what != ACTS and not h.object_id}
        own |= {h.what for h in self.unclear}
        found = []
        if sum(kinds.values()) > 1 and not own:
            found += [(place, place, "") for place in self.language.ranks]
        for what, count in sorted(kinds.items()):
            if what not in own:
                places = ("the",) if count == 1 else ("first", "last")
                found += [(f"{place} {what}", place, what) for place in places]
        return tuple(found)

    def _steps_of_change(self, place: str, what: str) -> tuple[str | tuple[str, ...], ...]:
        rank = ("nth", "2") if place == "second" else place
        return (rank, ("filter_event", what), "events") if what else (rank, "events")

    def _change(self) -> tuple[Fill, ...]:
        """The times of changes: of all of them, or of those of a kind."""
        words = self.language
        return tuple(
            Fill(
                key,
                {"said": (f"the {place} time that an object {words.any_change[what]}",)},
                chained(*self._steps_of_change(place, what)),
            )
            for key, place, what in self.changes
            if place != "the"
        )

    def _changer(self) -> tuple[Fill, ...]:
        """The objects that change, called by that alone."""
        words = self.language
        found = []
        for key, place, what in self.changes:
            if place == "second":
                continue
            rank = words.ranks.get(place, "only")
            label = f"the {rank} object that {words.any_change[what]} in the video"
            says = {"said": (label,), "is": (f"is {label}",)}
            found.append(Fill(key, says, chained("subject", *self._steps_of_change(place, what))))
        return tuple(found)

    def _event_kind(self) -> tuple[Fill, ...]:
        """The kinds of change that objects other than the actor go through."""
        own = {h.what for h in self.timeline.happenings if h.what != ACTS and not h.object_id}
        own |= {h.what for h in self.unclear}
        kinds = sorted({h.what for h in self.timeline.happenings if h.what != ACTS} - own)
        return tuple(Fill(k, {"many": (self.language.any_changes[k],)}) for k in kinds)

    def _three(self) -> tuple[Fill, ...]:
        """Three objects that happen, each over before the next begins."""
        events = list(self.single_events)
        actions = [h for h in self.actions if h.key in self.single_verbs]
        found = []
        for three in combinations(sorted([*events, *actions], key=lambda h: (h.first, h.key)), 3):
            keys = [h.key for h in three]
            if any(h.last >= after.first for h, after in pairwise(three)):
                continue
            found.append(Fill(">".join(keys), {}, chained(("pick", *keys), "happenings")))
        return tuple(found)

    def _moment(self) -> tuple[Fill, ...]:
        found = [Fill("whole", {"said": ("",)}, chained("whole"))]
        found += [self._moment_fill("start", chained("start"))]
        found += [self._moment_fill("end", chained("end"))]
        for h in self.lone_events:
            for kind in ("before", "after"):
                steps = chained(kind, "the", ("pick", h.key), "events")
                fill = self._moment_fill(f"{kind} {h.key}", steps, kind, H=self.clause(h))
                found.append(replace(fill, names=self.named_by(h)))
        if len(self.actions) > 1:
            for v in self.single_verbs:
                steps = chained("while", "the", ("filter_verb", v), "actions")
                found.append(self._moment_fill(f"while {v}", steps, "while", V=self.verbs[v].ing))
        return tuple(found)

    def _time(self) -> tuple[Fill, ...]:
        """The moments that are named."""
        return self._moment()[1:]

    def _instant(self) -> tuple[Fill, ...]:
        """The moments that are single frames."""
        return tuple(f for f in self._time() if not f.key.startswith("while "))

    def _point(self) -> tuple[Fill, ...]:
        """The points in time that every film has, and those at which it begins something else."""
        fixed = [self._moment_fill(key, chained(key)) for key in ("start", "end")]
        begun = [h.key for h in self.actions[1:] if h.key in self.single_verbs]
        for v in begun:
            steps = chained("before", "the", ("filter_verb", v), "actions")
            fixed.append(self._moment_fill(f"before {v}", steps, "begun", V=self.verbs[v].ing))
        return tuple(fixed)

    def _either_end(self) -> tuple[Fill, ...]:
        """The first and the last moment."""
        return self._point()[:2]

    def _course(self) -> tuple[Fill, ...]:
        """The whole film, and the courses of its actions."""
        return tuple(f for f in self._moment() if f.key == "whole" or f.key.startswith("while "))

    def _one_action(self) -> tuple[Fill, ...]:
        """The courses of single actions: the whole film where there is but one."""
        whole, *acts = self._course()
        return (whole,) if len(self.actions) == 1 else tuple(acts)

    def _moment_fill(self, key: str, steps: tuple[Step, ...], kind: str = "", **words: str) -> Fill:
        ways = self.language.moments[kind or key]
        return Fill(key, {"said": tuple(w.format(actor=self.actor, **words) for w in ways)}, steps)

    def _thing_fill(self, k: int) -> Fill:
        label = self.first_labels[k]
        verb = "are" if self.language.is_many(label) else "is"
        says = {
            "said": (f"the {label}",),
            "own": (label,),
            "be": (verb,),
            "is": (f"{verb} the {label}",),
            "does": ("do" if verb == "are" else "does",),
            "has": ("have" if verb == "are" else "has",),
        }
        names = (label, *dict.fromkeys(self.timeline.names[k]))
        return Fill(label, says, chained("only", ("matching", label), "things"), names)

    def _thing(self) -> tuple[Fill, ...]:
        """The objects, by what they are called at first: for questions about what becomes of them."""
        return tuple(self._thing_fill(k) for k in range(1, len(self.labels)) if self.first_labels[k])

    def _colored_growth(self) -> tuple[Fill, ...]:
        """Each of what grows all around the actor that its color alone tells from the others."""
        found = growing(self.timeline) if self._coming_growth() else ()
        colored = (k for k in found if self.first_labels[k] == self.timeline.keys[k])
        return tuple(self._thing_fill(k) for k in colored)

    def _standing(self) -> tuple[Fill, ...]:
        return tuple(self._thing_fill(k) for k in self.timeline.standing if self.labels[k])

    def _changing(self) -> tuple[Fill, ...]:
        """The objects that change their colour."""
        unclear = {h.object_id for h in self.unclear}
        changed = [k for k in range(1, len(self.labels)) if self.labels[k] and k not in unclear]
        return tuple(self._thing_fill(k) for k in changed if len({*self.timeline.colors[k]}) > 1)

    def _turning(self) -> tuple[Fill, ...]:
        """The objects that turn into others, by what they are called at first."""
        fills = {k: self._thing_fill(k) for k in sorted(self.timeline.swapped) if self.first_labels[k]}
        # What it turns into is what is asked.
        return tuple(
            replace(f, names=(f.key, self.timeline.names[k][self.timeline.debut(k)]))
            for k, f in fills.items()
        )

    def _name(self) -> tuple[Fill, ...]:
        return self._names(swaps=True)

    def _steady_name(self) -> tuple[Fill, ...]:
        """The names of objects that nothing turns into, and that turn into nothing."""
        return self._names(swaps=False)

    def _names(self, swaps: bool) -> tuple[Fill, ...]:
        courses = [self.timeline.names[k] for k in self.timeline.standing]
        names = {n for course in courses for n in course}
        if not swaps:
            names -= {n for course in courses if len(set(course)) > 1 for n in course}
        return tuple(
            Fill(n, {"pl": (self.language.plural(n),), "said": (n,)})
            for n in sorted(names)
            if not self.language.is_many(n)
        )

    def _color(self) -> tuple[Fill, ...]:
        colors = {c for k in self.timeline.standing for c in self.timeline.colors[k] if c}
        colors |= {c for course in self.timeline.parts.values() for c in course if c}
        return tuple(Fill(c, {"said": (c,)}) for c in sorted(colors))

    def _steady_color(self) -> tuple[Fill, ...]:
        """The colours of objects that nothing takes on, and that nothing loses."""
        courses = [self.timeline.colors[k] for k in self.timeline.standing]
        gone = {c for course in courses if len(set(course)) > 1 for c in course}
        colors = {c for course in courses for c in course if c} - gone
        return tuple(Fill(c, {"said": (c,)}) for c in sorted(colors))

    def _side(self) -> tuple[Fill, ...]:
        said = self.language.sides_in_text
        return tuple(Fill(q, {"said": (said[q].format(actor=self.actor),)}) for q in QUARTERS)

    def _part(self) -> tuple[Fill, ...]:
        return self._parts(changing=False)

    def _changing_part(self) -> tuple[Fill, ...]:
        return self._parts(changing=True)

    def _plural_part(self) -> tuple[Fill, ...]:
        """The parts, of any colour, that are plurals and of which not everybody knows how many there are."""
        known, parts = self.language.obvious_numbers, self.scene.objects[0].parts
        words = {name: part.get("word", "") for name, part in parts.items()}
        return tuple(
            Fill(name, {"said": (word,)})
            for name, word in words.items()
            if word and _many_part(word) and " " not in word and word not in known
        )

    def _members(self) -> tuple[Fill, ...]:
        """What an actor is several of: the birds of a "flock of birds"."""
        members = self.actor.partition(" of ")[2]
        return (Fill(members, {"said": (members,)}),) if members else ()

    def _view(self) -> tuple[Fill, ...]:
        """The views: a question about one shows that one alone."""
        views = self.views or range(self.timeline.visibility.views)
        return tuple(Fill(str(k), {"said": ("this video",)}) for k in views)

    def _limb_group(self) -> tuple[Fill, ...]:
        """The limbs of the actor that are spoken of together, two or more: its arms and legs, its wings."""
        group = group_of(named_limbs(self.timeline))
        return (Fill(group, {"said": (group,)}),) if group else ()

    def _paint(self) -> tuple[Fill, ...]:
        """The colours in which limbs are painted."""
        parts = self.timeline.parts
        colors = {parts[n][0] for n in named_limbs(self.timeline) if n in parts}
        return tuple(Fill(c, {"said": (c,)}) for c in sorted(colors) if c)

    def _carried(self) -> tuple[Fill, ...]:
        """What the actor wears or holds."""
        own = set(growing(self.timeline))
        words = {part.get("word", "") for part in self.scene.objects[0].parts.values()}
        return tuple(
            self._thing_fill(k)
            for k in range(1, len(self.labels))
            if self.timeline.places[k] and k not in own and self.labels[k] not in words | {""}
        )

    def _part_color(self) -> tuple[Fill, ...]:
        """The colours of parts, where no part changes its own."""
        if self._changing_part():
            return ()
        colors = {course[0] for course in self.timeline.parts.values() if course[0]}
        return tuple(Fill(c, {"said": (c,)}) for c in sorted(colors))

    def _parts(self, changing: bool) -> tuple[Fill, ...]:
        parts = self.scene.objects[0].parts
        unclear = {h.detail.rpartition("=")[0] or self.timeline.main for h in self.unclear if not h.object_id}
        found = []
        for name, part in parts.items():
            word = part.get("word", "")
            if not word or word in self.language.unsaid_parts or not part.get("color"):
                continue
            if name in unclear:
                continue
            if (len(set(self.timeline.parts[name])) > 1) == changing:
                many = _many_part(word)
                says = {"is": ("are" if many else "is",), "does": ("do" if many else "does",)}
                says |= {"said": (word,), "it": ("they" if many else "it",)}
                found.append(Fill(name, says))
        return tuple(found)

    def _place(self) -> tuple[Fill, ...]:
        return self._places(set())

    def _steady_place(self) -> tuple[Fill, ...]:
        """The places where nothing turns into anything else."""
        timeline = self.timeline
        return self._places(
            {p for p, course in zip(timeline.places, timeline.names, strict=True) if len(set(course)) > 1}
        )

    def _places(self, but: set[str]) -> tuple[Fill, ...]:
        but = but | {self.timeline.places[k] for k in growing(self.timeline)}
        said, places = self.language.places_in_text, sorted({p for p in self.timeline.places if p} - but)
        return tuple(Fill(p, {"said": (said[p].format(actor=self.actor),)}) for p in places if p in said)


def _many_part(word: str) -> bool:
    """Return whether a word for a part is a plural: "scales", but not "moss"."""
    return " and " in word or (word.endswith("s") and not word.endswith("ss"))
