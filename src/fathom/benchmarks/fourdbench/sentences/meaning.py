"""What a question asks, in a form that both its words and its program come to: a tree.

A branch is its operator, then what it is given: words, and further branches. A set is its source and what
narrows it, in one order, since the order in which filters apply changes nothing.
"""

from __future__ import annotations

Node = tuple["Node | str", ...]

WHOLE: Node = ("whole",)

UNKNOWN = "?"
"""Begins a verb whose words do not give away its key, as of a lexicon of one's own."""


def set_of(source: str, *filters: Node) -> Node:
    """Return what is left of a source, each filter once."""
    return ("set", source, *sorted(set(filters), key=repr))


def narrowed(one: Node, narrowing: Node) -> Node:
    """Return a set with one more filter."""
    return set_of(str(one[1]), *(f for f in one[2:] if isinstance(f, tuple)), narrowing)


def shown(node: Node | str) -> str:
    """Return a tree in a line, for a message."""
    if isinstance(node, str):
        return node
    head, *rest = (shown(n) for n in node)
    return f"{head}({', '.join(rest)})" if rest else head
