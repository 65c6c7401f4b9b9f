"""4D-Bench built from animated models: which films, which questions and captions of them, which pictures.

Ref: 4D-Bench §3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

from fathom.assets.animated.lexicon import Lexicon as Verbs
from fathom.assets.animated.lexicon import Verb as KnownVerb
from fathom.assets.animated.library import AnimatedLibrary
from fathom.assets.palette import BODY_COLORS
from fathom.assets.props.catalogue import GROWN, PROPS, SCREENS
from fathom.authoring.captions.acts import STIRS
from fathom.authoring.captions.english import CaptionLexicon, VerbForms
from fathom.authoring.captions.grammar import captions_of
from fathom.benchmarks.fourdbench.construction import recipe
from fathom.benchmarks.fourdbench.protocol import PAPER, FourDBenchSettings, frames_shown, views_shown
from fathom.benchmarks.fourdbench.rivals import rivals_of
from fathom.benchmarks.fourdbench.studies import STUDIES
from fathom.benchmarks.fourdbench.vague import vague_parts
from fathom.benchmarks.fourdbench.words import VERBS
from fathom.datasets.generators.animated_settings import FilmRecipe, Showing
from fathom.inference.settings import with_changes
from fathom.questions.contexts.animated_words import ActionWords
from fathom.questions.distractors.sources import Supply
from fathom.records import Media, Scene
from fathom.scenes.actions import shown_clips
from fathom.scenes.scene_at_time import Staging

MOST_VIEWS, MOST_FRAMES = 6, 12
"""Points of the studies with more than that are not painted: what they show is what `films` are for."""


def films(seed: str, library: AnimatedLibrary, known: Verbs, stage: str = "alone") -> FilmRecipe:
    """Return how 4D-Bench is made of a cast's films of a stage, in the words of a lexicon."""
    verbs: dict[str, ActionWords | KnownVerb] = {**VERBS, **{v.key: v for v in known.verbs}}
    supply = Supply(
        verbs={
            a.name: tuple(dict.fromkeys(c.verb for c in shown_clips(a) if c.verb)) for a in library.assets
        },
        names=tuple(p.name for p in PROPS.values() if p.places != (GROWN,)),
        colors=tuple(BODY_COLORS),
        places={p.name: p.places for p in PROPS.values()},
        rivals=rivals_of(library, known.by_key),
    )
    plurals = {p.name: p.plural for p in PROPS.values()}
    plurals |= {s.name: s.plural for s in SCREENS.values()}
    plurals |= {a.noun: a.plural for a in library.assets}
    lexicon = CaptionLexicon({**verbs, STIRS: VerbForms("moves a little", "moving a little")}, plurals)

    return FilmRecipe(
        questions=recipe(
            seed, supply, verbs, shown=shown_of, vague=partial(vague_parts, library), stage=stage
        ),
        captions=lambda scene, visibility: (
            captions_of(scene, lexicon, seed, visibility=visibility) if is_told(scene) else ()
        ),
        lexicon=lexicon,
        showings=showings,
    )


def is_told(scene: Scene) -> bool:
    """Return whether somebody has said what the object does: nothing is said of it where nobody has."""
    acts = scene.objects[0].animations
    return bool(acts) and all(a.verb for a in acts)


def shown_of(scene: Scene) -> dict[int, tuple[int, ...]]:
    """Return the cells of a film that the protocol shows: view → frames."""
    return cells_of(replace(Staging(), frames=len(scene.times_s), views=len(scene.cameras)), [PAPER])


def showings(staging: Staging, quality: str) -> Mapping[str, tuple[Showing, ...]]:
    """Return what can be painted of each film: what the protocol shows, and what the studies show."""
    protocol = Showing(quality, cells_of(staging, [PAPER]))
    swept = Showing("preview", cells_of(staging, _points(staging)))
    return {"protocol": (protocol,), "studies": (swept, protocol)}


def cells_of(staging: Staging, ways: Iterable[FourDBenchSettings]) -> dict[int, tuple[int, ...]]:
    """Return the cells that any of these settings shows: view → frames."""
    views = [
        Media(
            id=f"view_{k}", path="", kind="video", size=(staging.size_px, staging.size_px), sha256="",
            view=k, frames=staging.frames, fps=staging.fps,
        )
        for k in range(staging.views)
    ]  # fmt: skip
    found: dict[int, set[int]] = {}
    for settings in ways:
        for media in views_shown(settings, views):
            found.setdefault(media.view, set()).update(frames_shown(settings, media))
    return {view: tuple(sorted(frames)) for view, frames in sorted(found.items())}


def _points(staging: Staging) -> list[FourDBenchSettings]:
    """Return the settings of every point of the studies that is painted: same views for every question."""
    ways = []
    for study in STUDIES:
        for point in study.points:
            texts = {**study.settings, **point.settings}
            settings = with_changes(PAPER, texts, study.protocol)
            few = settings.views <= MOST_VIEWS and settings.frames <= MOST_FRAMES
            if few and settings.view_choice in ("official", "even"):
                ways.append(settings)
    return ways
