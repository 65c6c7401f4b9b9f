"""Faults of wording, planted one at a time into a question that is right: each gives another meaning."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import msgspec

from fathom.records import Question, Scene

Planted = Question | None
"""The question with a fault, None where it does not apply."""

Fault = Callable[[Question, Scene], Planted]


def worded(question: Question, text: str) -> Planted:
    return msgspec.structs.replace(question, text=text) if text != question.text else None


def chosen(question: Question, choices: list[str]) -> Planted:
    if tuple(choices) == question.choices:
        return None
    at = question.choices.index(question.answer)
    return msgspec.structs.replace(question, choices=tuple(choices), answer=choices[at])


def in_text(pattern: str, other: str) -> Fault:
    """What stands first in the text where a pattern fits is something else."""
    return lambda question, scene: worded(question, re.sub(pattern, other, question.text, count=1))


def swapped(one: str, other: str, around: str = "{}") -> Fault:
    """Both of two words stand in each other's place in the text."""
    pattern = around.format(rf"\b({one}|{other})\b")

    def turned(match: re.Match[str]) -> str:
        return match[0].replace(match[1], other if match[1].lower() == one else one)

    return lambda question, scene: worded(question, re.sub(pattern, turned, question.text, flags=re.I))


def in_choices(one: str, other: str) -> Fault:
    """Both of two words stand in each other's place in all choices."""

    def turned(text: str) -> str:
        return re.sub(rf"\b({one}|{other})\b", lambda m: other if m[0] == one else one, text)

    return lambda question, scene: chosen(question, [turned(c) for c in question.choices])


def another_object(question: Question, scene: Scene) -> Planted:
    """The first object in the text has the name of another one."""
    names = [t.attributes["name"] for t in scene.objects[1:]]
    here = next((n for n in names if re.search(rf"\bthe {n}\b(?!s)", question.text, re.I)), None)
    other = next((n for n in names if n != here and names.count(n) == 1 and n != "tent"), "")
    return (
        worded(question, re.sub(rf"\bthe {here}\b", f"the {other}", question.text, count=1)) if here else None
    )


def another_color(question: Question, scene: Scene) -> Planted:
    """The first object that is told by its colour has another one."""
    for t in scene.objects[1:]:
        full = f"{t.attributes['color']} {t.attributes['name']}"
        if full in question.text:
            return worded(question, question.text.replace(full, f"pink {t.attributes['name']}", 1))
    return None


def without_color(question: Question, scene: Scene) -> Planted:
    """An object that needs its colour is called by its name alone."""
    for t in scene.objects[1:]:
        full = f"the {t.attributes['color']} {t.attributes['name']}"
        if full in question.text:
            return worded(question, question.text.replace(full, f"the {t.attributes['name']}", 1))
    return None


def another_color_asked(question: Question, scene: Scene) -> Planted:
    """It is asked for another colour."""
    colors = [s.args[0] for s in question.program if s.op in ("colored", "part_colored")]
    return worded(question, re.sub(rf"\b{colors[0]}\b", "pink", question.text, count=1)) if colors else None


def another_verb(question: Question, scene: Scene) -> Planted:
    """Another action is named."""
    words = {"walking": "jumping", "jumping": "walking", "shaking its head": "walking"}
    found = next((w for w in words if w in question.text), None)
    return worded(question, question.text.replace(found, words[found], 1)) if found else None


def another_limb(question: Question, scene: Scene) -> Planted:
    """Another limb is asked about."""
    limbs = [s.args[0] for s in question.program if s.op == "limb_first"]
    return worded(question, question.text.replace(f"its {limbs[0]}", "its snout")) if limbs else None


def another_part(question: Question, scene: Scene) -> Planted:
    """Another part of the actor is asked about."""
    parts = [s.args[0] for s in question.program if s.op == "part_color"]
    other = "ears" if "ears" not in parts else "coat"
    return worded(question, question.text.replace(f"'s {parts[0]}", f"'s {other}", 1)) if parts else None


def without_moment(question: Question, scene: Scene) -> Planted:
    """The time is left out."""
    whiles, ends = r"while the \w+ is [^?,.]+", r"at the (very )?(start|beginning|end)"
    pattern = rf" ({whiles}|{ends})(?=[?.,])"
    return worded(question, re.sub(pattern, "", question.text, count=1))


def choices_exchanged(question: Question, scene: Scene) -> Planted:
    """The first two choices stand in each other's place."""
    one, other, *rest = question.choices
    return chosen(question, [other, one, *rest])


def choices_rotated(question: Question, scene: Scene) -> Planted:
    """Each choice stands in the place of the next one."""
    return chosen(question, [*question.choices[1:], question.choices[0]])


def choice_twice(question: Question, scene: Scene) -> Planted:
    """Two choices have the same words."""
    *rest, _ = question.choices
    return chosen(question, [*rest, rest[1]])


def keys_exchanged(question: Question, scene: Scene) -> Planted:
    """The program's keys of the last two choices stand in each other's place."""
    *steps, last = question.program
    first, second, third, fourth = last.args
    turned = msgspec.structs.replace(last, args=(first, second, fourth, third))
    return msgspec.structs.replace(question, program=(*steps, turned))


def number_raised(question: Question, scene: Scene) -> Planted:
    """Every number among the choices is higher by one."""
    return chosen(question, [str(int(c) + 1) if c.isdigit() else c for c in question.choices])


