"""Values over time: given at some moments, and smooth in between.

channel = KeyedValues()
channel.set(0.0, 0.0)
channel.set(1.5, 0.4)
channel.at(times_s)      # (F, 1)
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fathom.geometry.poses import Array


@dataclass
class KeyedValues:
    """Values that go from one key to the next: level at each end of a rest, and never beyond its keys."""

    keys: list[tuple[float, tuple[float, ...]]] = field(default_factory=list)

    def set(self, time_s: float, *value: float) -> None:
        """Add a key later than all others; one at the same time takes the other's place."""
        self.keys = [k for k in self.keys if k[0] < time_s - 1e-6]
        self.keys.append((time_s, value))

    def stay(self, time_s: float) -> None:
        """Add a key with the last value, where there is one, and it is earlier."""
        if self.keys and self.keys[-1][0] < time_s - 1e-6:
            self.set(time_s, *self.keys[-1][1])

    @property
    def last(self) -> tuple[float, ...]:
        """The last value."""
        return self.keys[-1][1]

    def at(self, times_s: Array) -> Array:
        """Return (F, k) the values at some times."""
        from scipy.interpolate import PchipInterpolator

        if len(self.keys) == 1:
            return np.tile(self.keys[0][1], (len(times_s), 1))
        when, rows = np.array([k[0] for k in self.keys]), np.array([k[1] for k in self.keys])
        return np.asarray(PchipInterpolator(when, rows)(np.clip(times_s, when[0], when[-1])))
