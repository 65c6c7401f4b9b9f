"""The perfect extractor with errors at known rates: what an error costs can be measured.

An object is missed, taken for something of another class, or given another colour or size; its box is shaken.
Of a person, what they do is an attribute, too: it is taken for something else that people do in the pictures.
Captions and regions are made from what is left, so that all that is said of a picture agrees. Texts are told
as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import msgspec

from fathom.authoring.information.deeds import ToldDeed
from fathom.authoring.information.extractors import VisionExtractor, one_by_one
from fathom.authoring.information.perfect import SeenScene, described, seen_in
from fathom.authoring.information.pictures import GivenPicture
from fathom.authoring.information.record import SeenInstance, VisualInformation, clipped
from fathom.records import InputError
from fathom.store.seeds import rng

NAME, VERSION = "noisy", "3"


@dataclass(frozen=True)
class NoiseRates:
    """How often, and how far, the extractor errs.

    labels, attributes : the share of objects of another class, and of attributes of another value
    missed : the share of objects that are not found
    boxes : the standard deviation of each edge of a box, as a share of the picture
    """

    labels: float = 0.0
    attributes: float = 0.0
    missed: float = 0.0
    boxes: float = 0.0
    seed: str = "0"


Vocabulary = Mapping[str, tuple[str, ...]]
"""What there is to confuse: "label" or the name of an attribute → its values in all pictures; DOES_TO and
DOES: what people do to something, and what they do alone."""

DOES_TO, DOES = "does to", "does"


def opened(rest: str, pictures: Sequence[GivenPicture]) -> VisionExtractor:
    """Return the extractor with the rates said behind its name: labels=0.1,missed=0.05,seed=3.

    Raises InputError for what is no rate.
    """
    rates = _rates(rest)
    words = vocabulary_of(pictures)
    version = f"{VERSION} {rates}"
    return one_by_one(NAME, version, lambda picture: noisy_information(picture, rates, words))


def _rates(rest: str) -> NoiseRates:
    known = {f.name for f in fields(NoiseRates)}
    given: dict[str, str | float] = {}
    for part in filter(None, rest.split(",")):
        name, _, value = part.partition("=")
        try:
            given[name] = value if name == "seed" else float(value)
        except ValueError:
            name = ""
        number = given.get(name, -1.0)
        if name not in known or (isinstance(number, float) and not 0 <= number <= 1):
            raise InputError(
                f"--extractors noisy={rest}: expected NAME=RATE of {', '.join(sorted(known))} with rates "
                f"from 0 to 1, found {part!r}"
            )
    return NoiseRates(**given)  # type: ignore[arg-type]


def vocabulary_of(pictures: Sequence[GivenPicture]) -> Vocabulary:
    """Return the classes and values of attributes of everything seen in the pictures' scenes, sorted."""
    found: dict[str, set[str]] = {"label": set()}
    for picture in pictures:
        seen = seen_in(picture) if picture.scene else SeenScene("", ())
        for instance in seen.instances:
            found["label"].add(instance.label)
            for name, value in instance.attributes.items():
                found.setdefault(name, set()).add(value)
        for deed in seen.deeds:
            found.setdefault(DOES_TO if deed.what else DOES, set()).add(deed.words)
    return {name: tuple(sorted(values)) for name, values in found.items()}


def noisy_information(picture: GivenPicture, rates: NoiseRates, words: Vocabulary) -> VisualInformation:
    """Return what an extractor with these rates says of a picture. Raises InputError without a scene."""
    seen = seen_in(picture)
    erred = [_erred(picture.id, i, rates, words) for i in seen.instances]
    texts = [msgspec.structs.replace(t, source=NAME) for t in seen.texts]
    deeds = [_mistaken(picture.id, d, rates, words) for d in seen.deeds]
    kept = [i for i in erred if i is not None]
    return described(picture.id, SeenScene(seen.place, kept, texts, deeds), NAME)


def _mistaken(picture: str, deed: ToldDeed, rates: NoiseRates, words: Vocabulary) -> ToldDeed:
    """Return what somebody does as it is told: the same, or something else with the same object."""
    drawn, which = rng(rates.seed, "information", picture, deed.who, "attribute", DOES).random(2).tolist()
    if drawn >= rates.attributes:
        return deed
    return deed._replace(words=_other(deed.words, words[DOES_TO if deed.what else DOES], which))


def _erred(picture: str, instance: SeenInstance, rates: NoiseRates, words: Vocabulary) -> SeenInstance | None:
    """Return an object as it is found, or None where it is missed.

    Each error is drawn by itself, so that at a higher rate the same objects err, and more.
    """

    def drawn(*names: str) -> float:
        return float(rng(rates.seed, "information", picture, instance.id, *names).random())

    if drawn("missed") < rates.missed:
        return None
    label, attributes = instance.label, dict(instance.attributes)
    if drawn("label") < rates.labels:
        label = _other(label, words["label"], drawn("which label"))
        attributes.pop("type", None)  # nothing of another class has this one's type
    for name, value in instance.attributes.items():
        if name in attributes and drawn("attribute", name) < rates.attributes:
            attributes[name] = _other(value, words[name], drawn("which", name))
    shake = rng(rates.seed, "information", picture, instance.id, "box").normal(0.0, 1.0, 4) * rates.boxes
    left, top, right, bottom = (v + float(s) for v, s in zip(instance.box, shake, strict=True))
    changed: SeenInstance = msgspec.structs.replace(
        instance, label=label, attributes=attributes, box=clipped((left, top, right, bottom)), source=NAME
    )
    return changed


def _other(value: str, among: Sequence[str], share: float) -> str:
    others = [v for v in among if v != value]
    return others[int(share * len(others))] if others else value
