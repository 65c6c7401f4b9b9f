"""What answers hang together by: the one place that says which questions count as one cluster."""

from __future__ import annotations

from fathom.records import Question


def cluster_of(question: Question) -> str:
    """Return the name of what a question's answers hang together by: its scene, picture, video or object.

    "" where it hangs together with no other question.
    """
    known = question.groups.cluster or question.scene or question.groups.flip
    return known or (question.media[0] if question.media else "")
