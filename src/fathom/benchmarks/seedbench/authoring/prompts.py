"""What writers of questions about pictures read."""

from __future__ import annotations

from pathlib import Path

from fathom.authoring.information.as_text import as_text
from fathom.authoring.information.record import VisualInformation
from fathom.authoring.prompts import read_prompts
from fathom.benchmarks.seedbench.tasks import TASKS
from fathom.records import Prompt, TextPart

PROMPTS = read_prompts(Path(__file__).with_name("prompts.toml"))


def write_prompt(found: VisualInformation, dimension: str, each: int) -> Prompt:
    """Return what a writer reads to write questions of a dimension: no picture, what is known of it."""
    about = PROMPTS.kinds[dimension].about
    texts = [
        PROMPTS.text("wanted", title=TASKS[dimension], about=about, each=str(each)),
        f"Rules:\n{PROMPTS.listed_rules(dimension)}",
        f"{PROMPTS.text('information')}\n\n{as_text(found)}",
        PROMPTS.text("draft"),
    ]
    return Prompt(system=PROMPTS.text("writer"), parts=(TextPart(text="\n\n".join(texts)),))
