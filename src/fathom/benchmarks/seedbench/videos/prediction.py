"""Action prediction: which action follows a clip of EPIC-KITCHENS-100.

The clip ends `margin_s` before the action begins, and the action is the next one that is annotated. Wrong
options are actions that occur in the annotations, put together so that no option stands out: four verbs with
one noun, four nouns with one verb, or two verbs with two nouns. Nouns are all of earlier actions in the clip,
or none is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from fathom.benchmarks.seedbench.videos.drafts import WRONG, VideoDraft, VideoOption, WrongOptions
from fathom.benchmarks.seedbench.videos.settings import VideoQuestionSettings
from fathom.benchmarks.seedbench.videos.wording import PART, nearly_says
from fathom.formats.actions.record import EPIC, ActionAnnotations, AnnotatedVideo, LabelledAction
from fathom.formats.import_findings import ImportFindings

TASK = "action_prediction"
TEXT = "What action do you anticipate following the end of this video?"
OTHER_VERBS = "same noun, other verbs"
OTHER_NOUNS = "same verb, other nouns"
TWO_BY_TWO = "two verbs with two nouns"

TOO_EARLY = "an action with too little before it to be shown"
NOT_NEXT = "an action that another one begins before, or goes on beside, within the margin"
NOTHING_BEFORE = "an action with no other one in the clip before it"
UNSURE = "an action beside a malformed row"

COULD_BE_TRUE = "a wrong option that is annotated in the clip, or until the right action ends"

_NEAR = 3
"""So many actions after the right one are told."""

Pair = tuple[str, str]


@dataclass(frozen=True)
class _Said:
    """Which actions occur: all of them, those with a verb, and those with a noun."""

    pairs: frozenset[Pair]
    with_verb: Mapping[str, tuple[Pair, ...]]
    with_noun: Mapping[str, tuple[Pair, ...]]


@dataclass(frozen=True)
class _Moment:
    """The answer, what was seen before it, and what cannot be an option because it is done meanwhile.

    `words` are what annotators call the answer and what is done meanwhile, and in the clip where the answer
    was not done there: no option says the same, or a part of it.
    """

    own: Pair
    seen: frozenset[Pair]
    avoided: frozenset[Pair]
    said: _Said
    words: frozenset[str] = frozenset()

    @cached_property
    def other_verbs(self) -> tuple[Pair, ...]:
        return tuple(pair for pair in self.said.with_noun[self.own[1]] if self._fits(pair))

    @cached_property
    def other_nouns(self) -> tuple[Pair, ...]:
        return tuple(pair for pair in self.said.with_verb[self.own[0]] if self._fits(pair))

    def crossing(self, verb: str) -> list[Pair]:
        """Return what has this verb and one of the other nouns."""
        pairs = [(verb, noun) for _, noun in self.other_nouns]
        return [pair for pair in pairs if pair in self.said.pairs and self._is_wrong(pair)]

    def options(self, pairs: Iterable[Pair]) -> WrongOptions:
        return tuple(self.option(pair) for pair in pairs)

    def exchanged(self, options: Sequence[VideoOption]) -> WrongOptions | None:
        """Return options of another moment as wrong ones of this one; None where one of them cannot be.

        They were done in the clip if the right one was.
        """
        pairs = [(key[1], key[2]) for o in options for key in o.keys if key[0] == "action"]
        fit = all(self._fits(pair) and (pair in self.seen) == (self.own in self.seen) for pair in pairs)
        return self.options(pairs) if fit else None

    def option(self, pair: Pair) -> VideoOption:
        if pair not in self._made:
            self._made[pair] = self._make(pair)
        return self._made[pair]

    @cached_property
    def _made(self) -> dict[Pair, VideoOption]:
        return {}

    def _make(self, pair: Pair) -> VideoOption:
        verb, noun = pair
        cues = {"noun_earlier": float(noun in self._nouns), "action_earlier": float(pair in self.seen)}
        keys = (("verb", verb), ("noun", noun), ("action", verb, noun))
        return VideoOption(f"{verb} {noun}", keys, cues)

    @cached_property
    def _nouns(self) -> frozenset[str]:
        return frozenset(noun for _, noun in self.seen)

    def _fits(self, pair: Pair) -> bool:
        """Return whether this can be a wrong option: its noun was seen if the right one was."""
        return (pair[1] in self._nouns) == (self.own[1] in self._nouns) and self._is_wrong(pair)

    def _is_wrong(self, pair: Pair) -> bool:
        """Return whether this is not done, by classes and by annotators' words ("put plate into fridge")."""
        if pair in self.avoided or pair == self.own:
            return False
        if pair not in self._told:
            self._told[pair] = any(nearly_says(" ".join(pair), words) for words in self.words)
        return not self._told[pair]

    @cached_property
    def _told(self) -> dict[Pair, bool]:
        return {}


