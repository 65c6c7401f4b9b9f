"""How much of a task each family of questions should be, and how hard scenes are searched for it.

The published generator tries first the family of a task that was asked least often, so that all families come
out alike, as far as its scenes have them; how many of its questions each family has it does not say. So the
target of a family is the same share as every other of its task, and less where few scenes offer it under
checks: the number says how much of an equal share. These targets hold for every number of scenes.

Ref: PulseCheck457 §3.4, §4.1.
"""

from __future__ import annotations

KINDS: tuple[tuple[str, str], ...] = (
    ("L1.", "one object"),
    ("L2.same_size.", "the same size"),
    ("L2.same_color.", "the same color"),
    ("L2.same_shape.", "the same shape"),
    ("L2.or.", "either or"),
    ("one_hop.", "one hop"),
    ("two_hop.", "two hops"),
    ("three_hop.", "three hops"),
    (".and.", "and also"),
    (".or.", "either or"),
    (".compare_", "compared objects"),
    ("_than.", "compared counts"),
    (".equal_integer.", "compared counts"),
    ("L4.hidden.", "partly hidden"),
    ("L4.hidden_by.", "hidden by"),
    ("L4.hides.", "hides"),
    ("L4.pose", "heading"),
    ("L4.facing.", "of a heading"),
    ("L4.", "headings compared"),
    ("L5.hit.", "collision"),
)
"""What a family's id has in it → what its questions take; the first that fits."""

SHARES: tuple[tuple[str, float], ...] = (
    ("L2.same_size.exist", 0.17),
    ("L2.same_shape.", 0.7),
    ("L2.or.two_words", 0.6),
    ("L3.compare_shape.both", 0.7),
    ("L3.or.both", 0.85),
    ("L3.equal_integer.", 0.5),
    ("L4.hidden.size", 0.11),
    ("L4.hidden.shape", 0.12),
    ("L4.hidden.", 0.2),
    ("L4.hidden_by.shape", 0.8),
    ("L4.hides.shape", 0.8),
    ("L4.facing.shape", 0.7),
    ("L4.same.shape", 0.6),
    ("L4.opposite.shape", 0.6),
    ("L4.vertical.shape", 0.5),
    ("L5.hit.shape", 0.85),
    ("L5.own.three_hop.shape", 0.2),
    ("L5.own.three_hop.count", 0.25),
    ("L5.own.three_hop.", 0.3),
    ("L5.own.two_hop.count", 0.9),
    ("L5.own.two_hop.shape", 0.7),
    ("L5.own.and.size", 0.1),
    ("L5.own.and.count", 0.15),
    ("L5.own.and.", 0.18),
    ("L5.own.or.both", 0.25),
    ("L5.own.compare_size.both", 0.6),
    ("L5.own.compare_color.both", 0.2),
    ("L5.own.compare_shape.both", 0.18),
    ("L5.own.compare_shape.second", 0.4),
    ("L5.own.greater_than.all", 0.18),
    ("L5.own.greater_than.", 0.2),
    ("L5.own.less_than.all", 0.18),
    ("L5.own.less_than.", 0.2),
    ("L5.own.equal_integer.all", 0.18),
    ("L5.own.equal_integer.", 0.2),
)
"""Where a family's id begins so → its target, in equal shares of its task; 1 for all others."""

