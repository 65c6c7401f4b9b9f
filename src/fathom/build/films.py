"""A dataset of films from a plan: objects, curation, truth, questions proved twice, pictures, checks.

Stopped, it carries on.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import msgspec

from fathom.authoring.captions.book import FILE as CAPTIONS
from fathom.authoring.captions.book import book_of
from fathom.build.checks import Checks
from fathom.build.curation.curate import FILE as CURATION
from fathom.build.curation.curate import Curation, write_curation
from fathom.build.curation.verdicts import read_verdicts
from fathom.build.film_checks import FilmFindings, film_checks_of
from fathom.build.film_curation import curated, grade_of, make_object, measured_of
from fathom.build.film_plan import PLAYS_FOLDER, FilmPlan
from fathom.build.film_stages import (
    make_pictures,
    make_story,
    prove,
    read_pictures,
    read_proof,
    read_story,
    with_every_view,
)
from fathom.build.folders import LOCK, begin, is_whole, manifest_of
from fathom.build.parts import (
    CHECKS,
    Progress,
    complete,
    make_missing,
    stop_at_disagreement,
    stop_at_untrue,
    write_checks,
)
from fathom.build.questions.stories.asking import Picked
from fathom.build.questions.stories.choosing import select
from fathom.build.render.films import CARES
from fathom.build.render.variants import Engine, engine, prepare
from fathom.build.workers import cores
from fathom.records import InputError, Manifest, Media, UnfitError
from fathom.stats.blind import stress_test
from fathom.store.datasets import MEDIA
from fathom.store.files import read_json, sha256_file, write_json, write_jsonl
from fathom.store.locks import FolderLock

MEASURED = "measured.jsonl"


def build_films(
    plan: FilmPlan,
    workers: int = 0,
    strict: bool = False,
    progress: Progress = lambda what, done, total, note: None,
) -> Checks:
    """Build the dataset of a plan, or what is still missing of it, and return what was found about it.

    Raises InputError where the folder holds something else, UnfitError where no object is left or the two
    derivations disagree (under `strict`, also where a check of the whole set is not met, and what an object
    raises that cannot be told or measured).
    """
    workers = workers or cores()
    plan = replace(plan, strict=strict)
    wanted = manifest_of(plan)  # opens every model, before anything is written
    if not is_whole(plan.out, wanted):
        painter = None if plan.renderer == "none" else engine(plan.renderer)
        _check_shown(plan)
        grade_of(plan)  # opens the classifier, where there is one, before anything is made
        with FolderLock(plan.work / LOCK, "dataset"):
            # Asked again, because another process may have ended the same build in between.
            if not is_whole(plan.out, wanted):
                begin(plan.out, wanted)
                curation, kept = _make_objects(plan, workers, progress)
                _make_stories(plan, kept, workers, progress)
                findings = _make_questions(plan, kept, workers, progress)
                media = _make_pictures(plan, kept, painter, workers, progress)
                made = _Made(curation, kept, findings, media)
                return _finish(plan, wanted, made, strict, progress)
    shutil.rmtree(plan.work, ignore_errors=True)  # left where a build was cut off after its last file
    return read_json(plan.out / CHECKS, Checks)


@dataclass(frozen=True)
class _Made:
    """What was made of a plan: which objects stay (their indices), what was counted, and the media."""

    curation: Curation
    kept: list[int]
    findings: FilmFindings
    media: list[Media]


def _check_shown(plan: FilmPlan) -> None:
    known = plan.recipe().showings(plan.staging, plan.quality)
    if plan.shown not in known:
        raise InputError(f"--set shown={plan.shown}: there is {', '.join(known)}")
    if plan.film_quality not in CARES:
        raise InputError(f"--set film_quality={plan.film_quality}: there is {', '.join(CARES)}")


def _make_objects(plan: FilmPlan, workers: int, progress: Progress) -> tuple[Curation, list[int]]:
    missing = [k for k in range(plan.scenes) if not plan.object_part(k).exists()]
    make_missing("objects", plan.scenes, missing, partial(make_object, plan), workers, progress)
    found, kept = curated(plan, read_verdicts(plan.verdicts) if plan.verdicts else ())
    progress("objects", plan.scenes, plan.scenes, f"{len(kept)} stay")
    return found, kept


def _make_stories(plan: FilmPlan, kept: Sequence[int], workers: int, progress: Progress) -> None:
    missing = [k for k in kept if not plan.story_part(k).exists()]
    make_missing("truth", len(kept), missing, partial(make_story, plan), workers, progress)


def _make_questions(plan: FilmPlan, kept: Sequence[int], workers: int, progress: Progress) -> FilmFindings:
    recipe = plan.recipe().questions
    findings = FilmFindings()
    progress("choosing questions", 0, 1, "")
    lots = [read_story(plan, k).lot for k in kept]
    chosen = select(lots, recipe)
    findings.tally.short.update(chosen.short)
    for lot in lots:
        findings.tally.tried.update(lot.tried)
    progress("choosing questions", 1, 1, "")
    work: list[tuple[int, tuple[Picked, ...]]] = [
        (k, tuple(chosen.picked.get(lot.scene, ())))
        for k, lot in zip(kept, lots, strict=True)
        if not plan.proof_part(k).exists()
    ]
    del lots
    make_missing("proving answers", len(kept), work, partial(prove, plan), workers, progress)
    for k in kept:
        findings.proved(read_proof(plan, k))
    if not findings.second:
        raise UnfitError(
            f"{plan.out}: not one question could be asked of {len(kept)} films; build more of them"
        )
    stop_at_disagreement(plan.out, findings.disagreements)
    findings.texts.stop_at_fault(plan.out)
    stop_at_untrue(plan.out, findings.untrue)
    return findings


def _make_pictures(
    plan: FilmPlan, kept: Sequence[int], painter: Engine | None, workers: int, progress: Progress
) -> list[Media]:
    if painter is None:
        # Who computes from the record is asked about films that were not painted as about any others.
        return [m for k in kept for m in with_every_view(read_story(plan, k).scene, ())]
    missing = [(k, place < plan.films) for place, k in enumerate(kept) if not plan.picture_part(k).exists()]
    missing.sort(key=lambda one: one[1])  # whole films, each the work of many objects, come last
    work, start = partial(make_pictures, plan, painter), partial(prepare, painter)
    make_missing("pictures", len(kept), missing, work, workers, progress, start)
    return [m for k in kept for m in read_pictures(plan, k)]


def _finish(plan: FilmPlan, wanted: Manifest, made: _Made, strict: bool, progress: Progress) -> Checks:
    progress("checks", 0, 1, "blind stress test")
    parts = [read_story(plan, k) for k in made.kept]
    proofs = [read_proof(plan, k) for k in made.kept]
    asked = [q for p in proofs for q in p.questions]
    blind = stress_test(asked)
    shown: dict[str, list[str]] = {}
    for m in made.media:
        shown.setdefault(m.scene, []).append(m.id)
    questions = [
        msgspec.structs.replace(
            q, bias_score=blind.bias_scores.get(q.id), media=tuple(shown.get(q.scene, ()))
        )
        for p in proofs
        for q in (*p.questions, *p.more)
    ]
    checks = film_checks_of(asked, made.findings, blind, plan.recipe().questions.mix, made.curation)
    write_checks(plan.out, checks, strict)
    write_jsonl(plan.out / MEDIA, made.media)
    write_jsonl(plan.out / MEASURED, measured_of(plan))
    write_curation(plan.out, made.curation, Counter(q.task for q in asked))
    counts = {"media": len(made.media), **Counter(f"task:{q.task}" for q in questions)}
    truth = {p.scene.truth: p.truth_sha256 for p in parts}
    write_json(plan.out / CAPTIONS, book_of([c for p in proofs for c in p.captions], plan.recipe().lexicon))
    files = {n: sha256_file(plan.out / n) for n in (MEASURED, CURATION, CAPTIONS)}
    files |= {f"{PLAYS_FOLDER}/{p.scene.id}.npz": p.play_sha256 for p in parts}
    complete(plan.out, plan.work, wanted, [p.scene for p in parts], questions, truth, counts, files)
    progress("checks", 1, 1, "")
    return checks
