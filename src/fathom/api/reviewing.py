"""People check, answer, describe, label and compare: a review of a dataset, a run, or photographs."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.api.names import Progress, benchmark_named, benchmark_of, silent
from fathom.api.paths import takes_paths
from fathom.records import InputError, MediaPart, Question, missing_extra

if TYPE_CHECKING:
    from fathom.review.records import ReviewClip
    from fathom.review.results import Results, Rule
    from fathom.review.site.media import FilmOf, PictureOf
    from fathom.review.source import Answered, PutQuestion, ReviewSource
    from fathom.review.store import ReviewStore
    from fathom.review.task import ReviewTask
    from fathom.store.datasets import Dataset

DATABASE = "review.sqlite"
MANAGER = "manager"
PHOTOS = (".jpg", ".jpeg", ".png", ".webp", ".gif")


@dataclass(frozen=True)
class ReviewPlan:
    """What is reviewed, how, and by whom.

    source : a dataset, a run, or a folder of photographs
    task : one of `fathom.review.tasks.TASKS`, or module:attribute
    work : the folder that keeps the review
    people : names; everybody gets a link of their own
    overlap : how many people judge each item; 1.2: one in five is judged by two
    sample : so many items are drawn; 0: all
    adjudicate : whether one more person is asked where those who judged an item disagree
    tasks : only questions of these tasks
    protocol, settings : how questions are put, where people answer them
    benchmark : of photographs: whose kinds of questions are written
    """

    source: Path
    task: str
    work: Path
    people: tuple[str, ...] = ()
    overlap: float = 1.0
    sample: int = 0
    adjudicate: bool = False
    tasks: tuple[str, ...] = ()
    protocol: str = "default"
    settings: Mapping[str, str] | None = None
    benchmark: str = ""
    seed: str = "0"


def is_review(path: Path) -> bool:
    """Return whether a folder keeps a review."""
    return (path / DATABASE).is_file()


@dataclass
class Review:
    """A review that is kept in a folder: its people, how far it is, what they said, and its pages."""

    work: Path
    task: ReviewTask
    store: ReviewStore
    plan: ReviewPlan

    def add(self, name: str) -> str:
        """Take somebody in; return the token of their link. Raises InputError where the name is taken."""
        return _added(self.store, name, "person")

    def renew(self, name: str) -> str:
        """Return a new token for somebody; the one before opens nothing any more."""
        if name not in [p.name for p in self.store.people()]:
            raise InputError(f"{name!r}: takes no part in {self.work}; add them first")
        token = secrets.token_urlsafe(24)
        self.store.renew_token(name, token)
        return token

    def results(self) -> Results:
        """Return everything that was said."""
        from fathom.review.results import Results

        items = {item.name: item for item in self.store.items()}
        return Results([s.name for s in self.task.stages], self.task.label, items, list(self.store.entries()))

    def status(self) -> str:
        """Return how far it is, and how far people agree, in lines."""
        from fathom.review.progress import progress_of, progress_text

        return "\n".join(progress_text(progress_of(self.store, self.task, self.results())))

    @takes_paths
    def export(self, out: Path, progress: Progress = silent) -> list[Path]:
        """Write what people said as files that other verbs take, and every entry; return the files.

        Of answers, a run for each person and one of all is written as well.
        """
        from fathom.review.records import ReviewEntry
        from fathom.review.writing import lines_file

        results = self.results()
        entries: list[ReviewEntry] = list(self.store.entries())
        if not any(not e.undone for e in entries):
            raise InputError(f"{self.work}: nobody has said anything yet; there is nothing to export")
        out.mkdir(parents=True, exist_ok=True)
        files = [lines_file(out / "entries.jsonl", entries), *self.task.write(results, out)]
        if self.task.name == "answer":
            files += _runs(self.plan.source, results, out, progress)
        return files

    @takes_paths
    def backup(self, path: Path) -> Path:
        """Write a whole copy of the review's database while it is in use; return its path."""
        self.store.backup(path)
        return path

    @takes_paths
    def apply(self, out: Path, rule: Rule = "majority", edits: bool = False) -> str:
        """Make the next version of the dataset, without what people rejected; return what went and why.

        An item about which people do not agree by the rule stays, and is named. With `edits`, questions are
        taken over as people worded them where nobody else worded them otherwise; no program proves them then.
        """
        from fathom.pages.names import number_of
        from fathom.records import Verdict
        from fathom.review.results import consensus
        from fathom.review.tasks.verify import KEEP, edited, proposals, verdicts
        from fathom.store.amending import amended
        from fathom.store.datasets import open_dataset
        from fathom.store.files import read_jsonl, sha256_file

        if self.task.name != "verify":
            raise InputError(
                f"{self.work}: only verdicts on questions make another dataset; this is {self.task.name}"
            )
        results, dataset = self.results(), open_dataset(self.plan.source)
        decided = {
            results.items[name].about[0]: consensus(said.values(), rule)
            for name, said in results.labels.items()
        }
        gone = {name: label for name, label in decided.items() if label and label != KEEP}
        proposed: dict[str, list[Mapping[str, object]]] = {}
        for edit in proposals(results) if edits else ():
            proposed.setdefault(str(edit["question"]), []).append(edit)
        questions, changed = [], 0
        for question in dataset.questions():
            new = proposed.get(question.id, [])
            if len(new) == 1 and (worded := edited(question, new[0])) != question:
                questions.append(worded)
                changed += 1
            elif question.id not in gone:
                questions.append(question)
        if not questions:
            raise InputError(f"{self.work}: every question was rejected; nothing would be left")
        path = dataset.path / "verdicts.jsonl"
        before = list(read_jsonl(path, Verdict)) if path.is_file() else []
        said = verdicts(results)
        note = f"people reviewed {number_of(len(decided), 'question')}; {len(gone)} went by the rule {rule}"
        inputs = {"review": sha256_file(self.work / DATABASE)}
        amended(dataset, out, questions, note, inputs, {"verdicts.jsonl": [*before, *said]})
        open_ones = [name for name, label in decided.items() if not label]
        words = [
            f"{out}: {number_of(len(questions), 'question')}; {len(gone)} went, {changed} changed",
            *(f"  {name}: {label}" for name, label in sorted(gone.items())),
        ]
        if open_ones:
            words.append(f"not agreed on, and kept: {', '.join(sorted(open_ones))}")
        return "\n".join(words)

    def serve(
        self,
        host: str = "127.0.0.1",
        port: int = 8600,
        hosts: Sequence[str] = (),
        ready: Callable[[str], None] = lambda address: None,
        wait_s: float = 1.0,
    ) -> None:
        """Serve the pages until the process is interrupted; `ready` is told the address.

        `hosts` are further names under which the pages are reached. Raises MissingExtraError without the
        extra `review`, and InputError where the address is taken.
        """
        try:
            from fathom.review.server import LOOPBACK, bound, serve
            from fathom.review.site.app import Site
        except ImportError as e:
            raise missing_extra(e.name or "starlette", "review", "fathom review") from e
        from fathom.review.site.media import ItemMedia

        listening = bound(host, port)
        port = listening.getsockname()[1]
        source = _source(self.plan)
        picture, film = _media_of(self.plan)
        names = {"localhost", "127.0.0.1", "::1", host.lower(), *(h.lower() for h in hosts)}
        if host in ("0.0.0.0", "::"):
            import socket

            names |= {socket.gethostname().lower()}
        site = Site(
            self.task, self.store, ItemMedia(picture, film), source.title, tuple(sorted(names)), wait_s
        )
        shown = next(iter(hosts), "localhost" if host in (LOOPBACK, "::1") else host)
        serve(site, listening, lambda: ready(f"http://{shown}:{port}"))


