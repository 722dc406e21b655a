"""Pictures that one steps through: how each of their elements looks at every step.

The page shows one step, with links to the others. The browser is given all of them and needs no reload; it judges
nothing, and only sets what stands here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from webapp.ui.address import with_query

Attributes: TypeAlias = Mapping[str, Mapping[str, str]]
"""The attributes of a picture's elements by their ids, at one step; `text` is what is written in one."""


def step_address(parts: Mapping[str, str], step: int, **more: str) -> str:
    """Return the address of a step of the same picture, relative to its page; the other parts stay as they are."""
    return with_query("", {**parts, "step": step, **more})


@dataclass(frozen=True)
class Film:
    """The looks of a picture, one a step, all of the same elements; `stops` are the steps, from 1, that ask."""

    looks: Sequence[Attributes]
    stops: Sequence[int] = ()

    def __len__(self) -> int:
        return len(self.looks)

    @cached_property
    def data(self) -> dict[str, Any]:
        """What the browser is given: the first look, and of each later one what differs from that before."""
        changes = [dict(self.looks[0])]
        for before, after in zip(self.looks, self.looks[1:], strict=False):
            changes.append(
                {
                    name: differing
                    for name, attributes in after.items()
                    if (differing := {key: text for key, text in attributes.items() if before[name][key] != text})
                }
            )
        return {"changes": changes, "stops": list(self.stops)}
