"""A dataset put to a model: the run folder, the requests, the loop, and the counts at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fathom import __version__
from fathom.records import (
    Benchmark,
    InputError,
    Manifest,
    MediaPart,
    Protocol,
    Setting,
    TextPart,
    pictures_of,
)
from fathom.run.backend import AnyBackend, Backend, Context
from fathom.run.models import open_model, parse_model
from fathom.run.pictures import Pictures
from fathom.run.requests import count_requests, derive_requests
from fathom.run.runner import Progress, Summary, run_requests
from fathom.store.datasets import MANIFEST, SCHEMA_VERSION, Dataset
from fathom.store.journal import Journal, shard_paths
from fathom.store.journal import read_responses as read_journal
from fathom.store.runs import DATASET, RunFolder, begin_run, dataset_setting, end_run


@dataclass(frozen=True)
class RunPlan:
    """What to put to which model, and how; the same plan carries on the run that it began.

    `options` are added to those in the model's specification; `environ` is where keys are looked up.
    """

    dataset: Dataset
    benchmark: Benchmark
    protocol: Protocol
    model: str
    out: Path
    limit: int = 0
    concurrency: int = 32
    seed: str = "0"
    options: Mapping[str, str] | None = None
    environ: Mapping[str, str] | None = field(default=None, repr=False)

    def open(self) -> AnyBackend:
        """Return the backend. Raises InputError for an unknown model, a missing key, a wrong option."""
        context = Context(
            dataset=self.dataset,
            write_answer=self.protocol.example_answer,
            parameters=self.protocol.parameters,
            seed=self.seed,
            concurrency=self.concurrency,
            environ=self.environ or {},
        )
        return open_model(parse_model(self.model, self.options), context)

    def manifest(self, backend: AnyBackend) -> Manifest:
        """Return what stands in the run's manifest from its start; no key is in it."""
        settings: dict[str, Setting] = {
            DATASET: dataset_setting(self.out, self.dataset.path),
            "model": backend.name,
            "revision": backend.revision,
            "protocol": self.protocol.name,
            "protocol_version": self.protocol.version,
        }
        settings |= {f"protocol.{name}": value for name, value in sorted(self.protocol.settings.items())}
        settings |= {f"parameter.{name}": value for name, value in sorted(backend.parameters.items())}
        return Manifest(
            kind="run",
            tool="fathom",
            tool_version=__version__,
            schema_version=SCHEMA_VERSION,
            command="run",
            name=backend.name,
            benchmark=self.benchmark.name,
            benchmark_version=self.benchmark.version,
            settings=settings,
            seed=self.seed,
            split=self.dataset.manifest.split,
            inputs={DATASET: self.dataset.manifest.identity},
            notes=backend.notes,
        )


def run_dataset(
    plan: RunPlan,
    progress: Progress = lambda summary: None,
    say: Callable[[str], None] = lambda text: None,
) -> Summary:
    """Return what was done once every question has been put; answers that are there already are kept.

    Raises InputError, DataError or EndpointError with what is to be mended; started again, the run carries
    on. KeyboardInterrupt ends it as cleanly.
    """
    if plan.concurrency < 1:
        raise InputError(f"--concurrency: expected 1 or more, found {plan.concurrency}")
    return asyncio.run(_run(plan, progress, say))


async def _run(plan: RunPlan, progress: Progress, say: Callable[[str], None]) -> Summary:
    backend = plan.open()
    try:
        folder = begin_run(plan.out, plan.manifest(backend))
        with Journal(folder.journal_folder, say) as journal:
            total = count_requests(plan.dataset, plan.protocol, plan.limit)
            requests = derive_requests(plan.dataset, plan.protocol, backend, plan.limit)
            summary = await run_requests(
                requests,
                backend,
                journal,
                Pictures(plan.dataset),
                concurrency=plan.concurrency,
                total=total,
                progress=progress,
            )
            end_run(folder, summary.counts(), complete=summary.complete and not plan.limit)
        return summary
    finally:
        if isinstance(backend, Backend):
            await backend.close()


@dataclass(frozen=True)
class Estimate:
    """What a run would ask and cost: `tokens_in` is a rough estimate, `tokens_out` the most that can come."""

    model: str
    requests: int
    done: int
    pictures: int
    tokens_in: int
    tokens_out: int

    def __str__(self) -> str:
        return (
            f"{self.model}: {self.requests - self.done:,} of {self.requests:,} requests to ask "
            f"({self.done:,} done), {self.pictures:,} pictures, about {self.tokens_in:,} tokens in and "
            f"at most {self.tokens_out:,} out"
        )


def estimate_run(plan: RunPlan) -> Estimate:
    """Return what the run would ask; nothing is sent, and nothing is written.

    Raises what `run_dataset` would raise before its first request.
    """
    backend = plan.open()
    done: set[str] = set()
    if (plan.out / MANIFEST).exists():
        folder = RunFolder(path=plan.out, manifest=plan.manifest(backend))
        if shard_paths(folder.journal_folder):
            done = {r.key for r in read_journal(folder.journal_folder) if r.status != "failed"}
    requests = asked = pictures = tokens = 0
    for request in derive_requests(plan.dataset, plan.protocol, backend, plan.limit):
        requests += 1
        if request.key in done:
            continue
        asked += 1
        for part in request.prompt.parts:
            if isinstance(part, TextPart):
                tokens += text_tokens(part.text)
        for picture in pictures_of(request.prompt):
            pictures += 1
            tokens += _picture_tokens(plan.dataset, picture)
    most = backend.parameters.get("max_completion_tokens") or backend.parameters.get("max_tokens") or 0
    return Estimate(backend.name, requests, requests - asked, pictures, tokens, asked * int(most))


def text_tokens(text: str) -> int:
    """Return about how many tokens an English text has: one for four characters."""
    return (len(text) + 3) // 4


def image_tokens(width: int, height: int) -> int:
    """Return about how many tokens a picture costs: 85, and 170 for each tile of 512 pixels.

    It is first made to fit 2,048 pixels square, and its shorter side 768.
    """
    scale = min(1.0, 2048 / max(width, height))
    scale *= min(1.0, 768 / (min(width, height) * scale))
    across, down = -(-width * scale // 512), -(-height * scale // 512)
    return 85 + 170 * int(across * down)


def _picture_tokens(dataset: Dataset, part: MediaPart) -> int:
    return image_tokens(*dataset.media(part.media).size)
