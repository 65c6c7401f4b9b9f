"""Questions with four options as they are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fathom.questions.choice_candidate import ChoiceSelected
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.notation import filled_text
from fathom.questions.writing.video import spelled
from fathom.questions.writing.viewpoints import OPTIONS_MEAN
from fathom.records import Evidence, Groups, Question
from fathom.store.seeds import rng

SLOTS = "abcd"

EXPLANATION = "explanation"
"""The tag that says why the answer is right."""


def written_choices(selected: Sequence[ChoiceSelected], recipe: VideoQuestionRecipe) -> Iterator[Question]:
    """Yield the questions, in the order of their selection."""
    numbers: Counter[tuple[str, str]] = Counter()
    for one in selected:
        key = one.candidate.scene, one.candidate.template.task
        numbers[key] += 1
        yield _question(one, f"{key[0]}_{key[1]}_{numbers[key]}", recipe)


def _called(words: str) -> str:
    """Return words for an object as people say them where nothing speaks of the camera that films."""
    return spelled(words).replace("photo camera", "camera")


def _question(selected: ChoiceSelected, name: str, recipe: VideoQuestionRecipe) -> Question:
    c = selected.candidate
    form = c.template
    slots = "n" if form.asks == "counts" else SLOTS
    words = dict(zip(slots, map(_called, c.words), strict=False))
    text = form.texts[int(rng(recipe.seed, "wording", name).integers(len(form.texts)))]
    answer = _called(c.answer.text)
    said, because = (
        filled_text(t, lambda slot, _: (words | {"answer": answer})[slot]) for t in (text, form.because)
    )
    return Question(
        id=name,
        task=form.task,
        text=said[:1].upper() + said[1:],
        answer=answer,
        media=(c.media,),
        scene=c.scene,
        choices=tuple(_called(o.text) for o in selected.options),
        program=c.program,
        margin=c.answered.margin,
        span_s=c.span_s,
        evidence=Evidence(
            objects=c.objects,
            steps=c.steps,
            smallest_visible_px=c.smallest_px,
            smallest_visible_fraction=c.smallest_share,
        ),
        groups=Groups(cluster=c.scene),
        tags={
            "setting": c.setting,
            "form": form.id,
            OPTIONS_MEAN: ", ".join(o.value for o in selected.options),
            **({EXPLANATION: because[:1].upper() + because[1:]} if because else {}),
        },
        source="rules=tracks",
    )
