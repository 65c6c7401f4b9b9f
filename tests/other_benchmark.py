"""A benchmark that is not in the project's list: PulseCheck457 under another name."""

from __future__ import annotations

from dataclasses import replace

from fathom.benchmarks.pulsecheck457 import BENCHMARK as PULSECHECK457

BENCHMARK = replace(PULSECHECK457, name="other", title="Other")
