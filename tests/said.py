"""What verbs print, as text."""

from __future__ import annotations

from typing import Any

from fathom import api


def scored(*args: Any, **kwargs: Any) -> str:
    """Score a run, and return what `fathom score` prints."""
    return str(api.score_run(*args, **kwargs))
