"""Values of a test's parameter that not every run tries."""

from collections.abc import Iterable
from typing import Any

import pytest


def slow(*values: Any) -> list[Any]:
    """Mark values of a parameter as slow: only `make test-all` tries them."""
    return [pytest.param(value, marks=pytest.mark.slow) for value in values]


def exhaustive(*values: Any) -> list[Any]:
    """Mark values of a parameter as exhaustive: only `make exhaustive` tries them."""
    return [pytest.param(value, marks=pytest.mark.exhaustive) for value in values]


def sampled(values: Iterable[Any], every: int) -> list[Any]:
    """Leave every n-th value of a parameter as it is and mark the others as exhaustive."""
    return [exhaustive(value)[0] if number % every else value for number, value in enumerate(values)]