def _added(store: ReviewStore, name: str, role: str) -> str:
    token = secrets.token_urlsafe(24)
    store.add_person(name, role, token)
    return token


def begin_review(plan: ReviewPlan) -> tuple[Review, dict[str, str]]:
    """Begin a review; return it, and the token of each person's link by name, the manager's among them.

    Tokens are not kept anywhere: only their hashes are. Raises InputError where the folder has a review, or
    there is nothing to review.
    """
    from fathom.review.store import ReviewStore
    from fathom.review.tasks import task_named
    from fathom.store.seeds import rng, short_hash

    task = task_named(plan.task)
    source = _source(plan)
    items = list(task.items(source))
    if plan.sample and plan.sample < len(items):
        drawn = sorted(rng(plan.seed, "sample of a review").permutation(len(items))[: plan.sample])
        items = [items[k] for k in drawn]
    names = dict.fromkeys(p.strip() for p in plan.people)
    if len(names) < plan.overlap:
        raise InputError(
            f"--overlap {plan.overlap:g}: each item needs so many people, and there are {len(names)}; name "
            "more with --person"
        )
    settings = {
        "id": short_hash(source.identity, plan.task, plan.seed, secrets.token_hex(4)),
        "task": plan.task,
        "source": os.path.relpath(plan.source.resolve(), plan.work.resolve()),
        "identity": source.identity,
        "adjudicate": "yes" if plan.adjudicate else "no",
        "overlap": f"{plan.overlap:g}",
        "sample": str(plan.sample),
        "tasks": ",".join(plan.tasks),
        "protocol": plan.protocol,
        "benchmark": plan.benchmark,
        **{f"set:{k}": v for k, v in (plan.settings or {}).items()},
    }
    path = plan.work / DATABASE
    ReviewStore.create(path, settings, items, plan.overlap, plan.seed)
    store = ReviewStore(path, [s.name for s in task.stages], task.label)
    links = {MANAGER: _added(store, MANAGER, "manager")}
    links |= {name: _added(store, name, "person") for name in names}
    return Review(plan.work, task, store, plan), links


