"""Questions about viewpoints as they are written: once for each picture, in the same words.

The questions in the same words are one group (`groups.pair`); the tag `room` says whether the room is as it
was or changed. A question that asks the opposite of another one has the tag `opposite_of` with its id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from fathom.geometry.camera_angles import angles_of
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.notation import filled_text
from fathom.questions.view_candidate import VIEWPOINTS, ViewSelected, selected
from fathom.questions.writing.video import spelled
from fathom.records import Evidence, Groups, Question, Scene
from fathom.store.seeds import rng

OPTIONS_MEAN = "options_mean"
"""The tag that says which answer of the program each option is, in their order."""

FLIP, MIRRORED = "-flip", "mirrored"
"""What stands behind the name of a mirror image, and of a question on it; the tag that says so."""

OPPOSITE, OPPOSITE_OF = "-opposite", "opposite_of"
"""What stands behind the name of a question that asks the opposite of another; the tag that says of which."""

ROOMS = ("as it was", "changed")
"""What a room is called before and after its change."""


def written_views(
    asked: Sequence[ViewSelected],
    viewpoints: Sequence[str],
    scenes: Mapping[str, Scene],
    recipe: VideoQuestionRecipe,
) -> Iterator[Question]:
    """Yield the questions; `viewpoints` name the two cameras of every scene."""
    numbers: Counter[tuple[str, str]] = Counter()
    for one in asked:
        key = one.candidate.scene, one.candidate.template.task
        numbers[key] += 1
        name = f"{key[0]}_{key[1]}_{numbers[key]}"
        for place in range(len(one.candidate.views)):
            viewpoint, camera = viewpoints[place % VIEWPOINTS], _camera(scenes[key[0]], place % VIEWPOINTS)
            found = _question(one, place, viewpoint, name, recipe)
            yield msgspec.structs.replace(found, tags={**found.tags, **camera})
            if one.candidate.opposite is not None:
                turned = selected(one.candidate.opposite, recipe.seed)
                other = _question(turned, place, viewpoint, f"{name}{OPPOSITE}", recipe)
                tags = {**other.tags, **camera, OPPOSITE_OF: found.id}
                yield msgspec.structs.replace(other, tags=tags)


def _camera(scene: Scene, viewpoint: int) -> dict[str, str]:
    """Return the tags that say of what kind a viewpoint is, and how the camera is held there."""
    height, pitch, roll = angles_of(scene.cameras[0])[viewpoint]
    return {
        "viewpoint": ("common", scene.source["uncommon"])[viewpoint],
        "camera_height_m": f"{height:.2f}",
        "camera_pitch_deg": f"{pitch:.1f}",
        "camera_roll_deg": f"{abs(roll):.1f}",
    }


def _question(
    one: ViewSelected, place: int, viewpoint: str, name: str, recipe: VideoQuestionRecipe
) -> Question:
    candidate, view = one.candidate, one.candidate.views[place]
    form = candidate.template
    words = dict(zip(form.objects, map(spelled, candidate.words), strict=True))
    texts = {value: _filled(text, words) for value, text in form.options.items()}
    text = form.texts[int(rng(recipe.seed, "wording", name).integers(len(form.texts)))]
    said = _filled(text, words)
    room = ROOMS[place // VIEWPOINTS]
    picture = picture_name(viewpoint, room)
    return Question(
        id=f"{name}_{picture}",
        task=form.task,
        text=said[:1].upper() + said[1:],
        answer=texts[view.value],
        media=(recipe.media.format(scene=candidate.scene, view=picture),),
        scene=candidate.scene,
        choices=tuple(texts[value] for value in one.options),
        program=view.program,
        margin=view.answered.margin,
        evidence=Evidence(
            objects=candidate.objects,
            steps=view.steps,
            smallest_visible_px=view.smallest_px,
            smallest_visible_fraction=view.smallest_share,
        ),
        groups=Groups(cluster=candidate.scene, pair=name),
        tags={
            "setting": candidate.setting,
            "split": f"synthetic-{viewpoint}",
            "form": form.id,
            OPTIONS_MEAN: ", ".join(one.options),
            "room": room,
            "pair": "yes" if candidate.complementary else "no",
            "parts": str(len(candidate.parts)),
            "picture_suggests": "another answer" if view.fooled else "the answer",
        },
        source="rules=tracks",
    )


def picture_name(viewpoint: str, room: str) -> str:
    """Return what a picture is called: after its viewpoint, and whether the room was changed."""
    return viewpoint if room == ROOMS[0] else f"{viewpoint}-{room}"


def with_mirror_images(questions: Iterable[Question]) -> Iterator[Question]:
    """Yield questions, each followed by the one on the mirror image of its picture.

    The words are the same; by rule the answer is too, but where it is a left or a right.
    """
    for question in questions:
        groups = msgspec.structs.replace(question.groups, flip=question.id)
        yield msgspec.structs.replace(question, groups=groups)
        values = question.tags[OPTIONS_MEAN].split(", ")
        value = values[question.choices.index(question.answer)]
        yield msgspec.structs.replace(
            question,
            id=f"{question.id}{FLIP}",
            answer=option_of(question, in_the_mirror(value, question.program[-1].op)),
            media=tuple(f"{m}{FLIP}" for m in question.media),
            groups=groups,
            tags={**question.tags, **_opposite_in_mirror(question), MIRRORED: "yes"},
        )


def _opposite_in_mirror(question: Question) -> dict[str, str]:
    """Return the tag of which question on the mirror image it asks the opposite."""
    said = question.tags.get(OPPOSITE_OF)
    return {OPPOSITE_OF: f"{said}{FLIP}"} if said else {}


def in_the_mirror(value: str, operator: str = "") -> str:
    """Return what an answer of the program, which ends in an operator, is on the mirror image.

    >>> in_the_mirror("left"), in_the_mirror("front"), in_the_mirror("yes", "right_of")
    ('right', 'front', 'no')
    """
    turned = {"yes": "no", "no": "yes"} if operator == "right_of" else {"left": "right", "right": "left"}
    return turned.get(value, value)


def is_mirrored(question: Question) -> bool:
    """Return whether a question is about the mirror image of a picture."""
    return question.tags.get(MIRRORED) == "yes"


def option_of(question: Question, value: str) -> str:
    """Return the option that stands for an answer of the program; the answer itself where none does."""
    values = question.tags.get(OPTIONS_MEAN, "").split(", ")
    return question.choices[values.index(value)] if value in values else value


def _filled(text: str, words: dict[str, str]) -> str:
    return filled_text(text, lambda slot, _: words[slot])
