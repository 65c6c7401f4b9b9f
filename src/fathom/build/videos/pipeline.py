"""A dataset of videos from a plan: worlds, truth, questions proved twice, pictures, checks.

Stopped, it carries on.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import msgspec

from fathom.build.checks import Checks
from fathom.build.folders import LOCK, begin, is_whole, manifest_of
from fathom.build.parts import (
    CHECKS,
    Progress,
    complete,
    make_missing,
    stop_at_disagreement,
    write_checks,
)
from fathom.build.render.films import CARES
from fathom.build.render.variants import Engine, engine, prepare
from fathom.build.videos.checks import VideoFindings, video_checks_of
from fathom.build.videos.further import asked_of, leave_unasked
from fathom.build.videos.plan import VideoPlan, media_of_video
from fathom.build.videos.stages import (
    Asked,
    VideoPart,
    make_pictures,
    make_video,
    prove,
    read_pictures,
    read_proof,
    read_video,
)
from fathom.build.workers import cores
from fathom.records import InputError, Manifest, Media, Question, UnfitError
from fathom.stats.blind import stress_test
from fathom.store.datasets import MEDIA, hash_of_stills
from fathom.store.files import read_json, write_json, write_jsonl
from fathom.store.locks import FolderLock


def build_videos(
    plan: VideoPlan,
    workers: int = 0,
    strict: bool = False,
    progress: Progress = lambda what, done, total, note: None,
) -> Checks:
    """Build the dataset of a plan, or what is still missing of it, and return what was found about it.

    Raises InputError where the folder holds something else, UnfitError where a world finds no room or the two
    derivations disagree (under `strict`, also where a check of the whole set is not met).
    """
    workers = workers or cores()
    wanted = manifest_of(plan)  # opens every model, before anything is written
    if not is_whole(plan.out, wanted):
        painter = None if plan.renderer == "none" else engine(plan.renderer)
        if plan.film_quality not in CARES:
            raise InputError(f"--set film_quality={plan.film_quality}: there is {', '.join(CARES)}")
        with FolderLock(plan.work / LOCK, "dataset"):
            # Asked again, because another process may have ended the same build in between.
            if not is_whole(plan.out, wanted):
                begin(plan.out, wanted)
                missing = [k for k in range(plan.scenes) if not plan.video_part(k).exists()]
                work = partial(make_video, plan)
                make_missing("worlds and truth", plan.scenes, missing, work, workers, progress)
                parts = {k: read_video(plan, k) for k in range(plan.scenes)}
                if not plan.asked_part.exists():
                    scenes = [p.scene for p in parts.values()]
                    write_json(plan.asked_part, asked_of(plan, scenes, workers, progress))
                asked = read_json(plan.asked_part, Asked)
                parts |= {k: read_video(plan, k) for k in asked.further}
                leave_unasked(plan, [*parts])
                findings = _make_questions(plan, asked, parts, workers, progress)
                media = _make_pictures(plan, parts, painter, workers, progress)
                return _finish(_Made(plan, wanted, parts, findings, media), strict, progress)
    shutil.rmtree(plan.work, ignore_errors=True)  # left where a build was cut off after its last file
    return read_json(plan.out / CHECKS, Checks)


@dataclass(frozen=True)
class _Made:
    """What was made of a plan."""

    plan: VideoPlan
    wanted: Manifest
    parts: Mapping[int, VideoPart]
    findings: VideoFindings
    media: list[Media]


def _make_questions(
    plan: VideoPlan, asked: Asked, parts: Mapping[int, VideoPart], workers: int, progress: Progress
) -> VideoFindings:
    findings = VideoFindings(asked.selection)
    by_scene: dict[str, list[Question]] = {p.scene.id: [] for p in parts.values()}
    for q in asked.questions:
        by_scene[q.scene].append(q)
    missing = [k for k in parts if not plan.proof_part(k).exists()]
    work = [(k, tuple(by_scene[parts[k].scene.id])) for k in missing]
    make_missing("proving answers", len(parts), work, partial(prove, plan), workers, progress)
    for k in parts:
        findings.proved(read_proof(plan, k))
    if not findings.questions:
        raise UnfitError(
            f"{plan.out}: not one question could be asked of {len(parts)} videos; build more of them"
        )
    stop_at_disagreement(plan.out, findings.disagreements)
    findings.texts.stop_at_fault(plan.out)
    return findings


def _make_pictures(
    plan: VideoPlan,
    parts: Mapping[int, VideoPart],
    painter: Engine | None,
    workers: int,
    progress: Progress,
) -> list[Media]:
    if painter is None:
        # Who computes from the record is asked about videos that were not painted as about any others.
        none = hash_of_stills({})
        return [msgspec.structs.replace(media_of_video(p.scene), sha256=none) for p in parts.values()]
    missing = [(k, plan.place(k)[1] < plan.films) for k in parts if not plan.picture_part(k).exists()]
    missing.sort(key=lambda one: one[1])  # whole films, each the work of many videos, come last
    work, start = partial(make_pictures, plan, painter), partial(prepare, painter)
    make_missing("pictures", len(parts), missing, work, workers, progress, start)
    return [read_pictures(plan, k) for k in parts]


def _finish(made: _Made, strict: bool, progress: Progress) -> Checks:
    plan, findings, parts = made.plan, made.findings, made.parts.values()
    progress("checks", 0, 1, "blind stress test")
    asked = [q for q in findings.questions if q.choices]
    blind = stress_test(asked)
    questions = [
        msgspec.structs.replace(q, bias_score=blind.bias_scores.get(q.id)) for q in findings.questions
    ]
    checks = video_checks_of(asked, findings, blind, [(p.scene, p.audited) for p in parts])
    write_checks(plan.out, checks, strict)
    write_jsonl(plan.out / MEDIA, made.media)
    scenes = [p.scene for p in parts]
    counts = {"media": len(made.media), **Counter(f"task:{q.task}" for q in questions)}
    truth = {p.scene.truth: p.truth_sha256 for p in parts}
    complete(plan.out, plan.work, made.wanted, scenes, questions, truth, counts, {})
    progress("checks", 1, 1, "")
    return checks
