"""Another model's help with scoring: the judge of captions, and the reader of last resort.

`fathom score` writes down what it wants to be asked, `fathom run` has a model answer it, and scoring goes on
with that run. Which run helped is kept beside the scores, so that a report made later has its help as well:

    RUN/scores/EXTRACTOR/responses.json     the folders of the runs that helped, as seen from RUN
    RUN/scores/EXTRACTOR/judgements.jsonl   what the judge said of each caption, one SampleScore an aspect

Help is never put together by guess: a run that answers other requests than those of this run is refused.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from fathom.extraction.model_reader import READING_VERSION as REPLY_VERSION
from fathom.extraction.model_reader import VERSION as READER_VERSION
from fathom.extraction.model_reader import read_reply, reader_requests
from fathom.extraction.shown_options import shown
from fathom.pages.published import NOT_AVAILABLE
from fathom.records import (
    Extractor,
    InputError,
    Manifest,
    Question,
    Request,
    Response,
    SampleScore,
    Score,
    Variant,
)
from fathom.scoring.judge import ASPECTS, WORST, judge_requests, scores_of_judge
from fathom.scoring.judge import BEST as BEST_SCORE
from fathom.scoring.judge_scores import agreement, judge_scores
from fathom.scoring.metrics.captions.captions import Captioned
from fathom.store.datasets import SCHEMA_VERSION
from fathom.store.requests import RequestFolder, write_requests
from fathom.store.runs import REQUESTS, RunFolder, open_run
from fathom.version import __version__

READER = "reader"


@dataclass(frozen=True)
class AuxiliaryAnswers:
    """The answers of one helping model, and what they were asked for."""

    run: RunFolder
    responses: tuple[Response, ...]

    @property
    def model(self) -> str:
        """Return which model helped."""
        return self.run.manifest.name

    @property
    def identity(self) -> str:
        """Return the identity of the requests that were answered, "" where the run does not say."""
        return self.run.manifest.inputs.get(REQUESTS, "")

    @property
    def judges(self) -> bool:
        """Return whether captions were judged, rather than answers read."""
        return any(r.purpose == "judge" and r.variant.name in ASPECTS for r in self.responses)


def open_auxiliary(path: Path) -> AuxiliaryAnswers:
    """Return the answers to requests. Raises InputError where the folder is no run, or has no answer."""
    run = open_run(path)
    found = tuple(run.responses())
    if not found:
        raise InputError(f"{path}: holds no answers yet; start `fathom run` again to carry it on")
    if any(r.purpose != "judge" for r in found):
        raise InputError(
            f"{path}: expected the run of a request folder, found one that answers the questions of a "
            "dataset; give the folder that `fathom run REQUESTS --out` made"
        )
    return AuxiliaryAnswers(run, found)


def identity_of(requests: Iterable[Request]) -> str:
    """Return the hash that a folder of these requests is known by."""
    encoder, h = msgspec.json.Encoder(), hashlib.sha256()
    for request in requests:
        h.update(encoder.encode(request) + b"\n")
    return h.hexdigest()


def check_answers(helping: AuxiliaryAnswers, requests: Iterable[Request], what: str) -> None:
    """Raise InputError where a run answered other requests than these."""
    if helping.identity and helping.identity != identity_of(requests):
        raise InputError(
            f"{helping.run.path}: answers other requests about {what} than those of this run now; write the "
            "requests again with `fathom score` and the same --seed and --extractor, and run the model on it"
        )


def write_reader_requests(
    folder: Path, requests: Iterable[Request], read: Manifest, extractor: str
) -> RequestFolder:
    """Write what a reader of last resort is asked, and return the folder.

    Raises InputError where the folder holds something else.
    """
    return write_requests(
        folder,
        requests,
        Manifest(
            kind="requests",
            tool="fathom",
            tool_version=__version__,
            schema_version=SCHEMA_VERSION,
            command="score",
            name=read.name,
            benchmark=read.benchmark,
            benchmark_version=read.benchmark_version,
            settings={"purpose": READER, "reader_version": READER_VERSION, "extractor": extractor},
            inputs=read.inputs,
        ),
    )


def reader_wants(
    questions: Sequence[Question], responses: Iterable[Response], extractor: Extractor
) -> list[Request]:
    """Return what a reader of last resort is asked: every answer in which the extractor reads nothing."""
    return list(reader_requests({q.id: q for q in questions}, responses, extractor))


def with_readings(
    questions: Sequence[Question],
    sample_scores: Sequence[SampleScore],
    helping: AuxiliaryAnswers,
    extractor: Extractor,
) -> list[SampleScore]:
    """Return the sample scores, with what a reader found in answers that the extractor could not read.

    All are under an extractor of another name, for such a score hangs on the reader. A reply that is not
    exactly what was asked for changes nothing.
    """
    asked = {q.id: q for q in questions}
    replies = {(r.question, r.variant): r for r in helping.responses if r.status == "ok"}
    name = f"+{READER}-{REPLY_VERSION}:{helping.model}"
    return [
        _reread(sample_score, asked[sample_score.question], replies, extractor, name)
        for sample_score in sample_scores
    ]


def _reread(
    sample_score: SampleScore,
    question: Question,
    replies: Mapping[tuple[str, Variant], Response],
    extractor: Extractor,
    name: str,
) -> SampleScore:
    changes: dict[str, object] = {"extractor": sample_score.extractor + name}
    reply = replies.get((sample_score.question, sample_score.variant))
    if (
        reply is not None
        and sample_score.status == "ok"
        and sample_score.picked is None
        and not question.references
    ):
        found = read_reply(shown(question, sample_score.variant), reply.text)
        changes |= {
            "picked": found.picked,
            "how": f"{sample_score.how}; {found.how}" if sample_score.how else found.how,
        }
        changes["value"] = extractor.value(question, found)
    return msgspec.structs.replace(sample_score, **changes)


@dataclass(frozen=True)
class JudgedCaptions:
    """What a judge made of a run's captions."""

    sample_scores: tuple[SampleScore, ...]
    scores: tuple[Score, ...]


