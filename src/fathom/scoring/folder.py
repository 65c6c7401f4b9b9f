"""A run folder, marked and scored, with the help of other models where their answers are at hand.

    RUN/scores/EXTRACTOR/samples.jsonl    one records.SampleScore for each pass; captions with their values
    RUN/scores/EXTRACTOR/scores.jsonl   every records.Score

Where a reader of last resort helped, the scores are other scores, and lie in RUN/scores/EXTRACTOR+reader.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from fathom.named import named_attribute
from fathom.pages.names import number_of
from fathom.pages.scope import WHOLE_SCOPE, Scope
from fathom.records import Benchmark, Extractor, InputError, Question, Request, Response, SampleScore, Score
from fathom.scoring.auxiliary_models import (
    AuxiliaryAnswers,
    JudgedCaptions,
    check_answers,
    judge_not_available,
    judge_run,
    open_auxiliary,
    read_human_scores,
    reader_wants,
    with_judgements,
    with_readings,
    write_reader_requests,
)
from fathom.scoring.caption_scores import score_run_captions
from fathom.scoring.early_stopping import stopped_of
from fathom.scoring.expected_answers import passes_due, questions_due, scope_of, without_needless
from fathom.scoring.groups import Stopped
from fathom.scoring.judge import write_judge_requests
from fathom.scoring.likelihood import ranking_of
from fathom.scoring.metrics.captions.captions import Captioned, tools_from
from fathom.scoring.own_code import checked_extractor, metrics_named
from fathom.scoring.sample_scores import score_responses
from fathom.scoring.scores import aggregate_scores, as_known
from fathom.store.datasets import Dataset
from fathom.store.files import read_json, sweep, write_json, write_jsonl
from fathom.store.runs import RunFolder
from fathom.store.seeds import rng

SCORES, SAMPLES_FILE, SCORES_FILE = "scores", "samples.jsonl", "scores.jsonl"
HELPERS, JUDGEMENTS = "responses.json", "judgements.jsonl"
WITH_READER = "+reader"


class _Helpers(msgspec.Struct, forbid_unknown_fields=True):
    responses: list[str]


@dataclass(frozen=True)
class ScorePlan:
    """How a run is to be scored.

    `extractor` names one of the benchmark's, or is "module:attribute" of another one; `metrics` are
    "module:attribute" of functions as `Benchmark.metrics` is one, whose scores are added to those that there
    are. `responses` are runs of request folders; None takes those that helped before. `judge_requests` and
    `reader_requests` are folders to write. `human_scores` are people's scores of the captions. `environ` is
    where the files of metrics are looked up.
    """

    extractor: str = ""
    metrics: tuple[str, ...] = ()
    seed: str = "0"
    responses: Sequence[Path] | None = None
    judge_requests: Path | None = None
    reader_requests: Path | None = None
    human_scores: Path | None = None
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class ScoredRun:
    """A run that was marked and scored.

    `scope` is what its numbers stand on, and `said` what there is to know about it beside the scores; `own`
    are those of the scores that come from metrics named with --metric.
    """

    folder: RunFolder
    dataset: Dataset
    benchmark: Benchmark
    extractor: str
    official: bool
    stopped: Stopped | None
    questions: tuple[Question, ...]
    responses: Mapping[str, Response]
    sample_scores: tuple[SampleScore, ...]
    scores: tuple[Score, ...]
    written: Path
    scope: Scope = WHOLE_SCOPE
    said: tuple[str, ...] = ()
    own: tuple[Score, ...] = ()

    @property
    def name(self) -> str:
        """Return the model that was run."""
        return self.folder.manifest.name

    @property
    def model(self) -> str:
        """Return what the model is called wherever its numbers stand: with what they are not."""
        return self.scope.named(self.name)


def score_folder(folder: RunFolder, dataset: Dataset, benchmark: Benchmark, plan: ScorePlan) -> ScoredRun:
    """Return a run, marked and scored; sample scores and scores are written beside it.

    Raises InputError where the run holds no answers, and where what is to help belongs to another run.
    """
    extractor, questions = _extractor_of(folder, benchmark, plan), list(dataset.questions())
    name, benchmark = extractor.name, beside(benchmark, questions)
    metrics = metrics_named(plan.metrics)
    run = _read(folder, dataset, benchmark, extractor)
    written = folder.path / SCORES / name
    helpers, said = _helpers(folder, written, plan)
    judge = _only([h for h in helpers if h.judges], "judge captions")
    reader = _only([h for h in helpers if not h.judges], "read answers")
    wants = _wants(run, extractor, plan, reader, said)
    if reader is not None:
        check_answers(reader, wants, "answers")
        read = with_readings(run.questions, run.sample_scores, reader, extractor)
        run = replace(run, sample_scores=tuple(read))
        written = folder.path / SCORES / f"{name}{WITH_READER}"
        said.append(f"what {name} could not read was read by {reader.model}: these are scores of their own")
    seed = int(rng(plan.seed, "score").integers(2**31))
    scores = aggregate_scores(benchmark, questions, run.sample_scores, seed, run.stopped)
    own = as_known([s for m in metrics for s in m(questions, run.sample_scores, seed)], run.stopped)
    tools = tools_from(plan.environ)
    captioned = score_run_captions(run.questions, run.sample_scores, tools, seed, benchmark.caption_protocols)
    sample_scores, judged = list(captioned.sample_scores), _judged(captioned.captions, judge, folder, plan)
    if plan.judge_requests is not None:
        said.append(_asked_to_judge(plan.judge_requests, captioned.captions, folder, plan.seed))
    sample_scores = with_judgements(sample_scores, judged.sample_scores)
    own = run.scope.marked(own)
    scores = run.scope.marked([*scores, *captioned.scores, *judged.scores]) + own
    sweep(written, SAMPLES_FILE, SCORES_FILE)
    write_jsonl(written / SAMPLES_FILE, sample_scores)
    write_jsonl(written / SCORES_FILE, scores)
    _keep_help(folder, written, helpers, judged)
    return replace(
        run,
        extractor=written.name,
        sample_scores=tuple(sample_scores),
        scores=tuple(scores),
        written=written,
        said=tuple(said),
        own=tuple(own),
    )


def _wants(
    run: ScoredRun, extractor: Extractor, plan: ScorePlan, reader: AuxiliaryAnswers | None, said: list[str]
) -> list[Request]:
    """Return what a reader is to be asked, nothing where none is wanted; add to `said` what is next."""
    needs = extractor.reader == "question"
    if not (needs or reader or plan.reader_requests):
        return []
    folder = run.folder
    wants = reader_wants(run.questions, folder.responses(), extractor)
    if plan.reader_requests is not None:
        said.append(_asked_to_read(plan.reader_requests, wants, folder, extractor, plan.extractor))
    elif needs and wants and reader is None:
        said.append(_waits(wants, folder, extractor.name))
    return wants


def _extractor_of(folder: RunFolder, benchmark: Benchmark, plan: ScorePlan) -> Extractor:
    """Return the extractor that is asked for; else that of the run's protocol, if one has its name."""
    protocol = str(folder.manifest.settings.get("protocol", ""))
    own = protocol if protocol in benchmark.extractors else ""
    return extractor_named(benchmark, plan.extractor or own)


