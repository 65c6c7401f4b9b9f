"""What the steps share: the dataset, the folder, who is waited for, and what came of everything."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fathom.build.written.candidates import Shown
from fathom.build.written.putting import put, waiting
from fathom.build.written.requests import Said, Step, known_runs, request_of, said_in
from fathom.build.written.sifting import KEPT, REJECTED, WAITING, Sifted
from fathom.build.written.tables import Fate
from fathom.build.written.videos.facts import recipe_of
from fathom.build.written.videos.footage import films_of
from fathom.build.written.videos.prompts import VERSION
from fathom.build.written.videos.review import Line, add_lines, decided, decisions
from fathom.build.written.videos.settings import Rejected, VideoWriting
from fathom.build.written.videos.vocabulary import lexicon_of
from fathom.programs.tracks import tracks_of
from fathom.records import Prompt, Request, Variant
from fathom.store.datasets import Dataset

NO_PEOPLE = "only people can decide, and they are not asked"

_WANTED: dict[Step, str] = {
    "describe": "have a model, best one that sees pictures, describe things",
    "ask": "have a model put facts into questions",
    "blind": "have {models} different text-only models answer the questions blind",
}


class WaitError(Exception):
    """Somebody is waited for: the step, and what they are to do."""

    def __init__(self, step: str, say: str) -> None:
        super().__init__(say)
        self.step = step
        self.say = say


class Desk:
    """The work at one call."""

    def __init__(self, dataset: Dataset, work: Path, writing: VideoWriting) -> None:
        self.dataset = dataset
        self.work = work
        self.writing = writing
        self.sifted = Sifted()
        self.rejected: list[Rejected] = []
        self.films = {scene.id: (scene, media) for scene, media in films_of(dataset, writing.videos)}
        self.recipe = recipe_of(writing)
        self.decisions = decisions(work)
        tracks = [tracks_of(scene) for scene, _ in self.films.values()]
        self.lexicon = lexicon_of((n for t in tracks for n in t.names), (c for t in tracks for c in t.colors))
        self.settings = sorted({t.rules.name for t in tracks})

    def said(self, step: Step) -> list[Said]:
        """Return what was said in a step, run by run."""
        return said_in(self.work, step, known_runs(self.work))

    def wait_for(self, step: Step, requests: Sequence[Request], models: int = 1) -> None:
        """Ask what was not asked yet. Raises WaitError where models have still to answer."""
        objects = {scene: Shown(id=scene, media=(media,)) for scene, (_, media) in self.films.items()}
        asked = put(self.work, step, requests, self.dataset, objects, self.writing.seed, VERSION)
        words, _ = waiting(asked, self.said(step), models, _WANTED[step].format(models=models))
        if words:
            raise WaitError(step, "\n".join(words))

    def reject(
        self, step: str, name: str, scene: str, said: str, writer: str, reason: str, detail: str = ""
    ) -> None:
        """List something that is not taken, and why."""
        self.rejected.append(
            Rejected(
                step=step, id=name, scene=scene, said=said, writer=writer, reason=reason, detail=detail[:200]
            )
        )  # fmt: skip

    def decided(self, name: str, setting: str) -> str:
        """Return what people decided of something, "" where they have not; and count it."""
        verdicts = self.decisions.get(name, [])
        found = decided(verdicts)
        self.sifted.verdicts += verdicts
        outcome = {"keep": KEPT, "reject": REJECTED, "": WAITING}[found]
        if not found and self.writing.people == "no":
            outcome = NO_PEOPLE
        self.sifted.fates.append(Fate("review", setting, outcome, found == "keep"))
        return found or ("" if self.writing.people == "yes" else "reject")

    def wait_for_people(self, lines: Sequence[Line]) -> None:
        """Ask people what they have not decided. Raises WaitError where there is anything."""
        if lines:
            path = add_lines(self.work, lines)
            raise WaitError(
                "review",
                f"{len(lines):,} lines wait for people: fill in `decision` (keep or reject) in {path}",
            )


def request(
    step: Step, name: str, setting: str, prompt: Prompt | None = None, choices: tuple[str, ...] = ()
) -> Request:
    """Return one request; without a prompt one that is known by its name alone, having been asked before."""
    variant = Variant(name=step, media_withheld=step != "describe")
    return request_of(step, name, setting, prompt or Prompt(parts=()), variant, choices, VERSION)
