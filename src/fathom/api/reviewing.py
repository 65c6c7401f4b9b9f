"""People check, answer, describe, label and compare: a review of a dataset, a run, or photographs."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.api.human_accuracy import HUMAN, write_people, write_runs
from fathom.api.names import Progress, silent
from fathom.api.paths import takes_paths
from fathom.api.review_sources import ReviewPlan, media_of, source_of
from fathom.api.scoring import Say, unheard
from fathom.records import InputError, missing_extra

if TYPE_CHECKING:
    from fathom.review.records import ForeignAnswer, ReviewItem
    from fathom.review.results import Results, Rule
    from fathom.review.store import ReviewStore
    from fathom.review.task import ReviewTask

    ForeignReader = Callable[[Path, ReviewTask, Mapping[str, ReviewItem]], list[ForeignAnswer]]

DATABASE = "review.sqlite"
MANAGER = "manager"


@takes_paths
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
        from fathom.review.live import results_of

        return results_of(self.store, self.task)

    def status(self) -> str:
        """Return how far it is, and how far people agree, in lines."""
        from fathom.review.progress import progress_of, progress_text

        return "\n".join(progress_text(progress_of(self.store, self.task, self.results())))

    @takes_paths
    def export(self, out: Path, progress: Progress = silent) -> list[Path]:
        """Write what people said as files that other verbs take, and every entry; return the files.

        Of answers, a run for each person and one of all is written as well, and how often each is right.
        """
        from fathom.review.records import ReviewEntry
        from fathom.review.writing import lines_file, write_table

        results = self.results()
        entries: list[ReviewEntry] = list(self.store.entries())
        if not any(not e.undone for e in entries):
            raise InputError(f"{self.work}: nobody has said anything yet; there is nothing to export")
        out.mkdir(parents=True, exist_ok=True)
        files = [lines_file(out / "entries.jsonl", entries), *self.task.write(results, out)]
        if looks := self.store.second_looks():
            rows = [(look.item, look.person, look.first, look.second) for look in looks]
            files.append(write_table(out / "checks.csv", ("item", "person", "first", "second"), rows))
        if planted := self.store.planted_looks():
            rows = [(look.item, look.person, look.expected, look.said) for look in planted]
            files.append(write_table(out / "planted.csv", ("item", "person", "expected", "said"), rows))
        if self.task.name == "answer":
            runs = write_runs(self.plan.source, results, out, progress)
            named = [(who.removeprefix(f"{HUMAN} "), folder) for who, folder in runs if who != HUMAN]
            files += [*(folder for _, folder in runs), write_people(named, out, self.plan.seed)]
        return files

    @takes_paths
    def export_label_studio(self, out: Path) -> list[Path]:
        """Write the review as a project of Label Studio: configuration, tasks, pictures; return the files."""
        from fathom.review.label_studio import write_label_studio
        from fathom.review.site.media import frames_of

        picture, _ = media_of(self.plan)
        out.mkdir(parents=True, exist_ok=True)
        return write_label_studio(
            self.task, self.results(), lambda item: [picture(part) for part in frames_of(item)], out
        )

    @takes_paths
    def take_label_studio(self, path: Path) -> str:
        """Take over what people said in Label Studio, from its JSON export; return what came of it.

        Who is not in the review yet is taken in. The same file again changes nothing. Raises DataError or
        InputError for a file that does not fit, and takes nothing then.
        """
        from fathom.review.label_studio import read_label_studio

        return self._taken(path, read_label_studio)

    @takes_paths
    def export_argilla(self, out: Path) -> list[Path]:
        """Write the review as a dataset that Argilla reads from disk; return the files."""
        from fathom.review.argilla import write_argilla
        from fathom.review.site.media import frames_of

        picture, _ = media_of(self.plan)
        out.mkdir(parents=True, exist_ok=True)
        return write_argilla(
            self.task, self.results(), lambda item: [picture(part) for part in frames_of(item)],
            self.work.resolve().name, int(self.plan.overlap), out,
        )  # fmt: skip

    @takes_paths
    def take_argilla(self, path: Path) -> str:
        """Take over what people said in Argilla, from the records.json that it writes to disk.

        Names of people are those of a people.json beside it. As `take_label_studio` otherwise.
        """
        from fathom.review.argilla import read_argilla

        return self._taken(path, read_argilla)

    def _taken(self, path: Path, read: ForeignReader) -> str:
        """Keep what people said elsewhere; return what came of it."""
        items = {item.name: item for item in self.store.items()}
        answers = read(path, self.task, items)
        for name in dict.fromkeys(a.person for a in answers):
            if name not in [p.name for p in self.store.people()]:
                self.add(name)
        new = self.store.take_all((a.person, a.item, a.stages, a.seconds) for a in answers)
        who = len({a.person for a in answers})
        return f"{path}: {len(answers):,} judgements of {who:,} people, {new:,} new entries"

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
        from fathom.review.applying import next_version
        from fathom.store.files import sha256_file

        if self.task.name != "verify":
            raise InputError(
                f"{self.work}: only verdicts on questions make another dataset; this is {self.task.name}"
            )
        inputs = {"review": sha256_file(self.work / DATABASE)}
        return next_version(self.plan.source, self.results(), out, rule, inputs, edits)

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
        source = source_of(self.plan)
        picture, film = media_of(self.plan)
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


def _store(path: Path, task: ReviewTask) -> ReviewStore:
    from fathom.review.store import ReviewStore

    return ReviewStore(path, [s.name for s in task.stages], task.label, plant=task.plant)


def begin_review(plan: ReviewPlan, say: Say = unheard) -> tuple[Review, dict[str, str]]:
    """Begin a review; return it, and the token of each person's link by name, the manager's among them.

    Tokens are not kept anywhere: only their hashes are. `say` is told of a run that lacks answers.
    Raises InputError where the folder has a review, or there is nothing to review.
    """
    from fathom.review.database import create_review_file
    from fathom.review.drawing import drawn_items
    from fathom.review.tasks import task_named

    task = task_named(plan.task)
    source = source_of(plan, say)
    items = drawn_items(list(task.items(source)), plan.sample, plan.seed, task.stratum)
    names = dict.fromkeys(p.strip() for p in plan.people)
    if len(names) < plan.overlap:
        raise InputError(
            f"--overlap {plan.overlap:g}: each item needs so many people, and there are {len(names)}; name "
            "more with --person"
        )
    if plan.checks and not task.checks:
        raise InputError(f"--checks {plan.checks:g}: items of {task.name} are not shown a second time")
    if plan.planted and task.plant is None:
        raise InputError(f"--planted {plan.planted:g}: nothing can be planted in {task.name}")
    for option, share in (("--checks", plan.checks), ("--planted", plan.planted)):
        if not 0 <= share <= 0.5:
            raise InputError(f"{option} {share:g}: expected a share from 0 to 0.5")
    settings = _settings(plan, source.identity)
    path = plan.work / DATABASE
    create_review_file(path, settings, items, plan.overlap, plan.seed)
    store = _store(path, task)
    links = {MANAGER: _added(store, MANAGER, "manager")}
    links |= {name: _added(store, name, "person") for name in names}
    return Review(plan.work, task, store, plan), links


def _settings(plan: ReviewPlan, identity: str) -> dict[str, str]:
    """Return what the file of a review keeps of its plan."""
    from fathom.store.seeds import short_hash

    return {
        "id": short_hash(identity, plan.task, plan.seed, secrets.token_hex(4)),
        "task": plan.task,
        "source": os.path.relpath(plan.source.resolve(), plan.work.resolve()),
        "identity": identity,
        "adjudicate": "yes" if plan.adjudicate else "no",
        "overlap": f"{plan.overlap:g}",
        "checks": f"{plan.checks:g}",
        "planted": f"{plan.planted:g}",
        "sample": str(plan.sample),
        "tasks": ",".join(plan.tasks),
        "protocol": plan.protocol,
        "benchmark": plan.benchmark,
        "extractor": plan.extractor,
        **{f"set:{k}": v for k, v in (plan.settings or {}).items()},
    }


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
        seed=said.get("seed", "0"), checks=float(said.get("checks", "0")),
        planted=float(said.get("planted", "0")),
        tasks=tuple(t for t in said.get("tasks", "").split(",") if t),
        protocol=said.get("protocol", "default"),
        settings={k[4:]: v for k, v in said.items() if k.startswith("set:")},
        benchmark=said.get("benchmark", ""), extractor=said.get("extractor", ""),
    )  # fmt: skip
    found = source_of(plan)
    if found.identity != said["identity"]:
        raise InputError(
            f"{work}: is a review of {said['identity'][:12]}, and {source} holds {found.identity[:12]} now; "
            "put back what was reviewed"
        )
    return Review(work, task, _store(work / DATABASE, task), plan)