@takes_paths
def open_review(work: Path) -> Review:
    """Return the review that a folder keeps. Raises InputError where there is none."""
    from fathom.review.store import ReviewStore
    from fathom.review.tasks import task_named

    if not is_review(work):
        raise InputError(f"{work}: expected the folder of a review, but it has no {DATABASE}; check the path")
    said = ReviewStore(work / DATABASE, ()).settings()
    task = task_named(said["task"])
    source = Path(os.path.normpath(work.resolve() / said["source"]))
    plan = ReviewPlan(
        source=source, task=said["task"], work=work, adjudicate=said.get("adjudicate") == "yes",
        overlap=float(said.get("overlap", "1")), sample=int(said.get("sample", "0")),
        seed=said.get("seed", "0"),
        tasks=tuple(t for t in said.get("tasks", "").split(",") if t),
        protocol=said.get("protocol", "default"),
        settings={k[4:]: v for k, v in said.items() if k.startswith("set:")},
        benchmark=said.get("benchmark", ""),
    )  # fmt: skip
    found = _source(plan)
    if found.identity != said["identity"]:
        raise InputError(
            f"{work}: is a review of {said['identity'][:12]}, and {source} holds {found.identity[:12]} now; "
            "put back what was reviewed"
        )
    return Review(work, task, ReviewStore(work / DATABASE, [s.name for s in task.stages], task.label), plan)


# --- what is reviewed ---------------------------------------------------------------------------------


def _source(plan: ReviewPlan) -> ReviewSource:
    from fathom.review.tasks import task_named

    if not plan.source.is_dir():
        raise InputError(
            f"{plan.source}: expected a dataset, a run or a folder of photographs; check the path"
        )
    if not (plan.source / "manifest.json").is_file():
        return _photos(plan)
    if task_named(plan.task).source == "run":
        return _run(plan)
    return _dataset(plan)


