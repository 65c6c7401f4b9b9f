"""Reading the sentences of a built SEED-Bench back, by a grammar that shares no table with the writer.

Each wording is a pattern of its own. What is read is what it asks, whom it names, and what every option says;
that is compared with the program, the objects that it selects, and the outcomes that options stand for.

Ref: SEED-Bench §3.1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from fathom.benchmarks.seedbench.sentence_forms import (
    ASKS,
    COLORS,
    DOINGS,
    DRESSED,
    LISTED,
    NAMED,
    PATTERNS,
    PERHAPS_ABSENT,
    SAID,
    USED,
    WRITINGS,
)
from fathom.records import (
    ContradictionError,
    Question,
    Scene,
    SceneObject,
    TextReading,
    UnreadableError,
    reading_of,
)

ABOUT: Mapping[str, str] = {**WRITINGS, **USED}
"""What is asked → the one argument of its program."""


OF_CAMERA = ("side in the view", "handling")
"""What is asked in words that speak of the camera that films."""


@dataclass(frozen=True)
class _Asked:
    """A sentence as it was read: what it asks, and the words in its places."""

    asks: str
    names: tuple[str, ...]


def read_text(question: Question, scene: Scene) -> TextReading:
    """Return whether a question's words and options say what its program asks."""
    return reading_of(lambda: _compare(question, scene))


def _compare(question: Question, scene: Scene) -> None:
    last = question.program[-1]
    asked = _read(question.text)
    said_options = [_in_full(asked.asks, option.casefold()) for option in question.choices]
    if asked.asks not in ASKS.get(last.op, frozenset()):
        raise ContradictionError(f"the words ask {asked.asks!r}, the program {last.op}")
    _check_time(question)
    if asked.asks in ABOUT and (ABOUT[asked.asks],) != last.args:
        raise ContradictionError(f"the words ask about {asked.asks}, the program about {last.args[0]}")
    if last.op == "does_to":
        asked = _done_to(asked, said_options)
    if asked.asks == "how many":
        if _singular(asked.names[0]) != last.args[0]:
            raise ContradictionError(f"the words count {asked.names[0]}, the program each {last.args[0]}")
    elif asked.asks != "what is there":
        _check_objects(question, scene, asked)
    if asked.asks == "order of deeds":
        asked = _with_deeds(asked, last.args[0], question.choices)
    meant = question.tags.get("options_mean", "").split(", ")
    said = [_outcome(asked, option, scene) for option in said_options]
    if [outcome.casefold() for outcome in said] != [outcome.casefold() for outcome in meant]:
        raise ContradictionError(f"its options say {', '.join(said)}, and are to mean {', '.join(meant)}")
    if question.answer not in question.choices or len(set(question.choices)) < len(question.choices):
        raise ContradictionError("its answer is none of its options, or two of them are the same")


def _read(text: str) -> _Asked:
    """Return what a sentence asks, and the words in its places. Raises UnreadableError."""
    said = text.casefold().replace("?", ".").removesuffix(".")
    for asks, patterns in PATTERNS.items():
        for pattern in patterns:
            if found := re.fullmatch(pattern.replace(". ", r"\. "), said):
                return _Asked(asks, tuple(_in_full(asks, words) for words in found.groups()))
    raise UnreadableError(f"nothing is known of the sentence {text!r}")


def _in_full(asks: str, words: str) -> str:
    """Return words in which a camera is one that is seen, where none speaks of the camera that sees."""
    return words if asks in OF_CAMERA else re.sub(r"\bcamera", "photo camera", words)


def _check_time(question: Question) -> None:
    """Raise ContradictionError where the program looks at another time than what is shown ends at."""
    at = [float(s.args[0]) for s in question.program if s.op == "at"]
    shown = [question.span_s[1]] if question.span_s else [0.0] if at else []
    if at != shown:
        raise ContradictionError(f"its program looks at {at} s, and the words mean {shown} s")


def _check_objects(question: Question, scene: Scene, asked: _Asked) -> None:
    """Raise ContradictionError where the words name others than the program selects."""
    steps = question.evidence.steps if question.evidence else ()
    meant = [steps[i][0] for i in question.program[-1].inputs if i < len(steps) and len(steps[i]) == 1]
    named = [_singled_out(name, scene).id for name in asked.names]
    if named != meant:
        raise ContradictionError(f"the words speak of {', '.join(named)}, the program of {', '.join(meant)}")


def _outcome(asked: _Asked, option: str, scene: Scene) -> str:
    """Return the outcome that an option stands for. Raises UnreadableError where it says none."""
    if asked.asks in SAID:
        found = SAID[asked.asks].get(option)
    elif asked.asks in PERHAPS_ABSENT:
        found = _there_or_not(option, scene)
    elif asked.asks in NAMED:
        found = "floor" if option == "the floor" else _singled_out(option, scene).id
    else:
        found = READERS[asked.asks](asked, option, scene)
    if found is None:
        raise UnreadableError(f"the option {option!r} says nothing about {asked.asks}")
    return found


