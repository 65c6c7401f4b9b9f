"""An item as a page gets it, and what was said of it in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from fathom.pages.html import visible
from fathom.review.records import ReviewEntry, ReviewItem
from fathom.review.store import Given, Person
from fathom.review.task import ReviewTask
from fathom.store.seeds import rng


def item_as_sent(task: ReviewTask, seed: str, given: Given, person: Person) -> dict[str, Any]:
    """Return an item as a page gets it: nothing of it that its stage does not show yet.

    Args:
        task: what people do.
        seed: of the review; the order of options is drawn from it for each person and item.
        given: the item, its stage, and what the person said of it so far.
        person: who gets it.
    """
    item = given.item
    at = [s.name for s in task.stages].index(given.stage) if given.stage else len(task.stages) - 1
    revealed = {name for stage in task.stages[: at + 1] for name in stage.reveals}
    order = list(range(len(item.options)))
    if task.drawn_options:
        order = [int(k) for k in rng(seed, "options", person.name, item.name).permutation(len(order))]
    return {
        "id": given.id,
        "name": visible(item.name),
        "title": visible(item.title),
        "text": visible(item.text),
        "options": [{"value": k, "text": visible(item.options[k])} for k in order],
        "choices": [_visible_choice(msgspec.to_builtins(c)) for c in item.choices],
        "facts": [[visible(k), visible(v)] for k, v in item.facts.items()],
        "revealed": [[visible(k), visible(v)] for k, v in item.hidden.items() if k in revealed],
        "without": item.without,
        "offered": [{"label": visible(o.label), "box": o.box, "picture": o.picture} for o in item.offered],
        "pictures": list(range(len(item.pictures))),
        "outlined": [[picture, *box] for picture, box in item.outlined.items()],
        "clips": _clips(item),
        "stage": given.stage,
        "said": {e.stage: _indexed(e.values, item) for e in given.entries if not e.undone},
    }


def _clips(item: ReviewItem) -> list[dict[str, Any]]:
    """Return an item's clips; their frames are numbered after its pictures."""
    clips, start = [], len(item.pictures)
    for clip in item.clips:
        frames = list(range(start, start + len(clip.frames)))
        clips.append(
            {
                "frames": frames,
                "times": clip.times_s,
                "fps": clip.fps,
                "whole": bool(clip.whole),
                "title": visible(clip.title),
            }
        )
        start += len(frames)
    return clips


def _visible_choice(choice: Mapping[str, Any]) -> dict[str, Any]:
    return {k: visible(v) if k in ("title", "meaning") else v for k, v in choice.items()}


def _indexed(values: Mapping[str, Any], item: ReviewItem) -> dict[str, Any]:
    """Return an entry's values as the page sends them: an option as its place among the item's."""
    places = {text: k for k, text in enumerate(item.options)}
    return {k: places[v] if k == "picked" and v in places else v for k, v in values.items()}


def words_of(entry: ReviewEntry) -> str:
    """Return what an entry says, in one line."""
    if not entry.values:
        return "taken back"
    return "; ".join(
        f"{name}: {', '.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in entry.values.items()
    )
