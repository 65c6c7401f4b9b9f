"""A scripted model that describes objects and words facts from what it is told, and wrong ones beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from fathom.authoring import engine as authoring
from fathom.authoring.engine import Next
from fathom.benchmarks.stibench.authoring import AUTHORING
from fathom.benchmarks.stibench.authoring.settings import VideoWriting
from fathom.records import Request
from fathom.store.datasets import open_dataset
from tests.authoring.answering import Speak, words_of


def next_step(
    dataset: Path, work: Path, responses: Sequence[Path] = (), writing: VideoWriting | None = None
) -> Next:
    """Go on with the work on a dataset of videos, as far as it can."""
    return authoring.next_step(AUTHORING, open_dataset(dataset), work, responses, writing)


def told(request: Request) -> dict[str, Any]:
    """Return the JSON object within a prompt."""
    text = words_of(request)
    found: dict[str, Any] = json.JSONDecoder().raw_decode(text[text.index('{"') :])[0]
    return found


def wanted_of(request: Request) -> list[str]:
    """Return the objects that are to be described."""
    found = re.search(r"Describe each of these: ([T\d, ]+)\.", words_of(request))
    assert found is not None
    return found[1].split(", ")


def described(truth: dict[str, Any], name: str) -> str:
    """Return a description from the truth alone: noun, color where it needs one, else a relation."""
    objects = truth["things"]
    own = objects[name]
    same = [t for n, t in objects.items() if n != name and t["noun"] == own["noun"]]
    color = own.get("color", "")
    if not same:
        return f"the {own['noun']}"
    if color and all(t.get("color") not in (color, None) for t in same):
        return f"the {color} {own['noun']}"
    for relation in truth["relations"][name]:
        said, _, other = relation.rpartition(" ")
        anchor = objects[other]["noun"]
        if [t["noun"] for t in objects.values()].count(anchor) == 1:
            return f"the {color} {own['noun']} {said} the {anchor}".replace("  ", " ")
    return f"the {color} {own['noun']}"


def describer(change: Callable[[str, str, dict[str, Any]], str] = lambda name, words, truth: words) -> Speak:
    """Return a model that describes objects well, but for what `change` makes of it."""

    def speak(request: Request) -> str:
        truth = told(request)
        said = [{"thing": n, "words": change(n, described(truth, n), truth)} for n in wanted_of(request)]
        return json.dumps({"descriptions": said})

    return speak


def reworded(text: str) -> str:
    """Return a question in somewhat other words."""
    changes = {
        "How high is": "What is the height, from bottom to top, of",
        ", from its underside to its top": "",
        "How far apart are the centers of": "What distance lies between the centers of",
        "How far is": "What is the distance, please, how far is",
        "What is the width of": "How wide is",
    }
    for before, after in changes.items():
        text = text.replace(before, after)
    return text


def worder(**changes: Any) -> Speak:
    """Return a model that words facts well, but for what is changed of its reply."""

    def speak(request: Request) -> str:
        fact = told(request)
        said = {"question": reworded(fact["asks"]), "options": fact["options"], "answer": fact["answer"]}
        return json.dumps(
            said | {k: v(fact, said) if callable(v) else v for k, v in changes.items()}, ensure_ascii=False
        )

    return speak
