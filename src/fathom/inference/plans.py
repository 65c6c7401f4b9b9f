"""What a run is to do: which model is asked what, how fast, and where it ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fathom.inference.backend import AnyBackend, Context, Scalar
from fathom.inference.endpoint import shown_url
from fathom.inference.models import open_model, parse_model
from fathom.inference.models.function import Answering, FunctionBackend
from fathom.inference.pictures import PromptImages
from fathom.inference.prices import Price, Prices, read_prices
from fathom.inference.requests import count_requests, derive_requests, derive_stored
from fathom.inference.runner import RunLimits
from fathom.inference.stopping import StoppingRule
from fathom.records import Benchmark, InputError, Manifest, Protocol, Request, Setting, printable
from fathom.store.datasets import SCHEMA_VERSION, Dataset
from fathom.store.requests import RequestFolder
from fathom.store.runs import DATASET, LIMIT, REPEATS, REQUESTS, TASKS, dataset_setting
from fathom.version import __version__

STORED_PARAMETERS: Mapping[str, Scalar] = {"temperature": 0, "max_tokens": 1024}
"""How a model answers requests that no protocol is behind."""


@dataclass(frozen=True)
class RunConfig:
    """Which model is asked, into which folder, how fast, and where it ends before it is done.

    `model` is a specification as --model takes it, or a Python function (inference/models/function.py).
    `options` are added to those in the model's specification; `environ` is where keys are looked up. Where
    there are `more_tokens`, answers that were cut off are asked again with so many. What `asks` nothing (a
    dry run) needs no key.
    """

    model: str | Answering
    out: Path
    limit: int = 0
    concurrency: int = 32
    seed: str = "0"
    options: Mapping[str, str] | None = None
    environ: Mapping[str, str] | None = field(default=None, repr=False)
    prices: Prices | None = None
    limits: RunLimits = field(default_factory=RunLimits)
    more_tokens: int = 0
    asks: bool = True

    @property
    def shown_model(self) -> str:
        """The model in words that can be shown: without what the query of an address says, on one line."""
        if callable(self.model):
            return getattr(self.model, "__name__", type(self.model).__name__)
        return printable(re.sub(r"https?://[^,\s]+", lambda url: shown_url(url.group()), self.model))

    def open(
        self,
        shown: Dataset,
        parameters: Mapping[str, Scalar],
        write_answer: Callable[[str], str],
        own: Mapping[str, str] | None = None,
    ) -> AnyBackend:
        """Return the backend; `own` are the benchmark's baselines.

        Raises InputError for an unknown model, a missing key, a wrong option.
        """
        context = Context(
            known=shown,
            pixels_of=PromptImages(shown).pixels,
            write_answer=write_answer,
            parameters=parameters,
            seed=self.seed,
            concurrency=self.concurrency,
            more_tokens=self.more_tokens,
            asks=self.asks,
            environ=self.environ or {},
        )
        if callable(self.model):
            return FunctionBackend(self.model)
        return open_model(parse_model(self.model, self.options, own), context)

    def price(self, backend: AnyBackend) -> Price | None:
        """Return what the model costs, if that is known.

        Raises InputError where it is not, and the cost is to be limited.
        """
        price = (self.prices or read_prices(environ=self.environ)).of(backend.name)
        if price is None and self.limits.cost:
            raise InputError(
                f"--max-cost {self.limits.cost:g}: what {backend.name} costs is not known; write it into a "
                "file and name that with --prices, or leave the limit out"
            )
        return price


@dataclass(frozen=True)
class RunPlan:
    """To put a dataset to a model; the same plan carries on the run that it began.

    Each question is put `repeats` times; where `tasks` are named, those of these alone. `stop` says which
    requests are not needed any more, and `stop_settings` under what, for the manifest.
    """

    config: RunConfig
    dataset: Dataset
    benchmark: Benchmark
    protocol: Protocol
    repeats: int = 1
    tasks: tuple[str, ...] = ()
    stop: StoppingRule | None = None
    stop_settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def shown(self) -> Dataset:
        """Return where the pictures lie."""
        return self.dataset

    def open(self) -> AnyBackend:
        """Return the backend. Raises InputError for an unknown model, a missing key, a wrong option."""
        write, own = self.protocol.example_answer, self.benchmark.models
        return self.config.open(self.dataset, self.protocol.parameters, write, own)

    def count(self) -> int:
        """Return how many requests there are."""
        return count_requests(self.dataset, self.protocol, self.config.limit, self.repeats, self.tasks)

    def requests(self, backend: AnyBackend) -> Iterator[Request]:
        """Yield the requests, each with the key under which its answer is kept."""
        limit = self.config.limit
        return derive_requests(
            self.dataset, self.protocol, backend, limit, self.stop, self.repeats, self.tasks
        )

    def manifest(self, backend: AnyBackend) -> Manifest:
        """Return what stands in the run's manifest from its start; no key is in it."""
        settings: dict[str, Setting] = {
            DATASET: dataset_setting(self.config.out, self.dataset.path),
            "protocol": self.protocol.name,
            "protocol_version": self.protocol.version,
        }
        settings |= {f"protocol.{name}": value for name, value in sorted(self.protocol.settings.items())}
        settings |= dict(self.stop_settings)
        if self.tasks:
            settings[TASKS] = list(self.tasks)
        if self.config.limit:
            settings[LIMIT] = self.config.limit
        if self.repeats > 1:
            settings[REPEATS] = self.repeats
        return Manifest(
            kind="run",
            tool="fathom",
            tool_version=__version__,
            schema_version=SCHEMA_VERSION,
            command="run",
            name=backend.name,
            benchmark=self.benchmark.name,
            benchmark_version=self.benchmark.version,
            settings={**settings, **_settings_of(backend)},
            seed=self.config.seed,
            split=self.dataset.manifest.split,
            inputs={DATASET: self.dataset.manifest.identity},
            notes=backend.notes,
        )


