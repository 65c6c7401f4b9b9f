"""Captions of a run: its scores under both protocols, each object's own values, and people's beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from fathom.pages.names import JUDGED, METRICS, OF_PEOPLE, number_of
from fathom.pages.published import NOT_AVAILABLE, find_score
from fathom.pages.tables import Table
from fathom.records import Benchmark, InputError, Question, SampleScore, Score
from fathom.scoring.metrics.accuracy import CUT_OFF, OUTCOMES
from fathom.scoring.metrics.captions.captions import (
    VARIABLES,
    Captioned,
    CaptionTools,
    captions_of,
    human_captions,
)
from fathom.scoring.metrics.captions.protocols import PROTOCOLS
from fathom.scoring.metrics.captions.scoring import CaptionScores, score_captions

CAPTIONS: Mapping[str, str] = {"of": "captions"}
"""The group of how many captions were refused, failed, are missing or empty."""


@dataclass(frozen=True)
class ScoredCaptions:
    """The captions of a run with their scores; `sample_scores` hold all of the run."""

    captions: tuple[Captioned, ...]
    sample_scores: tuple[SampleScore, ...]
    scores: tuple[Score, ...]


def score_run_captions(
    questions: Sequence[Question],
    sample_scores: Sequence[SampleScore],
    tools: CaptionTools,
    seed: str | int,
    called: Mapping[str, str] | None = None,
) -> ScoredCaptions:
    """Return a run's captions, scored under both protocols, and people's under the plain one.

    `called` are the names that the benchmark has for protocols (`Benchmark.caption_protocols`).

    A metric whose tool is missing has a score that is not available, and says why. Nothing is computed where
    no caption was asked for.
    """
    asked = {q.id: q for q in questions if q.references}
    own = [m for m in sample_scores if m.question in asked]
    if not own:
        return ScoredCaptions((), tuple(sample_scores), ())
    captions, names = captions_of(list(asked.values()), own), {n: (called or {}).get(n, n) for n in PROTOCOLS}
    found = {
        own_name: _with_places(score_captions(captions, name, tools, seed, called=own_name), name)
        for name, own_name in names.items()
    }
    values = _values(found, len(captions))
    of_sample = {id(sample_score): value for sample_score, value in zip(own, values, strict=True)}
    named = [asked[name] for name in sorted({m.question for m in own})]
    return ScoredCaptions(
        captions=tuple(captions),
        sample_scores=tuple(
            msgspec.structs.replace(m, details={**m.details, **of_sample[id(m)]}) if id(m) in of_sample else m
            for m in sample_scores
        ),
        scores=(
            *(s for each in found.values() for s in each.scores),
            *_people(named, tools, seed, names["plain"]),
        ),
    )


_PLACES: Mapping[tuple[str, str], str] = {
    ("coco", "meteor"): "meteor_jar",
    ("plain", "meteor"): "wordnet",
    ("plain", "cider"): "document_frequencies",
    ("plain", "bert_score"): "bert",
    ("plain", "sbert"): "sbert",
}
"""Protocol and metric → the tool that it needs."""


def _with_places(found: CaptionScores, protocol: str) -> CaptionScores:
    """Return the scores, those that are not available with the variable that would name what they need."""
    scores = []
    for score in found.scores:
        tool = _PLACES.get((protocol, score.name))
        if score.value is None and tool:
            note = f"{score.note}; its path goes into {VARIABLES[tool]}"
            score = msgspec.structs.replace(score, note=note)
        scores.append(score)
    return replace(found, scores=tuple(scores))


def _values(found: Mapping[str, CaptionScores], n: int) -> list[dict[str, float]]:
    """Return what each caption got, by protocol and metric (`coco/bleu_4`)."""
    values: list[dict[str, float]] = [{} for _ in range(n)]
    for name, each in found.items():
        for held, of_caption in zip(values, each.by_caption, strict=True):
            held.update({f"{name}/{metric}": value for metric, value in of_caption.items()})
    return values


def _people(questions: Sequence[Question], tools: CaptionTools, seed: str | int, called: str) -> list[Score]:
    group = dict(OF_PEOPLE)
    try:
        captions = human_captions(questions, seed)
    except InputError as e:
        label = {"protocol": called, **group}
        return [
            Score(name=name, value=None, n=0, method=NOT_AVAILABLE, group=label, note=str(e))
            for name in PROTOCOLS["plain"]
        ]
    return list(score_captions(captions, "plain", tools, seed, group=group, called=called).scores)


def of_people(scores: Sequence[Score]) -> list[Score]:
    """Return the scores of people, under the groups that a model's have."""
    return [
        msgspec.structs.replace(s, group={k: v for k, v in s.group.items() if k != "of"})
        for s in scores
        if s.group.get("of") == OF_PEOPLE["of"]
    ]


