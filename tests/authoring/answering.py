"""Scripted models that answer folders of requests, through the real runner."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from fathom.authoring.requests import rounds
from fathom.inference.plans import RequestsPlan, RunConfig
from fathom.inference.start import run_plan
from fathom.records import Request, TextPart
from fathom.store.requests import open_requests

Speak = Callable[[Request], str | None]
"""What a model says to a request; None: the request fails."""


def answer(work: Path, step: str, model: str, speak: Speak, number: int = 0) -> Path:
    """Have a scripted model answer the newest requests of a step; return the run."""
    folder = rounds(work, step)[-1] if not number else work / step / f"{number:02d}"
    script = work.parent / "scripts" / step / f"{model}.jsonl"
    lines = []
    for request in open_requests(folder).requests():
        text = speak(request)
        if text is not None:
            lines.append({"question": request.asked.id, "text": text})
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    out = work.parent / "runs" / f"{work.name}-{step}-{folder.name}-{model}"
    run_plan(RequestsPlan(RunConfig(f"scripted:{script}", out), open_requests(folder)))
    return out


def words_of(request: Request) -> str:
    return "\n".join(part.text for part in request.prompt.parts if isinstance(part, TextPart))
