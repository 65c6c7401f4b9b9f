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


def in_text(pattern: str, left: str | Callable[[re.Match[str]], str]) -> Fault:
    """The first place where a pattern stands in the text says something else."""
    return lambda question, scene: worded(question, re.sub(pattern, left, question.text, count=1))


def swapped(text: str, one: str, other: str) -> str:
    """Both of two words in each other's place."""
    return re.sub(rf"\b({one}|{other})\b", lambda m: other if m[0] == one else one, text)


def in_options(change: Callable[[str], str], only_answer: bool = True) -> Fault:
    """The answer, or each option, is written otherwise."""

    def plant(question: Question, scene: Scene) -> Planted:
        answer = change(question.answer)
        if only_answer and answer in question.choices:
            return None
        choices = tuple(change(c) if not only_answer or c == question.answer else c for c in question.choices)
        if answer == question.answer or (choices and len(set(choices)) < len(choices)):
            return None
        return msgspec.structs.replace(question, answer=answer, choices=choices)

    return plant


def of_one_option(change: Callable[[Question], str | None]) -> Fault:
    """The first false option is written otherwise."""

    def plant(question: Question, scene: Scene) -> Planted:
        text = change(question) if question.choices else None
        if text is None:
            return None
        false = next(c for c in question.choices if c != question.answer)
        choices = tuple(text if c == false else c for c in question.choices)
        return msgspec.structs.replace(question, choices=choices) if text != false else None

    return plant


def later(match: re.Match[str]) -> str:
    return match[0].replace(match[1], f"{float(match[1]) + 0.33:.2f}")


def another_noun(question: Question, scene: Scene) -> Planted:
    """The first object in the text is called like another one of the scene."""
    nouns = sorted({t.attributes.get("name") or t.category for t in scene.objects}, key=len, reverse=True)
    for noun in nouns:
        other = next((n for n in nouns if n != noun and not n.endswith(noun) and n[:1].islower()), None)
        if other and re.search(rf"\bthe ([a-z]+ )?{re.escape(noun)}\b", question.text):
            return worded(question, re.sub(rf"\b{re.escape(noun)}\b", other, question.text, count=1))
    return None


def without_color(question: Question, scene: Scene) -> Planted:
    colors = "|".join(sorted({t.attributes.get("color") or "-" for t in scene.objects}))
    return worded(
        question, re.sub(rf"\bthe ({colors}) (?=[a-z])| in ({colors})\b", _the, question.text, count=1)
    )


def _the(match: re.Match[str]) -> str:
    return "the " if match[1] else ""


def another_color(question: Question, scene: Scene) -> Planted:
    colors = "|".join(sorted({t.attributes.get("color") or "-" for t in scene.objects}))
    return worded(question, re.sub(rf"\b(the|in) ({colors})\b", r"\1 violet", question.text, count=1))


def objects_swapped(question: Question, scene: Scene) -> Planted:
    """Of a relation, each object stands where the other one did."""
    if question.tags.get("quantity") != "relation":
        return None
    found = re.search(r"direction from (the .+) does (the .+) mainly", question.text)
    found = found or re.search(r"where is (the .+), relative to (the .+)\? Name", question.text)
    assert found is not None
    a, b = found[1], found[2]
    return worded(question, question.text.replace(a, "@").replace(b, a).replace("@", b))


def another_span(question: Question, scene: Scene) -> Planted:
    """The time that the prompt states is not that of the words."""
    start, end = question.span_s or (0.0, 0.0)
    return msgspec.structs.replace(question, span_s=(start, end - 0.4))


def without_remark(question: Question, scene: Scene) -> Planted:
    """A sentence that the numbers hang on is left out: the last but one, or what turns are."""
    sentences = re.split(r"(?<=\.) (?=[A-Z])", question.text)
    hung = [
        s
        for s in sentences
        if s.startswith(
            (
                "Below 0",
                "The yaw",
                "Turns to",
                "A change",
                "Up and down",
                "From straight",
                "Directions",
            )
        )
    ]
    return worded(question, question.text.replace(f" {hung[0]}", "").strip()) if hung else None


def same_otherwise(question: Question) -> str | None:
    """The answer once more, in other digits or another unit."""
    found = re.fullmatch(r"([−\d.]+) (m|cm)((?:/s²?)?)", question.answer)
    if found:
        number, unit = float(found[1].replace("−", "-")), found[2]
        text = f"{number * 100:.4g} cm{found[3]}" if unit == "m" else f"{number / 100:.4g} m{found[3]}"
        return text.replace("-", "−")
    if "turns" in question.answer.casefold() or "°" not in question.answer:
        return None
    return re.sub(
        r"(\d)(?=°|\) m)", r"\g<1>0" if "." in question.answer else r"\1.0", question.answer, count=1
    )


