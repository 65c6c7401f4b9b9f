"""What writers of wrong options read."""

from __future__ import annotations

from pathlib import Path

from fathom.authoring.prompts import read_prompts
from fathom.benchmarks.seedbench.tasks import TASKS
from fathom.benchmarks.seedbench.videos.drafts import VideoDraft
from fathom.records import Prompt, TextPart

PROMPTS = read_prompts(Path(__file__).with_name("prompts.toml"))


def write_prompt(draft: VideoDraft) -> Prompt:
    """Return what a writer reads to write wrong options of a question: no clip, what is annotated of it."""
    told = [
        f"{title}:\n" + "\n".join(f"- {line}" for line in some) for title, some in draft.ground.told().items()
    ]
    texts = [
        PROMPTS.text("wanted", title=TASKS[draft.task], about=PROMPTS.kinds[draft.task].about),
        f"Rules:\n{PROMPTS.listed_rules(draft.task)}",
        PROMPTS.text("annotated"),
        *told,
        f"Question: {draft.text}\nRight option: {draft.answer.text}",
        PROMPTS.text("draft"),
    ]
    return Prompt(system=PROMPTS.text("writer"), parts=(TextPart(text="\n\n".join(texts)),))
