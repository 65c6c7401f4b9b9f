"""Reading a whole question, and comparing it with its program."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fathom.benchmarks.fourdbench.sentences.actions import DEEDS
from fathom.benchmarks.fourdbench.sentences.choices import Choices
from fathom.benchmarks.fourdbench.sentences.growing import GROWING
from fathom.benchmarks.fourdbench.sentences.limb_motion import LIMB_MOTION
from fathom.benchmarks.fourdbench.sentences.limbs import LIMBS
from fathom.benchmarks.fourdbench.sentences.marking import Marked, marked
from fathom.benchmarks.fourdbench.sentences.meaning import UNKNOWN, Node, shown
from fathom.benchmarks.fourdbench.sentences.nouns import SceneNouns, plurals_of
from fathom.benchmarks.fourdbench.sentences.objects import OBJECTS
from fathom.benchmarks.fourdbench.sentences.patterns import ParsedSentence
from fathom.benchmarks.fourdbench.sentences.programs import meant_by
from fathom.benchmarks.fourdbench.sentences.sides import SIDES, THIS_VIDEO
from fathom.records import ContradictionError, Question, Scene, TextReading, UnreadableError, reading_of

SENTENCES = (*DEEDS, *OBJECTS, *GROWING, *LIMBS, *LIMB_MOTION, *SIDES)

_ASIDE = re.compile(r"(.+[?.]) Leave the (.+) aside\.")


def read_text(question: Question, scene: Scene) -> TextReading:
    """Return whether a question's words and choices say what its program asks of this scene."""
    return reading_of(lambda: _compare(question, SceneNouns(scene)))


def _compare(question: Question, cast: SceneNouns) -> None:
    text, aside = _without_aside(question.text)
    keys = cast.verbs | _verbs_of(question)
    said = _with_view(_asked(marked(text, cast, keys), question.task, cast, keys), question)
    meant = meant_by(question.program, cast)
    same = _Same()
    said_of, meant_of = _child(said), _child(meant)
    choices = Choices(said_of, cast, keys)
    meanings = [choices.said(c) for c in question.choices]
    if said_of[0] == "order" and meant_of[0] == "order":
        same.check(said[0], meant[0])
        _check_orders(meanings, meant_of)
    else:
        same.check(said, meant)
    _check_choices(question, choices, meanings, same)
    same.check_unknown()
    _check_aside(aside, said_of, choices.kind, cast)


def _without_aside(text: str) -> tuple[str, str]:
    """Return a text without what it says is to be left aside, and that."""
    found = _ASIDE.fullmatch(text)
    return (found[1], found[2].casefold()) if found else (text, "")


def _verbs_of(question: Question) -> frozenset[str]:
    """Return all words of a program that may be keys of verbs."""
    args = {a for s in question.program for arg in s.args for a in re.split("[>+]", arg)}
    return frozenset(a for a in args if re.fullmatch(r"[a-z]+(_[a-z]+)*", a))


def _asked(found: Marked, task: str, cast: SceneNouns, keys: frozenset[str]) -> Node:
    """Return what a text asks, without its choices.

    Raises UnreadableError for a text that is no sentence of the grammar, and ContradictionError for one that
    belongs to another task.
    """
    count = len(found.moments)
    text = found.text if count == 2 else without_moment(found.text)
    other_task = ""
    for sentence in SENTENCES:
        match = sentence.pattern.fullmatch(text)
        if match is None or count not in sentence.moments:
            continue
        if sentence.task != task:
            other_task = sentence.task
            continue
        node = sentence.build(ParsedSentence(found, match.groupdict(), cast, keys))
        return ("choose_other" if sentence.other else "choose", node)
    if other_task:
        raise ContradictionError(f"the words are a question of {other_task}, and not of {task}")
    raise UnreadableError(f"no sentence of the grammar: {text!r} with {count} moments")


def without_moment(text: str) -> str:
    """Return a text whose mark of a moment is taken out, with what stands around it closed up."""
    text = re.sub(r"^<moment>, |<moment>", "", text)
    return re.sub(r" +([?.,])", r"\1", re.sub(r" {2,}", " ", text)).strip()


