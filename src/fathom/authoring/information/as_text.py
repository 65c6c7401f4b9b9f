"""The information as writers of questions read it: captions, objects, attributes, regions, texts."""

from __future__ import annotations

from collections.abc import Iterator

from fathom.authoring.information.record import Box, VisualInformation


def as_text(found: VisualInformation) -> str:
    """Return the information of one picture in lines, in the form of the paper."""
    return "\n".join(_lines(found))


def _lines(found: VisualInformation) -> Iterator[str]:
    yield "Captions:"
    yield from (f"- {c.text}" for c in found.captions)
    yield "Objects (class: box):"
    yield from (f"- {i.label}: {_box(i.box)}" for i in found.instances)
    if described := [i for i in found.instances if i.attributes]:
        yield "Attributes (class: box: attributes):"
        for i in described:
            yield f"- {i.label}: {_box(i.box)}: {', '.join(i.attributes.values())}"
    if found.regions:
        yield "Regions (sentence: box):"
        yield from (f"- {r.text}: {_box(r.box)}" for r in found.regions)
    if found.texts:
        yield "Texts (words: box):"
        yield from (f"- {t.text}: {_box(t.box)}" for t in found.texts)


def _box(box: Box) -> str:
    return f"[{', '.join(f'{v:.3f}' for v in box)}]"
