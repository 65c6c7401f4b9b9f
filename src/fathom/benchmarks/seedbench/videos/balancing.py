"""Wrong options chosen so that shortcuts are levelled over all questions of a dimension.

For each question several sets are drawn by one of its rules. The one is kept that moves the guessers closest
to chance, and each verb, noun, template or first action closest to being shown four times as often as it is
right.
What then is still told by a cue is thinned: of the questions that the cue gives away, some are left out.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from fathom.benchmarks.seedbench.videos.drafts import (
    WRONG,
    DraftWithOptions,
    Key,
    VideoDraft,
    VideoOption,
    WrongOptions,
)
from fathom.benchmarks.seedbench.videos.exchanges import with_exchanged_options
from fathom.benchmarks.seedbench.videos.settings import VideoQuestionSettings
from fathom.benchmarks.seedbench.videos.shortcuts import CHANCE, PRIOR, credits_of, prior_credit
from fathom.formats.import_findings import ImportFindings
from fathom.store.seeds import digest, rng

TOO_FEW = "too few wrong options of any rule"
NOT_EXCHANGED = "no three other options of a clip that is left for each, so that any could be right"
GIVEN_AWAY = "an answer that a shortcut gives away, left out to level it"

_WEIGHT_OF_CUES = 4.0
"""What a guesser's move from chance costs beside the counts of parts."""

_ROUNDS = 4
"""How often all cues are thinned in turn: to level one may move another."""

_NOTICEABLE = 1.0
"""Standard errors above chance from which on a cue is thinned."""


class _Levels:
    """What was chosen so far in a dimension: parts as wrong options, and how far guessers are from chance."""

    def __init__(self, drafts: Sequence[VideoDraft]) -> None:
        self._right = Counter(key for d in drafts for key in d.answer.keys)
        self._wrong: Counter[Key] = Counter()
        self._credit: dict[str, float] = defaultdict(float)

    def cost(self, answer: VideoOption, wrong: WrongOptions) -> float:
        """Return how far a set of wrong options moves everything from level."""
        parts = 0.0
        for key, times in Counter(key for option in wrong for key in option.keys).items():
            right = self._right[key]
            parts += times * (2 * (self._wrong[key] - WRONG * right) + times) / (right + 1)
        moves = ((name, value - CHANCE) for name, value in credits_of((answer, *wrong)).items())
        cues = sum(move * (2 * self._credit[name] + move) for name, move in moves)
        return parts + _WEIGHT_OF_CUES * cues

    def add(self, answer: VideoOption, wrong: WrongOptions) -> None:
        self._wrong.update(key for option in wrong for key in option.keys)
        for name, value in credits_of((answer, *wrong)).items():
            self._credit[name] += value - CHANCE


def with_wrong_options(
    drafts: Sequence[VideoDraft], settings: VideoQuestionSettings, findings: ImportFindings
) -> list[DraftWithOptions]:
    """Return the drafts that have enough wrong options, with those; what is left out is told."""
    found: list[DraftWithOptions] = []
    for task in dict.fromkeys(d.task for d in drafts):
        some = [d for d in drafts if d.task == task]
        if all(d.exchange for d in some):
            found += _exchanged(some, settings, findings)
            continue
        levels = _Levels(some)
        chosen: dict[str, DraftWithOptions] = {}
        for draft in sorted(some, key=lambda d: digest(settings.seed, "turn", d.id)):
            sets = list(_sets(draft, settings))
            if not sets:
                findings.leave_out(TOO_FEW, draft.actions[0].place, draft.answer.text)
                continue
            rule, wrong = min(sets, key=lambda s: levels.cost(draft.answer, s[1]))
            levels.add(draft.answer, wrong)
            chosen[draft.id] = DraftWithOptions(draft, rule, wrong)
        found += _thinned([chosen[d.id] for d in some if d.id in chosen], settings.seed, findings)
    return found


def _exchanged(
    drafts: Sequence[VideoDraft], settings: VideoQuestionSettings, findings: ImportFindings
) -> list[DraftWithOptions]:
    """Return the drafts with options of which each could be right; what is left out is told."""
    found = with_exchanged_options(drafts, settings)
    asked = {one.draft.id for one in found}
    for draft in drafts:
        if draft.id not in asked:
            findings.leave_out(NOT_EXCHANGED, draft.actions[0].place, draft.answer.text)
    return found


def _sets(draft: VideoDraft, settings: VideoQuestionSettings) -> Iterator[tuple[str, WrongOptions]]:
    """Yield sets of wrong options, all by the first rule that has any, where the order of rules is drawn."""
    draw: np.random.Generator = rng(settings.seed, "options", draft.id)
    names = sorted(draft.rules)
    for place in draw.permutation(len(names)):
        rule = draft.rules[names[place]]
        drawn = [rule(draw) for _ in range(settings.tried)]
        # Two options that read alike would both be right, or both be wrong.
        fit = [w for w in drawn if w and len({draft.answer.text, *(o.text for o in w)}) == WRONG + 1]
        if fit:
            yield from ((names[place], wrong) for wrong in fit)
            return


def _thinned(asked: list[DraftWithOptions], seed: int, findings: ImportFindings) -> list[DraftWithOptions]:
    """Return the questions without as many as make each cue's guesser right no more often than chance."""
    for _ in range(_ROUNDS):
        before = len(asked)
        for name in [PRIOR, *sorted({name for one in asked for name in credits_of(one.options)})]:
            credit = _credit(asked, name)
            given = sorted(
                (one for one in asked if credit[one.draft.id] == 1.0),
                key=lambda one: digest(seed, "thinned", name, one.draft.id),
            )
            gone = {one.draft.id for one in given[: _too_many(list(credit.values()))]}
            for one in (one for one in asked if one.draft.id in gone):
                findings.leave_out(GIVEN_AWAY, one.draft.actions[0].place, name)
            asked = [one for one in asked if one.draft.id not in gone]
        if len(asked) == before:
            break
    return asked


def _credit(asked: Sequence[DraftWithOptions], name: str) -> dict[str, float]:
    """Return how often a guesser is right, by question."""
    if name == PRIOR:
        return dict(zip((one.draft.id for one in asked), prior_credit(asked), strict=True))
    return {one.draft.id: credits_of(one.options)[name] for one in asked}


def _too_many(credit: Sequence[float]) -> int:
    """Return how many questions that a guesser gets right are too many, 0 where it is about at chance."""
    n = len(credit)
    if not n:
        return 0
    excess = sum(credit) - CHANCE * n
    error = math.sqrt(CHANCE * (1 - CHANCE) * n)
    return math.ceil(excess / (1 - CHANCE)) if excess > _NOTICEABLE * error else 0