def judge_run(
    captions: Sequence[Captioned],
    helping: AuxiliaryAnswers,
    model: str,
    seed: str,
    human: Mapping[str, Mapping[str, float]] | None = None,
) -> JudgedCaptions:
    """Return the judge's sample scores and scores, and how far it agrees with people where their scores are
    given.

    Raises InputError where the answers are to other requests than those about these captions.
    """
    check_answers(helping, judge_requests(captions, seed), "captions")
    sample_scores = scores_of_judge(captions, helping.responses, helping.model, seed)
    scores = judge_scores(sample_scores, model, helping.model, seed)
    return JudgedCaptions(tuple(sample_scores), (*scores, *_agreements(sample_scores, human or {}, seed)))


def _agreements(
    sample_scores: Sequence[SampleScore], human: Mapping[str, Mapping[str, float]], seed: str
) -> list[Score]:
    if not human:
        return []
    found = []
    for aspect in ASPECTS:
        people_said = {name: scores[aspect] for name, scores in human.items() if aspect in scores}
        both = [
            (sample_score.details["score"], people_said[sample_score.question])
            for sample_score in sample_scores
            if sample_score.variant.name == aspect
            and "score" in sample_score.details
            and sample_score.question in people_said
        ]
        if not both:
            raise InputError(
                f"--human-scores: has a score for {aspect} of none of the captions that the judge scored; "
                "its column `object` holds the ids of questions"
            )
        judged, people = zip(*both, strict=True)
        found += [
            msgspec.structs.replace(score, group={"aspect": aspect})
            for score in agreement(judged, people, f"{seed}/{aspect}")
        ]
    return found


def with_judgements(sample_scores: Sequence[SampleScore], judged: Sequence[SampleScore]) -> list[SampleScore]:
    """Return the sample scores of captions with the judge's scores among their details."""
    of: dict[tuple[str, int], dict[str, float]] = {}
    for sample_score in judged:
        if "score" in sample_score.details:
            place = sample_score.question, sample_score.variant.repeat
            of.setdefault(place, {})[f"judge/{sample_score.variant.name}"] = sample_score.details["score"]
    return [
        msgspec.structs.replace(m, details={**m.details, **of[m.question, m.variant.repeat]})
        if (m.question, m.variant.repeat) in of
        else m
        for m in sample_scores
    ]


def judge_not_available(why: str) -> list[Score]:
    """Return the judge's scores of a run that was not judged."""
    return [
        Score(name=f"judge_{name}", value=None, n=0, method=NOT_AVAILABLE, note=why)
        for name in (*ASPECTS, "mean")
    ]


def read_human_scores(path: Path) -> dict[str, dict[str, float]]:
    """Return people's scores of captions by object and aspect, 0 to 5, from CSV with a head.

    Its columns are `object`, `appearance` and `action`; an empty cell is no score. Raises InputError with
    file and line.
    """
    found: dict[str, dict[str, float]] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as f:
            rows = csv.DictReader(f)
            missing = {"object", *ASPECTS} - set(rows.fieldnames or ())
            if missing:
                raise InputError(
                    f"{path}: expected the columns object, {', '.join(ASPECTS)}, found no "
                    f"{', '.join(sorted(missing))}; add it to the first line"
                )
            for row in rows:
                where = f"{path}:{rows.line_num}"
                name = (row["object"] or "").strip()
                if name in found:
                    raise InputError(f"{where}: scores {name!r} a second time; leave one line of them")
                cells = {aspect: (row[aspect] or "").strip() for aspect in ASPECTS}
                found[name] = {aspect: _score(cell, where) for aspect, cell in cells.items() if cell}
    except (OSError, UnicodeDecodeError, csv.Error) as e:
        raise InputError(f"{path}: cannot be read as CSV in UTF-8 ({e}); check the file") from e
    return found


def _score(cell: str, where: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = float("nan")
    if not WORST <= value <= BEST_SCORE:
        raise InputError(
            f"{where}: expected a score from {WORST} to {BEST_SCORE}, found {cell!r}; correct it"
        )
    return value
