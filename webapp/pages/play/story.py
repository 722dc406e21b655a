"""The review of a game, told as a story: position by position, with a sentence each, and where it turned first.

Before a mistake of the visitor's the story asks for a better square. Until it is found, or the visitor asks to be
shown, the page holds nothing of the answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import takewhile
from types import MappingProxyType
from typing import ClassVar, Final

from solver import oracle
from solver.analysis.drills import Drill, keeping_drill
from solver.analysis.review import Review, Turn, consequence, story, tell_hidden, would_have_kept
from solver.board.notation import format_cell
from solver.board.outcome import Grade, Outcome, Value
from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell, MoveCode
from solver.errors import NoughtsError
from solver.proofs.prediction import ProofState, ProofStatus
from solver.reasons import Reason
from webapp.pages.play import words
from webapp.pages.play.game import Snapshot, back_to
from webapp.pages.play.link import Link
from webapp.pages.play.record import Record, record
from webapp.pages.play.view import Poll, board, poll, proof_words, toggle
from webapp.serving.pool.asking import pool
from webapp.ui.board import Board, LineView, Square, Stroke, line_view, strikes
from webapp.ui.filters import Choice

DRAWN, DRAWN_OF_A_DRAW = 9, 2
"""The most stones that are drawn of a line; of one to a draw, the mistake and the reply that holds."""

JUDGE_AGAIN: Final[Mapping[ProofState, int]] = MappingProxyType(
    {ProofState.WAITING: 2000, ProofState.PROVING: 2000, ProofState.DONE: 400, ProofState.BUSY: 5000}
)
"""Milliseconds until a page asks again for the moves judged, by the state of the proof of the next one."""

_RIGHT: Final = (Grade.BEST, Grade.SLOWER, Grade.SOONER)
_NUMBERS: Final = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
_KEEPS: Final = {Value.WIN: "keeps the win", Value.DRAW: "holds the draw"}
_KEPT: Final = {Value.WIN: "kept the win", Value.DRAW: "held the draw"}


@dataclass(frozen=True)
class StoryView:
    """A position of a review as its page shows it. `proof` is that of the next move to judge, if any."""

    link: Link
    review: Review
    proof: ProofStatus | None = None
    problems: tuple[NoughtsError | str, ...] = ()
    record_steps: ClassVar[tuple[Choice, ...]] = ()

    @cached_property
    def mistakes(self) -> tuple[Turn, ...]:
        """The mistakes that the story asks about: those of the visitor's side, as far as something better is proved."""
        asked = words.asked_of(self.link)
        return tuple(turn for turn in self.review.mistakes if turn.mover in asked and turn.keeping)

    @property
    def opening(self) -> int:
        """The position where the story begins: before the decisive mistake that it asks about, or after another one.

        A winner sees the opponent's mistake first. A draw begins before a win that was missed. A game without a mistake
        is told from its end.
        """
        turn, result = self.review.turning_point, self.link.game.last.result
        if self.mistakes and words.asked_of(self.link) != (str(result),):
            wasted = [turn for turn in self.mistakes if turn.before.value is Value.WIN and result is Result.DRAW]
            turn = (wasted or self.mistakes)[-1]
        return len(self.review.turns) if turn is None else turn.ply - (turn in self.mistakes)

    @cached_property
    def asked(self) -> Turn | None:
        """The move that was played here, if the story asks for a better one."""
        return next((turn for turn in self.mistakes if turn.ply == self.link.at + 1), None)

    @property
    def last(self) -> Turn | None:
        """The move that led here."""
        return self.review.turns[self.link.at - 1] if self.link.at else None

    @property
    def following(self) -> Turn | None:
        """The next mistake that the story asks about, this position's own left out."""
        return next((turn for turn in self.mistakes if turn.ply > self.link.at and turn is not self.asked), None)

    @cached_property
    def verdict(self) -> str:
        """The verdict on the visitor's answer: "right", "wrong", "unproved", or "told" once shown; "" before it."""
        if self.asked is None or self.link.hint:
            return "told" if self.asked else ""
        if self.link.tried is None:
            return ""
        if self.link.tried in self.asked.keeping:
            return "right"
        return "unproved" if self.asked.prediction.squares[self.link.tried].value is Value.UNKNOWN else "wrong"

    @property
    def asks(self) -> bool:
        """True while the answer is to be found."""
        return self.asked is not None and self.verdict not in ("right", "told")

    # What it says.

    @property
    def finished(self) -> bool:
        """True if the game is over; the record asks for it."""
        return self.link.game.last.result is not None

    @property
    def name(self) -> str:
        """The title of the review, which stays the same at every position."""
        end = words.status(self.link.showing(len(self.review.turns)))
        return f"Review: {end}" if self.finished else "Review of the game so far"

    @property
    def heading(self) -> str:
        """The question, the verdict, or the last move."""
        link, asked = self.link, self.asked
        if asked is None:
            return words.took(link) if link.at else "The start."
        if self.verdict == "told":
            return f"{would_have_kept(asked).replace('any', 'Any', 1)}."
        if link.tried is None:
            who = words.subject(link, asked.mover)
            if asked.before.value is Value.WIN:
                return f"{who} had a win here. Find it."
            is_decisive = asked is self.review.turning_point and str(link.game.last.result) == asked.mover.other
            return f"{who} {'lost' if is_decisive else 'gave the draw away'} here. Find better."
        cell, outcome = format_cell(link.tried, link.rules), asked.prediction.squares[link.tried]
        if self.verdict == "right":
            return f"Yes: {cell} {_KEEPS[asked.before.value]}."
        if self.verdict == "unproved":
            return f"Too little is proved to judge {cell}. Try another."
        does = "only draws" if outcome.value is Value.DRAW else "loses"
        too = " too" if outcome.value is asked.after.value and link.tried != asked.cell else ""
        return f"{cell} {does}{too}. Try again."

    @property
    def told(self) -> str:
        """The sentence on the position."""
        if self.asked is not None:
            return self._of_mistake(self.asked)
        link, last, review = self.link, self.last, self.review
        is_end = link.at == len(review.turns)
        if is_end and (self.finished or review.turning_point is None):
            return self._end()
        if last is None:
            start = self._standing()
            return f"With best play {start}." if start else "Who wins is not proved."
        hidden = review.hidden
        if last.grade.is_mistake:
            given = f"It gave the {last.before.value} away"
            if last.after.value is Value.DRAW:
                return f"{given}."
            whole = self.drawn is not None and len(self.drawn.stones) == len(review.turns) - last.ply
            how = f"here is how {words.within(link, last.mover.other)} took it" if whole else self._standing()
            return f"{given}: {how}."
        if hidden is not None and hidden.first.ply <= last.ply <= hidden.last.ply:
            return tell_hidden(hidden, words.names(link))
        if last.grade is Grade.BEST:
            still = self._standing(" still")
            return f"{still[0].upper()}{still[1:]}."
        return {
            Grade.SLOWER: "Still a win, only slower.",
            Grade.SOONER: "It lost sooner than it had to.",
        }.get(last.grade, "Too little is proved to judge this move.")

    def _of_mistake(self, turn: Turn) -> str:
        cell = format_cell(turn.cell, self.link.rules)
        if self.asks:
            squares, number = turn.prediction.squares.values(), len(turn.keeping)
            known = all(outcome.value is not Value.UNKNOWN for outcome in squares) and number < len(_NUMBERS)
            how_many = f"{_NUMBERS[number]} square{'s' if number > 1 else ''}" if known else "Another square"
            who = words.subject(self.link, turn.mover)
            return f"{who} played {cell}. {how_many} would have {_KEPT[turn.before.value]}."
        if turn.after.value is Value.DRAW:
            return f"{cell} gave only a draw."
        because, *rest = consequence(self.reason, cell).rstrip(".").split(". ") if self.reason else [""]
        if because and "because only" not in because:
            return ". ".join((because, *takewhile(lambda sentence: sentence.startswith(("More", "Then")), rest))) + "."
        return f"{cell} lost: {self._best_play(turn.after, turn.mover)}."

    def _end(self) -> str:
        """Say how the game ended, and that nobody erred if nobody did."""
        link, over = self.link, words.over(self.link)
        if self.review.turning_point is None:
            nobody = story(self.review, words.names(link))
            return nobody if link.position.result is Result.DRAW else f"{over} {nobody}".strip()
        return over if link.position.result is Result.DRAW else f"{over} {words.status(link).rstrip('!')}."

    def _standing(self, still: str = "") -> str:
        """Say what best play from here comes to."""
        turns, at = self.review.turns, self.link.at
        return self._best_play(
            turns[at].before if at < len(turns) else self.review.end, self.link.position.mover, still
        )

    def _best_play(self, outcome: Outcome, mover: Mark, still: str = "") -> str:
        """Say what best play comes to, e.g. "Hard still wins in 2" or "it's a draw"; "" where it isn't proved."""
        if outcome.value in (Value.UNKNOWN, Value.DRAW):
            return "" if outcome.value is Value.UNKNOWN else "still a draw" if still else "it's a draw"
        who = words.within(self.link, mover if outcome.value is Value.WIN else mover.other)
        return f"{who}{still} win{'' if who == 'you' else 's'}" + (f" in {outcome.moves}" if outcome.moves else "")

    # What it draws.

    @cached_property
    def reason(self) -> Reason | None:
        """The reason of the mistake with its refutation, once the answer is known."""
        asked = self.asked
        if asked is None or self.asks:
            return None
        return oracle.explain(asked.prediction, (asked.cell,), line=asked.cell, pool=pool())[asked.cell]

    @cached_property
    def drawn(self) -> LineView | None:
        """The line over the board: what refutes the visitor's mistake, or how the opponent's was punished.

        A punishment is what was played, as far as it is proved right.
        """
        link, asked, last = self.link, self.asked, self.last
        moves, most = tuple[MoveCode, ...](), DRAWN
        if asked is not None and self.reason is not None:
            moves = (asked.cell, *self.reason.refutation)
            most = DRAWN_OF_A_DRAW if asked.after.value is Value.DRAW else DRAWN
        elif asked is None and last is not None and last.grade.is_mistake and last.after.value is Value.LOSS:
            punishment = takewhile(lambda turn: turn.grade in _RIGHT, self.review.turns[link.at :])
            moves = () if last.mover in words.asked_of(link) else tuple(turn.cell for turn in punishment)
        if not moves:
            return None
        line = line_view(
            link.position, moves[:most], len(moves[:most]), url=lambda _: "", reason=self.reason, plies=None
        )
        end: Position = reduce(Position.play, moves[:most], link.position)
        rows = [Stroke(each, str(end.mover.other)) for row in end.winning_lines for each in strikes(row, link.rules)]
        now = f"On the board: {', '.join(choice.title for choice in line.moves)}."
        return replace(line, now=now, strokes=tuple(rows) or line.strokes)

    @property
    def tone(self) -> str:
        """The outcome whose colour the line has; "" without a line."""
        return "" if self.drawn is None else str(self.asked.after.value if self.asked else Value.WIN)

    @cached_property
    def board(self) -> Board:
        """The board. Open squares say nothing until the answer is known; then no line covers the better ones."""
        link, asked, size = self.link, self.asked, self.link.rules.size
        told = asked if asked and not self.asks else None
        better = {move % size: told.prediction.squares[move] for move in told.keeping} if told else {}
        stones = {cell: stone for cell, stone in self.drawn.stones.items() if cell not in better} if self.drawn else {}
        plain = board(Snapshot(link.having(hint=False)), "", stones, asks=self.asks)
        if asked is None:
            return plain
        tried = None if link.tried is None else link.tried % size

        def square(cell: Cell, square: Square) -> Square:
            label, classes, letter = square.label, square.classes, square.letter
            if cell in better:
                label, classes = f"{label}, {_KEEPS[better[cell].value]}", f"{classes} best"
                if not square.mark:
                    classes, letter = f"{classes} {better[cell].value}", better[cell].letter
            if cell == tried:
                classes = f"{classes} {'right' if self.verdict == 'right' else 'wrong'}"
            return square._replace(label=label, classes=classes, letter=letter)

        return replace(plain, squares=tuple(square(*each) for each in enumerate(plain.squares)))

    # Where it leads.

    @cached_property
    def urls(self) -> tuple[str, ...]:
        """The address of each position of the review, from the first."""
        before, _, after = self.link.showing(0).url().partition("&at=0")  # the moves always come before it
        return tuple(f"{before}&at={ply}{after}" for ply in range(len(self.review.turns) + 1))

    @property
    def drill(self) -> Drill | None:
        """The drill of the mistake that is told, or of the last one where none is to come."""
        if self.asks or (self.asked is None and self.following):
            return None
        turn = self.asked or next(reversed(self.mistakes), None)
        return None if turn is None else keeping_drill(oracle.predict(turn.position, pool()))

    @property
    def steps(self) -> tuple[Choice, ...]:
        """The links below the board, besides the drill's."""
        link = self.link
        play = back_to(link, link.at).having(review=False).url()
        leave = "Back to the game" if link.at == len(self.review.turns) else "Play on"
        steps = [Choice(leave, play, id="leave", away=True)]
        if self.asks:
            steps.insert(0, Choice("Show me", link.having(hint=True, tried=None).url(), id="show"))
        elif self.following:
            steps.insert(0, Choice("Next mistake", self.urls[self.following.ply - 1], id="next-mistake"))
        return tuple(steps)

    @property
    def record(self) -> Record:
        """The moves and their graph. No move is graded while the answer is to be found."""
        return record(self.link, self.review, self.urls, graded=not self.asks)

    @property
    def judging(self) -> tuple[int, str, Choice] | None:
        """The number of moves that are judged, the state of the proof in words, and the link to stop it or go on."""
        if self.proof is None:
            return None
        state = proof_words(self.link, self.proof) or "The next are proved in a moment."
        return len(self.review.turns) - len(self.review.unproved), state, toggle(self.link, "judge")

    @property
    def poll(self) -> Poll | None:
        """The next request for the page while moves are judged."""
        return poll(self.proof, JUDGE_AGAIN)
