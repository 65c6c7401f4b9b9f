"""How often guessers that see no video are right: by length, place, common words, what is common elsewhere.

A cue gives each option a number. One guesser takes the option with the most of it, another the one with the
least; where several have as much, each counts in part. Where nothing can be told, both are right as often as
chance has it.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from fathom.benchmarks.seedbench.videos.drafts import DraftWithOptions, Key, VideoOption
from fathom.english import rounded
from fathom.stats.intervals import accuracy_interval
from fathom.store.seeds import digest, rng

CHANCE = 1 / 4

CUES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "length": ("the longest option", "the shortest option"),
        "middle": ("the option nearest to the mean length", "the option farthest from the mean length"),
        "form": ("as long, word for word, as most others", "as long, word for word, as fewest others"),
        "likeness": ("most words in common with the others", "fewest words in common with the others"),
        "noun_earlier": ("a noun of the clip's actions", "a noun of none of the clip's actions"),
        "action_earlier": ("an action of the clip", "no action of the clip"),
        "order": ("the order commonest in other videos", "the order rarest in other videos"),
    }
)
"""Cue → what one takes who takes the most, or the least of it."""

PRIOR = "what is the answer most often in other videos"
RAREST = "what is the answer most rarely in other videos"
POSITION = "the place that is right most often in the other half of the videos"


def cue_values(options: Sequence[VideoOption]) -> dict[str, list[float]]:
    """Return cue → its number for each option."""
    words = [_words(o.text) for o in options]
    lengths = [float(len(o.text)) for o in options]
    forms = [tuple(len(w) for w in o.text.split()) for o in options]
    mean = sum(lengths) / len(lengths)
    found = {
        "length": lengths,
        "middle": [-abs(n - mean) for n in lengths],
        "form": [float(forms.count(form)) for form in forms],
        "likeness": [float(sum(len(w & other) for other in words)) - len(w) for w in words],
    }
    for name in options[0].cues:
        found[name] = [o.cues[name] for o in options]
    return found


@lru_cache(maxsize=100_000)
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))


def credit(values: Sequence[float]) -> float:
    """Return how often who takes the greatest of these takes the first, where equals are drawn."""
    best = max(values)
    return 1 / values.count(best) if values[0] == best else 0.0


def credits_of(options: Sequence[VideoOption]) -> dict[str, float]:
    """Return each guesser by a cue → how often it is right about these options, the right one first."""
    found: dict[str, float] = {}
    for name, values in cue_values(options).items():
        most, least = CUES[name]
        found[most] = credit(values)
        found[least] = credit([-v for v in values])
    return found


def shortcut_table(sets: Mapping[str, Sequence[DraftWithOptions]], seed: int) -> str:
    """Return how often each guesser is right, by dimension, with 95 % intervals by video.

    `sets` has the same questions once for each way to find wrong options, by what the column is called.
    """
    titles = "".join(f" {title}, % | 95 % interval |" for title in sets)
    lines = [f"| dimension | a guesser takes | questions |{titles}", f"|---|---|--:|{'--:|--:|' * len(sets)}"]
    first = next(iter(sets.values()))
    for task in dict.fromkeys(a.draft.task for a in first):
        some = {title: [a for a in asked if a.draft.task == task] for title, asked in sets.items()}
        videos = [a.draft.video.id for a in first if a.draft.task == task]
        rows = [_rows(asked, seed) for asked in some.values()]
        for name in rows[0]:
            shares = " | ".join(_share(values[name], videos) for values in rows)
            lines.append(f"| {task.replace('_', ' ')} | {name} | {len(videos):,} | {shares} |")
    return "\n".join([*lines, f"chance: {rounded(100 * CHANCE, 0)} %"])


def _share(values: Sequence[float], videos: Sequence[str]) -> str:
    found = accuracy_interval(values, videos)
    return f"{rounded(100 * found.value)} | {rounded(100 * found.low)} to {rounded(100 * found.high)}"


def _rows(asked: Sequence[DraftWithOptions], seed: int) -> dict[str, list[float]]:
    by_cue: dict[str, list[float]] = defaultdict(list)
    for one in asked:
        for name, value in credits_of(one.options).items():
            by_cue[name].append(value)
    priors = {PRIOR: prior_credit(asked), RAREST: prior_credit(asked, -1)}
    return {**by_cue, **priors, POSITION: by_position(asked, seed)}


def position_of(question: str, seed: int) -> list[int]:
    """Return where the options of a question stand: place → number of the option, the right one being 0."""
    return [int(i) for i in rng(seed, "position", question).permutation(4)]


def by_position(asked: Sequence[DraftWithOptions], seed: int) -> list[float]:
    """Return how often who takes the place that is right most often in the other half of the videos is right.

    Halves, and not all other videos: where two places are right about as often, leaving out one video
    decides for its rival each time, and who does that is wrong far too often, or too seldom.
    """
    places = [position_of(one.draft.id, seed).index(0) for one in asked]
    videos = sorted({one.draft.video.id for one in asked}, key=lambda name: digest(seed, "half", name))
    half = {name: k % 2 for k, name in enumerate(videos)}
    halves = [half[one.draft.video.id] for one in asked]
    right = [Counter(p for p, h in zip(places, halves, strict=True) if h == k) for k in (0, 1)]
    return [
        credit([float(right[1 - h][p]) for p in (place, *({0, 1, 2, 3} - {place}))])
        for place, h in zip(places, halves, strict=True)
    ]


def prior_credit(asked: Sequence[DraftWithOptions], sign: int = 1) -> list[float]:
    """Return how often the option is right whose parts are right most often in other videos, or most rarely
    where the sign is −1.
    """
    right, shown = Counter[Key](), Counter[Key]()
    own_right: dict[str, Counter[Key]] = defaultdict(Counter)
    own_shown: dict[str, Counter[Key]] = defaultdict(Counter)
    for one in asked:
        video = one.draft.video.id
        answer, every = one.draft.answer.keys, [key for o in one.options for key in o.keys]
        right.update(answer)
        shown.update(every)
        own_right[video].update(answer)
        own_shown[video].update(every)
    found = []
    for one in asked:
        less, fewer = own_right[one.draft.video.id], own_shown[one.draft.video.id]
        scores = [
            sum(math.log((right[k] - less[k] + 1) / (shown[k] - fewer[k] + 4)) for k in option.keys)
            for option in one.options
        ]
        found.append(credit([round(sign * s, 9) for s in scores]))
    return found
