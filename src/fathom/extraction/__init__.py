"""Answer extraction: from what a model wrote to what it picked, by versioned policies.

What belongs to one benchmark stands in its folder; here is what any benchmark can use.
"""

from __future__ import annotations

from collections.abc import Mapping

from fathom.extraction import fathom_extractor, lmms_eval, vlmevalkit
from fathom.records import Policy

GENERAL = (fathom_extractor.POLICY, vlmevalkit.POLICY, lmms_eval.POLICY)
"""The policies for questions with options and without, of any benchmark."""


def with_policies(*own: Policy) -> Mapping[str, Policy]:
    """Return a benchmark's policies by name: the general ones, its `own` behind the first of them."""
    first, *others = GENERAL
    return {policy.name: policy for policy in (first, *own, *others)}
