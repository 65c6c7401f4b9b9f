"""The first half: descriptions by a model, held against the truth, and the facts that they make it possible
to ask for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fathom.build.questions.tracks.stage import Moment, Stage
from fathom.build.written.sifting import FAILED
from fathom.build.written.tables import Fate
from fathom.build.written.videos.describing import described
from fathom.build.written.videos.desk import NO_PEOPLE, Desk, WaitError, request
from fathom.build.written.videos.facts import drafts_in, facts_of, picked_of, proved, sifted
from fathom.build.written.videos.footage import (
    Read,
    best_seen,
    frames_of,
    opened,
    reading,
    targets_of,
    truth_of,
)
from fathom.build.written.videos.prompts import describe_prompt
from fathom.build.written.videos.review import Line
from fathom.build.written.videos.settings import Description, Fact, Target
from fathom.records import Request
from fathom.store.datasets import MANIFEST
from fathom.store.files import read_jsonl, write_jsonl

TARGETS, DESCRIPTIONS, FACTS = "targets.jsonl", "descriptions.jsonl", "facts.jsonl"
FITS, PROVED = "fits one thing only", "both derivations agree"


def facts_in(desk: Desk) -> list[Fact]:
    """Return the facts to be asked for; those that are left out say why.

    They are drawn once, when every description is decided. Raises WaitError before.
    """
    if (desk.work / FACTS).is_file():
        usable = _usable(desk, list(read_jsonl(desk.work / DESCRIPTIONS, Description)))
    else:
        descriptions = _descriptions(desk)
        usable = _usable(desk, descriptions)
        _wait_for_people(desk, descriptions)
        write_jsonl(desk.work / DESCRIPTIONS, descriptions)
        write_jsonl(desk.work / FACTS, _drawn(desk, usable))
    accepted = {d.id for d in usable}
    facts = list(read_jsonl(desk.work / FACTS, Fact))
    for fact in facts:
        outcome = fact.left.partition(":")[0] or PROVED
        desk.sifted.fates.append(Fate("facts", fact.setting, outcome, not fact.left))
        if fact.left:
            desk.reject("facts", fact.id, fact.question.scene, fact.question.text, "", fact.left)
    # People may have changed their minds about a description since.
    return [f for f in facts if not f.left and accepted.issuperset(f.descriptions)]


def _stage(desk: Desk, scene: str) -> Stage:
    return opened(desk.dataset, desk.films[scene][0], desk.recipe)


def _descriptions(desk: Desk) -> list[Description]:
    """Return what was said of the things of every video, with what the truth says of it."""
    path = desk.work / TARGETS
    if not path.is_file():
        found = (targets_of(_stage(desk, s), media, desk.writing) for s, (_, media) in desk.films.items())
        write_jsonl(path, [t for listed in found for t in listed])
    targets = list(read_jsonl(path, Target))
    if (desk.work / "describe" / "01" / MANIFEST).is_file():
        desk.wait_for("describe", [request("describe", t.id, t.setting) for t in targets])
    else:
        desk.wait_for("describe", list(_requests(desk, targets)))
    said = desk.said("describe")
    unheard = [
        t for t in targets
        if all(run.responses[t.id].status == "failed" for run in said if t.id in run.responses)
    ]  # fmt: skip
    if unheard:
        raise WaitError(
            "describe",
            f"{len(unheard):,} requests failed; start `fathom run` again on {desk.work / 'describe' / '01'} "
            "to ask them once more, or have another model answer them",
        )
    out: list[Description] = []
    for scene in dict.fromkeys(t.scene for t in targets):
        stage = _stage(desk, scene)
        for target in (t for t in targets if t.scene == scene):
            out += described(said, target, stage, desk.lexicon)
    return out


def _requests(desk: Desk, targets: Sequence[Target]) -> Iterator[Request]:
    for scene in dict.fromkeys(t.scene for t in targets):
        stage, media = _stage(desk, scene), desk.films[scene][1]
        with reading(desk.dataset, stage.scene) as read:
            for target in (t for t in targets if t.scene == scene):
                span = frames_of(stage, Moment(target.first, target.last))
                shown = [f for f in stage.sights.frames if span[0] <= f <= span[1]]
                truth = truth_of(stage, target, read)
                prompt = describe_prompt(target, truth, media, shown, desk.writing.frames)
                yield request("describe", target.id, target.setting, prompt)


def _usable(desk: Desk, descriptions: Sequence[Description]) -> list[Description]:
    """Return the descriptions that fit, by truth or to people; count and list the others."""
    out = []
    for d in descriptions:
        outcome = FITS if d.outcome == "fits" else d.reason
        desk.sifted.fates.append(Fate("describe", d.setting, outcome, d.outcome != "rejected"))
        if d.outcome == "rejected":
            if d.reason != FAILED:
                desk.reject("describe", d.id, d.scene, d.words, d.writer, d.reason, d.detail)
            continue
        found = desk.decided(d.id, d.setting) if d.outcome == "people" else "keep"
        if found == "keep":
            out.append(d)
        elif found == "reject":
            asked = d.id in desk.decisions
            reason = f"rejected by people ({d.reason})" if asked else f"{NO_PEOPLE} ({d.reason})"
            desk.reject("describe", d.id, d.scene, d.words, d.writer, reason, d.detail)
    return out


def _wait_for_people(desk: Desk, descriptions: Sequence[Description]) -> None:
    """Put what people have not decided into their file. Raises WaitError where there is anything."""
    left = [d for d in descriptions if d.outcome == "people" and d.id not in desk.decisions]
    lines = []
    for scene in dict.fromkeys(d.scene for d in left if desk.writing.people == "yes"):
        stage = _stage(desk, scene)
        with reading(desk.dataset, stage.scene) as read:
            lines += [_line(d, stage, read) for d in left if d.scene == scene]
    desk.wait_for_people(lines)


def _line(d: Description, stage: Stage, read: Read) -> Line:
    span = frames_of(stage, Moment(d.first, d.last))
    frame, box = best_seen(stage, stage.tracks.index(d.thing), span, read)
    times = stage.tracks.times_s
    return Line(
        id=d.id, about="description", scene=d.scene, media=d.media, words=d.words, thing=d.thing,
        seconds=[round(float(times[f]), 2) for f in span],
        best_seen={"frame": frame, "seconds": round(float(times[frame]), 2), "box_px": list(box)},
        why=f"{d.reason} {d.detail}".strip(),
    )  # fmt: skip


def _drawn(desk: Desk, usable: Sequence[Description]) -> list[Fact]:
    """Return the facts that can be asked for with these descriptions, proved by both derivations."""
    stages = {scene: _stage(desk, scene) for scene in desk.films}
    drafts = []
    for scene, stage in stages.items():
        drafts += drafts_in(stage, [d for d in usable if d.scene == scene], desk.writing)
    picked = picked_of(drafts, [s.scene for s in stages.values()], desk.writing)
    facts = facts_of(picked, usable, desk.writing)
    out: list[Fact] = []
    for scene, stage in stages.items():
        own = [f for f in facts if f.question.scene == scene]
        verdicts = proved(desk.dataset, stage, [f.question for f in own])
        out += sifted(own, verdicts, desk.writing)
    return out
