"""A dataset from a plan: scenes, truth, questions proved twice, pictures, checks; stopped, it carries on.

The control flow is the same for every kind of scenes; what is different is in their generators.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec

from fathom.datasets.checks import checks_of
from fathom.datasets.findings import Checks, Findings, Made
from fathom.datasets.folders import LOCK, begin, is_whole, manifest_of
from fathom.datasets.generator import PaintedQuestions, made_by, settings_of
from fathom.datasets.parts import (
    CHECKS,
    Progress,
    complete,
    make_missing,
    stop_at_disagreement,
    stop_at_untrue,
    write_checks,
)
from fathom.datasets.plan import DRAWN, PICTURES, PROOFS, SCENES, AnyPlan
from fathom.datasets.proofs import QuestionChoice
from fathom.datasets.stages import (
    draw,
    observe,
    offer,
    paint,
    prove,
    read_media,
    read_proof,
    read_scene,
)
from fathom.records import Manifest, Media, Question, UnfitError
from fathom.render.variants import Engine, engine, prepare
from fathom.stats.blind import stress_test
from fathom.store.datasets import MEDIA
from fathom.store.files import read_json, sha256_file, write_json, write_jsonl
from fathom.store.locks import FolderLock
from fathom.workers import cores, spread


@dataclass(frozen=True)
class _Run:
    """A plan that is being built: by how many processes, and who is told how far it has come."""

    plan: AnyPlan
    workers: int
    progress: Progress

    def make(self, what: str, folder: str, indices: Sequence[int], work: Any) -> None:
        """Make the parts that are missing of some scenes."""
        missing = [k for k in indices if not self.plan.part(folder, k).exists()]
        make_missing(what, len(indices), missing, partial(work, self.plan), self.workers, self.progress)


def build(
    plan: AnyPlan,
    workers: int = 0,
    progress: Progress = lambda what, done, total, note: None,
) -> Checks:
    """Build the dataset of a plan, or what is still missing of it, and return what was found about it.

    Raises InputError where the folder holds something else, UnfitError where a scene cannot be made, nothing
    is left, or the two derivations disagree (of a strict plan, also where a promise is not kept).
    """
    # Opens every model and file, before anything is written.
    wanted = manifest_of(plan, settings_of(plan), made_by(plan).inputs(plan))
    if not is_whole(plan.out, wanted):
        painter = None if plan.renderer == "none" else engine(plan.renderer)
        made_by(plan).check(plan)
        with FolderLock(plan.work / LOCK, "dataset"):
            # Asked again, because another process may have ended the same build in between.
            if not is_whole(plan.out, wanted):
                begin(plan.out, wanted)
                run = _Run(plan, workers or cores(), progress)
                choice = _choice(run)
                findings = _proved(run, choice)
                media = _media(run, choice, painter)
                return _finish(run, wanted, choice, findings, media)
    shutil.rmtree(plan.work, ignore_errors=True)  # left where a build was cut off after its last file
    made_by(plan).again(plan)
    return read_json(plan.out / CHECKS, Checks)


def _choice(run: _Run) -> QuestionChoice[Any, Any]:
    """Return what is asked of which scenes. It is chosen once: from then on it stands on disk."""
    plan = run.plan
    if not plan.choice_part.exists():
        write_json(plan.choice_part, _chosen(run))
    found: QuestionChoice[Any, Any] = read_json(plan.choice_part, made_by(plan).choice_type)
    _leave_out(plan, found.indices)
    return found


def _chosen(run: _Run) -> QuestionChoice[Any, Any]:
    """Return what is asked, after further scenes were drawn for what those drawn first lack.

    Of several rounds the one counts that lacks least. Further scenes without a question are left out.
    """
    plan, generator = run.plan, made_by(run.plan)
    drawn = [*range(plan.scenes)]
    indices = _scenes(run, drawn)
    offers: dict[int, Any] = {}
    best: QuestionChoice[Any, Any] | None = None
    for left in range(generator.rounds, -1, -1):
        if generator.drafts:
            _draft(run, indices, offers)
        step = partial(run.progress, "choosing questions")
        step(0, 1, "")
        choice = generator.choose(plan, indices, offers, step)
        step(1, 1, "")
        if best is None or choice.lacking < best.lacking:
            best = choice
        more = generator.further(plan, choice, drawn) if left else []
        if not more:
            break
        drawn += more
        indices = _scenes(run, drawn)
    assert best is not None, "there is at least one round"
    stay = tuple(sorted(k for k in best.indices if k < plan.scenes or best.work.get(k)))
    return msgspec.structs.replace(best, indices=stay)


def _scenes(run: _Run, drawn: Sequence[int]) -> list[int]:
    """Make the scenes that were drawn, or are to be, and return which of them stay."""
    plan, generator = run.plan, made_by(run.plan)
    if not generator.curates:
        run.make("worlds and truth", SCENES, drawn, observe)
        return list(drawn)
    run.make(generator.plural, DRAWN, drawn, draw)
    indices = generator.keep(plan, drawn)
    run.progress(generator.plural, len(drawn), len(drawn), f"{len(indices)} stay")
    run.make("truth", SCENES, indices, observe)
    return indices


def _draft(run: _Run, indices: Sequence[int], offers: dict[int, Any]) -> None:
    """Fill in what scenes offer that have not been asked yet."""
    left = [k for k in indices if k not in offers]
    run.progress("drafting questions", len(indices) - len(left), len(indices), "")
    for index, found in spread(partial(offer, run.plan), left, run.workers):
        offers[index] = found
        run.progress("drafting questions", len(offers), len(indices), "")


def _leave_out(plan: AnyPlan, indices: Iterable[int]) -> None:
    """Remove the files of scenes that are no part of the dataset."""
    stay = {plan.part(SCENES, k).name for k in indices}
    for path in sorted((plan.work / SCENES).glob("*.json")):
        if path.name not in stay:
            part = read_json(path, made_by(plan).part_type)
            for name in (part.scene.truth, *part.files):
                (plan.out / name).unlink(missing_ok=True)


def _proved(run: _Run, choice: QuestionChoice[Any, Any]) -> Findings:
    plan = run.plan
    missing = [(k, choice.work.get(k)) for k in choice.indices if not plan.part(PROOFS, k).exists()]
    work, total = partial(prove, plan), len(choice.indices)
    make_missing("proving answers", total, missing, work, run.workers, run.progress)
    findings = Findings()
    for k in choice.indices:
        findings.add(read_proof(plan, k))
    if not findings.questions:
        raise UnfitError(
            f"{plan.out}: not one question could be asked of {total} {made_by(plan).plural}; build more of "
            "them, or larger ones"
        )
    if made_by(plan).enforced(plan):
        stop_at_disagreement(plan.out, findings.disagreements)
    findings.texts.stop_at_fault(plan.out)
    stop_at_untrue(plan.out, findings.untrue)
    return findings


def _media(run: _Run, choice: QuestionChoice[Any, Any], painter: Engine | None) -> list[Media]:
    plan, generator = run.plan, made_by(run.plan)
    if painter is None:
        # Who computes from the record is asked about what was not painted as about anything else.
        return [m for k in choice.indices for m in generator.unpainted(plan, read_scene(plan, k))]
    missing = [
        (k, generator.whole(plan, place, k))
        for place, k in enumerate(choice.indices)
        if not plan.part(PICTURES, k).exists()
    ]
    missing.sort(key=lambda one: one[1])  # those of all frames, each the work of many scenes, come last
    work, start = partial(paint, plan, painter), partial(prepare, painter)
    make_missing("pictures", len(choice.indices), missing, work, run.workers, run.progress, start)
    return [m for k in choice.indices for m in read_media(plan, k)]


def _shown(
    questions: Sequence[Question], media: Sequence[Media], bias_scores: Mapping[str, float]
) -> list[Question]:
    """Return the questions with what was painted for them, and how well each was guessed without it."""
    shown: dict[str, list[str]] = {}
    for m in media:
        shown.setdefault(m.scene, []).append(m.id)
    found = []
    for q in questions:
        there = shown.get(q.scene, ())
        # Those that it names, and where none of these was painted all of its scene.
        own = tuple(m for m in there if m in q.media) or tuple(there)
        found.append(msgspec.structs.replace(q, bias_score=bias_scores.get(q.id), media=own))
    return found


def _finish(
    run: _Run, wanted: Manifest, choice: QuestionChoice[Any, Any], findings: Findings, media: list[Media]
) -> Checks:
    plan, generator = run.plan, made_by(run.plan)
    run.progress("checks", 0, 2, "blind stress test")
    blind = stress_test([q for q in findings.questions if q.choices or q.possible])
    run.progress("checks", 1, 2, "of the whole dataset")
    questions = _shown(findings.every, media, blind.bias_scores)
    parts = []
    for k in choice.indices:
        part = read_scene(plan, k)
        parts.append(msgspec.structs.replace(part, own=generator.slim(part.own)))
    if plan.renderer != "none":
        scenes = {p.scene.id: p.scene for p in parts}
        gone = generator.illegible(plan, PaintedQuestions(questions, scenes, {m.id: m for m in media}))
        questions = [q for q in questions if q.id not in gone]
    asked = [q for q in questions if q.program]
    made = Made(plan, choice, parts, findings, asked, blind)
    checks = checks_of(made)
    write_checks(plan.out, checks, plan.strict)
    write_jsonl(plan.out / MEDIA, media)
    counts = {"media": len(media), **Counter(f"task:{q.task}" for q in questions)}
    files = {name: sha256_file(plan.out / name) for name in generator.write(made)}
    for part in parts:
        files |= part.files
    truth = {p.scene.truth: p.truth_sha256 for p in parts}
    complete(plan.out, plan.work, wanted, [p.scene for p in parts], questions, truth, counts, files)
    run.progress("checks", 2, 2, "")
    return checks