@dataclass(frozen=True)
class RequestsPlan:
    """To have a model answer the requests in a folder: a judge's, a reader's, a writer's."""

    config: RunConfig
    folder: RequestFolder
    stop: StoppingRule | None = None

    @property
    def shown(self) -> Dataset:
        """Return the folder as a dataset: where its requests show pictures, it has a media.jsonl too."""
        return Dataset(path=self.folder.path, manifest=self.folder.manifest)

    def open(self) -> AnyBackend:
        """Return the backend. Raises InputError for an unknown model, a missing key, a wrong option."""
        return self.config.open(self.shown, STORED_PARAMETERS, lambda answer: answer)

    def count(self) -> int:
        """Return how many requests there are."""
        stored = self.folder.manifest.counts.get("requests", 0)
        return min(stored, self.config.limit or stored)

    def requests(self, backend: AnyBackend) -> Iterator[Request]:
        """Yield the requests in the order of the folder, each with the key of its answer."""
        return derive_stored(self.folder, backend, self.shown, self.config.limit)

    def manifest(self, backend: AnyBackend) -> Manifest:
        """Return what stands in the run's manifest from its start; no key is in it."""
        asked = self.folder.manifest
        place: dict[str, Setting] = {REQUESTS: dataset_setting(self.config.out, self.folder.path)}
        return Manifest(
            kind="run",
            tool="fathom",
            tool_version=__version__,
            schema_version=SCHEMA_VERSION,
            command="run",
            name=backend.name,
            benchmark=asked.benchmark,
            benchmark_version=asked.benchmark_version,
            settings={**place, **_settings_of(backend)},
            seed=self.config.seed,
            inputs={REQUESTS: asked.identity},
            notes=backend.notes,
        )


Plan = RunPlan | RequestsPlan


def _settings_of(backend: AnyBackend) -> dict[str, Setting]:
    model: dict[str, Setting] = {"model": backend.name, "revision": backend.revision}
    return model | {f"parameter.{name}": value for name, value in sorted(backend.parameters.items())}
