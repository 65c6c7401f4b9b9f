"""Early stop: whether a group of passes is decided, so that no further pass of it needs to be asked.

A group is right when all its passes are. One wrong pass decides it; a pass that failed decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from fathom.records import Extractor, InputError, Protocol, Question, Request, Response, SampleScore
from fathom.scoring.groups import FLIPPED, GROUPINGS, Grouping, Stopped, group_name
from fathom.scoring.likelihood import RANKINGS, Ranking, ranking_of, ranking_under
from fathom.scoring.sample_scores import sample_score_of
from fathom.store.datasets import Dataset

GROUPING, EXTRACTOR = "early_stop.grouping", "early_stop.extractor"
"""Settings of a run that was stopped early: what was decided, and under which extractor."""


def decided(
    question: Question, scores_so_far: Sequence[SampleScore], grouping: Grouping, extractor: str
) -> bool:
    """Return whether the verdict on the question's group stands, whatever the passes to come say.

    `scores_so_far` are those of the question, and where `grouping` joins mirror images, of its partner too;
    those under another extractor than `extractor` do not count.
    """
    if grouping == "plain":
        return False
    return any(
        m.extractor == extractor and m.status != "failed" and m.value < 1
        for m in scores_so_far
        if grouping in FLIPPED or m.question == question.id
    )


class EarlyStop:
    """Reads answers as they come, and says which requests are not needed any more.

    It remembers the names of decided groups alone. What it says is a matter of the answers so far, so that a
    run that is carried on needs to hear those of before.
    """

    def __init__(
        self,
        question: Callable[[str], Question],
        flips: Mapping[str, str],
        grouping: Grouping,
        extractor: Extractor,
        ranking: Ranking | None,
    ) -> None:
        """Take how to find a question, the flip groups, and how answers are read.

        `flips` are by question, in the order in which questions are asked. `ranking` says how likelihoods are
        compared, where they are asked.
        """
        self._question = question
        self._flips = flips
        self._extractor = extractor
        self._ranking = ranking
        label = f"{extractor.name}-{extractor.version}"
        self.stopped = Stopped(grouping, ranking_under(extractor, ranking).extractor if ranking else label)
        self._decided: set[str] = set()
        firsts: dict[str, str] = {}
        if grouping in FLIPPED:
            for question_id, flip in flips.items():
                firsts.setdefault(flip, question_id)
        self._firsts = firsts

    def group(self, request: Request) -> str:
        """Return the name of the group that a request is a pass of."""
        return self._group(request.asked.id)

    def later(self, question_id: str) -> bool:
        """Return whether the question is a mirror image of one that is asked before it."""
        return self._firsts.get(self._flips.get(question_id, ""), question_id) != question_id

    def needless(self, request: Request) -> bool:
        """Return whether the verdict that a request would add to is decided already."""
        return self.group(request) in self._decided

    def hear(self, response: Response) -> None:
        """Take note of an answer."""
        group = self._group(response.question)
        if group in self._decided or response.status == "failed":
            return
        question = self._question(response.question)
        sample_score = sample_score_of(question, response, self._extractor, self._ranking or Ranking())
        if decided(question, [sample_score], self.stopped.grouping, self.stopped.extractor):
            self._decided.add(group)

    def settings(self) -> dict[str, str]:
        """Return what stands in the run's manifest about it."""
        return {GROUPING: self.stopped.grouping, EXTRACTOR: self.stopped.extractor}

    def _group(self, question_id: str) -> str:
        return group_name(question_id, self._flips.get(question_id, ""), self.stopped.grouping)


def early_stop_of(
    protocol: Protocol, extractors: Mapping[str, Extractor], dataset: Dataset, limit: int = 0
) -> EarlyStop | None:
    """Return the early stop that a protocol's settings ask for, or None.

    Raises InputError for an unknown extractor, and where only some questions are asked and mirror images
    are joined: nobody could tell then which of two was not asked, and which not needed.
    """
    settings = protocol.settings
    if settings.get("early-stop") is not True:
        return None
    grouping = next(g for g in GROUPINGS if g == settings.get("grouping", "plain"))
    if limit and grouping in FLIPPED:
        raise InputError(
            f"--limit {limit} with early-stop=yes and grouping={grouping}: which mirror images were left out "
            "could not be told from which were not needed; leave one of them out"
        )
    ranking = ranking_of({f"protocol.{name}": value for name, value in settings.items()})
    ranked = settings.get("answer") == "likelihood"
    name = f"rank-{ranking.normalisation}" if ranked else str(settings.get("early-stop-extractor", ""))
    known = {**extractors, **RANKINGS} if ranked else extractors
    if name not in known:
        raise InputError(f"--set early-stop-extractor={name}: there is {', '.join(known)}")
    flips = {q.id: q.groups.flip for q in dataset.questions() if q.groups.flip}
    return EarlyStop(dataset.question, flips, grouping, known[name], ranking if ranked else None)


def stopped_of(settings: Mapping[str, object]) -> Stopped | None:
    """Return how a run was stopped early, from its manifest's settings; None where it was not."""
    grouping = next((g for g in GROUPINGS if g == settings.get(GROUPING)), None)
    return Stopped(grouping, str(settings.get(EXTRACTOR, ""))) if grouping else None
