"""Every form of question, in every wording, about two made-up films: read by their words, never answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product

import msgspec

from fathom.assets.animated.lexicon import read_lexicon
from fathom.benchmarks.fourdbench.construction import templates
from fathom.benchmarks.fourdbench.words import LANGUAGE, VERBS
from fathom.programs.views.animated import animated_view
from fathom.questions.contexts.animated import AnimatedContext
from fathom.questions.contexts.animated_words import VerbWords, sentence
from fathom.questions.distractors.pools import text_of
from fathom.questions.distractors.sources import SOURCES, Supply
from fathom.questions.templates import Fill, Template, animated_steps, with_choice
from fathom.questions.writing.animated import _aside
from fathom.records import Event, Question, Scene
from fathom.store.seeds import rng
from tests.stories_questions.made import FRAMES, Prop, acts, at, scene_of, visibility_of

WORDS: Mapping[str, VerbWords] = {**VERBS, **read_lexicon().by_key}
NAMES = ("cactus", "box", "chair", "backpack", "igloo", "wings")
COLORS = ("red", "blue", "green", "yellow", "purple", "gray", "cyan")
SUPPLY = Supply(
    {"Fox": ("walk", "jump", "shake_head", "eat", "thumbs_up", "slash", "flip", "bow")}, NAMES, COLORS
)
TENTS = frozenset(("tent",))

CHANGES = (
    Prop("teapot", "red", 0.0, events=(at("swaps", 20, "lantern"),)),
    Prop("cube", "blue", 90.0, events=(at("vanishes", 30),)),
    Prop("vase", "green", 180.0, events=(at("recolours", 10, "purple"),)),
    Prop("barrel", "yellow", 270.0, events=(at("appears", 38),)),
    Prop("star", "gray", 45.0, far=3.0),
    Prop("rubber duck", "red", 135.0),
    Prop("rubber duck", "cyan", 225.0, events=(at("vanishes", 26),)),
    Prop("flag", "green", 1.0, 0.1, attributes={"worn_on": "back"}),
    Prop("wings", "white", 1.0, 0.1, (at("recolours", 34, "brown"),), {"worn_on": "back"}),
    Prop("hat", "black", 1.0, 0.1, attributes={"worn_on": "head"}),
    Prop("umbrella", "blue", 1.0, 0.1, attributes={"held_in": "left hand"}),
    Prop("flower", "blue", 1.0, 0.1, attributes={"worn_on": "head"}),
    Prop("flower", "blue", 1.0, 0.2, attributes={"worn_on": "head"}),
    Prop("tent", "", 100.0),
)
QUIET = (
    Prop("cactus", "red", 0.0, events=(at("appears", 24),)),
    Prop("box", "red", 90.0),
    Prop("mailbox", "green", 180.0, events=(at("recolours", 12, "blue"),)),
    Prop("box", "purple", 270.0),
    Prop("ladder", "gray", 45.0, far=3.0),
)
BLOOMS = (
    Prop("cherry", "red", 1.0, 0.1, (at("appears", 10),), {"worn_on": "left side"}),
    Prop("cherry", "blue", 1.0, 0.2, (at("appears", 30),), {"worn_on": "back"}),
    Prop("cherry", "green", 1.0, 0.3, (at("vanishes", 20),), {"worn_on": "right side"}),
    Prop("cherry", "yellow", 1.0, 0.4, attributes={"worn_on": "right side"}),
)
WITHERING = (
    *BLOOMS[:3],
    Prop("cherry", "yellow", 1.0, 0.4, (at("vanishes", 38),), {"worn_on": "right side"}),
)
GROWING = frozenset(("coming growth", "growth change", "growth time", "colored growth", "opposite sides"))
"""Slots that only what comes and goes on an actor fills."""


def every_form() -> tuple[Template, ...]:
    """Return the forms of all stages, each once."""
    found = {f.id: f for stage in ("props", "alone") for f in templates(stage)}
    return tuple(found.values())


def stages() -> Iterator[AnimatedContext]:
    """Yield two films: one in which everything changes, also a part of the actor, and a quieter one."""
    for props, events in ((CHANGES, (at("recolours", 42, "paws=red"),)), (QUIET, ())):
        scene = staged(props, events)
        yield AnimatedContext(scene, animated_view(scene, visibility_of(scene)), LANGUAGE, WORDS)


def staged(props: tuple[Prop, ...], events: tuple[Event, ...] = ()) -> Scene:
    scene = scene_of(
        props,
        acts("walk", "jump", "shake_head", lengths=(14, 14, FRAMES - 28)),
        name=props[0].name,
        events=events,
    )
    looks = {"ears": "black", "claws": "white", "muzzle": "white", "stripes on its back": "red"}
    looks |= {"front left leg": "blue"}
    parts = {word: {"color": color, "word": word} for word, color in looks.items()}
    own = scene.objects[0]
    named = own.attributes if events else own.attributes | {"name": "pack of dogs"}
    actor = msgspec.structs.replace(own, parts={**own.parts, **parts}, attributes=named)
    objects = [
        msgspec.structs.replace(t, category="screen") if t.attributes["name"] in TENTS else t
        for t in (actor, *scene.objects[1:])
    ]
    return msgspec.structs.replace(scene, objects=tuple(objects))


def blooms(props: tuple[Prop, ...] = BLOOMS) -> AnimatedContext:
    """Return a film of an actor alone on which cherries come and go."""
    scene = staged(props)
    own = msgspec.structs.replace(scene.objects[0], attributes=scene.objects[0].attributes | {"name": "fox"})
    scene = msgspec.structs.replace(scene, objects=(own, *scene.objects[1:]))
    return AnimatedContext(scene, animated_view(scene, visibility_of(scene)), LANGUAGE, WORDS)


def everything(most: int = 12) -> Iterator[tuple[Scene, Question]]:
    """Yield questions of every form: up to so many fillings, in every text and some ways of saying it."""
    for stage in (*stages(), *(alone := (blooms(), blooms(WITHERING)))):
        for form in (f for f in every_form() if stage not in alone or GROWING & set(f.slots.values())):
            found = [questions_of(stage, form, fills) for fills in _fillings(stage, form)]
            for some in islice((f for f in found if f), most):
                yield from ((stage.scene, q) for q in some)


def _fillings(stage: AnimatedContext, form: Template) -> list[dict[str, Fill]]:
    every = [stage.fills(kind) for kind in form.slots.values()]
    found = [dict(zip(form.slots, fills, strict=True)) for fills in product(*every)]
    order = rng("sentences", form.id).permutation(len(found))
    return [found[k] for k in order if len({f.key for f in found[k].values()}) == len(found[k])]


def questions_of(stage: AnimatedContext, form: Template, fills: Mapping[str, Fill]) -> list[Question]:
    """Return the questions that a filling makes; which choice is right plays no part."""
    keys = _keys(stage, form, fills)
    texts = [text_of(stage, form, k) for k in keys]
    if len(keys) < 4:
        return []
    program = with_choice(form, animated_steps(form, fills), keys)
    return [
        Question(
            id=f"{form.id}-{n}-{k}",
            task=form.task,
            text=sentence(text, stage.actor, fills, k) + _aside(stage, form, program),
            answer=texts[0],
            media=tuple(f"film/view_{fills[s].key}" for s, kind in form.slots.items() if kind == "view")
            or ("film",),
            scene=stage.scene.id,
            choices=tuple(texts),
            program=program,
            tags={"form": form.id},
        )
        for n, text in enumerate(form.texts)
        for k in range(
            3 if any("moment" in s or s in ("time", "instant") for s in form.slots.values()) else 1
        )
    ]


def _keys(stage: AnimatedContext, form: Template, fills: Mapping[str, Fill]) -> list[str]:
    """Return four keys of choices, the first as if it were right."""
    keys: list[str] = []
    # In the made-up films all limbs but one keep still.
    source = SOURCES[{"still limbs": "limbs"}.get(form.asks, form.asks)]
    for answer in _answers(stage, form, fills):
        keys = [answer]
        for key, _ in source(stage, form, fills, answer, SUPPLY):
            if key not in keys and text_of(stage, form, key):
                keys.append(key)
        if len(keys) >= 4:
            break
    return keys[:4]


def _answers(stage: AnimatedContext, form: Template, fills: Mapping[str, Fill]) -> list[str]:
    timeline = stage.timeline
    if form.asks == "own happenings":
        k = stage.first_labels.index(fills["T"].key)
        return [h.key for h in timeline.happenings if h.object_id == k]
    return {
        "verbs": list(stage.single_verbs),
        "absent verbs": list(stage.single_verbs),
        "other verbs": ["bow", "flip"],
        "happenings": [h.key for h in stage.single_events],
        "orders": [fills["O"].key] if "O" in fills else [],
        "numbers": ["4"],
        "even numbers": ["4"],
        "sides": ["left", "behind"],
        "views": ["left", "behind"],
        "ways": ["up", "left"],
        "goes": ["left"],
        "limbs": ["front left leg"],
        "group limbs": ["front left leg"],
        "names": [n for k in timeline.standing for n in timeline.names[k][:1]],
        "things": [label for label in stage.labels if label],
        "colors": ["red", "gray"],
        "part colors": ["brown"],
        "parts": ["coat"],
        "shifts": ["up"],
        "limb places": ["above"],
        "lines": ["vertical"],
        "courses": ["rises back"],
        "still limbs": ["front left leg"],
        "sequences": [">".join(h.key for h in stage.actions)],
        "growths": ["flower"],
        "growing places": ["left side", "back"],
        "color sets": ["blue+red"],
        "side counts": ["left side=1+right side=2", "left side=2+right side=2"],
        "places reached": ["left"],
        "deeds": ["+".join(h.key for h in stage.actions)],
        "seen ways": ["left"],
    }[form.asks]
