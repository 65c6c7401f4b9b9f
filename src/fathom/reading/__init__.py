"""Reading answers: from what a model wrote to what it picked, by versioned policies."""

from __future__ import annotations

from collections.abc import Mapping

from fathom.reading import (
    fourdbench,
    lmms_eval,
    pulsecheck457,
    seedbench,
    stated,
    stibench,
    threedsrbench,
    vlmevalkit,
)
from fathom.records import InputError, Policy

POLICIES: Mapping[str, Policy] = {
    policy.name: policy
    for policy in (
        stated.POLICY,
        fourdbench.POLICY,
        fourdbench.LETTER,
        seedbench.POLICY,
        pulsecheck457.POLICY,
        stibench.POLICY,
        threedsrbench.POLICY,
        vlmevalkit.POLICY,
        lmms_eval.POLICY,
        lmms_eval.LADDER,
    )
}
"""All policies by name. Those of a benchmark read options, except PulseCheck457's, which asks without any."""

OPEN: Mapping[str, Policy] = {
    policy.name: policy
    for policy in (stated.POLICY, pulsecheck457.POLICY, vlmevalkit.POLICY, lmms_eval.POLICY)
}
"""The policies that read answers to questions without options."""


def policy_named(name: str) -> Policy:
    """Return the policy called `name`. Raises InputError where there is none."""
    if name not in POLICIES:
        raise InputError(f"--policy {name}: there is no such policy; there are {', '.join(POLICIES)}")
    return POLICIES[name]