def _dataset(plan: ReviewPlan) -> ReviewSource:
    from fathom.review.source import ReviewSource
    from fathom.store.datasets import open_dataset

    dataset = open_dataset(plan.source)
    benchmark = benchmark_of(dataset.manifest)
    if unknown := sorted(set(plan.tasks) - set(benchmark.tasks)):
        raise InputError(f"--only {unknown[0]}: {benchmark.name} has {', '.join(benchmark.tasks)}")

    def questions() -> Iterator[Question]:
        return (q for q in dataset.questions() if not plan.tasks or q.task in plan.tasks)

    return ReviewSource(
        path=plan.source,
        title=f"{benchmark.title}, {dataset.manifest.name}",
        identity=dataset.manifest.identity,
        benchmark=benchmark.name,
        tasks=benchmark.tasks,
        questions=questions,
        shown=lambda question: _shown(dataset, question),
        requests=lambda: _requests(plan, dataset),
        error_labels=benchmark.error_labels,
    )


def _shown(dataset: Dataset, question: Question) -> tuple[tuple[MediaPart, ...], tuple[ReviewClip, ...]]:
    """Return the pictures of a question, and of each video evenly spread frames, those of its span alone."""
    from fathom.media.sampling import linspace, span_of
    from fathom.review.records import ReviewClip
    from fathom.review.source import FRAMES
    from fathom.store.datasets import has_film

    pictures, clips = [], []
    for name in question.media:
        media = dataset.media(name)
        if media.kind != "video":
            pictures.append(MediaPart(media=name))
            continue
        there = span_of(media, question.span_s)
        frames = (
            [k for k in sorted(media.stills) if k in there] if media.stills and not has_film(media) else []
        )
        frames = frames or [there[k] for k in linspace(len(there), min(FRAMES, len(there)))]
        seconds = max(1e-3, len(there) / (media.fps or 1.0))
        shown = tuple(MediaPart(media=name, frame=k) for k in frames)
        clips.append(
            ReviewClip(
                frames=shown, fps=len(frames) / seconds, title=f"view {media.view}" if media.view else ""
            )
        )
    return tuple(pictures), tuple(clips)


def _requests(plan: ReviewPlan, dataset: Dataset) -> Iterator[PutQuestion]:
    """Yield each question as the protocol puts it first, in its plain order of options."""
    from fathom.records import without_answer
    from fathom.review.source import PutQuestion

    benchmark = benchmark_of(dataset.manifest)
    if plan.protocol not in benchmark.protocols:
        raise InputError(f"--protocol {plan.protocol}: {benchmark.name} has {', '.join(benchmark.protocols)}")
    protocol = benchmark.protocols[plan.protocol]
    if plan.settings:
        if protocol.changed is None:
            raise InputError(f"--set: the protocol {plan.protocol} of {benchmark.name} has nothing to set")
        protocol = protocol.changed(plan.settings)
    if protocol.prepared is not None:
        protocol = protocol.prepared(dataset.questions(), dataset.media)
    for question in dataset.questions():
        if not plan.tasks or question.task in plan.tasks:
            asked = without_answer(question)
            yield PutQuestion(question, protocol.prompt(asked, protocol.variants(asked)[0], dataset.media))


def _run(plan: ReviewPlan) -> ReviewSource:
    from fathom.api.scoring import scored_run
    from fathom.extraction.measured import is_measured
    from fathom.review.source import Answered
    from fathom.scoring.folder import ScorePlan
    from fathom.store.runs import open_run

    folder = open_run(plan.source)
    dataset = folder.dataset()
    base = _dataset(replace(plan, source=dataset.path))

    def answers() -> Iterator[Answered]:
        scored = scored_run(plan.source, ScorePlan(seed=plan.seed, environ=dict(os.environ)))
        setting_of: Callable[[Question], str] = scored.benchmark.facets.get("setting", lambda question: "")
        questions = {q.id: q for q in scored.questions}
        seen: set[str] = set()
        for mark in scored.marks:
            question = questions[mark.question]
            wrong = mark.status == "ok" and mark.picked is not None and mark.value < 1
            judged = not question.references and not is_measured(question)
            if (
                not wrong
                or not judged
                or question.id in seen
                or (plan.tasks and question.task not in plan.tasks)
            ):
                continue
            seen.add(question.id)
            response = scored.responses.get(question.id)
            parts = (response.reasoning, response.text) if response else ()
            said = "\n\n".join(part for part in parts if part)
            yield Answered(question, mark.picked or "", said, setting_of(question))

    model = str(folder.manifest.settings.get("model", folder.path.name))
    return replace(base, path=plan.source, model=model, answers=answers)


