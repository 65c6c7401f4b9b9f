"""A dataset from a plan: worlds, truth, questions proved twice, pictures, checks; stopped, it carries on."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec
import numpy as np

from fathom.build.checks import Checks, Findings, checks_of
from fathom.build.figures import real_headings, write_figures
from fathom.build.folders import LOCK, begin, is_whole, manifest_of
from fathom.build.parts import (
    CHECKS,
    Progress,
    complete,
    make_missing,
    stop_at_disagreement,
    write_checks,
)
from fathom.build.plan import Plan, environments_of, library_of, recipe_of
from fathom.build.questions.selection import Chosen, blocks, select
from fathom.build.render.variants import Engine, engine, prepare
from fathom.build.stages import make_picture, make_scene, prove, read_proof, read_scene
from fathom.build.workers import cores
from fathom.records import Manifest, Media, Question, Scene, UnfitError
from fathom.stats.blind import stress_test
from fathom.store.datasets import MEDIA, SCENES
from fathom.store.files import read_json, read_jsonl, sha256_file, write_jsonl
from fathom.store.locks import FolderLock

OUTLINES, FIGURES = "outlines.jsonl", "figures"


def build(
    plan: Plan,
    workers: int = 0,
    headings: Sequence[Path] = (),
    strict: bool = False,
    progress: Progress = lambda what, done, total, note: None,
) -> Checks:
    """Build the dataset of a plan, or what is still missing of it, and return what was found about it.

    Raises InputError where the folder holds something else, UnfitError where a world cannot be made or the
    two derivations disagree (under `strict`, also where a check of the whole set is not met).
    """
    workers = workers or cores()
    real = real_headings(headings)
    wanted = manifest_of(plan)  # opens every model and light probe, before anything is written
    if not is_whole(plan.out, wanted):
        recipe_of(
            plan.construct, plan.seed, plan.rules, plan.assets
        )  # has a word for every model, or says so
        painter = None if plan.renderer == "none" else engine(plan.renderer)
        with FolderLock(plan.work / LOCK, "dataset"):
            # Asked again, because another process may have ended the same build in between.
            if not is_whole(plan.out, wanted):
                begin(plan.out, wanted)
                names = _make_scenes(plan, workers, progress)
                questions, findings = _make_questions(plan, names, workers, progress)
                media = _make_pictures(plan, names, painter, workers, progress)
                return _finish(plan, wanted, names, questions, media, findings, real, strict, progress)
    shutil.rmtree(plan.work, ignore_errors=True)  # left where a build was cut off after its last file
    if real:
        write_figures(plan.out / FIGURES, list(read_jsonl(plan.out / SCENES, Scene)), real)
    return read_json(plan.out / CHECKS, Checks)


def _make_scenes(plan: Plan, workers: int, progress: Progress) -> list[str]:
    names = [plan.scene_name(k) for k in range(plan.scenes)]
    missing = [k for k, name in enumerate(names) if not plan.scene_part(name).exists()]
    work = partial(make_scene, plan, environments_of(plan.environment))
    make_missing("worlds and truth", len(names), missing, work, workers, progress)
    return names


def _make_questions(
    plan: Plan, names: list[str], workers: int, progress: Progress
) -> tuple[list[Question], Findings]:
    recipe = recipe_of(plan.construct, plan.seed, plan.rules, plan.assets)
    findings = Findings()
    missing: list[tuple[Scene, tuple[Chosen, ...]]] = []
    for number, block in enumerate(blocks(len(names), recipe.block)):
        parts = [read_scene(plan, names[k]) for k in block]
        lots = [p.lot for p in parts]
        chosen, short = select(lots, recipe.asking, recipe.seed, number)
        findings.selected(lots, short)
        missing += [
            (p.scene, tuple(chosen[p.scene.id])) for p in parts if not plan.proof_part(p.scene.id).exists()
        ]
        progress("choosing questions", block.stop, len(names), "")
    make_missing("proving answers", len(names), missing, partial(prove, plan), workers, progress)
    every: list[Question] = []
    for name in names:
        proof = read_proof(plan, name)
        every += proof.questions
        findings.proved(proof)
    if not every:
        raise UnfitError(
            f"{plan.out}: not one question could be asked of {len(names)} scenes; build more scenes, or "
            "larger ones"
        )
    if plan.rules != "paper":
        stop_at_disagreement(plan.out, findings.disagreements)
    findings.texts.stop_at_fault(plan.out)
    return every, findings


def _make_pictures(
    plan: Plan, names: list[str], painter: Engine | None, workers: int, progress: Progress
) -> list[Media]:
    if painter is None:
        return []
    missing = [name for name in names if not plan.picture_part(name).exists()]
    work, start = partial(make_picture, plan, painter), partial(prepare, painter)
    make_missing("pictures", len(names), missing, work, workers, progress, start)
    return [read_json(plan.picture_part(name), Media) for name in names]


def _finish(
    plan: Plan,
    wanted: Manifest,
    names: list[str],
    questions: list[Question],
    media: list[Media],
    findings: Findings,
    real: Mapping[str, np.ndarray],
    strict: bool,
    progress: Progress,
) -> Checks:
    progress("checks", 0, 2, "blind stress test")
    blind = stress_test(questions)
    progress("checks", 1, 2, "census")
    biased = [
        msgspec.structs.replace(q, bias_score=blind.bias_scores.get(q.id), media=q.media if media else ())
        for q in questions
    ]
    parts = [msgspec.structs.replace(read_scene(plan, n), candidates=(), tried={}) for n in names]
    scenes = [p.scene for p in parts]
    asking = recipe_of(plan.construct, plan.seed, plan.rules, plan.assets).asking
    checks = checks_of(scenes, biased, findings, blind, library_of(plan.assets), plan.world, asking)
    write_checks(plan.out, checks, strict)
    write_jsonl(plan.out / MEDIA, media)
    write_figures(plan.out / FIGURES, scenes, real)
    write_jsonl(plan.out / OUTLINES, (o for p in parts for o in p.outlines))
    counts = {"media": len(media)}
    counts |= {f"task:{t}": a.total() for t, a in sorted(findings.tally.answers.items())}
    truth = {p.scene.truth: p.truth_sha256 for p in parts}
    outlines = {OUTLINES: sha256_file(plan.out / OUTLINES)}
    complete(plan.out, plan.work, wanted, scenes, biased, truth, counts, outlines)
    progress("checks", 2, 2, "")
    return checks
