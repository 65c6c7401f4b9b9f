"""The first half: descriptions by a model, held against the truth, and the facts that they make it possible
to ask for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fathom.authoring.replies import FAILED
from fathom.authoring.requests import ModelStep, rounds
from fathom.authoring.review import DESCRIBED
from fathom.authoring.work import WaitError
from fathom.benchmarks.stibench.authoring.describing import described
from fathom.benchmarks.stibench.authoring.facts import drafts_in, facts_of, filtered, picked_of, proved
from fathom.benchmarks.stibench.authoring.footage import (
    Read,
    best_seen,
    frames_of,
    reading,
    targets_of,
    truth_of,
)
from fathom.benchmarks.stibench.authoring.prompts import describe_prompt
from fathom.benchmarks.stibench.authoring.review import OpenLine
from fathom.benchmarks.stibench.authoring.settings import Description, Fact, Target
from fathom.benchmarks.stibench.authoring.videos import VideoWork
from fathom.questions.contexts.video import Moment, VideoContext
from fathom.records import Prompt, Request
from fathom.store.files import read_jsonl, write_jsonl

DESCRIBE = ModelStep("describe", "write", "have a model, best one that sees pictures, describe objects")
DRAW = "facts"

TARGETS, DESCRIPTIONS, FACTS = "targets.jsonl", "descriptions.jsonl", "facts.jsonl"
FITS, PROVED = "fits one object only", "both derivations agree"


def facts_in(videos: VideoWork) -> list[Fact]:
    """Return the facts to be asked for; those that are left out say why.

    They are drawn once, when every description is decided. Raises WaitError before.
    """
    folder, outcomes = videos.work.folder, videos.outcomes
    if (folder / FACTS).is_file():
        usable = _usable(videos, list(read_jsonl(folder / DESCRIPTIONS, Description)))
    else:
        descriptions = _descriptions(videos)
        usable = _usable(videos, descriptions)
        _wait_for_people(videos, descriptions)
        write_jsonl(folder / DESCRIPTIONS, descriptions)
        write_jsonl(folder / DESCRIBED, _described_twice(videos, usable))
        write_jsonl(folder / FACTS, _drawn(videos, usable))
    accepted = {d.id for d in usable}
    facts = list(read_jsonl(folder / FACTS, Fact))
    for fact in facts:
        outcome = fact.left.partition(":")[0] or PROVED
        outcomes.count(DRAW, fact.setting, outcome, not fact.left)
        if fact.left:
            outcomes.reject(DRAW, fact.id, fact.question.scene, fact.question.text, "", fact.left)
    # People may have changed their minds about a description since.
    return [f for f in facts if not f.left and accepted.issuperset(f.descriptions)]


def _descriptions(videos: VideoWork) -> list[Description]:
    """Return what was said of the objects of every video, with what the truth says of it."""
    work = videos.work
    path = work.folder / TARGETS
    if not path.is_file():
        found = (targets_of(videos.stage(s), m, videos.writing) for s, (_, m) in videos.films.items())
        write_jsonl(path, [t for listed in found for t in listed])
    targets = list(read_jsonl(path, Target))
    if rounds(work.folder, DESCRIBE.name):  # asked before: known by its name alone
        work.ask(DESCRIBE, (work.request(DESCRIBE, t.id, t.setting, Prompt(parts=())) for t in targets))
    else:
        work.ask(DESCRIBE, _requests(videos, targets))
    replies = work.replies(DESCRIBE)
    unheard = [
        t for t in targets
        if all(run.responses[t.id].status == "failed" for run in replies if t.id in run.responses)
    ]  # fmt: skip
    if unheard:
        folder = work.folder / DESCRIBE.name / "01"
        raise WaitError(
            DESCRIBE.name,
            f"{len(unheard):,} requests failed; start `fathom run` again on {folder} to ask them once more, "
            "or have another model answer them",
            (folder,),
        )
    out: list[Description] = []
    for scene in dict.fromkeys(t.scene for t in targets):
        stage = videos.stage(scene)
        for target in (t for t in targets if t.scene == scene):
            out += described(replies, target, stage, videos.vocabulary)
    return out


def _requests(videos: VideoWork, targets: Sequence[Target]) -> Iterator[Request]:
    for scene in dict.fromkeys(t.scene for t in targets):
        stage, media = videos.stage(scene), videos.films[scene][1]
        with reading(videos.work.dataset, stage.scene) as read:
            for target in (t for t in targets if t.scene == scene):
                span = frames_of(stage, Moment(target.first, target.last))
                shown = [f for f in stage.visibility.frames if span[0] <= f <= span[1]]
                truth = truth_of(stage, target, read)
                prompt = describe_prompt(target, truth, media, shown, videos.writing.frames)
                yield videos.work.request(DESCRIBE, target.id, target.setting, prompt)


def _usable(videos: VideoWork, descriptions: Sequence[Description]) -> list[Description]:
    """Return the descriptions that fit, by truth or to people; count and list the others."""
    out = []
    for d in descriptions:
        outcome = FITS if d.outcome == "fits" else d.reason
        videos.outcomes.count(DESCRIBE.name, d.setting, outcome, d.outcome != "rejected")
        reason = d.reason
        if d.outcome == "rejected":
            if d.reason == FAILED:
                continue
        else:
            decision = videos.people.decision(d.id, d.setting) if d.outcome == "people" else "keep"
            if decision == "keep":
                out.append(d)
            if decision != "reject":
                continue
            reason = videos.people.why_rejected(d.id, d.reason)
        videos.outcomes.reject(DESCRIBE.name, d.id, d.scene, d.words, d.writer, reason, d.detail)
    return out


def _wait_for_people(videos: VideoWork, descriptions: Sequence[Description]) -> None:
    """Put what people have not decided into their file. Raises WaitError where there is anything."""
    if videos.writing.people == "no":
        return
    left = [d for d in descriptions if d.outcome == "people" and not videos.people.have_seen(d.id)]
    lines = []
    for scene in dict.fromkeys(d.scene for d in left):
        stage = videos.stage(scene)
        with reading(videos.work.dataset, stage.scene) as read:
            lines += [_line(d, stage, read) for d in left if d.scene == scene]
    videos.people.wait_for(lines)


def _described_twice(videos: VideoWork, usable: Sequence[Description]) -> list[OpenLine]:
    """Return the descriptions of objects that several models described in different words: people compare
    them.
    """
    words: dict[tuple[str, str, int, int], dict[str, Description]] = {}
    for d in usable:
        words.setdefault((d.scene, d.object_id, d.first, d.last), {}).setdefault(d.words, d)
    several = [d for alike in words.values() if len(alike) > 1 for d in alike.values()]
    lines = []
    for scene in dict.fromkeys(d.scene for d in several):
        stage = videos.stage(scene)
        with reading(videos.work.dataset, stage.scene) as read:
            lines += [_line(d, stage, read) for d in several if d.scene == scene]
    return lines


def _line(d: Description, stage: VideoContext, read: Read) -> OpenLine:
    span = frames_of(stage, Moment(d.first, d.last))
    frame, box = best_seen(stage, stage.tracks.index(d.object_id), span, read)
    times = stage.tracks.times_s
    return OpenLine(
        id=d.id, about="description", scene=d.scene, media=d.media, words=d.words, object_id=d.object_id,
        seconds=[round(float(times[f]), 2) for f in span],
        best_seen={"frame": frame, "seconds": round(float(times[frame]), 2), "box_px": list(box)},
        why=f"{d.reason} {d.detail}".strip(),
    )  # fmt: skip


def _drawn(videos: VideoWork, usable: Sequence[Description]) -> list[Fact]:
    """Return the facts that can be asked for with these descriptions, proved by both derivations."""
    stages = {scene: videos.stage(scene) for scene in videos.films}
    candidates = []
    for scene, stage in stages.items():
        candidates += drafts_in(stage, [d for d in usable if d.scene == scene], videos.writing)
    picked = picked_of(candidates, [s.scene for s in stages.values()], videos.writing)
    facts = facts_of(picked, usable, videos.writing)
    out: list[Fact] = []
    for scene, stage in stages.items():
        own = [f for f in facts if f.question.scene == scene]
        verdicts = proved(videos.work.dataset, stage, [f.question for f in own])
        out += filtered(own, verdicts, videos.writing)
    return out
