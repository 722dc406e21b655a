"""Calls of the API: their parameters, how these are read, the answer, and how long it keeps."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from werkzeug.datastructures import MultiDict

from solver.errors import BadOption, NoughtsError
from webapp.api.parameters import CallParameter, Texts

PREFIX: Final = "/api/v1"

Q = TypeVar("Q")
Report: TypeAlias = dict[str, Any]


class Freshness(StrEnum):
    """How long an answer may be kept, as `Cache-Control` says it."""

    LASTING = "public, max-age=86400"
    """It is the same at any time: all of it is proved, or follows from a seed."""
    CHECKED = "no-cache"
    """More may be proved: to be asked for again each time, by its tag."""
    NEVER = "no-store"
    """It is drawn anew each time."""


class ApiAnswer(NamedTuple):
    """An answer as plain data."""

    report: Report
    keeping: Freshness


class Misfit(Exception):
    """A request is not written as it is described; `error` says what is wrong with it."""

    def __init__(self, error: NoughtsError) -> None:
        super().__init__(str(error))
        self.error = error


def _never(_: Any) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Call(Generic[Q]):
    """A call: a GET of `path` with these parameters.

    `read` makes of their texts what `answer` wants to know; both raise NoughtsError for what is well written but cannot
    be answered. `shape` names the schema of the answer, `example` is a request to show, and `dear` says of what is
    asked whether the pool has to answer it.
    """

    name: str
    title: str
    purpose: str
    parameters: tuple[CallParameter, ...]
    read: Callable[[Texts], Q]
    shape: str
    example: Mapping[str, str]
    answer: Callable[[Q], ApiAnswer]
    dear: Callable[[Q], bool] = _never

    @property
    def path(self) -> str:
        """The address, without what is asked."""
        return f"{PREFIX}/{self.name}"

    def asked(self, query: MultiDict[str, str]) -> Q:
        """What a request asks. Raises Misfit if a parameter is missing, repeated or badly written, or NoughtsError."""
        for each in self.parameters:
            if len(query.getlist(each.name)) > 1:
                raise Misfit(BadOption(f"{each.name}= is given more than once."))
        return self.asked_by({each.name: text for each in self.parameters if (text := query.get(each.name))})

    def asked_by(self, texts: Texts) -> Q:
        """The same of texts by the parameters' names."""
        given = [each for each in self.parameters if each.name in texts]
        misfit = next((each for each in given if not each.fits(texts[each.name])), None)
        missing = next((each for each in self.parameters if each.required and each.name not in texts), None)
        if missing is not None:
            raise Misfit(BadOption(f"{missing.name}= is missing: {missing.meaning}."))
        if misfit is None:
            return self.read(texts)
        error: NoughtsError = misfit.misfit(texts[misfit.name])
        try:
            self.read(texts)
        except NoughtsError as told:
            error = told  # which says better how to mend it
        except ValueError:
            pass
        raise Misfit(error)


def call(  # noqa: PLR0913 - a row of the table
    name: str,
    title: str,
    purpose: str,
    parameters: tuple[CallParameter, ...],
    *,
    read: Callable[[Texts], Q],
    shape: str,
    example: Mapping[str, str],
    dear: Callable[[Q], bool] = _never,
) -> Callable[[Callable[[Q], ApiAnswer]], Call[Q]]:
    """Makes a call of the function below, which answers it."""
    return lambda answer: Call(name, title, purpose, parameters, read, shape, example, answer, dear)
