"""`scripted:…`: models whose answers are known beforehand, to test what comes after them.

perfect      the right answer, as the protocol wants it written
always-a     the first choice, or the first of the answers possible
random       one of the answers possible (see the baseline `random`)
mute         nothing
broken       a failure for every request
FILE.jsonl   {"question": id, "text": answer} a line; a question that is not listed fails
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from fathom.extraction.numeric_answers import is_measured
from fathom.inference.backend import Context, Scalar, knows_answers, read_options
from fathom.inference.models.random import answers_possible, draw_answer, spoken
from fathom.records import InputError, Request, Response
from fathom.store.files import sha256_file
from fathom.store.lines import read_numbered


class ScriptLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One answer of a script."""

    question: str
    text: str


Speak = Callable[[Request], str | None]


class ScriptedBackend:
    """Says what `speak` says; None is a failure."""

    notes: tuple[str, ...] = ()
    may_be_silent = True

    def __init__(self, script: str, speak: Speak, revision: str = "", seed: str = "") -> None:
        self.name = f"scripted-{script}"
        self.revision = revision
        self.parameters: Mapping[str, Scalar] = {"seed": seed} if seed else {}
        self._speak = speak

    def answer_all(self, requests: Sequence[Request]) -> list[Response]:
        """Return the scripted response to each request."""
        return [self._answer(r) for r in requests]

    def _answer(self, request: Request) -> Response:
        text = self._speak(request)
        if text is not None:
            return spoken(request, self.name, text)
        failed = spoken(request, self.name, "")
        return msgspec.structs.replace(failed, status="failed", finish="", error="the script has no answer")


@knows_answers
def open_scripted(target: str, options: Mapping[str, str], context: Context) -> ScriptedBackend:
    """Return the scripted model called `target`, or the one in a file.

    Raises InputError where there is neither.
    """
    seed = str(read_options(options, {"seed": str}, f"scripted:{target}").get("seed", context.seed))
    write = context.write_answer
    scripts: dict[str, Speak] = {
        "perfect": lambda r: write(context.dataset.question(r.asked.id).answer),
        "always-a": lambda r: "" if is_measured(r.asked) else write(answers_possible(r.asked)[0]),
        "random": lambda r: "" if is_measured(r.asked) else write(draw_answer(r.asked, seed, r.variant)),
        "mute": lambda r: "",
        "broken": lambda r: None,
    }
    if target in scripts:
        return ScriptedBackend(target, scripts[target], seed=seed if target == "random" else "")
    path = Path(target)
    if not target.endswith(".jsonl") or not path.is_file():
        raise InputError(
            f"--model scripted:{target}: expected one of {', '.join(scripts)}, or a FILE.jsonl that exists; "
            "correct the name"
        )
    lines = {line.question: line.text for _, line in read_numbered(path, ScriptLine)}
    return ScriptedBackend(path.stem, lambda r: lines.get(r.asked.id), revision=sha256_file(path)[:16])
