"""No deadline for examples: on a machine that others use too, none of them is slow by itself."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
