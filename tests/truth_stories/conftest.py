"""The yard, looked at once."""

from collections.abc import Mapping

import pytest

from fathom.programs.views.animated import AnimatedView
from fathom.verify.observed.animation import ObservedAnimation
from tests.truth_stories.mutations import MUTATIONS, wrong
from tests.truth_stories.yard import seen, told, yard


@pytest.fixture(scope="session")
def film() -> ObservedAnimation:
    """What the cells of the yard show."""
    return seen(yard())


@pytest.fixture(scope="session")
def timeline() -> AnimatedView:
    """What the record of the yard tells."""
    return told(yard())


@pytest.fixture(scope="session")
def wrong_stories() -> Mapping[str, AnimatedView]:
    """What records of the yard with planted faults tell."""
    return {name: wrong(name) for name in MUTATIONS}
