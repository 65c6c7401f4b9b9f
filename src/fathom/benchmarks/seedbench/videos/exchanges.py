"""Questions whose options could each be the right one: which one it is, is drawn evenly.

Four options are kept only where for each of them a clip is left that it is right of, and of which the other
three are wrong. Then one of the four is drawn, and the clip with it. So whoever sees no clip is right in one
of four, whatever is known of words and of frequencies. No option is shown so often that its clips would run
out: else who knows the answers to all other questions would know what is not right any more.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from fathom.benchmarks.seedbench.videos.drafts import DraftWithOptions, VideoDraft, VideoOption, WrongOptions
from fathom.benchmarks.seedbench.videos.settings import VideoQuestionSettings
from fathom.benchmarks.seedbench.videos.shortcuts import CHANCE
from fathom.store.seeds import digest, rng

_Fitting = tuple[VideoDraft, WrongOptions]
"""A clip that an option is right of, with the other options as wrong ones."""

_MOST_SETS = 8
"""How many sets of options of a rule are looked at, the most promising first."""


_RARELY = 2.0
"""By so many standard deviations an option is right more rarely than there are clips of it."""


class _Stock:
    """All drafts by the text of their answers, which are used, and how often each option was shown."""

    def __init__(self, drafts: Sequence[VideoDraft]) -> None:
        self._by_answer: dict[str, list[VideoDraft]] = defaultdict(list)
        for draft in drafts:
            self._by_answer[draft.answer.text].append(draft)
        self._used: set[str] = set()
        self._shown: Counter[str] = Counter()

    def room(self, options: Sequence[VideoOption]) -> int:
        """Return how often the option may still be shown at most that may be shown the fewest times."""
        return min(most_shown(len(self._by_answer[o.text])) - self._shown[o.text] for o in options)

    def fitting(self, options: Sequence[VideoOption]) -> Mapping[str, _Fitting] | None:
        """Return a draft of each option, by its text; None where one has none, or was shown enough."""
        found = {}
        for option in options:
            others = [o for o in options if o.text != option.text]
            some = self._by_answer[option.text]
            fit = [(d, w) for d in some if d.exchange and (w := d.exchange(others)) is not None]
            left = [pair for pair in fit if pair[0].id not in self._used]
            if not left or self._shown[option.text] >= most_shown(len(fit)):
                return None
            found[option.text] = left[0]
        return found

    def take(self, draft: VideoDraft, options: Iterable[str]) -> None:
        """Count a draft as used, and options as shown."""
        self._used.add(draft.id)
        self._shown.update(options)


def most_shown(clips: int) -> int:
    """Return how often an option may be shown of which there are so many clips: it is right in one of four.

    >>> [most_shown(n) for n in (0, 1, 5, 60)]
    [0, 1, 10, 187]
    """
    spread = _RARELY * math.sqrt(CHANCE * (1 - CHANCE))
    root = (math.sqrt(spread**2 + 4 * CHANCE * clips) - spread) / (2 * CHANCE)
    return max(clips, math.floor(root**2))


def with_exchanged_options(
    drafts: Sequence[VideoDraft], settings: VideoQuestionSettings
) -> list[DraftWithOptions]:
    """Return those of the drafts that were drawn, with their wrong options, in the order of the drafts."""
    order = sorted(drafts, key=lambda d: digest(settings.seed, "turn", d.id))
    stock, chosen = _Stock(order), dict[str, DraftWithOptions]()
    for turn, draft in enumerate(order):
        # Also where this draft is used already: else its answer would be shown until it is right.
        found = _set_with(draft, stock, settings, turn)
        if found is None:
            continue
        rule, fitting = found
        texts = sorted(fitting)
        right = texts[rng(settings.seed, "right", turn).integers(len(texts))]
        used, wrong = fitting[right]
        stock.take(used, texts)
        chosen[used.id] = DraftWithOptions(used, rule, wrong)
    return [chosen[d.id] for d in drafts if d.id in chosen]


def _set_with(
    draft: VideoDraft, stock: _Stock, settings: VideoQuestionSettings, turn: int
) -> tuple[str, Mapping[str, _Fitting]] | None:
    """Return a rule and four options by it that all have drafts left, one of them this draft's answer.

    Of the sets that are drawn, the one goes first whose options may all still be shown often.
    """
    draw = rng(settings.seed, "options", draft.id, turn)
    names = sorted(draft.rules)
    for place in draw.permutation(len(names)):
        drawn = [draft.rules[names[place]](draw) for _ in range(settings.tried)]
        sets = {tuple(sorted(o.text for o in w)): (draft.answer, *w) for w in drawn if w}
        for options in sorted(sets.values(), key=lambda some: -stock.room(some))[:_MOST_SETS]:
            if stock.room(options) <= 0:
                break
            if len({o.text for o in options}) == len(options) and (fitting := stock.fitting(options)):
                return names[place], fitting
    return None