def extractor_named(benchmark: Benchmark, name: str) -> Extractor:
    """Return an extractor by its name, by default the benchmark's own, or by "module:attribute".

    Raises InputError where there is none, or one from outside has the name of one of the benchmark's.
    """
    if not name:
        return benchmark.extractors[benchmark.default_extractor]
    if name in benchmark.extractors:
        return benchmark.extractors[name]
    known = ", ".join(benchmark.extractors)
    if ":" not in name:
        raise InputError(f"--extractor {name}: there is {known}, or give module:attribute")
    found = named_attribute(name, "--extractor")
    if not isinstance(found, Extractor):
        raise InputError(
            f"--extractor {name}: expected a fathom.records.Extractor, found a {type(found).__name__}"
        )
    if found.name in benchmark.extractors:
        raise InputError(
            f"--extractor {name}: is called {found.name!r}, as one of {known}; give it another name"
        )
    return checked_extractor(name, found)


def beside(benchmark: Benchmark, questions: Sequence[Question]) -> Benchmark:
    """Return the benchmark with those of its published tables that are about such questions."""
    return replace(benchmark, tables=tuple(t for t in benchmark.tables if all(map(t.about, questions))))


def _read(folder: RunFolder, dataset: Dataset, benchmark: Benchmark, extractor: Extractor) -> ScoredRun:
    """Return a run with its sample scores, and no scores yet."""
    settings = folder.manifest.settings
    stopped = stopped_of(settings)
    # Where a question was put in several ways, the first of them is the one that is shown.
    ordered = sorted(
        folder.responses(), key=lambda r: (r.variant.repeat, r.variant.option_order), reverse=True
    )
    responses = {r.question: r for r in ordered}
    if not responses:
        raise InputError(f"{folder.path}: holds no answers yet; start `fathom run` again to carry it on")
    questions, of = questions_due(folder, dataset, frozenset(responses))
    passes, made = passes_due(folder, benchmark), dataset.manifest
    sample_scores = score_responses(questions, folder.responses(), extractor, ranking_of(settings), passes)
    asked = len(questions)
    if stopped is not None:
        sample_scores = without_needless(questions, sample_scores, stopped, folder.manifest.complete)
        put = {sample_score.question for sample_score in sample_scores}
        questions = [q for q in questions if q.id in put]
    return ScoredRun(
        folder=folder,
        dataset=dataset,
        benchmark=benchmark,
        extractor=extractor.name,
        official=made.command == "import" and made.settings.get("official") is True,
        stopped=stopped,
        questions=tuple(questions),
        responses=responses,
        sample_scores=tuple(sample_scores),
        scores=(),
        written=folder.path,
        scope=scope_of(sample_scores, asked, of, folder.manifest.name),
    )