def _photos(plan: ReviewPlan) -> ReviewSource:
    from fathom.review.source import ReviewSource
    from fathom.store.seeds import short_hash

    names = _photo_names(plan.source)
    if not names:
        raise InputError(
            f"{plan.source}: is no dataset and no run, and has no photographs ({', '.join(PHOTOS)}); "
            "check the path"
        )
    benchmark = benchmark_named(plan.benchmark) if plan.benchmark else None
    tasks = benchmark.tasks if benchmark else {"question": "Question"}

    def questions() -> Iterator[Question]:
        for name in names:
            yield Question(id=name, task="photographs", text="", answer="", media=(name,), scene=name)

    def shown(question: Question) -> tuple[tuple[MediaPart, ...], tuple[ReviewClip, ...]]:
        return tuple(MediaPart(media=m) for m in question.media), ()

    identity = short_hash("photographs", *names, length=32)
    return ReviewSource(
        plan.source, plan.source.name, identity, plan.benchmark, tasks=tasks, questions=questions, shown=shown
    )


def _photo_names(folder: Path) -> list[str]:
    return sorted(
        p.relative_to(folder).as_posix()
        for p in folder.rglob("*")
        if p.suffix.lower() in PHOTOS and p.is_file() and not p.is_symlink()
    )


def _media_of(plan: ReviewPlan) -> tuple[PictureOf, FilmOf]:
    from fathom.store.files import inside

    if not (plan.source / "manifest.json").is_file():
        return lambda part: inside(plan.source, part.media).read_bytes(), lambda media: None
    from fathom.inference.pictures import PromptImages
    from fathom.store.datasets import has_film, open_dataset
    from fathom.store.runs import open_run

    is_run = (plan.source / "journal").is_dir()
    dataset = open_run(plan.source).dataset() if is_run else open_dataset(plan.source)
    pictures = PromptImages(dataset)

    def film(name: str) -> Path | None:
        media = dataset.media(name)
        return dataset.media_path(media) if media.kind == "video" and has_film(media) else None

    return lambda part: pictures([part])[0], film


def _runs(source: Path, results: Results, out: Path, progress: Progress) -> list[Path]:
    """Write a run of each person's answers, and one of what most people say; return their folders."""
    from fathom.api.exchange import import_run
    from fathom.review.results import consensus
    from fathom.review.tasks.answer import DONT_KNOW
    from fathom.review.writing import write_table

    said: dict[str, dict[str, str]] = {}
    for name, labels in results.labels.items():
        question = results.items[name].about[0]
        for person, label in labels.items():
            said.setdefault(f"Human {person}", {})[question] = label
        if len(labels) > 1 and (most := consensus(labels.values(), "majority")):
            said.setdefault("Human", {})[question] = most
    folders = []
    for k, (who, answers) in enumerate(sorted(said.items())):
        table = out / "answers" / f"{k}.csv"
        # Whoever does not know has not answered, which counts as wrong.
        rows = [(q, "I do not know." if a == DONT_KNOW else a) for q, a in answers.items()]
        write_table(table, ("question", "text"), rows)
        folder = out / "runs" / f"{k}-{_file_name(who)}"
        import_run(
            source,
            table,
            folder,
            model=who,
            columns="question=question,text=text",
            partial=True,
            progress=progress,
        )
        folders.append(folder)
    return folders


def _file_name(name: str) -> str:
    return (
        "".join(c if c.isascii() and c.isalnum() else "-" for c in name.lower()).strip("-")[:40] or "person"
    )
