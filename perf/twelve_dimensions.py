"""From a built set to a dataset of all twelve dimensions: extracted, written, read blind, reviewed, joined.

    fathom build seed-bench --out set --scenes 300 --renderer none
    python perf/twelve_dimensions.py set [another …] --out OUT [--noise labels=0.1,missed=0.1,boxes=0.02]

Everything goes through the verbs of the command line; who takes part is scripted. The extractor is perfect,
and then noisy. The writer believes what it is told and asks two questions of each picture and dimension.
Three readers see no picture: they take the answer that is right most often, the longest option, or any.
People know the truth. Questions about videos are those that were built. Both datasets of each set lie in
OUT, in folders 1, 2 …; how many questions each dimension has in all of them, and what went for which reason,
is printed beside the counts of the paper; and for each extractor what `fathom write-questions` says, with the
share that readers guess and what a forest guesses.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import permutations
from pathlib import Path

import msgspec

from fathom import api
from fathom.authoring.information.extracting import information_in
from fathom.authoring.information.record import SeenInstance, VisualInformation
from fathom.authoring.outcomes import Rejected
from fathom.authoring.review import FILE
from fathom.benchmarks.seedbench.authoring.review import AnnotationLine
from fathom.benchmarks.seedbench.authoring.settings import PictureWriting
from fathom.benchmarks.seedbench.paper import PUBLISHED_COUNTS, TEMPORAL
from fathom.benchmarks.seedbench.tasks import FIRST
from fathom.english import article, plural
from fathom.inference.models.function import QuestionView
from fathom.pages.tables import Table, as_text
from fathom.records import Question
from fathom.store.amending import amended
from fathom.store.datasets import open_dataset
from fathom.store.files import read_jsonl

PLACES = ("living room", "bedroom", "study", "dining room", "kitchen", "street", "table")
COLORS = ("red", "blue", "green", "yellow", "white", "black", "brown", "gray", "orange", "purple")
DEEDS = ("holding", "sitting on", "pushing", "walking towards", "looking at")
WRITTEN: set[str] = set()
"""All words that can be read in a picture; `through` fills it in, and `WHERE`, too."""

WHERE: dict[str, float] = {}
"""Class → in what share of the pictures it is said to be."""
FILMED = ("desktop", "acted")
"""The settings of which there are videos; of all others there are images."""
OPTIONS = 6
"""How many wrong options the writer gives at most: three of them are kept, by their length."""
CLEAR = 0.04
"""How far two middles are apart to be told, as a share of the picture."""

Asked = tuple[str, str, tuple[str, ...]]
"""A question, its answer, and what is false of it."""


def middle(seen: SeenInstance) -> tuple[float, float]:
    """Return the middle of an object's box as shares of the picture."""
    left, top, right, bottom = seen.box
    return (left + right) / 2, (top + bottom) / 2


def scene_understanding(info: VisualInformation) -> Iterator[Asked]:
    """Yield what kind of place it is, as a caption says."""
    said = next(
        (p for c in info.captions[:1] for p in PLACES if re.search(rf"\b{p}\b", c.text.split(" in ")[-1])), ""
    )
    if said:
        yield "What kind of place is this?", said, tuple(p for p in PLACES if p != said)


def identity(info: VisualInformation) -> Iterator[Asked]:
    """Yield what there is; false are classes of other pictures, drawn as often as they are right."""
    there = {one.label for one in info.instances}

    def drawn(label: str) -> float:
        share = WHERE[label]
        return float((number(info.id, label) / 2**48) ** ((1 - share) / share))

    false = tuple(sorted(WHERE.keys() - there, key=drawn)[-OPTIONS:])
    listed = sorted(there, key=lambda label: number(info.id, label))
    for label, text in zip(listed, ("Which of these is seen?", "What can be found here?"), strict=False):
        yield text, label, false


def attributes(info: VisualInformation) -> Iterator[Asked]:
    """Yield the colour of what is alone of its class."""
    for one in single(info):
        if (color := one.attributes.get("color", "")) in COLORS:
            yield f"What color does the {one.label} have?", color, tuple(c for c in COLORS if c != color)


def location(info: VisualInformation) -> Iterator[Asked]:
    """Yield in which part of the picture an object is."""
    for one in single(info):
        x, y = middle(one)
        if min(abs(x - 0.5), abs(y - 0.5)) > CLEAR:
            said = f"in the {'upper' if y < 0.5 else 'lower'} {'left' if x < 0.5 else 'right'} part"
            every = [f"in the {v} {h} part" for v in ("upper", "lower") for h in ("left", "right")]
            yield f"Where in the picture is the {one.label}?", said, tuple(e for e in every if e != said)


