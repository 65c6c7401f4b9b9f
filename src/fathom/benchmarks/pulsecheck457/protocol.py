"""How PulseCheck457 is put to a model: the level's task, the picture, the question, and how to answer.

The outline is the paper's (its appendix C): describe the scene, reason, then give the answer in JSON. The
words are Fathom's, and say whose left and which direction is meant, as the questions do.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from fathom.records import MediaOf, MediaPart, Part, Prompt, Protocol, TextPart, UnansweredQuestion, Variant

VERSION = "3"

SHAPES = (
    "suv",
    "wagon",
    "minivan",
    "sedan",
    "truck",
    "articulated bus",
    "regular bus",
    "double bus",
    "school bus",
    "chopper",
    "dirtbike",
    "scooter",
    "cruiser",
    "jet",
    "fighter",
    "biplane",
    "airliner",
    "road bike",
    "utility bike",
    "mountain bike",
    "tandem bike",
)
SIZES = ("large", "small")
COLORS = ("gray", "red", "blue", "green", "brown", "purple", "cyan", "yellow")
DIRECTIONS = ("left", "right", "front", "back")

ROLE = "You are looking at a picture of vehicles on open ground, and answer a question about it."

LEVELS: Mapping[str, str] = {
    "L1_single": "The question is about a single object, or objects of one kind: what it looks like, whether "
    "there is one, or how many there are.",
    "L2_objects": "The question is about several objects, and how their shapes, colors and sizes compare.",
    "L3_2d_spatial": "The question is about where objects are as seen in the picture, from the camera's "
    "point of view: left and right are those of the picture; closer, or in front, means nearer to the "
    "camera, and farther, or behind, means farther away from it.",
    "L4_occ": "The question is about which objects hide parts of others from the camera.",
    "L4_pose": "The question is about which way objects face, as seen from the camera: front means that an "
    "object faces the camera, back that it faces away from it, left and right that it faces the left or the "
    "right of the picture. Two objects face roughly the same way when their directions on the ground differ "
    "by less than about 30 degrees; the opposite way and a right angle are meant as roughly.",
    "L5_6d_spatial": "The question is about where objects are from another object's own point of view, and "
    "not from the camera's: ahead, or in front, is the side to which that object faces, behind is the "
    "side of its back, and left and right are its own left and right. Each of the four is a whole half of "
    "the ground, so that an object can be both ahead of another one and on its left-hand side.",
    "L5_collision": "The question is about what an object would run into if it moved straight along the "
    "direction that it faces (forward), or straight back (backward), while all the others stand still.",
}

STEPS = (
    "First find the objects that the question speaks of, and describe each in brief: shape, color, size, and "
    "where it stands or which way it faces where that matters. Then reason in a few sentences, and decide."
)
KINDS = (
    "The kinds of shapes are car (suv, wagon, minivan, sedan, truck), bus, motorbike (chopper, dirtbike, "
    "scooter, cruiser), aeroplane (jet, fighter, biplane, airliner) and bicycle. "
)
FORM = (
    "The answer is exactly one of these: one of the words above, where a shape, size, color or direction is "
    "asked for; a whole number from 0 to 10, where a number is asked for; Yes or No otherwise. If you are "
    "not sure, give the answer that fits best.\n\n"
    "Reply with one JSON object and nothing after it:\n"
    '{"Reasoning": "<description and reasoning>", "Answer": "<answer>"}'
)
UNSEEN = "The picture is withheld: give the answer that is most likely."


def vocabulary(asked: UnansweredQuestion) -> str:
    """Return the words that answers are made of: the paper's shapes, sizes, colors and directions.

    Where a dataset was built from somebody's own models, and a question asks for a shape, its shapes are
    those that can be the answer.
    """
    shapes: tuple[str, ...] = SHAPES
    kinds = KINDS
    if asked.tags.get("asks") == "shape" and not set(asked.possible) <= set(SHAPES):
        shapes, kinds = asked.possible, ""
    return (
        f"Every object has one shape ({', '.join(shapes)}), one size ({', '.join(SIZES)}) and one color "
        f"({', '.join(COLORS)}). {kinds}Directions are {', '.join(DIRECTIONS)}."
    )


def prompt(asked: UnansweredQuestion, variant: Variant, media_of: MediaOf) -> Prompt:
    """Return the prompt: role and level, picture, question, and how to answer.

    Ref: PulseCheck457 appendix C.
    """
    level = LEVELS.get(asked.task, "")
    parts: list[Part] = [TextPart(text=f"{ROLE} {level}".rstrip())]
    if variant.media_withheld:
        parts.append(TextPart(text=UNSEEN))
    else:
        parts += [MediaPart(media=media) for media in asked.media]
    parts.append(TextPart(text=f"Question: {asked.text}\n\n{STEPS}\n\n{vocabulary(asked)}\n\n{FORM}"))
    return Prompt(parts=tuple(parts))


def example_answer(answer: str) -> str:
    """Return `answer` as a perfect model would write it."""
    return msgspec.json.encode({"Reasoning": "", "Answer": answer}).decode()


def _blind_variants(asked: UnansweredQuestion) -> tuple[Variant, ...]:
    return (Variant(name="blind", media_withheld=True),)


_PARAMETERS: Mapping[str, float | int | str] = {"temperature": 0, "max_tokens": 1024}

DEFAULT = Protocol(
    name="default",
    version=VERSION,
    prompt=prompt,
    parameters=_PARAMETERS,
    example_answer=example_answer,
)
BLIND = Protocol(
    name="blind",
    version=VERSION,
    prompt=prompt,
    variants=_blind_variants,
    parameters=_PARAMETERS,
    example_answer=example_answer,
)

PROTOCOLS: Mapping[str, Protocol] = {protocol.name: protocol for protocol in (DEFAULT, BLIND)}