def caption_table(benchmark: Benchmark, scores: Sequence[Score], model: str) -> Table | None:
    """Return each metric under each protocol with its interval, and the judge's; None without captions."""
    own = [s for s in scores if "protocol" in s.group and "of" not in s.group]
    if not own:
        return None
    columns = [name for name in PROTOCOLS if any(s.group["protocol"] == name for s in own)]
    order = list(METRICS)
    names = sorted({s.name for s in own}, key=lambda n: (order.index(n) if n in order else len(order), n))
    rows = [
        (
            f"{METRICS.get(name, name)} × 100",
            *(caption_cell(find_score(scores, name, {"protocol": c}), 100, 1) for c in columns),
        )
        for name in names
    ]
    judged = [(title, s) for name, title in JUDGED.items() if (s := find_score(scores, name))]
    rows += [(f"{title}, 0 to 5", caption_cell(s, 1, 2), *("",) * (len(columns) - 1)) for title, s in judged]
    return Table(
        title=f"{benchmark.title}: {model}, {number_of(max(s.n for s in own), 'caption')}",
        columns=("", *columns),
        rows=tuple(rows),
        notes=("[95 % interval], over objects", *_notes(scores, own)),
        groups=tuple(n for n in (len(names), len(judged)) if n),
    )


def caption_cell(score: Score | None, scale: float, digits: int) -> str:
    """Return a score with its interval, times `scale`."""
    if score is None:
        return "–"
    if score.value is None:
        return NOT_AVAILABLE
    if score.low is None or score.high is None:
        return f"{scale * score.value:.{digits}f}"
    between = f"{scale * score.low:.{digits}f}, {scale * score.high:.{digits}f}"
    return f"{scale * score.value:.{digits}f} [{between}]"


def _notes(scores: Sequence[Score], own: Sequence[Score]) -> list[str]:
    """Return why something is not available, the judge's bounds and families, and how many never came."""
    notes = [
        f"{METRICS.get(s.name, s.name)} ({s.group['protocol']}): {NOT_AVAILABLE}: {s.note}"
        for s in own
        if s.value is None
    ]
    notes += [f"{METRICS.get(s.name, s.name)}: {s.note}" for s in own if s.value is not None and s.note]
    for name, title in JUDGED.items():
        score, bounds = find_score(scores, name), find_score(scores, f"{name}_bounds")
        if score is not None and score.method == NOT_AVAILABLE and name == "judge_mean":
            notes.append(f"Judge: {NOT_AVAILABLE}: {score.note}")
        if score is None or bounds is None or bounds.low is None or bounds.high is None:
            continue
        said = [score.method if name == "judge_mean" else "", score.note]
        if bounds.low < bounds.high:
            said.append(f"{bounds.method}: {bounds.low:.2f} to {bounds.high:.2f}")
        notes += [f"{title}: {words}" for words in said if words]
    for score in scores:
        if score.name.startswith("judge_agreement_") and score.value is not None:
            how = score.name.removeprefix("judge_agreement_").replace("_", " ")
            between = "" if score.low is None else f" [{score.low:.2f}, {score.high:.2f}]"
            notes.append(
                f"agreement with people on {score.group['aspect']}, {how}: {score.value:.2f}{between}"
            )
    lost = [
        f"{round(s.value * s.n)} {name}"
        for name in OUTCOMES
        if (s := find_score(scores, name, CAPTIONS)) is not None and s.value
    ]
    if lost:
        notes.append(f"captions that are not there count as empty, worth 0: {', '.join(lost)}")
    cut_off = find_score(scores, CUT_OFF, CAPTIONS)
    if cut_off is not None and cut_off.value:
        notes.append(f"{number_of(round(cut_off.value * cut_off.n), 'caption')} cut off at the most tokens")
    return notes