def _asked_to_judge(out: Path, captions: Sequence[Captioned], folder: RunFolder, seed: str) -> str:
    """Write the requests for a judge, and return what to do next."""
    if not captions:
        raise InputError(f"--judge-requests: {folder.path} holds no captions to be judged")
    asked = write_judge_requests(out, captions, folder.manifest, seed)
    return _next(asked.path, asked.manifest.counts["requests"], folder)


def _asked_to_read(
    out: Path, wants: Sequence[Request], folder: RunFolder, extractor: Extractor, asked_for: str
) -> str:
    """Write what a reader is asked, and return what is next. Raises InputError where it is nothing."""
    if not wants:
        raise InputError(
            f"--reader-requests: {extractor.name} reads every answer in {folder.path}; no reader is needed"
        )
    requests = write_reader_requests(out, wants, folder.manifest, extractor.name)
    return _next(requests.path, len(wants), folder) + (f" --extractor {asked_for}" if asked_for else "")


def _judged(
    captions: Sequence[Captioned], judge: AuxiliaryAnswers | None, folder: RunFolder, plan: ScorePlan
) -> JudgedCaptions:
    if judge is None:
        if plan.human_scores is not None:
            raise InputError(
                "--human-scores: there is no judge to compare with people; give its run with --responses"
            )
        why = (
            "no judge was asked; `fathom score RUN --judge-requests DIR` writes what it is to be asked, "
            "`fathom run DIR` has a model answer it, and `--responses` takes its run"
        )
        return JudgedCaptions((), tuple(judge_not_available(why)) if captions else ())
    if not captions:
        raise InputError(f"{judge.run.path}: judges captions, and {folder.path} holds none; leave it out")
    human = read_human_scores(plan.human_scores) if plan.human_scores else None
    return judge_run(captions, judge, folder.manifest.name, plan.seed, human)


def _helpers(folder: RunFolder, written: Path, plan: ScorePlan) -> tuple[list[AuxiliaryAnswers], list[str]]:
    """Return the runs that help, given or remembered, and what is to be said about them."""
    if plan.responses is not None:
        return [open_auxiliary(path) for path in plan.responses], []
    if not (written / HELPERS).is_file():
        return [], []
    helpers, said = [], []
    for place in read_json(written / HELPERS, _Helpers).responses:
        path = Path(os.path.normpath(folder.path / place))
        try:
            helpers.append(open_auxiliary(path))
        except InputError as e:
            said.append(f"scored before with the help of {path}, and now without it ({e})")
            continue
        said.append(f"with the help of {helpers[-1].model} ({path}), as before")
    return helpers, said


def _only(helpers: Sequence[AuxiliaryAnswers], what: str) -> AuxiliaryAnswers | None:
    if len(helpers) > 1:
        raise InputError(
            f"--responses: expected one run to {what}, found {len(helpers)} "
            f"({', '.join(str(h.run.path) for h in helpers)}); give one of them"
        )
    return helpers[0] if helpers else None


def _keep_help(
    folder: RunFolder, written: Path, helpers: Sequence[AuxiliaryAnswers], judged: JudgedCaptions
) -> None:
    """Write down who helped, for scores without a reader and with one, and what the judge said."""
    judges = [h for h in helpers if h.judges]
    if judged.sample_scores:
        write_jsonl(written / JUDGEMENTS, judged.sample_scores)
        places = [os.path.relpath(h.run.path.resolve(), folder.path.resolve()) for h in judges]
        write_json(written / HELPERS, _Helpers([Path(p).as_posix() for p in places]))
    else:
        for name in (JUDGEMENTS, HELPERS):
            (written / name).unlink(missing_ok=True)


def _waits(wants: Sequence[Request], folder: RunFolder, extractor: str) -> str:
    """Return that an extractor is not whole without a reader, and how to ask one."""
    return (
        f"{extractor} is whole only with a reader: {number_of(len(wants), 'answer')} that its rules cannot "
        f"read count as wrong; next: fathom score {folder.path} --extractor {extractor} --reader-requests DIR"
    )


def _next(requests: Path, number: int, folder: RunFolder) -> str:
    answered = f"{requests}-answered"
    return (
        f"{requests}: {number_of(number, 'request')}; next: "
        f"fathom run {requests} --model MODEL --out {answered}, "
        f"then fathom score {folder.path} --responses {answered}"
    )
