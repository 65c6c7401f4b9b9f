"""Scenes that stand still: objects scattered on a ground, one camera, one picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from fathom.assets.libraries import Library, open_library
from fathom.assets.loading import shape_hash
from fathom.datasets.figures import real_headings, write_figures
from fathom.datasets.findings import CheckResult, Made
from fathom.datasets.generator import Again, AnswerPair, Generator, Step
from fathom.datasets.generators.stills_blocks import blocks_of, chosen_for, further_of, seldom
from fathom.datasets.generators.stills_checks import drawn_of, still_promises, still_tables
from fathom.datasets.plan import DatasetPlan
from fathom.datasets.proofs import Proof, QuestionChoice, ScenePart, compared
from fathom.ground_truth.files import read_truth, write_truth
from fathom.ground_truth.trace import covers_under, trace
from fathom.media.outlines import outlines_of
from fathom.named import attribute_of
from fathom.pages.tables import Table
from fathom.programs.engine import run
from fathom.programs.rules import VERSION, rules_as_built, rules_named
from fathom.programs.views.still import still_view
from fathom.questions.asking import StillCandidate, StillSelected
from fathom.questions.making import Recipe, fitted, offer, write
from fathom.questions.selection import blocks
from fathom.questions.tally import Tally
from fathom.records import (
    Environment,
    Media,
    ObjectVisibility,
    Outline,
    Pose,
    Question,
    Record,
    Scene,
    Setting,
)
from fathom.render.environments import drawn, environments
from fathom.render.lights import light_of
from fathom.render.paint import paint
from fathom.render.tone import png
from fathom.render.variants import Engine
from fathom.scenes.census import Census
from fathom.scenes.placed_models import models_of
from fathom.scenes.scatter import draw_scene
from fathom.scenes.scatter_settings import Scatter
from fathom.settings import INLINE, as_setting
from fathom.store.datasets import SCENES, Dataset
from fathom.store.files import read_jsonl, sha256_file, write_bytes, write_jsonl
from fathom.verify.engine import derived_text
from fathom.verify.rule_sets import observed_still

OUTLINES, FIGURES = "outlines.jsonl", "figures"

LARGE = 100
"""From so many scenes on, what is short is looked for in further ones; smaller sets take what there is."""

FULLEST = 2
"""Further scenes have at most so many objects fewer than the fullest: they offer most of what is rare."""

_FURTHER = "further"


@dataclass(frozen=True)
class StillSettings:
    """What decides still scenes and their questions.

    rules : when relations hold: fathom (dead bands around every threshold, all checks enforced) or paper
        (the published thresholds, checks reported)
    environment : a folder of light probes (.hdr, .exr); none: the built-in skies
    reference_headings : files of real headings in degrees, one a line, which stand beside ours in a figure
    world : what scenes are drawn from
    further : from 100 scenes on, up to so many times as many are drawn besides, with many objects, for
        questions that these lack
    """

    rules: str = "fathom"
    environment: Path | None = None
    reference_headings: tuple[Path, ...] = ()
    world: Scatter = field(default_factory=Scatter, metadata=INLINE)
    further: float = 0.5

    def __post_init__(self) -> None:
        """Raise InputError for rules that there are not."""
        rules_named(self.rules)


class StillOwn(Record, frozen=True, kw_only=True):
    """Where the objects of a scene are in its picture, and what could be asked of it."""

    outlines: tuple[Outline, ...]
    candidates: tuple[StillCandidate, ...] = ()
    tried: dict[str, int] = {}


class StillTally(Record, frozen=True, kw_only=True):
    """What became of all that was tried, and of which tasks how many questions could not be had."""

    tried: dict[str, int]
    short: dict[str, int]


Plan = DatasetPlan[StillSettings]
Part = ScenePart[StillOwn]
Asked = QuestionChoice[tuple[StillSelected, ...], StillTally]


class Stills(Generator[StillSettings, StillOwn, tuple[StillSelected, ...], StillTally]):
    """Still scenes and questions on them."""

    title = "scenes that stand still"
    plural = "scenes"
    makes = frozenset({"scatter"})
    part_type = Part
    choice_type = Asked
    defaults = StillSettings()
    rounds = 5

    @property
    def built_in_assets(self) -> str:  # type: ignore[override]
        """What the built-in models are called."""
        return library_of(None).name

    def settings(self, plan: Plan) -> dict[str, Setting]:
        own = plan.own
        light = own.environment.name if own.environment else "built-in skies"
        world = {f"world.{f.name}": as_setting(getattr(own.world, f.name)) for f in fields(own.world)}
        return {
            "rules": own.rules,
            "rules_version": VERSION,
            "environment": light,
            _FURTHER: own.further,
            **world,
        }

    def inputs(self, plan: Plan) -> dict[str, str]:
        found = {f"model:{a.name}": shape_hash(a) for a in library_of(plan.assets).assets}
        if plan.own.environment is not None:
            found |= {f"probe:{e.name}": e.sha256 for e in environments_of(plan.own.environment)}
        return found

    def check(self, plan: Plan) -> None:
        real_headings(plan.own.reference_headings)
        recipe_of(plan)  # has a word for every model, or says so

    def enforced(self, plan: Plan) -> bool:
        return plan.own.rules != "paper"

    def draw(self, plan: Plan, index: int) -> Scene:
        light = light_for(plan.seed, environments_of(plan.own.environment))
        world = plan.own.world
        if index >= plan.scenes:
            world = replace(world, fewest=max(world.fewest, world.most - FULLEST))
        return draw_scene(index, plan.seed, library_of(plan.assets), world, light)

    def observe(self, plan: Plan, index: int, scene: Scene) -> Part:
        truth = trace(scene, models_of(scene, library_of(plan.assets)))
        write_truth(plan.out / scene.truth, truth)
        recipe = recipe_of(plan)
        there = blocks(plan.scenes, recipe.block)
        block = next((b for b in there if index in b), there[-1])
        lot = offer(scene, fitted(recipe, len(block), plan.own.world.mean))
        own = StillOwn(
            outlines=tuple(outlines_of(truth.ids, tuple(t.id for t in scene.objects), scene.id)),
            candidates=lot.candidates,
            tried=dict(lot.tried),
        )
        return Part(scene=scene, truth_sha256=sha256_file(plan.out / scene.truth), own=own)

    def choose(self, plan: Plan, indices: Sequence[int], offers: Mapping[int, Any], step: Step) -> Asked:
        recipe = recipe_of(plan)
        tried: Counter[str] = Counter()
        shorts: Counter[str] = Counter()
        work: dict[int, tuple[StillSelected, ...]] = {}
        for block in blocks_of(plan.scenes, recipe.block, indices):
            chosen = chosen_for(plan, recipe, block)
            tried.update(chosen.tried)
            shorts.update(chosen.short)
            work |= chosen.work
            step(block.first.stop, plan.scenes, "")
        tally = StillTally(tried=dict(tried), short=dict(shorts))
        rare = seldom(work, recipe.asking, plan.scenes)
        lacking = (sum(max(0, n) for n in shorts.values()) + sum(rare.values()),)
        return Asked(indices=tuple(indices), work=work, tally=tally, lacking=lacking)

    def further(self, plan: Plan, choice: Asked, drawn: Sequence[int]) -> list[int]:
        if plan.scenes < LARGE or not self.enforced(plan):
            return []
        recipe = recipe_of(plan)
        there = blocks_of(plan.scenes, recipe.block, drawn)
        return further_of(there, choice.work, recipe.asking, plan.own.further)

    def prove(self, plan: Plan, part: Part, chosen: tuple[StillSelected, ...] | None) -> Proof:
        scene = part.scene
        questions, found = write((scene, chosen or ()), recipe_of(plan))
        seen = observed_still(scene, read_truth(plan.out / scene.truth), plan.own.rules)
        first = {q.id: q.answer for q in questions}
        second = {q.id: derived_text(q.program, seen) for q in questions}
        verdicts = compared(first, second)
        return Proof(
            questions=tuple(questions), found=dict(found), first=first, second=second, verdicts=verdicts
        )

    def paint(self, plan: Plan, part: Part, engine: Engine, whole: bool) -> tuple[Media, ...]:
        scene = part.scene
        light = light_of(scene.environment, plan.own.environment)
        pixels = paint(scene, models_of(scene, library_of(plan.assets)), light, engine, plan.quality)
        path = f"media/{scene.id}.png"
        write_bytes(plan.out / path, png(pixels))
        height, width, _ = pixels.shape
        size, sha256 = (width, height), sha256_file(plan.out / path)
        return (Media(id=scene.id, path=path, kind="image", size=size, sha256=sha256, scene=scene.id),)

    def slim(self, own: StillOwn) -> StillOwn:
        return StillOwn(outlines=own.outlines)

    def tables(self, made: Made) -> Iterator[Table]:
        asking = recipe_of(made.plan).asking
        yield from still_tables(made.questions, _tally(made), asking, _drawn(made), made.plan.scenes)

    def promises(self, made: Made) -> Iterator[CheckResult]:
        plan = made.plan
        asking, enforced = recipe_of(plan).asking, self.enforced(plan)
        yield from still_promises(made.questions, _tally(made), asking, _drawn(made), plan.scenes, enforced)

    def write(self, made: Made) -> tuple[str, ...]:
        out, real = made.plan.out, real_headings(made.plan.own.reference_headings)
        write_figures(out / FIGURES, [p.scene for p in made.parts], real)
        write_jsonl(out / OUTLINES, (o for p in made.parts for o in p.own.outlines))
        return (OUTLINES,)

    def again(self, plan: Plan) -> None:
        if real := real_headings(plan.own.reference_headings):
            write_figures(plan.out / FIGURES, list(read_jsonl(plan.out / SCENES, Scene)), real)

    def derivation(self, dataset: Dataset, assets: Path | None) -> Again:
        return partial(_derived, dataset)


GENERATOR = Stills()


def _drawn(made: Made) -> Sequence[Census]:
    """Return the census of what was drawn: of the number of objects in the scenes that were asked for, as
    further ones have many, and of everything else in all.
    """
    plan = made.plan
    placed = zip(made.choice.indices, made.parts, strict=True)
    first = [part.scene for k, part in placed if k < plan.scenes]
    return drawn_of(first, [p.scene for p in made.parts], library_of(plan.assets), plan.own.world)


def _tally(made: Made) -> Tally:
    found, tally = Tally(), made.choice.tally
    found.tried.update(tally.tried)
    found.short.update(tally.short)
    found.checked.update(made.findings.checked)
    found.add(made.questions)
    return found


def _derived(dataset: Dataset, scene: Scene, asked: Sequence[Question]) -> Iterator[AnswerPair]:
    named = asked[0].source.removeprefix("rules=")
    rules = rules_as_built(named, int(str(dataset.manifest.settings.get("rules_version", 1))))
    facts = still_view(scene, rules)
    seen = observed_still(scene, read_truth(dataset.truth_path(scene)), rules.name)
    for q in asked:
        yield AnswerPair(run(q.program, facts).answer or "", derived_text(q.program, seen))


@lru_cache(maxsize=4)
def library_of(assets: Path | None) -> Library:
    """Return the library of a folder of models, or the built-in one; opened once a process."""
    return open_library(assets)


@lru_cache(maxsize=4)
def environments_of(folder: Path | None) -> tuple[Environment, ...]:
    """Return the usable light probes of a folder, or the built-in skies; looked at once a process."""
    return tuple(environments(folder))


def light_for(seed: str, among: Sequence[Environment]) -> Callable[[str], Environment]:
    """Return the function that gives each scene its light."""
    return lambda name: drawn(list(among), seed, name)


def recipe_of(plan: Plan) -> Recipe:
    """Return the benchmark's recipe of questions."""
    return recipe_named(plan.recipe, plan.seed, plan.own.rules, plan.assets)


@lru_cache(maxsize=4)
def recipe_named(where: str, seed: str, rules: str, assets: Path | None) -> Recipe:
    """Return the recipe of questions that "module:attribute" names."""
    kinds = library_of(assets).subtypes() if assets else ()
    make = attribute_of(where)
    recipe: Recipe = make(seed, rules, sights_under=partial(_sights_under, assets), kinds=kinds)
    return recipe


def _sights_under(
    assets: Path | None, scene: Scene, poses: list[tuple[Pose, ...]]
) -> list[tuple[ObjectVisibility, ...]]:
    return covers_under(scene, models_of(scene, library_of(assets)), poses)