def _done_to(asked: _Asked, options: Sequence[str]) -> _Asked:
    """Return what is asked with the one object that all options name. Raises ContradictionError where they
    name several.
    """
    named = {name for option in options for _, name in _matches("doing to it", option)}
    if len(named) != 1:
        raise ContradictionError(f"the options name {len(named)} objects")
    return _Asked("doing to it", (*asked.names, *named))


def _matches(asks: str, option: str) -> Iterator[tuple[str, str]]:
    """Yield what an option says is done, and the name of the object with which, "" for none."""
    for pattern, said in DOINGS[asks].items():
        if found := re.fullmatch(pattern, option):
            yield said, "".join(found.groups())


def _done(asked: _Asked, option: str, scene: Scene) -> str | None:
    """Return what is done, and the id of the object with which, if there is one."""
    found = next(_matches(asked.asks, option), None)
    if found is None or asked.asks == "doing to it":
        return found[0] if found else None
    return f"{found[0]} {_singled_out(found[1], scene).id}" if found[1] else found[0]


def _color(asked: _Asked, option: str, scene: Scene) -> str | None:
    return option if option in COLORS else None


def _number(asked: _Asked, option: str, scene: Scene) -> str | None:
    return option if option.isdecimal() and int(option) > 0 else None


def _word(asked: _Asked, option: str, scene: Scene) -> str | None:
    return option.upper() if option.isalpha() else None


def _order(asked: _Asked, option: str, scene: Scene) -> str | None:
    """Return the places that a list of objects has among those that the question names: "2 1 3"."""
    parts = option.split(", then ")
    if sorted(parts) != sorted(asked.names):
        return None
    return " ".join(str(asked.names.index(part) + 1) for part in parts)


def _with_deeds(asked: _Asked, deeds: str, options: Sequence[str]) -> _Asked:
    """Return what is asked with the things done in its places, as the program lists them. Raises
    ContradictionError where an option lists others.
    """
    wanted = deeds.split("+")
    for option in options:
        listed = [LISTED.get(part, part) for part in option.casefold().split(", then ")]
        if sorted(listed) != sorted(wanted):
            raise ContradictionError(f"the option {option!r} lists others than {', '.join(wanted)}")
    return _Asked(asked.asks, tuple(wanted))


def _deed_order(asked: _Asked, option: str, scene: Scene) -> str | None:
    """Return the places that a list of things done has among those of the program: "2 1 3"."""
    return " ".join(str(asked.names.index(LISTED[part]) + 1) for part in option.split(", then "))


def _there(asked: _Asked, option: str, scene: Scene) -> str | None:
    """Return the one object of a noun, or that there is none of it."""
    noun = re.sub(r"^an? ", "", option)
    found = [o for o in scene.objects if o.category != "structure" and _noun(o) == noun]
    if len(found) > 1:
        raise ContradictionError(f"{len(found)} objects of the scene are {option!r}")
    return found[0].id if found else f"none:{noun}"


def _there_or_not(option: str, scene: Scene) -> str:
    """Return the one object that is called so, or that there is none."""
    words = option.removeprefix("the ")
    if any(o.category != "structure" and _is_called(words, o) for o in scene.objects):
        return _singled_out(option, scene).id
    return f"none:{words}"


READERS: Mapping[str, Callable[[_Asked, str, Scene], str | None]] = MappingProxyType(
    {
        "its color": _color,
        "how many": _number,
        **dict.fromkeys(WRITINGS, _word),
        "order of moves": _order,
        "order of deeds": _deed_order,
        "what is there": _there,
        **dict.fromkeys(DOINGS, _done),
    }
)


def _singular(words: str) -> str:
    """Return the noun of which some words are the plural.

    >>> _singular("shelves"), _singular("boxes"), _singular("candles"), _singular("rubber ducks")
    ('shelf', 'box', 'candle', 'rubber duck')
    """
    for end, instead in (
        ("shelves", "shelf"),
        ("ches", "ch"),
        ("xes", "x"),
        ("sses", "ss"),
        ("cactuses", "cactus"),
        ("ies", "y"),
    ):
        if words.endswith(end):
            return words.removesuffix(end) + instead
    return words.removesuffix("s")


def _singled_out(name: str, scene: Scene) -> SceneObject:
    """Return the one object that is called so. Raises ContradictionError where it is not one."""
    words = name.removeprefix("the ")
    found = [o for o in scene.objects if o.category != "structure" and _is_called(words, o)]
    if len(found) != 1:
        raise ContradictionError(f"{len(found)} objects of the scene are {name!r}")
    return found[0]


def _noun(obj: SceneObject) -> str:
    return obj.attributes.get("name", obj.category).casefold()


def _is_called(words: str, obj: SceneObject) -> bool:
    noun, color = _noun(obj), obj.attributes.get("color", "")
    return words in (noun, f"{noun} in {color}" if noun in DRESSED else f"{color} {noun}")
