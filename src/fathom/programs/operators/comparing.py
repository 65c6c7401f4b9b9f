"""Operators that compare two numbers, two objects or two poses.

Ref: PulseCheck457 §3.3, appendix A.
"""

from __future__ import annotations

from fathom.programs.registry import STILL, Operator, declare
from fathom.programs.values import ValueType

declare(
    Operator("equal_integer", (ValueType.NUMBER,) * 2, ValueType.BOOL, lambda r, i, a: i[0] == i[1], STILL),
    Operator("less_than", (ValueType.NUMBER,) * 2, ValueType.BOOL, lambda r, i, a: i[0] < i[1], STILL),
    Operator("greater_than", (ValueType.NUMBER,) * 2, ValueType.BOOL, lambda r, i, a: i[0] > i[1], STILL),
    Operator("equal_object", (ValueType.OBJECT,) * 2, ValueType.BOOL, lambda r, i, a: i[0] == i[1], STILL),
    Operator("equal_pose", (ValueType.POSE,) * 2, ValueType.BOOL, lambda r, i, a: i[0] == i[1], STILL),
)
