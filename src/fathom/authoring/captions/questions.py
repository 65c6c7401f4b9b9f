"""The task to describe an object, as a question whose references are its captions."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.authoring.captions.claims import Caption
from fathom.records import Groups, Question, Scene

TASK = "caption"
TEXT = "What does the object look like, and what does it do?"
GRAMMAR = "grammar"


def caption_question(scene: Scene, captions: Sequence[Caption], media: Sequence[str]) -> Question:
    """Return the task to describe one object; its first caption stands as the answer."""
    texts = tuple(caption.text for caption in captions)
    return Question(
        id=f"{scene.id}_{TASK}",
        task=TASK,
        text=TEXT,
        answer=texts[0],
        references=texts,
        media=tuple(media),
        scene=scene.id,
        groups=Groups(cluster=scene.objects[0].asset.name),
        tags={"object": scene.id, "captions": GRAMMAR},
        source=GRAMMAR,
    )
