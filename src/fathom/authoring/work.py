"""The work at one call: what was said so far, what is asked, and who is waited for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from fathom.authoring.outcomes import Outcomes
from fathom.authoring.requests import ModelStep, RequestContext, request_of
from fathom.authoring.review import FILE, REVIEW
from fathom.authoring.runs import Answering, Replies, replies_in
from fathom.authoring.submission import submit, unanswered
from fathom.records import Prompt, Question, Request, Variant


class WaitError(Exception):
    """Somebody is waited for: the step, what they are to do, folders of requests, and what is kept so far."""

    def __init__(
        self, step: str, say: str, requests: Sequence[Path] = (), questions: Sequence[Question] = ()
    ) -> None:
        super().__init__(say)
        self.step = step
        self.say = say
        self.requests = tuple(requests)
        self.questions = tuple(questions)


class Work:
    """The work at one call: what was said so far, what is asked, and what came of everything."""

    def __init__(self, folder: Path, about: RequestContext, runs: Sequence[Answering]) -> None:
        self.folder = folder
        self.dataset = about.dataset
        self.subjects = about.subjects
        self._about = about
        self.outcomes = Outcomes()
        self._runs = runs

    def request(
        self,
        step: ModelStep,
        name: str,
        kind: str,
        prompt: Prompt,
        variant: Variant | None = None,
        choices: tuple[str, ...] = (),
    ) -> Request:
        """Return one request of a step."""
        return request_of(
            step, name, kind, prompt, variant or Variant(name=step.name), self._about.version, choices
        )

    def replies(self, step: ModelStep) -> list[Replies]:
        """Return what was said in a step, run by run."""
        return replies_in(self.folder, step.name, self._runs)

    def ask(self, step: ModelStep, requests: Iterable[Request], models: int = 1) -> None:
        """Ask what was not asked yet. Raises WaitError where models have still to answer."""
        asked = submit(self.folder, step, list(requests), self._about)
        wanted = step.wanted.format(models=models)
        words, folders = unanswered(asked, self.replies(step), models, wanted)
        if words:
            raise WaitError(step.name, "\n".join(words), folders)

    def wait_for_people(self, lines: int, kept: Sequence[Question] = ()) -> None:
        """Wait until people have decided so many lines; `kept` is kept so far. Raises WaitError for any."""
        if lines:
            say = (
                f"{lines:,} lines wait for people: fathom review {self.folder} --task drafts --out REVIEW, "
                f"or fill in `decision` (keep or reject) in {self.folder / FILE}"
            )
            raise WaitError(REVIEW, say, questions=kept)
