"""What tests need that not every machine has."""

from __future__ import annotations

from importlib.util import find_spec

import pytest


def needs(*packages: str) -> pytest.MarkDecorator:
    """Return the mark of tests that are skipped where a package is not installed.

    Nothing is imported to find out: torch alone takes seconds, and no list of tests waits for it.
    """
    missing = [name for name in packages if find_spec(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")
