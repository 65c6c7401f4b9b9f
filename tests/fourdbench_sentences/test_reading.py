"""What the words of 4D-Bench's questions mean, by a reader that shares nothing with their writer."""

from __future__ import annotations

import ast
import re
import sys
import time
from collections import Counter
from pathlib import Path

import msgspec
import pytest

import fathom.benchmarks.fourdbench.sentences as reader
from fathom.assets.animated.lexicon import read_lexicon
from fathom.benchmarks.fourdbench.sentences import read_text
from fathom.benchmarks.fourdbench.sentences.meaning import UNKNOWN
from fathom.benchmarks.fourdbench.sentences.nouns import SceneNouns
from fathom.benchmarks.fourdbench.sentences.verbs import verb_of
from fathom.benchmarks.fourdbench.words import VERBS
from fathom.datasets.findings import Checks
from fathom.records import ContradictionError, Question, Scene
from fathom.store.datasets import open_dataset
from fathom.store.files import read_json
from tests.films_built.conftest import films
from tests.fourdbench_sentences.conftest import Texts
from tests.fourdbench_sentences.corpus import QUIET, every_form, staged

__all__ = ["films"]


def test_every_form_is_read_in_every_text_that_it_has(texts: Texts) -> None:
    faults = [(q.text, q.choices, r) for s, q in texts if (r := read_text(q, s)).verdict != "agree"]
    assert not faults, faults[:3]
    read = Counter(q.id.rpartition("-")[0] for _, q in texts)
    assert set(read) == {f"{f.id}-{n}" for f in every_form() for n in range(len(f.texts))}


def test_every_text_of_a_built_dataset_is_read_and_agrees(films: Path) -> None:
    dataset = open_dataset(films)
    asked = [q for q in dataset.questions() if q.program]
    found = [(q.text, q.choices, read_text(q, dataset.scene(q.scene))) for q in asked]
    assert len(asked) > 10
    assert not [f for f in found if f[2].verdict != "agree"]
    verdicts = read_json(films / "checks.json", Checks).verdicts
    (promise,) = (v for v in verdicts if "text means" in v.name)
    assert promise.passed
    assert "0 mean something else" in promise.found


def test_a_question_is_read_in_a_few_milliseconds(texts: Texts) -> None:
    some = texts[::9]
    start = time.process_time()
    for scene, q in some:
        read_text(q, scene)
    assert time.process_time() - start < 0.005 * len(some)


