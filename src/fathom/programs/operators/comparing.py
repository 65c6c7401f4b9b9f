"""Operators that compare two numbers, two objects or two poses.

Ref: PulseCheck457 §3.3, appendix A.
"""

from __future__ import annotations

from fathom.programs.registry import STILL, Operator, declare
from fathom.programs.values import Kind

declare(
    Operator("equal_integer", (Kind.NUMBER,) * 2, Kind.BOOL, lambda r, i, a: i[0] == i[1], STILL),
    Operator("less_than", (Kind.NUMBER,) * 2, Kind.BOOL, lambda r, i, a: i[0] < i[1], STILL),
    Operator("greater_than", (Kind.NUMBER,) * 2, Kind.BOOL, lambda r, i, a: i[0] > i[1], STILL),
    Operator("equal_object", (Kind.OBJECT,) * 2, Kind.BOOL, lambda r, i, a: i[0] == i[1], STILL),
    Operator("equal_pose", (Kind.POSE,) * 2, Kind.BOOL, lambda r, i, a: i[0] == i[1], STILL),
)