@dataclass(frozen=True)
class _Anticipated:
    """An action that is to be predicted, among those of its video.

    seen : in the clip
    meanwhile : between the end of the clip and the end of the action
    stop_s : where the clip ends
    """

    moment: _Moment
    video: AnnotatedVideo
    action: LabelledAction
    seen: Sequence[LabelledAction]
    meanwhile: Sequence[LabelledAction]
    stop_s: float

    def told(self) -> Mapping[str, Sequence[str]]:
        """Return the actions of the clip, those until the right one ends, and the next ones."""
        later = [a for a in self.video.actions if a.start_s > self.action.stop_s][:_NEAR]
        among = sorted((self.action, *self.meanwhile), key=lambda a: a.start_s)
        return {
            "The actions of the clip, with their times from its end on": [self._at(a) for a in self.seen],
            "From the end of the clip to the end of the right action": [self._at(a) for a in among],
            "After that": [self._at(a) for a in later] or ["nothing that is annotated"],
        }

    def option(self, text: str) -> VideoOption:
        """Return an option, counted by verb and noun."""
        verbs = [v for v in self.moment.said.with_verb if f"{text} ".startswith(f"{v} ")]
        verb = max(verbs, key=len, default=text.partition(" ")[0])
        return replace(self.moment.option((verb, text[len(verb) :].strip())), text=text)

    def wrong(self, text: str) -> str:
        """Return whether the words are the right action, or one that is annotated too.

        What was done in the clip can be a wrong option where the right one was done there, too.
        """
        if any(nearly_says(text, own) for own in _words_of(self.action)):
            return PART
        again = self.action.pair in self.moment.seen
        others = self.meanwhile if again else (*self.meanwhile, *self.seen)
        done = any(nearly_says(text, words) for a in others for words in _words_of(a))
        return COULD_BE_TRUE if done else ""

    def _at(self, action: LabelledAction) -> str:
        start, stop = (f"{t - self.stop_s:+.1f}" for t in (action.start_s, action.stop_s))
        words = "" if action.words.casefold() == action.text.casefold() else f' ("{action.words}")'
        return f"{start} s to {stop} s: {action.text}{words}"


def _words_of(action: LabelledAction) -> tuple[str, ...]:
    """Return what an action is called: by its classes, and by the annotator where that is no single word."""
    return (action.text, action.words) if len(action.words.split()) > 1 else (action.text,)


def prediction_drafts(
    annotations: ActionAnnotations, settings: VideoQuestionSettings, findings: ImportFindings
) -> Iterator[VideoDraft]:
    """Yield a draft for each action that can be predicted; of the others it is counted why not."""
    videos = [v for v in annotations.videos if v.source == EPIC]
    said = _said(frozenset(a.pair for v in videos for a in v.actions))
    for video in videos:
        for action in video.actions:
            found = _draft(video, action, said, settings)
            if isinstance(found, str):
                findings.leave_out(found, action.place, action.text)
            else:
                yield found


def _said(pairs: frozenset[Pair]) -> _Said:
    verbs, nouns = defaultdict(list), defaultdict(list)
    for pair in sorted(pairs):
        verbs[pair[0]].append(pair)
        nouns[pair[1]].append(pair)
    return _Said(
        pairs, {v: tuple(some) for v, some in verbs.items()}, {n: tuple(some) for n, some in nouns.items()}
    )


def _draft(
    video: AnnotatedVideo, action: LabelledAction, said: _Said, settings: VideoQuestionSettings
) -> VideoDraft | str:
    """Return the draft that asks for an action, or why it cannot be asked for."""
    stop = action.start_s - settings.margin_s
    start = max(0.0, stop - settings.before_s)
    if stop - start < settings.least_s:
        return TOO_EARLY
    if action.after_gap:
        return UNSURE
    others = [a for a in video.actions if a.id != action.id]
    meanwhile = [a for a in others if a.start_s <= action.stop_s and a.stop_s >= stop]
    if any(stop <= a.start_s <= action.start_s or a.pair == action.pair for a in meanwhile):
        return NOT_NEXT
    seen = [a for a in others if a.start_s < stop and a.stop_s > start]
    if not seen:
        return NOTHING_BEFORE
    before = frozenset(a.pair for a in seen)
    done = (action, *meanwhile, *(() if action.pair in before else seen))
    words = frozenset(said for a in done for said in _words_of(a)[1:])
    moment = _Moment(action.pair, before, frozenset(a.pair for a in meanwhile), said, words)
    rules = {OTHER_VERBS: _other_verbs, OTHER_NOUNS: _other_nouns, TWO_BY_TWO: _two_by_two}
    return VideoDraft(
        id=f"{TASK}:{action.id}",
        task=TASK,
        text=TEXT,
        answer=moment.option(action.pair),
        video=video,
        actions=(action, *seen),
        rules={name: partial(rule, moment) for name, rule in rules.items()},
        group=video.id,
        ground=_Anticipated(moment, video, action, seen, meanwhile, stop),
        start_s=start,
        stop_s=stop,
        exchange=moment.exchanged if settings.predictions == "exchanged" else None,
    )


def _other_verbs(moment: _Moment, draw: np.random.Generator) -> WrongOptions | None:
    return _some(moment, moment.other_verbs, draw)


def _other_nouns(moment: _Moment, draw: np.random.Generator) -> WrongOptions | None:
    return _some(moment, moment.other_nouns, draw)


def _some(moment: _Moment, pairs: Sequence[Pair], draw: np.random.Generator) -> WrongOptions | None:
    if len(pairs) < WRONG:
        return None
    return moment.options(pairs[i] for i in draw.choice(len(pairs), WRONG, replace=False))


def _two_by_two(moment: _Moment, draw: np.random.Generator) -> WrongOptions | None:
    if not moment.other_verbs:
        return None
    changed = moment.other_verbs[draw.integers(len(moment.other_verbs))]
    crossing = moment.crossing(changed[0])
    if not crossing:
        return None
    both = crossing[draw.integers(len(crossing))]
    return moment.options((changed, (moment.own[0], both[1]), both))