def counting(info: VisualInformation) -> Iterator[Asked]:
    """Yield how many there are of a class."""
    for label, n in Counter(i.label for i in info.instances).items():
        first = max(1, n - 2)
        numbers = [str(first + k) for k in range(4)]
        yield f"How many {plural(label)} are there?", str(n), tuple(k for k in numbers if k != str(n))


def relation(info: VisualInformation) -> Iterator[Asked]:
    """Yield which of four objects is the farthest to the left or the right."""
    some = sorted(single(info), key=lambda i: middle(i)[0])
    for word, order in (("left", some), ("right", some[::-1])):
        if len(order) >= 4 and abs(middle(order[0])[0] - middle(order[1])[0]) > CLEAR:
            labels = sorted(i.label for i in order)
            text = f"Which is the farthest to the {word}: the {', the '.join(labels)}?"
            yield text, order[0].label, tuple(i.label for i in order[1:])


def interaction(info: VisualInformation) -> Iterator[Asked]:
    """Yield what people do; false are the same with other objects, and other deeds with the same one."""
    labels = [i.label for i in single(info)]
    for one in single(info):
        does = one.attributes.get("does", "").partition(" and ")[0]
        verb = next((v for v in DEEDS if does.startswith(f"{v} ")), "")
        if verb:
            named = does.removeprefix(f"{verb} ")
            false = [f"{v} {named}" for v in DEEDS if v != verb]
            false += [f"{verb} {article(o)} {o}" for o in labels if not named.endswith(o) and o != one.label]
            yield f"What is the {one.label} doing?", does, tuple(false)


def reasoning(info: VisualInformation) -> Iterator[Asked]:
    """Yield how many objects would be left of two classes."""
    counts = Counter(i.label for i in info.instances)
    for one, other in permutations(counts, 2):
        left = counts[one] + counts[other] - 1
        numbers = [str(max(1, left - 2) + k) for k in range(4)]
        text = f"If one of the {plural(one)} and {plural(other)} were gone, how many of both would be left?"
        yield text, str(left), tuple(n for n in numbers if n != str(left))


def reading(info: VisualInformation) -> Iterator[Asked]:
    """Yield the one word that can be read."""
    if len(info.texts) == 1:
        said = info.texts[0].text
        yield "Which word can be read in the picture?", said, tuple(sorted(WRITTEN - {said}))


WRITERS: Mapping[str, Callable[[VisualInformation], Iterator[Asked]]] = {
    "scene_understanding": scene_understanding,
    "instance_identity": identity,
    "instance_attributes": attributes,
    "instance_location": location,
    "instances_counting": counting,
    "spatial_relation": relation,
    "instance_interaction": interaction,
    "visual_reasoning": reasoning,
    "text_understanding": reading,
}
"""Dimension → what is asked of a picture by who believes its information."""


def single(info: VisualInformation) -> list[SeenInstance]:
    """Return the objects that are alone of their class."""
    counts = Counter(i.label for i in info.instances)
    return [i for i in info.instances if counts[i.label] == 1]


def number(*names: str) -> int:
    """Return a number that follows from names."""
    return int.from_bytes(hashlib.sha256("|".join(names).encode()).digest()[:6], "big")


def picture_of(name: str, infos: Mapping[str, VisualInformation]) -> VisualInformation:
    """Return what is known of the picture that the name of a request, or of a question, speaks of."""
    return next(infos[k] for k in sorted(infos, key=len, reverse=True) if k in name)


def writer_of(infos: Mapping[str, VisualInformation]) -> Callable[[QuestionView], str]:
    """Return a writer that asks two questions of a request's picture and dimension."""

    def writer(question: QuestionView) -> str:
        dimension = next(d for d in WRITERS if question.id.endswith(d))
        info = picture_of(question.id, infos)
        found = sorted(WRITERS[dimension](info), key=lambda asked: number(question.id, asked[0]))
        return json.dumps({"questions": [_entry(question.id, one) for one in found[:2]]})

    return writer


def _entry(name: str, asked: Asked) -> dict[str, object]:
    text, answer, false = asked
    others = sorted(false, key=lambda option: number(name, text, option))[:OPTIONS]
    return {"question": text, "choices": [answer, *others], "answer": answer}


def reader_of(kind: str) -> Callable[[QuestionView], str]:
    """Return a reader that sees no picture: it takes "1" or the first, the longest option, or any."""

    def reader(question: QuestionView) -> str:
        options = re.findall(r"^\(?([A-D])[).] *(.*)$", question.prompt, re.MULTILINE)
        if kind == "common":
            return str(next((k for k, text in options if text.strip() == "1"), "A"))
        if kind == "longest":
            return str(max(options, key=lambda option: len(option[1]))[0])
        return "ABCD"[number(kind, question.id) % 4]

    reader.__name__ = f"reader_{kind}"
    return reader


