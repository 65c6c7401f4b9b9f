"""Reading answers: from what a model wrote to what it picked, by versioned policies."""

from __future__ import annotations

from collections.abc import Mapping

from fathom.reading import lmms_eval, stated, vlmevalkit
from fathom.records import InputError, Policy

POLICIES: Mapping[str, Policy] = {
    policy.name: policy for policy in (stated.POLICY, vlmevalkit.POLICY, lmms_eval.POLICY)
}


def policy_named(name: str) -> Policy:
    """Return the policy called `name`. Raises InputError where there is none."""
    if name not in POLICIES:
        raise InputError(f"--policy {name}: there is no such policy; there are {', '.join(POLICIES)}")
    return POLICIES[name]
