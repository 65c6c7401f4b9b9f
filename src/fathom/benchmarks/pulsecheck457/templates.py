"""The question families of PulseCheck457 as data: 37 spatial, 23 on several things, and the rest.

Sentences are Fathom's own. Families follow the paper's: zero hop; same relation and single or; one, two and
three hops, single and, single or, comparison, compare integer (in the picture for L3, from the objects' own
point of view for L5); occlusion and occlusion by; pose and pose relation; what would be hit.

Ref: PulseCheck457 §3.3, §3.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fathom.benchmarks.pulsecheck457.mix import kind_of, sought
from fathom.questions.templates import Template

ATTRIBUTES = ("size", "color", "shape")
L1, L2, L3 = "L1_single", "L2_objects", "L3_2d_spatial"
OCCLUSION, POSE = "L4_occ", "L4_pose"
OWN, COLLISION = "L5_6d_spatial", "L5_collision"

SAME = {"size": "the same size as", "color": "the same color as", "shape": "exactly the same shape as"}
COUNTS = ("0", "1", "2", "3")


def _zero_hop() -> Iterator[Template]:
    yield Template(
        "L1.count",
        L1,
        "count",
        "count filter:A scene",
        (
            "how many {pl:A} are there in the picture?",
            "how many {pl:A} can you see?",
        ),
        possible=("0", "1", "2", "3", "4"),
    )
    yield Template(
        "L1.exist",
        L1,
        "exist",
        "exist filter:A scene",
        (
            "is there {a:A} in the picture?",
            "are there any {pl:A} in the picture?",
        ),
    )
    for x in ATTRIBUTES:
        yield Template(
            f"L1.{x}",
            L1,
            x,
            f"query_{x} unique filter:A scene",
            (
                f"what {x} is {{the:A}}?",
                f"what is the {x} of {{the:A}}?",
            ),
            without={"A": (x,)},
        )


def _same_relate() -> Iterator[Template]:
    for x in ATTRIBUTES:
        base = f"same_{x} unique filter:A scene"
        no = {"A": (x,), "B": (x,)}
        like = SAME[x]
        yield Template(
            f"L2.same_{x}.exist",
            L2,
            "exist",
            f"exist {base}",
            (
                f"is there any other object that is {like} {{the:A}}?",
                f"does any other object have {like} {{the:A}}?",
            ),
            without={"A": (x,)},
        )
        yield Template(
            f"L2.same_{x}.count",
            L2,
            "count",
            f"count {base}",
            (
                f"how many other objects are {like} {{the:A}}?",
                f"not counting {{the:A}} itself, how many objects are {like} it?",
            ),
            without={"A": (x,)},
            possible=("0", "1", "2", "3", "4") if x == "size" else ("0", "1", "2"),
        )
        yield Template(
            f"L2.same_{x}.filter_exist",
            L2,
            "exist",
            f"exist filter:B {base}",
            (
                f"not counting {{the:A}} itself, is there {{a:B}} that is {like} it?",
                f"apart from {{the:A}} itself, are there any {{pl:B}} that are {like} it?",
            ),
            without=no,
        )
        yield Template(
            f"L2.same_{x}.filter_count",
            L2,
            "count",
            f"count filter:B {base}",
            (
                f"not counting {{the:A}} itself, how many {{pl:B}} are {like} it?",
                f"apart from {{the:A}} itself, how many {{pl:B}} are {like} it?",
            ),
            without=no,
            possible=COUNTS[:3],
        )
        for y in ATTRIBUTES:
            if y != x:
                yield Template(
                    f"L2.same_{x}.{y}",
                    L2,
                    y,
                    f"query_{y} unique filter:B {base}",
                    (
                        f"apart from {{the:A}} itself, only one {{B}} is {like} it: what {y} is that one?",
                        f"leaving {{the:A}} itself aside, what is the {y} of the only {{B}} that is "
                        f"{like} it?",
                    ),
                    without={"A": (x,), "B": (x, y)},
                )


def _single_or() -> Iterator[Template]:
    pairs = {
        "color_color": (("color",), ("color",)),
        "color_shape": (("color",), ("shape",)),
        "shape_shape": (("shape",), ("shape",)),
        "two_words": (("size", "color"), ("size", "color")),
        "size_shape": (("size", "shape"), ("shape",)),
    }
    for name, (a, b) in pairs.items():
        yield Template(
            f"L2.or.{name}",
            L2,
            "count",
            "count union filter:A scene filter:B scene",
            (
                "of all the objects in the picture, how many are either {pl:A} or {pl:B}?",
                "how many different objects in the picture are {pl:A} or {pl:B}?",
            ),
            only={"A": a, "B": b},
            possible=("1", "2", "3", "4"),
            apart=(("A", "B"),),
        )


def _hops(task: str, name: str, op: str, hops: int) -> Iterator[Template]:
    letters, words = "ABCD", "rst"
    chain, said = "unique filter:A scene", "{the:A}"
    for k in range(hops - 1):
        chain = f"unique filter:{letters[k + 1]} {op}:{words[k]} {chain}"
        said = f"{{the:{letters[k + 1]}}} that is {{{words[k]}}} {said}"
    last, r = letters[hops], words[hops - 1]
    chain = f"filter:{last} {op}:{r} {chain}"
    said = f"{{{r}}} {said}"
    one = f"{name}.{('one', 'two', 'three')[hops - 1]}_hop"
    yield Template(
        f"{one}.count",
        task,
        "count",
        f"count {chain}",
        (
            f"how many {{pl:{last}}} are {said}?",
            f"how many {{pl:{last}}} are there that are {said}?",
        ),
        possible=COUNTS,
    )
    yield Template(
        f"{one}.exist",
        task,
        "exist",
        f"exist {chain}",
        (
            f"is there {{a:{last}}} {said}?",
            f"are there any {{pl:{last}}} {said}?",
        ),
    )
    for x in ATTRIBUTES:
        yield Template(
            f"{one}.{x}",
            task,
            x,
            f"query_{x} unique {chain}",
            (
                f"what {x} is {{the:{last}}} that is {said}?",
                f"what is the {x} of {{the:{last}}} that is {said}?",
            ),
            without={last: (x,)},
        )


def _single_and(task: str, name: str, op: str) -> Iterator[Template]:
    both = f"filter:C intersect {op}:r unique filter:A scene {op}:s unique filter:B scene"
    said = "{r} {the:A} and also {s} {the:B}"
    yield Template(
        f"{name}.and.count",
        task,
        "count",
        f"count {both}",
        (
            f"how many {{pl:C}} are {said}?",
            f"how many {{pl:C}} can be found {said}?",
        ),
        possible=COUNTS,
    )
    for x in ATTRIBUTES:
        yield Template(
            f"{name}.and.{x}",
            task,
            x,
            f"query_{x} unique {both}",
            (
                f"what {x} is {{the:C}} that is {said}?",
                f"what is the {x} of {{the:C}} that is {said}?",
            ),
            without={"C": (x,)},
        )


def _related_or(task: str, name: str, op: str) -> Iterator[Template]:
    near = f"filter:C {op}:r unique filter:A scene"
    yield Template(
        f"{name}.or.first",
        task,
        "count",
        f"count union {near} filter:B scene",
        ("how many different objects are either {pl:B} (wherever they stand) or {pl:C} {r} {the:A}?",),
        possible=("1", "2", "3", "4"),
    )
    yield Template(
        f"{name}.or.second",
        task,
        "count",
        f"count union filter:B scene {near}",
        ("how many different objects are either {pl:C} {r} {the:A} or {pl:B} (wherever they stand)?",),
        possible=("1", "2", "3", "4"),
    )
    yield Template(
        f"{name}.or.both",
        task,
        "count",
        f"count union {near} filter:D {op}:s unique filter:B scene",
        ("how many different objects are either {pl:C} {r} {the:A} or {pl:D} {s} {the:B}?",),
        possible=("1", "2", "3", "4"),
    )


def _comparison(task: str, name: str, op: str) -> Iterator[Template]:
    near, far = f"unique filter:B {op}:r unique filter:A scene", "unique filter:C scene"
    for x in ATTRIBUTES:
        no = {"B": (x,), "C": (x,)}
        one, two = "{the:B} that is {r} {the:A}", "{the:C}"
        yield Template(
            f"{name}.compare_{x}.first",
            task,
            "compare",
            f"equal_{x} query_{x} {near} query_{x} {far}",
            (f"is {one} {SAME[x]} {two}?",),
            without=no,
        )
        yield Template(
            f"{name}.compare_{x}.second",
            task,
            "compare",
            f"equal_{x} query_{x} {far} query_{x} {near}",
            (f"is {two} {SAME[x]} {one}?",),
            without=no,
        )
        yield Template(
            f"{name}.compare_{x}.both",
            task,
            "compare",
            f"equal_{x} query_{x} {near} query_{x} unique filter:D {op}:s {far}",
            (f"is {one} {SAME[x]} {{the:D}} that is {{s}} {two}?",),
            without={"B": (x,), "D": (x,)},
        )


def _compare_integer(task: str, name: str, op: str) -> Iterator[Template]:
    # No "more … than": with "closer to the camera than" in it, nobody reads that at once.
    near = f"count filter:B {op}:r unique filter:A scene"
    said = "compare two groups, first all {pl:B} that are {r} {the:A}, second all"
    for compare, ends in (
        ("greater_than", "does the first group have more objects?"),
        ("less_than", "does the first group have fewer objects?"),
        ("equal_integer", "do both groups have the same number of objects?"),
    ):
        for kind, second, tail in (
            ("all", "count filter:D scene", "{pl:D} in the whole picture"),
            ("both", f"count filter:D {op}:s unique filter:C scene", "{pl:D} that are {s} {the:C}"),
        ):
            yield Template(
                f"{name}.{compare}.{kind}",
                task,
                "compare",
                f"{compare} {near} {second}",
                (f"{said} {tail}: {ends}",),
                apart=(("B", "D"),),
            )


def _spatial(task: str, name: str, op: str) -> Iterator[Template]:
    for hops in (1, 2, 3):
        yield from _hops(task, name, op, hops)
    yield from _single_and(task, name, op)
    yield from _related_or(task, name, op)
    yield from _comparison(task, name, op)
    yield from _compare_integer(task, name, op)


def _occlusion() -> Iterator[Template]:
    for x in ATTRIBUTES:
        yield Template(
            f"L4.hidden.{x}",
            OCCLUSION,
            x,
            f"query_{x} unique filter:A filter_occludee scene",
            (
                f"what {x} is {{the:A}} that is partly hidden by another object?",
                f"what is the {x} of {{the:A}} that is partly hidden by another object?",
            ),
            without={"A": (x,)},
        )
        yield Template(
            f"L4.hidden_by.{x}",
            OCCLUSION,
            x,
            f"query_{x} unique filter:B relate_occluding unique filter:A scene",
            (
                f"what {x} is {{the:B}} that is partly hidden by {{the:A}}?",
                f"what is the {x} of {{the:B}} that {{the:A}} partly hides?",
            ),
            without={"B": (x,)},
        )
        yield Template(
            f"L4.hides.{x}",
            OCCLUSION,
            x,
            f"query_{x} unique filter:B relate_occluded unique filter:A scene",
            (
                f"what {x} is {{the:B}} that hides part of {{the:A}}?",
                f"what is the {x} of {{the:B}} that partly hides {{the:A}}?",
            ),
            without={"B": (x,)},
        )
    yield Template(
        "L4.hides.exist",
        OCCLUSION,
        "exist",
        "exist filter:B relate_occluded unique filter:A scene",
        (
            "is {the:A} partly hidden by {a:B}?",
            "does {a:B} hide part of {the:A}?",
        ),
        rules=("fathom",),
    )
    yield Template(
        "L4.hidden_by.exist",
        OCCLUSION,
        "exist",
        "exist filter:B relate_occluding unique filter:A scene",
        (
            "does {the:A} hide part of {a:B}?",
            "is {a:B} partly hidden by {the:A}?",
        ),
        rules=("fathom",),
    )


def _pose() -> Iterator[Template]:
    yield Template(
        "L4.pose",
        POSE,
        "pose",
        "query_pose unique filter:A scene",
        (
            "which way is {the:A} facing: left, right, front (towards the camera) or back (away from the "
            "camera)?",
            "seen from the camera, is {the:A} facing left, right, front (towards the camera) or back "
            "(away from the camera)?",
        ),
    )
    for x in ATTRIBUTES:
        yield Template(
            f"L4.facing.{x}",
            POSE,
            x,
            f"query_{x} unique filter:A filter_pose:p scene",
            (
                f"what {x} is {{the:A}} that is facing {{p}}?",
                f"what is the {x} of {{the:A}} that is facing {{p}}?",
            ),
            without={"A": (x,)},
        )
    says = {
        "same": "faces roughly the same way as {the:A}",
        "opposite": "faces roughly the opposite way to {the:A}",
        "vertical": "faces roughly at a right angle to {the:A}",
    }
    for pose, said in says.items():
        for x in ATTRIBUTES:
            yield Template(
                f"L4.{pose}.{x}",
                POSE,
                x,
                f"query_{x} unique filter:B {pose}_pose unique filter:A scene",
                (
                    f"what {x} is {{the:B}} that {said}?",
                    f"what is the {x} of {{the:B}} that {said}?",
                ),
                without={"B": (x,)},
            )


def _collision() -> Iterator[Template]:
    move = "if {the:A} moved straight {d}"
    yield Template(
        "L5.hit.exist",
        COLLISION,
        "exist",
        "exist filter:B relate_hit:d unique filter:A scene",
        (
            f"{move}, would it hit {{a:B}}?",
            "suppose {the:A} moved straight {d}: would it hit {a:B}?",
        ),
    )
    yield Template(
        "L5.hit.count",
        COLLISION,
        "count",
        "count filter:B relate_path:d unique filter:A scene",
        (f"{move}, how many {{pl:B}} would stand in its path, those behind others included?",),
        possible=COUNTS,
        rules=("fathom",),
    )
    yield Template(
        "L5.hit.count.paper",
        COLLISION,
        "count",
        "count filter:B relate_hit:d unique filter:A scene",
        (f"{move}, how many {{pl:B}} would it collide with?",),
        possible=COUNTS,
        rules=("paper",),
    )
    for x in ATTRIBUTES:
        yield Template(
            f"L5.hit.{x}",
            COLLISION,
            x,
            f"query_{x} unique relate_first:d unique filter:A scene",
            (
                f"{move}, what {x} is the first object that it would hit?",
                f"suppose {{the:A}} moved straight {{d}}: what is the {x} of the first object that it "
                "would hit?",
            ),
            rules=("fathom",),
        )
        yield Template(
            f"L5.hit.{x}.paper",
            COLLISION,
            x,
            f"query_{x} unique filter:B relate_hit:d unique filter:A scene",
            (f"{move}, what {x} is {{the:B}} that it would collide with?",),
            without={"B": (x,)},
            rules=("paper",),
        )


_FAMILIES = (
    *_zero_hop(),
    *_same_relate(),
    *_single_or(),
    *_spatial(L3, "L3", "relate"),
    *_occlusion(),
    *_pose(),
    *_spatial(OWN, "L5.own", "relate_own"),
    *_collision(),
)


TEMPLATES: tuple[Template, ...] = tuple(
    replace(t, kind=kind_of(t.id), share=share, effort=effort, patience=patience)
    for t, (share, effort, patience) in ((t, sought(t.id)) for t in _FAMILIES)
)
"""Every family, by task."""
