"""All extraction policies by name, whichever benchmark they belong to."""

from __future__ import annotations

from collections.abc import Mapping

from fathom.api import BENCHMARKS, benchmark_named
from fathom.records import Policy
from fathom.scoring.likelihood import RANKINGS

POLICIES: Mapping[str, Policy] = {
    policy.name: policy
    for name in BENCHMARKS
    for policy in benchmark_named(name).policies.values()
    if policy.name not in RANKINGS
}

OPEN: Mapping[str, Policy] = dict(benchmark_named("pulsecheck457").policies)
"""The policies that read answers to questions without options."""