def test_the_reader_shares_nothing_with_what_writes() -> None:
    """Only the records, and its own parts; no name of a benchmark's, a program's or the build's modules."""
    for path in Path(reader.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [a.name for a in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                own = name.startswith((reader.__name__, "fathom.records"))
                top = name.partition(".")[0]
                assert own or top in sys.stdlib_module_names, f"{path.name} imports {name}"


@pytest.mark.parametrize("verb", [*read_lexicon().verbs, *VERBS.values()], ids=lambda v: v.ing)
def test_every_verb_of_the_lexicon_is_read_in_both_its_forms(verb: object) -> None:
    key, ing, third = (str(getattr(verb, name)) for name in ("key", "ing", "third"))
    assert verb_of(ing, frozenset()) == verb_of(third, frozenset()) == key


def test_no_words_stand_for_two_verbs() -> None:
    words = {ing: v.key for v in read_lexicon().verbs for ing in (v.ing, v.third)}
    assert all(verb_of(said, frozenset()) == key for said, key in words.items())
    assert verb_of("somersaulting", frozenset()) == f"{UNKNOWN}somersaulting"


def renamed(question: Question, scene: Scene, verbs: dict[str, tuple[str, str]]) -> tuple[Question, Scene]:
    """Return both with other verbs: words in the -ing form → the words, and the key, in their place."""
    text, choices, program = question.text, list(question.choices), list(question.program)
    for old, (words, key) in verbs.items():
        text = text.replace(old, words)
        choices = [words.capitalize() if c == old.capitalize() else c for c in choices]
        was = verb_of(old, frozenset())
        program = [
            msgspec.structs.replace(s, args=tuple(key if a == was else a for a in s.args)) for s in program
        ]
    made = msgspec.structs.replace(
        question, text=text, choices=tuple(choices), answer=choices[0], program=tuple(program)
    )
    return made, scene


OWN_VERBS = {"walking": ("juggling balls", "circus"), "jumping": ("brewing tea", "kitchen")}


def test_verbs_of_a_lexicon_of_ones_own_are_read_one_for_one(texts: Texts) -> None:
    own = [
        renamed(q, s, OWN_VERBS)
        for s, q in texts
        if q.tags["form"] in ("temporal.next", "action.when_change")
    ]
    spoken = [(q, s) for q, s in own if "Juggling balls" in q.choices or "juggling" in q.text]
    assert len(spoken) > 5
    assert all(read_text(q, s).verdict == "agree" for q, s in spoken)
    confused = {"walking": ("juggling balls", "circus"), "jumping": ("juggling balls", "kitchen")}
    again = [renamed(q, s, confused) for s, q in texts if q.tags["form"] == "temporal.next"]
    both = [q for q, s in again if "juggling" in q.text and "Juggling balls" in q.choices]
    assert both
    assert all(read_text(q, s).verdict == "disagree" for q, s in again if q in both)


EARLIER = {
    r"What color (is|are) the (flowers?) on (.*)'s head\?": (r"What color \1 \3's \2?",),
    r"What is the first thing that (.*) does in the video\?": (
        r"What is \1 doing at the start of the video?",
    ),
    r"What is the last thing that (.*) does in the video\?": (r"What is \1 doing at the end of the video?",),
    r"What is the next thing that happens after (.*)\?": (
        r"What is the next change after \1?",
        r"Which of these happens right after \1?",
    ),
    r"What is the last thing that happens before (.*)\?": (
        r"What is the last change before \1?",
        r"Which of these happens right before \1?",
    ),
    r"What does (.*) start doing next, after ((?:an?|the (?:fir|la)st) (?:new )?cherry .*)\?": (
        r"After \2, what does \1 start to do?",
    ),
    r"Which of (.*)'s legs is on the ground (.*)\?": (r"Which leg does \1 have on the ground \2?",),
    r"(first|last|second|only) (\w+) to appear on ": (
        r"\1 new \2 to appear on ",
        r"\1 new \2 that appears on ",
    ),
    r"Where on (.*) is the (first|last|second) (\w+) to disappear\?": (
        r"Where on \1 was the \2 \3 that disappears?",
    ),
    r"Where on (.*) is the (\w+) that disappears\?": (r"Where on \1 was the \2 that disappears?",),
    r"(first|last|second) (\w+) to disappear from ": (r"\1 \2 that disappears from ",),
    r"\ban? (\w+) disappears for the last time": (r"the last \1 disappears",),
    r"What colors are the (\w+) on the (\w+) (.*)\?": (r"What colors of \1 does the \2 have \3?",),
    r"on its (.*) and how many on its ": (r"on its \1 and on its ",),
    r"What colors of (\w+) are seen on the (.*) during the video\?": (
        r"What are the colors of all the \1 that are seen on the \2 over the whole video?",
    ),
    r"How many (\w+) in total are seen on the (.*) during the video\?": (
        r"How many \1 in all are seen on the \2 over the whole video, if each is counted once?",
        r"How many different \1 are seen on the \2 over the whole video?",
    ),
    r"\bat the end(?=\?|,)": ("at the very end",),
}


@pytest.mark.parametrize("now", EARLIER)
def test_words_of_earlier_versions_are_read_as_what_they_meant(texts: Texts, now: str) -> None:
    for before in EARLIER[now]:
        again = [
            (s, msgspec.structs.replace(q, text=re.sub(now, before, q.text)))
            for s, q in texts
            if re.search(now, q.text)
        ]
        assert again
        assert not [(q.text, r) for s, q in again if (r := read_text(q, s)).verdict != "agree"]


def test_what_is_told_by_its_color_alone_has_to_be_and_has_to_keep_it() -> None:
    cast = SceneNouns(staged(QUIET))
    assert cast.named("mailbox") == "prop2"
    assert cast.named("red box") == "prop1"
    for label in ("box", "green mailbox", "blue mailbox", "gray box", "fox"):
        with pytest.raises(ContradictionError, match="not the name of just one object"):
            cast.named(label)


def test_objects_are_read_as_people_call_their_models(texts: Texts) -> None:
    """With capitals and marks in their names."""
    odd = "VW T1, 2-door (Samba & Co.)"
    found = [(s, q) for s, q in texts if s.objects[1].attributes["name"] == "cactus" and "cactus" in q.text]
    assert len(found) > 100
    for scene, q in found[::7]:
        van = msgspec.structs.replace(scene.objects[1], attributes={"name": odd, "color": "red"})
        steps = [
            msgspec.structs.replace(s, args=tuple(a.replace("cactus", odd) for a in s.args))
            for s in q.program
        ]
        choices = tuple(c.replace("cactus", odd) for c in q.choices)
        made = msgspec.structs.replace(
            q,
            text=q.text.replace("cactus", odd).replace("cacti", f"{odd}s"),
            choices=choices,
            answer=choices[0],
            program=tuple(steps),
        )
        other = msgspec.structs.replace(scene, objects=(scene.objects[0], van, *scene.objects[2:]))
        if "cacti" not in q.text:
            assert read_text(made, other).verdict == "agree", (made.text, read_text(made, other).why)


def test_parts_are_read_whatever_their_file_calls_them(texts: Texts) -> None:
    """A part is called "Paw_Mat" in its file, and its words are "paws"."""
    forms = ("appearance.part", "appearance.part_then", "appearance.which_part")
    found = [(s, q) for s, q in texts if q.tags["form"] in forms and "paws" in (q.text + "".join(q.choices))]
    assert len(found) > 5
    for scene, q in found:
        actor, *others = scene.objects
        parts = {"Paw_Mat" if name == "paws" else name: told for name, told in actor.parts.items()}
        events = tuple(
            msgspec.structs.replace(e, detail=e.detail.replace("paws", "Paw_Mat")) for e in actor.events
        )
        made = msgspec.structs.replace(
            scene, objects=(msgspec.structs.replace(actor, parts=parts, events=events), *others)
        )
        steps = tuple(
            msgspec.structs.replace(s, args=tuple(a.replace("paws", "Paw_Mat") for a in s.args))
            for s in q.program
        )
        assert read_text(msgspec.structs.replace(q, program=steps), made).verdict == "agree", q.text


def test_what_comes_need_not_be_called_new_where_nothing_of_its_kind_was_there(texts: Texts) -> None:
    asked = [(s, q) for s, q in texts if q.tags["form"] == "spatial.growth_time_place" and " new " in q.text]
    assert asked
    for scene, question in asked:
        plain = msgspec.structs.replace(question, text=question.text.replace(" new ", " "))
        kind = next(o.subtype for o in scene.objects if any(e.what == "appears" for e in o.events))
        come = [o for o in scene.objects if o.subtype != kind or any(e.what == "appears" for e in o.events)]
        alone = msgspec.structs.replace(scene, objects=tuple(come))
        assert read_text(plain, alone).verdict == "agree"
        assert read_text(plain, scene).verdict == "disagree"
