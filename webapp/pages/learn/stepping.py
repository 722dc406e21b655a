"""Pictures that change step by step.

The page shows one step and links to the others. The browser gets the looks of all steps, and shows another step without
asking the server again.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from webapp.ui.address import Query, number_of, with_query

Attributes: TypeAlias = Mapping[str, Mapping[str, str]]
"""The attributes of elements at one step, by the elements' ids. The attribute `text` is the text inside an element."""


def step_address(parts: Mapping[str, str], step: int, **more: str) -> str:
    """Return the address of a step of the picture, relative to its page. `more` are further parts of the address."""
    return with_query("", {**parts, "step": step, **more})


def _controls(parts: Mapping[str, str], step: int, last: int) -> Attributes:
    """Return the look of the controls at a step: the count, and the links to the steps before and after."""
    return {
        "count": {"text": f"{step} of {last}"},
        "back": {"href": step_address(parts, max(1, step - 1))},
        "on": {"href": step_address(parts, min(last, step + 1))},
    }


@dataclass(frozen=True, slots=True)
class Film:
    """A picture with its look at each step. It is shown at `step`, which counts from 1.

    The looks of all steps have the same elements. `parts` are the parts of the address that name the picture. `stops`
    are the steps at which the film halts to ask a question.
    """

    looks: Sequence[Attributes]
    step: int
    parts: Mapping[str, str]
    stops: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        query: Query,
        looks: Iterable[Attributes],
        parts: Mapping[str, str],
        *,
        first: int = 1,
        stops: tuple[int, ...] = (),
    ) -> "Film":
        """Return the film of these looks with its controls, at the query's `step` or else the `first`.

        Raises BadOption.
        """
        steps = tuple(looks)
        step = number_of(query, "step", first, 1, max(1, len(steps)))
        controlled = ({**look, **_controls(parts, number, len(steps))} for number, look in enumerate(steps, start=1))
        return cls(tuple(controlled), step, parts, stops)

    def __len__(self) -> int:
        return len(self.looks)

    @property
    def now(self) -> Attributes:
        """The look at the step shown."""
        return self.looks[self.step - 1]

    @property
    def changes(self) -> tuple[Attributes, ...]:
        """The first look, and then for each later look only the attributes that differ from the look before it."""
        return (
            self.looks[0],
            *(
                {
                    name: differing
                    for name, attributes in after.items()
                    if (differing := {key: text for key, text in attributes.items() if before[name][key] != text})
                }
                for before, after in zip(self.looks, self.looks[1:], strict=False)
            ),
        )