SEARCH: tuple[tuple[str, float, int], ...] = (
    ("L1.count", 1.4, 6),
    ("L1.shape", 0.7, 6),
    ("L1.", 0.6, 6),
    ("L2.same_shape.count", 0.8, 6),
    ("L2.same_shape.", 1.1, 6),
    ("L2.same_size.exist", 4.0, 20),
    ("L2.same_color.shape", 0.9, 6),
    ("L2.same_size.shape", 1.0, 6),
    ("L2.same_color.filter_count", 1.0, 8),
    ("L2.same_color.count", 0.8, 6),
    ("L2.or.size_shape", 0.8, 8),
    ("L2.or.two_words", 2.0, 24),
    ("L2.or.color_shape", 0.5, 8),
    ("L2.same_", 0.65, 6),
    ("L2.or.", 0.7, 8),
    ("L3.one_hop.count", 1.3, 8),
    ("L3.one_hop.color", 0.6, 6),
    ("L3.one_hop.exist", 0.7, 6),
    ("L3.one_hop.", 0.9, 6),
    ("L3.two_hop.count", 1.2, 8),
    ("L3.two_hop.color", 0.7, 8),
    ("L3.two_hop.", 1.0, 8),
    ("L3.three_hop.count", 1.5, 12),
    ("L3.three_hop.color", 1.1, 8),
    ("L3.three_hop.exist", 1.7, 10),
    ("L3.three_hop.", 1.3, 8),
    ("L3.and.count", 2.6, 16),
    ("L3.and.color", 0.8, 8),
    ("L3.and.", 1.1, 8),
    ("L3.or.both", 3.0, 14),
    ("L3.or.", 1.3, 6),
    ("L3.compare_size.both", 1.4, 8),
    ("L3.compare_size.", 0.8, 8),
    ("L3.compare_color.both", 1.8, 12),
    ("L3.compare_color.", 1.2, 10),
    ("L3.compare_shape.both", 3.4, 20),
    ("L3.compare_shape.", 2.0, 14),
    ("L3.equal_integer.both", 1.0, 8),
    ("L3.equal_integer.", 1.7, 8),
    ("L3.greater_than.all", 1.0, 8),
    ("L3.", 0.85, 8),
    ("L4.hidden.", 2.4, 8),
    ("L4.hides.size", 1.7, 8),
    ("L4.hides.shape", 1.3, 8),
    ("L4.hides.color", 0.8, 8),
    ("L4.hidden_by.shape", 1.4, 8),
    ("L4.hidden_by.size", 1.4, 8),
    ("L4.hid", 0.9, 6),
    ("L4.pose", 1.1, 6),
    ("L4.vertical.shape", 4.0, 12),
    ("L4.vertical.", 2.8, 12),
    ("L4.facing.shape", 2.6, 10),
    ("L4.facing.", 2.3, 8),
    ("L4.same.shape", 2.8, 12),
    ("L4.opposite.shape", 2.8, 12),
    ("L4.", 2.3, 10),
    ("L5.hit.count", 1.6, 10),
    ("L5.hit.shape", 1.8, 8),
    ("L5.hit.exist", 1.0, 6),
    ("L5.hit.", 1.2, 8),
    ("L5.own.one_hop.count", 1.8, 8),
    ("L5.own.one_hop.color", 0.7, 6),
    ("L5.own.one_hop.shape", 1.1, 6),
    ("L5.own.one_hop.", 0.9, 6),
    ("L5.own.two_hop.count", 3.8, 12),
    ("L5.own.two_hop.exist", 1.1, 6),
    ("L5.own.two_hop.shape", 2.8, 10),
    ("L5.own.two_hop.", 2.2, 12),
    ("L5.own.three_hop.exist", 2.4, 14),
    ("L5.own.three_hop.shape", 9.0, 14),
    ("L5.own.three_hop.count", 9.0, 18),
    ("L5.own.three_hop.color", 7.0, 14),
    ("L5.own.three_hop.", 5.0, 18),
    ("L5.own.and.count", 12.0, 56),
    ("L5.own.and.", 12.0, 32),
    ("L5.own.or.both", 7.0, 18),
    ("L5.own.or.", 1.7, 8),
    ("L5.own.compare_size.both", 3.4, 14),
    ("L5.own.compare_size.first", 1.2, 6),
    ("L5.own.compare_size.", 1.5, 6),
    ("L5.own.compare_color.both", 7.0, 20),
    ("L5.own.compare_color.first", 1.2, 10),
    ("L5.own.compare_color.", 1.6, 10),
    ("L5.own.compare_shape.both", 12.0, 40),
    ("L5.own.compare_shape.second", 4.5, 18),
    ("L5.own.compare_shape.", 2.4, 14),
    ("L5.own.equal_integer.", 9.0, 10),
    ("L5.own.greater_than.all", 9.0, 8),
    ("L5.own.", 5.0, 8),
)
"""Where a family's id begins so → how many candidates a scene should offer for each question that is wanted
of it, against other families, and after how many tries in vain an answer is given up there."""


def kind_of(family: str) -> str:
    """Return in words what it takes to answer a family's questions."""
    return next(kind for part, kind in KINDS if part in family)


def sought(family: str) -> tuple[float, float, int]:
    """Return the target of a family in equal shares of its task, the effort, and the patience."""
    share = next((s for start, s in SHARES if family.startswith(start)), 1.0)
    return share, *next((e, p) for start, e, p in SEARCH if family.startswith(start))