def another_task(question: Question, scene: Scene) -> Planted:
    """It stands among the questions of another task."""
    return msgspec.structs.replace(question, task="appearance" if question.task != "appearance" else "action")


def another_end(question: Question, scene: Scene) -> Planted:
    """The other end of the film is meant."""
    ends = {
        "at the start": "at the end", "at the beginning": "at the very end",
        "at the end": "at the start", "at the very end": "at the beginning",
    }  # fmt: skip
    found = next((w for w in ends if w in question.text.lower()), None)
    return worded(question, re.sub(found, ends[found], question.text, count=1, flags=re.I)) if found else None


FAULTS: Mapping[str, Fault] = {
    "left and right of the actor": swapped("left", "right", r"own {}"),
    "left and right of a hand": swapped("left", "right", r"{} hand"),
    "left and right in the choices": in_choices("left", "right"),
    "in front and behind": lambda q, s: worded(
        q, re.sub(r"(?<!from )(?<!somebody )(?<!stands )in front of the", "behind the", q.text, count=1)
    ),
    "behind and in front": in_text(r"\bbehind the", "in front of the"),
    "left as seen, not its own": in_text(r"'s own (left|right)", r"'s \1"),
    "somebody else's point of view": in_text(
        r"\b(its|the \w+'s) own point of view", "the camera's point of view"
    ),
    "hidden from behind": in_text(r"in front of the \w+(?=[?,.])", "behind the fox"),
    "before and after": swapped("before", "after"),
    "first and last": swapped("first", "last"),
    "only and first": swapped("only", "first", r"{} object that"),
    "another place in a row": in_text(r"\bsecond\b", "third"),
    "the other end of the video": another_end,
    "right after and right before": in_text(r"\bright after\b", "right before"),
    "most and least": in_text(r"\bmost\b(?= time|\?| while)", "least"),
    "longest and shortest": in_text(r"\blongest\b", "shortest"),
    "farthest and nearest": in_text(r"\bfarthest (?=from)", "nearest "),
    "nearest and farthest": in_text(r"\b(nearest|closest) to\b", "farthest from"),
    "near to another object": lambda q, s: worded(
        q, re.sub(r"(nearest|closest) to the fox\b", rf"\1 to the {s.objects[2].attributes['name']}", q.text)
    ),
    "on the opposite side and on the same": in_text(r"\bopposite side\b", "same side"),
    "on top and below": in_text(r"\b(on top of|is on) the\b", "is below the"),
    "while and after": in_text(r"\bwhile\b", "after"),
    "while, at the beginning, and after": in_text(r"\bWhile\b", "After"),
    "when and after": in_text(r"\bwhen (?=the \w+( \w+)? (appear|disappear|turn))", "after "),
    "the time is left out": without_moment,
    "appears and disappears": swapped("appears", "disappears"),
    "appear and disappear": swapped("appear", "disappear", r"objects {}"),
    "turning and moving": in_text(r"\bturns (?=into)", "moves "),
    "turning into something and changing color": in_text(
        r"\bturns? into something else in\b", "changes color in"
    ),
    "another color of an event": in_text(r"\bturns (purple|blue|brown)\b", "turns pink"),
    "another outcome of an event": in_text(r"\bturns into a lantern\b", "turns into a cube"),
    "another object": another_object,
    "another color": another_color,
    "no color": without_color,
    "another color is asked for": another_color_asked,
    "another action": another_verb,
    "starts and finishes": swapped("starts", "finishes"),
    "another limb": another_limb,
    "another limb in the choices": in_choices("front", "back"),
    "another part": another_part,
    "another place on the body": in_text(r"\bon its back\b", "on its head"),
    "another hand or head": in_text(r"\b(on its head|in its left hand)\b", "under its belly"),
    "another actor": in_text(r"\bthe fox\b", "the dog"),
    "hidden and visible": in_text(r"\b(hidden|out of sight)\b", "visible"),
    "the left side and the right one": swapped("left", "right", r"{} side"),
    "one comes and one goes": in_text(r"\bappear(s?) on\b", r"disappear\1 from"),
    "one goes and one comes": in_text(r"\bdisappear(s?) from\b", r"appear\1 on"),
    "'new' dropped": in_text(r"\bnew (?=\w+ appear|\w+ that appear)", ""),
    "something else grows": in_text(r"\bcherr(y|ies)\b", "lamp"),
    "all through and at the end": in_text(r"\ball through the video\b", "at the very end"),
    "there and not there": in_text(r"\bis there\b", "is not there"),
    "'not' dropped": in_text(r"\bnot perform in\b", "perform in"),
    "'not' added": in_text(r"(?<!not )\bperform in the video\b", "not perform in the video"),
    "those that come or go": in_text(r",? ?[Cc]ounting also those that come or go,? ?", " "),
    "at one time and at all times": in_text(r"\bat one time or another\b", "at all times"),
    "'both' dropped": in_text(r"\balso stand there\b", "do not stand there"),
    "one more kind of thing counted": in_text(r" Leave the tents aside\.", ""),
    "another thing left aside": in_text(r"\bLeave the tents\b", "Leave the stars"),
    "fewer kinds of change counted": in_text(
        r"\bthings appear, disappear, change color, or turn", "things appear, or turn"
    ),
    "another count": number_raised,
    "choices exchanged": choices_exchanged,
    "choices rotated": choices_rotated,
    "a choice twice": choice_twice,
    "keys exchanged": keys_exchanged,
    "another task": another_task,
}
