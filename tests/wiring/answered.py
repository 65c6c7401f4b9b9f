"""A request folder answered by a script: the run that `fathom run REQUESTS` would have written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fathom.records import Manifest, Request, Response
from fathom.store.datasets import SCHEMA_VERSION
from fathom.store.journal import Journal
from fathom.store.requests import open_requests
from fathom.store.runs import begin_run, end_run


def answer(
    requests: Path, out: Path, say: Callable[[Request], str | None], model: str = "judge-model-1"
) -> Path:
    """Write the run in which `model` says this of each request; None is a failure."""
    folder = open_requests(requests)
    manifest = Manifest(
        kind="run",
        tool="fathom",
        tool_version="0",
        schema_version=SCHEMA_VERSION,
        command="run",
        name=model,
        benchmark=folder.manifest.benchmark,
        settings={"model": model, "requests": "../requests"},
        inputs={"requests": folder.manifest.identity},
    )
    run = begin_run(out, manifest)
    with Journal(run.journal_folder) as journal:
        for request in folder.requests():
            text = say(request)
            journal.append(
                Response(
                    key=request.key,
                    question=request.asked.id,
                    status="failed" if text is None else "ok",
                    text=text or "",
                    error="out of order" if text is None else "",
                    variant=request.variant,
                    purpose=request.purpose,
                    model=model,
                )
            )
    end_run(run, {}, complete=True)
    return out