def _with_view(asked: Node, question: Question) -> Node:
    """Return what is asked, with the one view that the question shows where its words say "this video"."""
    if THIS_VIDEO not in {part for n in _branches(asked) for part in n}:
        return asked
    views = [re.fullmatch(r"(?:.*\D)?(\d+)", m) for m in question.media]
    if len(views) != 1 or views[0] is None:
        raise ContradictionError(f"the words are about one video, and {len(views)} are shown")
    return _put(asked, views[0][1])


def _put(node: Node, view: str) -> Node:
    return tuple(_put(n, view) if isinstance(n, tuple) else n.replace(THIS_VIDEO, view) for n in node)


def _child(choice: Node) -> Node:
    child = choice[1]
    assert isinstance(child, tuple)
    return child


class _Same:
    """Whether two trees are the same; what is not known of a verb stands for one key, and that for it."""

    def __init__(self) -> None:
        self.verbs: set[tuple[str, str]] = set()

    def check(self, said: Node | str, meant: Node | str) -> None:
        """Raise ContradictionError where words and a program differ."""
        if not self._same(said, meant):
            raise ContradictionError(f"the words say {shown(said)}, the program {shown(meant)}")

    def _same(self, said: Node | str, meant: Node | str) -> bool:
        if isinstance(said, str) or isinstance(meant, str):
            return said == meant
        if len(said) == 2 and said[0] == "acts" and meant[:1] == ("acts",):
            self.verbs.add((str(said[1]), str(meant[1])))
            return said == meant or str(said[1]).startswith(UNKNOWN)
        return len(said) == len(meant) and all(map(self._same, said, meant))

    def check_unknown(self) -> None:
        """Raise ContradictionError where one unknown verb stands for two keys, or two for one."""
        for said, key in self.verbs:
            others = [
                pair for pair in self.verbs if pair != (said, key) and (pair[0] == said or pair[1] == key)
            ]
            if said.startswith(UNKNOWN) and others:
                raise ContradictionError(f"{said.removeprefix(UNKNOWN)!r} cannot be just {key}: {others}")


def _check_orders(meanings: list[Node], meant: Node) -> None:
    """Raise ContradictionError where a choice does not put in order what the program does, or repeats it."""
    picked = meant[1][2][1:] if len(meant) == 2 and len(meant[1]) == 3 else ()
    for said in meanings:
        known = [s for s in said if not _is_unknown(s)]
        if len(said) != len(picked) or len(set(said)) < len(said) or not set(known) <= set(picked):
            raise ContradictionError(f"{shown(('order', *said))} are not what the program puts in order")


def _is_unknown(node: Node | str) -> bool:
    return node[0] == "acts" and node[1].startswith(UNKNOWN)  # type: ignore[union-attr]


def _check_choices(question: Question, choices: Choices, meanings: list[Node], same: _Same) -> None:
    """Raise ContradictionError where a choice says something else than its key, or the same as another."""
    keys = question.program[-1].args
    if len(keys) != len(question.choices):
        raise ContradictionError(f"{len(question.choices)} choices for {len(keys)} keys")
    for text, said, key in zip(question.choices, meanings, keys, strict=True):
        try:
            same.check(said, choices.meant(key))
        except ContradictionError as error:
            raise ContradictionError(f"choice {text!r}: {error}") from None
    if len(set(meanings)) < len(meanings):
        raise ContradictionError("two choices say the same")
    if question.answer not in question.choices:
        raise ContradictionError(f"the answer {question.answer!r} is no choice")


def _check_aside(aside: str, asked: Node, kind: str, cast: SceneNouns) -> None:
    """Raise ContradictionError where screens could be taken for objects, or something else is left out."""
    named = frozenset(
        noun for words in aside.split(" and ") for noun in cast.nouns if words in plurals_of(noun)
    )
    if aside and named != cast.screens:
        raise ContradictionError(f"the {aside} are left aside, and {', '.join(cast.screens)} hide others")
    heads = {n[0] for n in _branches(asked)} | {n[1] for n in _branches(asked) if n[0] == "set"}
    open_to_all = "standing" in heads and not heads & {"named", "colored"} and kind in ("number", "color")
    if open_to_all and cast.screens and not aside:
        raise ContradictionError(f"nothing says that {', '.join(cast.screens)} are left aside")


def _branches(node: Node) -> Iterator[Node]:
    yield node
    for child in node:
        if isinstance(child, tuple):
            yield from _branches(child)