def reviewed(data: bytes, truths: Mapping[str, VisualInformation]) -> bytes:
    """Return a review file as people fill it in who see the pictures."""
    lines = []
    for raw in data.splitlines():
        line = msgspec.json.decode(raw, type=AnnotationLine)
        truth = picture_of(line.question, truths)
        known = {a for text, a, _ in WRITERS[line.dimension](truth) if text == line.text}
        if line.dimension == "instance_identity":
            known = {one.label for one in truth.instances}
        right = [c for c in line.choices if c in known]
        answer, fits = (right[0], True) if len(right) == 1 else ("", False)
        line.reviewer = "somebody"
        line.decision, line.answer_given = ("keep", answer) if fits else ("reject", "")
        line.reason = "" if fits else "cannot be answered by looking"
        lines.append(msgspec.json.encode(line) + b"\n")
    return b"".join(lines)


def through(built: Path, folder: Path, extractor: str) -> tuple[Counter[str], Counter[str]]:
    """Take every step to a dataset in folder/twelve; return its questions by dimension, and what went why."""
    info, work = folder / "info", folder / "work"
    api.extract_information(built, info, extractors=[extractor])
    infos = information_in(open_dataset(info))
    everywhere = Counter(label for found in infos.values() for label in {i.label for i in found.instances})
    WRITTEN.clear()
    WRITTEN.update(t.text for found in infos.values() for t in found.texts)
    WHERE.clear()
    WHERE.update((label, n / len(infos)) for label, n in everywhere.items())
    api.write_questions(info, work, settings=PictureWriting(apart=()))
    api.run_model(work / "write" / "01", writer_of(infos), folder / "written")
    api.write_questions(info, work, responses=[folder / "written"])
    readers = [folder / kind for kind in ("common", "longest", "any")]
    for path in readers:
        api.run_model(work / "blind" / "01", reader_of(path.name), path)
    print(api.write_questions(info, work, responses=readers))
    truths = infos
    if extractor != "perfect":
        api.extract_information(built, folder / "truth", extractors=["perfect"])
        truths = information_in(open_dataset(folder / "truth"))
    (work / FILE).write_bytes(reviewed((work / FILE).read_bytes(), truths))
    print(api.write_questions(info, work, out=folder / "nine").splitlines()[-2])
    kept = joined(built, folder)
    gone = Counter(f"{r.step}: {r.reason}" for r in read_jsonl(work / "rejected.jsonl", Rejected))
    return Counter(q.task for q in kept), gone


def joined(built: Path, folder: Path) -> list[Question]:
    """Write the dataset of the written questions about pictures and the built ones about videos."""
    whole = open_dataset(built)
    pictures = [q for q in open_dataset(folder / "nine").questions() if q.task not in TEMPORAL]
    videos = [q for q in whole.questions() if q.task in TEMPORAL]
    note = "questions about pictures were written from their information, those about videos built"
    amended(whole, folder / "twelve", [*pictures, *videos], note, {})
    return [*pictures, *videos]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("datasets", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--noise", default="labels=0.1,missed=0.1,attributes=0.1,boxes=0.02,seed=0")
    given = parser.parse_args()
    kinds = {"perfect": "perfect", "noisy": f"noisy={given.noise}"}
    found = {name: (Counter[str](), Counter[str]()) for name in kinds}
    settings = Counter[str]()
    for k, built in enumerate(given.datasets, 1):
        for name, extractor in kinds.items():
            kept, gone = through(built, given.out / str(k) / name, extractor)
            found[name][0].update(kept)
            found[name][1].update(gone)
        settings.update(s.source["setting"] for s in open_dataset(built).scenes())
    clips = sum(settings[name] for name in FILMED)
    print(f"{settings.total() - clips} images and {clips} clips")
    rows = [
        (FIRST[task], *(f"{found[k][0][task]:,}" for k in kinds), f"{PUBLISHED_COUNTS[task]:,}")
        for task in FIRST
    ]
    sums = (*(sum(found[k][0].values()) for k in kinds), sum(PUBLISHED_COUNTS.values()))
    rows.append(("all", *(f"{n:,}" for n in sums)))
    print(as_text(Table(title="Questions", columns=("", *kinds, "paper"), rows=tuple(rows))))
    reasons = sorted({reason for _, gone in found.values() for reason in gone})
    went = [(reason, *(f"{found[k][1][reason]:,}" for k in kinds)) for reason in reasons]
    print(as_text(Table(title="What went", columns=("", *kinds), rows=tuple(went))))


if __name__ == "__main__":
    main()
