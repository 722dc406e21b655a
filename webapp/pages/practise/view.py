"""The values that a drill's template is given, made from what is shown: no requests and no rules."""

from dataclasses import dataclass
from typing import Any, Final

from solver.analysis.drills import DrillKind, evaluation
from solver.board.notation import format_cell
from solver.board.position import Mark, Result
from solver.errors import NoughtsError
from webapp.pages.play import words as boards
from webapp.pages.play.why import shown_now, stones_of, strokes
from webapp.pages.practise import words
from webapp.pages.practise.answers import format_answer, moves_offered
from webapp.pages.practise.board import board_of
from webapp.pages.practise.link import DrillLink
from webapp.pages.practise.offer import offer
from webapp.pages.practise.shown import DrillShown, following
from webapp.ui.choices import Choice, Option

FEW_NUMBERS: Final = 5
"""Buttons that stand beside what they say, on a phone; more of them stand below it."""

DRAWN_AT_FIRST: Final = 9
"""Stones of a line that are drawn before one asks for more: on a large board, all of them would hide it."""

DRAWN_OF_A_WRONG_ONE: Final = 2
"""Of the line after a wrong answer: the square and the reply to it, so that one may try again."""


@dataclass(frozen=True, slots=True)
class Winner:
    """What one may answer of a side to who wins, a button each; without a side, the draw."""

    title: str
    options: tuple[Option, ...]


def drill_context(
    shown: DrillShown, problems: tuple[NoughtsError, ...], choosing: DrillLink | None = None
) -> dict[str, Any]:
    """All that the page of a drill names. `choosing` is what is chosen already where it offers other drills.

    `problems` are what was wrong with the address.
    """
    link, drill = shown.link, shown.drill
    rules, line, winners = drill.position.rules, _line(shown), _winners(shown)
    of_course = link.path in ("run", "set")
    return {
        "url": link.url(),
        "title": f"{drill.kind.title} · Practise · Noughts" if choosing is None else "Practise · Noughts",
        "drill": drill,
        "rules": rules,
        "rule": boards.rule(rules),
        "where": words.where(shown),
        "level": words.level(drill),
        "board": board_of(shown, line["stones"] if line else {}),
        "line": line,
        "verdict": shown.verdict,
        "missed": link.missed,
        "said": words.said(shown),
        "problems": problems,
        "winners": winners,
        "many_numbers": any(len(winner.options) > FEW_NUMBERS for winner in winners),
        "steps": _steps(shown, len(shown.line)),
        "day": shown.today if link.path == "daily" and link.day in (None, shown.today) else None,
        "course": words.course(link) if of_course else "",
        "progress": words.progress(link),
        "done": link.number - 1,
        "of": shown.of,
        "whole": link.anew(at=0, right=0, row=0).url() if link.path == "set" else "",
        "alone": DrillLink(drill.id).url() if link.path != drill.id else "",
        "offer": offer(choosing) if choosing is not None else None,
        "front": DrillLink(rules=rules).url(),
    }


def _line(shown: DrillShown) -> dict[str, Any] | None:
    """The first `step` moves of the line after the answer, and the lines that its reason speaks of."""
    link, position, moves = shown.link, shown.drill.position, shown.line
    if not moves or shown.judgement is None:
        return None
    rules = position.rules
    step = _step(shown)
    stones = stones_of(moves[:step], position.mover)
    return {
        "rules": rules,
        "stones": stones,
        "now": shown_now(stones, moves, step, rules),
        "moves": [
            Choice(
                f"{(position.mover, position.mover.other)[ply % 2]} {format_cell(cell, rules)}",
                link.having(step=ply + 1).url(),
                ply + 1 == step,
                f"line-{ply + 1}",
            )
            for ply, cell in enumerate(moves)
        ],
        "strokes": strokes(shown.judgement.reason, rules) if words.tells_reason(shown) else [],
        "whole": len(moves) == shown.judgement.reason.outcome.plies,
    }


def _step(shown: DrillShown) -> int:
    at_first = DRAWN_OF_A_WRONG_ONE if shown.verdict == "wrong" else DRAWN_AT_FIRST
    return min(at_first if shown.link.step is None else shown.link.step, len(shown.line))


def _steps(shown: DrillShown, moves: int) -> list[Choice]:
    """The buttons below the board. The last one leads on, in the same place before and after an answer."""
    link, verdict, onward = shown.link, shown.verdict, following(shown)
    hints = link.hints + 1 if link.hints < len(shown.hints) else 0
    bare = link.having(tried="", answers=False, step=None)
    hint = Choice(
        "Hint" if not link.hints else "Next hint", bare.having(hints=hints).url() if hints else None, id="hint"
    )
    answer = Choice("Answer", bare.having(answers=True, missed=True).url(), id="answer")
    forward = Choice("Next" if verdict else "Skip", onward.url() if onward else None, id="new")
    if not verdict:
        return [hint, answer, forward]
    step = _step(shown)
    stepping = [
        Choice("Back", link.having(step=step - 1).url() if step > 0 else None, id="line-back"),
        Choice("Forward", link.having(step=step + 1).url() if step < moves else None, id="line-forward"),
    ]
    again = Choice("Try again", bare.url(), id="line-close")
    return [*(stepping if moves else [hint]), again, *([answer] if verdict == "wrong" else []), forward]


def _winners(shown: DrillShown) -> tuple[Winner, ...]:
    """What may be answered to who wins; nothing where a square is asked for, or the answer is known."""
    position, verdict = shown.drill.position, shown.verdict
    if shown.drill.kind is not DrillKind.EVALUATE or verdict in ("right", "told"):
        return ()

    def option(title: str, result: Result, moves: int | None = None) -> Option:
        value = format_answer(evaluation(position, result, moves), position)
        return Option(value, title, value == shown.link.tried)

    def won(mark: Mark) -> Winner:
        offered = (option(str(moves), Result(mark), moves) for moves in moves_offered(position, mark))
        return Winner(f"{mark} wins in", tuple(offered))

    return won(Mark.X), Winner("", (option("A draw", Result.DRAW),)), won(Mark.O)
