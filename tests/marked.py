"""Values of a test's parameter that not every run tries."""

from typing import Any

import pytest


def slow(*values: Any) -> list[Any]:
    """Mark values of a parameter as slow: only `make test-all` tries them."""
    return [pytest.param(value, marks=pytest.mark.slow) for value in values]


def exhaustive(*values: Any) -> list[Any]:
    """Mark values of a parameter as exhaustive: only `make exhaustive` tries them."""
    return [pytest.param(value, marks=pytest.mark.exhaustive) for value in values]
