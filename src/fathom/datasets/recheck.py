"""A dataset proved again: its files, every answer in both derivations, and the blind stress test."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fathom.datasets.generator import NO_MODELS, Again, AnswerPair
from fathom.datasets.proofs import DISAGREE, VERDICTS, verdict_of
from fathom.datasets.registry import maker_of
from fathom.datasets.texts import Texts, texts_read
from fathom.pages.tables import Table, as_text, per_cent
from fathom.records import DataError, Media, Question, Verdict
from fathom.stats.blind import stress_test
from fathom.stats.blind_verdicts import BlindResult, FoldResult, seen_words
from fathom.stats.pruning import VERSION, prune, wanted
from fathom.store.datasets import MEDIA, SCENES, TRUTH_FOLDER, UPGRADED, Dataset, has_film, identity
from fathom.store.files import read_jsonl, sha256_file, write_jsonl

NO_SCENE = "no scene to derive from"
NO_PROGRAM = "no program to derive by"
"""Of questions about a scene that were written by models or people."""
FIRST, SECOND = "from the scene", "from the pixels"
CAPTIONS = "captions, checked a second time"
REJECTED = "verdicts.jsonl"
PRUNER = f"fathom check --prune, version {VERSION}"
"""Who rejects: what it said before is replaced, what others said stays."""

Progress = Callable[[str, int, int, str], None]


@dataclass
class Derived:
    """What came of deriving every answer again: (task, derivation, verdict) → how many, and what is wrong."""

    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    captions: int = 0
    texts: Texts = field(default_factory=Texts)
    told: Counter[str] = field(default_factory=Counter)

    def tell(self, text: str, why: list[str] | None) -> None:
        """Count a caption that was checked, and what is wrong with it; None: nothing says what it claims."""
        self.told[verdict_of("", None if why is None else "; ".join(why))] += 1
        if why:
            self.wrong.append(f"the caption {text!r}: {'; '.join(why)}")

    def add(self, q: Question, which: str, answer: str | None, without: str = "") -> None:
        """Count an answer that was derived, None: cannot be decided; or `without` what there was none."""
        verdict = verdict_of(q.answer, answer)
        self.counts[q.task, which, without or verdict] += 1
        if not without and verdict == DISAGREE:
            self.wrong.append(f"{q.id}: the answer is {q.answer!r}, and {answer!r} {which}")


def recheck(
    dataset: Dataset,
    blind: bool,
    progress: Progress,
    prune_by: str = "",
    assets: Path | None = None,
    text_reader: str = "",
    generators: Iterable[str] = (),
) -> tuple[str, bool]:
    """Return in words what was found, and whether all of it is well.

    `prune_by` says how many of the most guessable questions are to be rejected (50, 10%): their verdicts are
    written. `assets` are the models of films that were not made of the built-in ones; `text_reader` names the
    independent reader of the benchmark's sentences, and `generators` what makes its scenes. Raises DataError
    for a file that was changed or does not validate, InputError for other models than those.
    """
    dataset.verify()
    questions = list(dataset.questions())
    _check_identity(dataset, questions)
    _check_media(dataset, progress)
    found = _derived(
        dataset, questions, _Derivations(dataset, assets, tuple(generators)), text_reader, progress
    )
    title = f"{dataset.path}: {len(questions)} questions, every file as it was made"
    tables = (_derived_table(title, questions, found), *found.texts.tables())
    text = "\n".join(as_text(t) for t in tables)
    passed = not found.wrong and not found.texts.faults
    if prune_by:
        return f"{text}\n{_pruned(dataset, questions, prune_by, progress)}", passed
    if blind:
        result = stress_test(questions)
        passed = passed and result.passed
        text += "\n" + _blind_text(result)
    return text, passed


def _derived_table(title: str, questions: list[Question], found: Derived) -> Table:
    tasks, counts = sorted({task for task, *_ in found.counts}), found.counts
    verdicts = {verdict for _, _, verdict in counts}
    notes = tuple(found.wrong[:20])
    if NO_PROGRAM in verdicts:
        notes = (
            *notes,
            "questions without a program were written; nothing here tells whether they are right",
        )
    if not found.told and not any(q.program for q in questions):
        without = (NO_SCENE, *([NO_PROGRAM] if NO_PROGRAM in verdicts else []))
        plain = tuple((task, *(str(counts[task, FIRST, c]) for c in without)) for task in tasks)
        return Table(title, ("task", *without), plain, notes)
    columns: tuple[str, ...] = (*VERDICTS, NO_SCENE)
    columns = (*columns, *(c for c in (NO_PROGRAM, NO_MODELS) if c in verdicts))
    if found.captions:
        notes = (*notes, f"of {found.captions:,} objects captions are asked, which no program answers")
    if NO_MODELS in verdicts:
        notes = (*notes, "the second derivation of films needs their models: name their folder with --assets")
    told = ((CAPTIONS, *(str(found.told[c]) for c in columns)),) if found.told else ()
    rows: tuple[tuple[str, ...], ...] = tuple(
        (f"{task}, {which}", *(str(counts[task, which, c]) for c in columns))
        for task in tasks
        for which in (FIRST, SECOND)
    )
    return Table(
        title=title,
        columns=("task and derivation", *columns),
        rows=rows + told,
        notes=notes,
    )


def _blind_text(result: BlindResult) -> str:
    notes = [seen_words(result)] if seen_words(result) else []
    if result.n and result.untested:
        notes.append(f"{result.untested:,} questions without options or possible answers were left out")
    return as_text(
        Table(
            title="Blind stress test",
            columns=("held out", "guessed, %", "chance, %", ""),
            rows=tuple(_blind_row(f) for f in (*result.folds, *result.tasks)),
            notes=tuple(notes),
        )
    )


def _blind_row(found: FoldResult) -> tuple[str, ...]:
    verdict = found.verdict.replace("above", "ABOVE")
    return (found.folds, per_cent(found.accuracy, 2), per_cent(found.chance, 2), verdict)


def _pruned(dataset: Dataset, questions: list[Question], text: str, progress: Progress) -> str:
    """Return what pruning did; the rejects stand in verdicts.jsonl, beside what others said before."""
    number = wanted(text, len(questions))
    found = prune(questions, number, progress=lambda done, total: progress("pruning", done, total, ""))
    path = dataset.path / REJECTED
    kept = [v for v in read_jsonl(path, Verdict) if v.reviewer != PRUNER] if path.exists() else []
    verdicts = [
        Verdict(
            question=p.question,
            reviewer=PRUNER,
            decision="reject",
            reason=f"guessed blind: bias score {p.bias:+.3f} in round {p.round} of {found.rounds} (iterative "
            "pruning with a random forest on what is not visual, held out at random and by scene)",
        )
        for p in found.pruned
    ]
    write_jsonl(path, [*kept, *verdicts])
    after = {f.folds: f for f in found.after.folds}
    rows = tuple(
        (*_blind_row(f), per_cent(after[f.folds].accuracy, 2), per_cent(after[f.folds].chance, 2),
         after[f.folds].verdict.replace("above", "ABOVE"))
        for f in found.before.folds
        if f.folds in after
    )  # fmt: skip
    short = len(found.pruned) < number
    return as_text(
        Table(
            title=f"Blind stress test, before and after {len(found.pruned):,} of {len(questions):,} "
            f"questions are rejected in {found.rounds} rounds",
            columns=("held out", "guessed, %", "chance, %", "", "then, %", "chance, %", ""),
            rows=rows,
            notes=(
                *(("no other question is guessed better than by chance",) if short else ()),
                "questions that are left were chosen by the same forest: a new one will guess some of them",
                f"verdicts: {path}",
            ),
        )
    )


def _check_media(dataset: Dataset, progress: Progress) -> None:
    """Raise DataError where a medium is missing or was changed; files are read piece by piece."""
    listed = list(read_jsonl(dataset.path / MEDIA, Media))
    for done, media in enumerate(listed, 1):
        for number in media.stills:
            dataset.still_bytes(media.id, number)
        path = dataset.media_path(media)
        if has_film(media) and (not path.is_file() or sha256_file(path) != media.sha256):
            dataset.media_bytes(media.id)  # says which of the two it is
        progress("media", done, len(listed), "")


def _check_identity(dataset: Dataset, questions: list[Question]) -> None:
    """Raise DataError where a built dataset is no longer the one that its manifest names."""
    manifest = dataset.manifest
    if manifest.command != "build":
        return
    truth = {name: h for name, h in manifest.files.items() if name.startswith(f"{TRUTH_FOLDER}/")}
    found = identity(manifest.files.get(SCENES, ""), questions, truth)
    if found != manifest.inputs.get(UPGRADED, manifest.identity):
        raise DataError(
            f"{dataset.path}: its scenes, truth and questions are not those of the dataset that the manifest "
            f"names ({manifest.identity[:12]}… expected, {found[:12]}… found); restore or rebuild the folder"
        )


@dataclass
class _Derivations:
    """What derives answers and captions again, found and opened when the first scene asks for it."""

    dataset: Dataset
    assets: Path | None
    generators: tuple[str, ...]
    opened: dict[str, Again] = field(default_factory=dict)

    def answers(self, scene: str, asked: Sequence[Question]) -> Iterable[AnswerPair]:
        """Return what both derivations of some questions on a scene come to."""
        found = self.dataset.scene(scene)
        name = found.generator
        if name not in self.opened:
            maker = maker_of(name, self.generators)
            self.opened[name] = maker.derivation(self.dataset, self.assets)
        return self.opened[name](found, asked)

    def captions(self, asked: Sequence[Question]) -> Iterable[tuple[str, list[str] | None]]:
        """Yield each caption, and what the second check finds wrong with it."""
        by_maker: dict[str, list[Question]] = defaultdict(list)
        for q in asked:
            by_maker[self.dataset.scene(q.scene).generator].append(q)
        for name, some in by_maker.items():
            yield from maker_of(name, self.generators).captions(self.dataset, some)


def _derived(
    dataset: Dataset,
    questions: list[Question],
    derivations: _Derivations,
    text_reader: str,
    progress: Progress,
) -> Derived:
    found = Derived()
    by_scene: dict[str, list[Question]] = defaultdict(list)
    for q in questions:
        by_scene[q.scene if q.program else ""].append(q)
    captions: list[Question] = []
    for q in by_scene.pop("", []):
        built = q.scene and dataset.manifest.command == "build"
        if built and q.references:
            found.captions += 1
            captions.append(q)
            continue
        for which in (FIRST, SECOND):
            found.add(q, which, None, NO_PROGRAM if built else NO_SCENE)
    for done, (name, asked) in enumerate(by_scene.items(), 1):
        for q, answers in zip(asked, derivations.answers(name, asked), strict=True):
            found.add(q, FIRST, answers.first)
            found.add(q, SECOND, answers.second, answers.without)
        found.texts.add(asked, texts_read(text_reader, dataset.scene(name), asked))
        progress("checking", done, len(by_scene), f"{len(found.wrong)} wrong" if found.wrong else "")
    for text, why in derivations.captions(captions):
        found.tell(text, why)
    return found