def answer_twice(question: Question) -> str | None:
    found = re.sub(r"(\d\.\d+)", r"\g<1>0", question.answer)
    return found if found != question.answer else None


def numbers_swapped(one: int, other: int, *kinds: str) -> Fault:
    """Two of the numbers of the answer stand in each other's place."""

    def plant(question: Question, scene: Scene) -> Planted:
        if not question.answer.startswith(kinds):
            return None
        return in_options(change)(question, scene)

    def change(text: str) -> str:
        parts = re.split(r"([−-]?\d+(?:\.\d+)?)", text)
        a, b = 2 * one + 1, 2 * other + 1
        parts[a], parts[b] = parts[b], parts[a]
        return "".join(parts)

    return plant


def negated(text: str) -> str:
    """The first number that is not 0 with the other sign."""
    found = re.search(r"([−-]?)((?:0\.0*)?[1-9][\d.]*)", text)
    assert found is not None
    sign = "" if found[1] else "−"
    return text[: found.start()] + sign + found[2] + text[found.end() :]


def another_digit(text: str) -> str:
    """The first digit that counts is another one."""
    return re.sub(r"[1-9]", lambda m: str(int(m[0]) % 9 + 1), text, count=1)


FAULTS: Mapping[str, Fault] = {
    "time later": in_text(r"\b[Aa]t (\d+\.\d+) s", later),
    "end of the span later": in_text(r"between \d+\.\d+ s and (\d+\.\d+) s", later),
    "start and end of a span swapped": in_text(r"([Bb]etween) (\S+ s) and (\d\S* s)", r"\1 \3 and \2"),
    "start for end, of a place": in_text(r"[Aa]t (\S+) s(.*)at (\S+) s", r"At \3 s\2at \1 s"),
    "another span in the prompt": another_span,
    "span for time": in_text(r"\bAt (\S+) s,", r"Between 0.0 s and \1 s,"),
    "window of a speed": in_text(r"over the 0\.2 s", "over the 0.5 s"),
    "window of an acceleration": in_text(r"over the second", "over the 0.2 s"),
    "width for height": in_text(
        r"How high|the height", lambda m: {"H": "How wide"}.get(m[0][0], "the width")
    ),
    "across for deep": in_text(
        r"from its front to its back|front to back", "from its left side to its right side"
    ),
    "deep for across": in_text(
        r"from its left side to its right side|across its front", "from its front to its back"
    ),
    "shorter for longer": in_text(r"longer horizontal", "shorter horizontal"),
    "longer for shorter": in_text(r"shorter horizontal", "longer horizontal"),
    "boxes for centres": in_text(
        r"how far apart are the centers of", "what is the shortest distance between the bounding boxes of"
    ),
    "path for displacement": in_text(
        r"What is the (?:camera's )?displacement[^?]*?(of the [^?]*?)?between (\S+ s) and (\S+ s)[^?]*\?",
        lambda m: f"Between {m[2]} and {m[3]}, how long is the path {m[1] or 'of the camera'}?".replace(
            " ?", "?"
        ),
    ),
    "displacement for path, ÷ time": in_text(r"\(path length ÷ time\)", "(displacement ÷ time)"),
    "path for displacement, ÷ time": in_text(r"\(displacement ÷ time\)", "(path length ÷ time)"),
    "speed for its change": in_text(r"mean acceleration", "average speed"),
    "camera for object": in_text(
        r"\bof the (?!camera|first)[a-z -]+?(?=,|\?| on average| \(| change)", "of the camera"
    ),
    "object for camera": in_text(r"\b(is|of) the (filming )?camera(?!')", r"\1 the table"),
    "the camera without its name": in_text(r"\bthe filming camera\b", "the camera"),
    "another noun": another_noun,
    "no colour": without_color,
    "another colour": another_color,
    "a colour too many": in_text(
        r"\b(of|is) the (?!first|3D|camera|filming|center|video|frame|height|width|length|"
        r"path|depth|distance|gap|speed|average|mean|longer|shorter|bounding)([a-z])",
        r"\1 the violet \2",
    ),
    "no clause": in_text(r" that (moves|does not move|turns (left|right))\b", ""),
    "moving for still": in_text(r"that moves", "that does not move"),
    "still for moving": in_text(r"that does not move", "that moves"),
    "nearer and farther swapped": in_text(
        r"closer to the|farther from the", lambda m: "closer to the" if m[0][0] == "f" else "farther from the"
    ),
    "farthest for closest": in_text(r"closest to", "to the left of"),
    "objects of a relation swapped": objects_swapped,
    "right to left": in_text(r"[Ff]rom left to right", "from right to left"),
    "farthest first": in_text(r"the nearest first", "the farthest first"),
    "left and right swapped in the text": lambda q, s: (
        worded(q, swapped(q.text, "left", "right"))
        if "From left to right" not in q.text
        and "from left to right" not in q.text
        and "its left side" not in q.text
        else None
    ),
    "axes swapped": in_text(r"x right, y down", "x down, y right"),
    "z backward": in_text(r"z forward", "z backward"),
    "frame of another time": in_text(r"at that time \(x", "at the start of the video (x"),
    "frame at that time, not first": in_text(
        r"frame of the ((?:filming )?camera) at the start of the video", r"frame of the \1 at that time"
    ),
    "yaw to the right": in_text(r"90° its left", "90° its right"),
    "turns to the right by the yaw": in_text(r"turns left by the yaw", "turns right by the yaw"),
    "down by the pitch": in_text(r"up from the horizon", "down from the horizon"),
    "counter-clockwise": in_text(r"clockwise", "counter-clockwise"),
    "level frame with y up": in_text(r"y down \(along gravity\)", "y up (against gravity)"),
    "another first pitch": in_text(
        r"pitch ([−\d.]+)°, roll ([−\d.]+)°\.", lambda m: f"pitch {negated(m[1] + '1')}°, roll {m[2]}°."
    ),
    "faster for slower": in_text(r"it gets slower", "it gets faster"),
    "upright as in the picture": in_text(
        r"of the world, not of the picture", "of the picture, not of the world"
    ),
    "turns from another angle on": in_text(r"by 15° or more", "by 30° or more"),
    "another view": in_text(r"view is (\d+)", lambda m: f"view is {int(m[1]) + 9}"),
    "no remark": without_remark,
    "unit that is wished": in_text(
        r"answer in (centi)?meters", lambda m: "answer in meters" if m[1] else "answer in centimeters"
    ),
    "no side is wished": in_text(r", and say to which side", ""),
    "no wish": in_text(r" Give the answer in.*$", ""),
    "unit of all options": in_options(
        lambda t: re.sub(r"(?<=\d) (c?)m(?=$|/)", lambda m: " m" if m[1] else " cm", t), False
    ),
    "unit of the answer": in_options(
        lambda t: re.sub(r"(?<=\d) (c?)m(?=$|/)", lambda m: " m" if m[1] else " cm", t)
    ),
    "speed in km/h": in_options(lambda t: re.sub(r" c?m/s$", " km/h", t), False),
    "metres for a speed": in_options(lambda t: re.sub(r"m/s²?$", "m", t), False),
    "m/s for m/s²": in_options(lambda t: re.sub(r"m/s²", "m/s", t), False),
    "metres for cm, of places": in_options(lambda t: re.sub(r"\) m", ") cm", t), False),
    "left and right swapped in the answer": in_options(lambda t: swapped(t, "left", "right")),
    "left and right swapped in all options": in_options(lambda t: swapped(t, "left", "right"), False),
    "sign of the answer": in_options(
        lambda t: (
            negated(t)
            if re.search("[1-9]", t) and " to the " not in t and "then" not in t and t[0] not in "GTMS"
            else t
        )
    ),
    "a digit of the answer": in_options(another_digit),
    "x and y swapped in the answer": numbers_swapped(0, 1, "(", "center", "position"),
    "x and z swapped in the answer": numbers_swapped(0, 2, "(", "center", "position"),
    "length and width swapped in the answer": numbers_swapped(3, 4, "center"),
    "width and height swapped in the answer": numbers_swapped(4, 5, "center"),
    "pitch and roll swapped in the answer": numbers_swapped(4, 5, "position"),
    "yaw and pitch swapped in the answer": numbers_swapped(3, 4, "position"),
    "upwards for downwards": in_options(
        lambda t: {"Upwards": "Downwards", "Downwards": "Upwards"}.get(t, t), False
    ),
    "towards for away": in_options(
        lambda t: {
            "Towards the camera": "Away from the camera",
            "Away from the camera": "Towards the camera",
        }.get(t, t),
        False,
    ),
    "a leg turned round": in_options(
        lambda t: t.replace("oes straight", "oves backward").replace("Goves", "Moves")
    ),
    "a turn left out": in_options(lambda t: re.sub(r"^(.*?)(, then turns [^,.]*)", r"\1", t)),
    "order of the answer reversed": in_options(
        lambda t: (
            lambda n: ", ".join(reversed(n)).capitalize() if len(n) == 3 and t.startswith("The") else t
        )(t.split(", ")),
        False,
    ),
    "the answer twice, in another unit": of_one_option(lambda q: same_otherwise(q)),
    "the answer twice, with more digits": of_one_option(answer_twice),
    "a unit of one option": of_one_option(
        lambda q: re.sub(r"(?<=\d) c?m(?=$|/)", " mm", next(c for c in q.choices if c != q.answer))
    ),
    "an option in other words": of_one_option(lambda q: "None of these"),
}
"""What is wrong → how it is planted."""
