"""Grounds where one more stone can harm its owner: a line loses, stones fall or vanish, or marks are shared.

There is no plan of threats to tell here. The grounds are what one or two moves show by the rules, and what is known of
the replies. Each is checked by nothing but the rules and the known outcomes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from solver.board.outcome import Value
from solver.board.position import Position
from solver.board.rules import Bits, Cell, MoveCode
from solver.reasons.grounds import DrawGround, DrawnLine, Ground, Names, ReasonKind, SquareCase
from solver.reasons.holding import Blocks, FillsBoard, OnlyMove
from solver.reasons.winning import AllLose, Completes, Elsewhere, GivesWinAway


class LosesByLine(Completes):
    """The move completes these lines, and so loses."""

    __slots__ = ()
    proves = (Value.LOSS,)
    kind = ReasonKind.COMPLETES_LOSING_LINE
    has_subject = True
    says = "it completes {lines}, and a line loses"


@dataclass(frozen=True, slots=True)
class LetsFill(Ground):
    """The opponent completes this line with the reply. `above` is true if the stone falls onto that of the move.

    `freed` is the square that the mover's oldest stone leaves, if the line needs it.
    """

    reply: MoveCode
    line: Bits
    above: bool = False
    freed: Cell | None = None

    proves = (Value.LOSS,)
    kind = ReasonKind.LOSES_TO_LINE

    def holds(self, case: SquareCase) -> bool:
        after = case.after
        if self.reply not in after.legal_moves:
            return False
        then = after.after(self.reply)
        return (
            str(then.result) == case.position.mover.other
            and self.line in then.winning_lines
            and case.lasts(2)
            and self.above == (case.rules.falls and self.reply == case.cell - case.rules.columns)
            and self.freed == _freed(case.position, self.line)
        )

    def words(self, names: Names) -> str:
        where = ", just above" if self.above else ""
        fills = f"{names.you} fills {names.line(self.line)} with {names.cell(self.reply)}{where}"
        return f"{names.me} leaves {names.cell(self.freed)}, and {fills}" if self.freed is not None else fills

    def lines_to_draw(self, case: SquareCase) -> Iterable[DrawnLine]:
        return [(case.after.mark_placed(self.reply), self.line)]


class LeavesNoSafeSquare(Ground):
    """Wherever the opponent plays, it completes a line, which loses."""

    __slots__ = ()
    proves = (Value.WIN,)
    kind = ReasonKind.LEAVES_NO_SAFE_SQUARE
    says = "leaves {you} no safe square, because each one completes a line"

    def holds(self, case: SquareCase) -> bool:
        return case.lasts(2) and _all_lose_at_once(case.after)


@dataclass(frozen=True, slots=True)
class RunsOut(Ground):
    """After this reply the mover completes a line wherever it plays, which loses."""

    reply: MoveCode

    proves = (Value.LOSS,)
    kind = ReasonKind.RUNS_OUT_OF_SAFE_SQUARES
    says = "{you} plays {reply}, and {me} has no safe square left, because each one completes a line"

    def holds(self, case: SquareCase) -> bool:
        after = case.after
        return self.reply in after.legal_moves and case.lasts(3) and _all_lose_at_once(after.after(self.reply))


@dataclass(frozen=True, slots=True)
class CannotBeStopped(Ground):
    """After every reply the mover completes a line and wins.

    The `targets` are all moves that do so after every reply elsewhere. If there is only one, `instead` wins after a
    reply there.
    """

    targets: tuple[MoveCode, ...]
    instead: MoveCode | None = None

    proves = (Value.WIN,)

    @property
    def kind(self) -> ReasonKind:
        return ReasonKind.MAKES_TWO_THREATS if len(self.targets) > 1 else ReasonKind.FORCES_LINE

    def holds(self, case: SquareCase) -> bool:
        wins = _wins_next(case)
        return bool(wins) and case.lasts(3) and self == _unstoppable(case, wins)

    def words(self, names: Names) -> str:
        me, you = names.me, names.you
        match self.targets:
            case ():
                return f"whatever {you} plays, {me} completes a line next"
            case (target,) if self.instead is not None:
                return f"threatens {names.cell(target)}, and if {you} blocks, {me} wins with {names.cell(self.instead)}"
            case _:
                return f"threatens {names.cells(self.targets)} at once"


@dataclass(frozen=True, slots=True)
class EveryReplyLoses(Ground):
    """Every reply loses, as the move wins, and this one is known to hold out as long as any. `alone` if it must be."""

    longest: MoveCode
    alone: bool

    proves = (Value.WIN,)
    kind = ReasonKind.EVERY_REPLY_LOSES

    def holds(self, case: SquareCase) -> bool:
        replies = case.known(case.after)
        known = replies.get(self.longest)
        return (
            known is not None
            and known.value is Value.LOSS
            and known.plies is not None
            and case.outcome.plies == 1 + known.plies
            and all(each.value is Value.LOSS and (each.plies or 0) <= known.plies for each in replies.values())
            and self.alone == _has_one_move(case.after)
        )

    def words(self, names: Names) -> str:
        you, longest = names.you, names.cell(self.longest)
        if self.alone:
            return f"{you} can only play {longest}, and that loses"
        return f"every reply loses; {longest} holds out longest"


@dataclass(frozen=True, slots=True)
class LosesToReply(Ground):
    """The opponent is known to win with this reply, and with none sooner. After it every square loses."""

    reply: MoveCode

    proves = (Value.LOSS,)
    kind = ReasonKind.LOSES_TO_REPLY
    says = "{you} answers {reply}, and then every square loses"

    def holds(self, case: SquareCase) -> bool:
        after = case.after
        known = case.known(after).get(self.reply)
        if known is None or known.value is not Value.WIN or known.plies is None:
            return False
        then = after.after(self.reply)
        further = case.known(then).values()
        return then.result is None and case.lasts(1 + known.plies) and all(each.value is Value.LOSS for each in further)


@dataclass(frozen=True, slots=True)
class NoReplyWins(DrawGround):
    """No reply wins, as the move draws, and this one is known to draw. `alone` if there is no other."""

    reply: MoveCode
    alone: bool

    kind = ReasonKind.NO_REPLY_WINS
    has_subject = True

    def holds(self, case: SquareCase) -> bool:
        replies = case.known(case.after)
        known = replies.get(self.reply)
        return (
            known is not None
            and known.value is Value.DRAW
            and all(each.value in {Value.DRAW, Value.LOSS} for each in replies.values())
            and self.alone == _has_one_move(case.after)
        )

    def words(self, names: Names) -> str:
        you, reply = names.you, names.cell(self.reply)
        return f"{you} can only play {reply}" if self.alone else f"no reply wins, and {reply} holds the draw"


@dataclass(frozen=True, slots=True)
class OnlyWin(Ground):
    """There are other squares, and all of them are known not to win."""

    proves = (Value.WIN,)
    kind = ReasonKind.ONLY_MOVE
    says = "the only move that wins"

    def holds(self, case: SquareCase) -> bool:
        others = {outcome.value for cell, outcome in case.squares.items() if cell != case.cell}
        return bool(others) and others <= {Value.DRAW, Value.LOSS} and case.outcome.value is Value.WIN


def why(case: SquareCase, best_play: tuple[MoveCode, ...]) -> tuple[Ground, ...]:
    """Return the grounds of a square's outcome; none if nothing explains it. They name the reply of best play."""
    reply = best_play[0] if best_play else None
    match case.outcome.value:
        case Value.WIN:
            return _why_it_wins(case, reply)
        case Value.LOSS:
            return _why_it_loses(case, reply)
        case _:
            return _why_it_draws(case, reply)


def _why_it_wins(case: SquareCase, reply: MoveCode | None) -> tuple[Ground, ...]:
    after = case.after
    if after.result is not None:
        return (Completes(after.winning_lines),)
    if (safe := LeavesNoSafeSquare()).holds(case):
        return (safe,)
    if case.lasts(3) and not case.rules.completing_loses and (wins := _wins_next(case)):
        return (_unstoppable(case, wins),)
    only = (OnlyWin(),) if OnlyWin().holds(case) else ()
    return only if reply is None else (EveryReplyLoses(reply, _has_one_move(after)), *only)


def _why_it_loses(case: SquareCase, reply: MoveCode | None) -> tuple[Ground, ...]:
    after, drawing = case.after, case.of_value(Value.DRAW)
    missed = _missed(case)
    if after.result is not None:
        return LosesByLine(after.winning_lines), *missed
    if reply is not None:
        for ground in (_lets_fill(case, reply), RunsOut(reply), LosesToReply(reply)):
            if ground and ground.holds(case):
                return ground, *missed
    lost = next((ground for ground in map(AllLose, (True, False)) if ground.holds(case)), None)
    return missed or ((Elsewhere(drawing),) if drawing else (lost,) if lost else ())


def _why_it_draws(case: SquareCase, reply: MoveCode | None) -> tuple[Ground, ...]:
    after, missed = case.after, _missed(case)
    blocks = (Blocks(case.blocked),) if case.blocked else ()
    if after.result is not None:
        return *missed, FillsBoard(), *blocks
    only = (OnlyMove(),) if OnlyMove().holds(case) else ()
    ends = NoReplyWins(reply, _has_one_move(after)) if reply is not None else None
    held = (ends,) if ends and ends.holds(case) else ()
    return (*missed, *only, *blocks, *held) if missed or only or held else ()


def _missed(case: SquareCase) -> tuple[GivesWinAway, ...]:
    """Return the ground that other squares win, if it is known which."""
    winning = case.of_value(Value.WIN)
    return (GivesWinAway(winning),) if winning and not case.of_value(Value.UNKNOWN) else ()


def _has_one_move(position: Position) -> bool:
    return len(position.legal_moves) == 1


def _all_lose_at_once(position: Position) -> bool:
    """Return whether wherever the mover plays it completes a line and loses."""
    if position.result is not None or not position.rules.completing_loses:
        return False
    return all(position.after(move).winning_lines for move in position.legal_moves)


def _wins_next(case: SquareCase) -> Mapping[MoveCode, frozenset[MoveCode]]:
    """Return the moves by which the mover wins after each reply; nothing if there is a reply without such a move."""
    after, mover = case.after, case.position.mover
    found: dict[MoveCode, frozenset[MoveCode]] = {}
    for reply in after.legal_moves:
        then = after.after(reply)
        wins = frozenset(move for move in then.legal_moves if str(then.after(move).result) == mover)
        if not wins:
            return {}
        found[reply] = wins
    return found


def _unstoppable(case: SquareCase, wins: Mapping[MoveCode, frozenset[MoveCode]]) -> CannotBeStopped:
    """Return the ground of a win after every reply, given the winning moves after each."""
    size = case.rules.size
    moves = sorted(frozenset().union(*wins.values()))
    targets = tuple(move for move in moves if all(move in wins[reply] for reply in wins if reply % size != move % size))
    if len(targets) != 1:
        return CannotBeStopped(targets)
    blocks = [reply for reply in wins if reply % size == targets[0] % size]
    shared = frozenset.intersection(*(wins[reply] for reply in blocks)) if blocks else frozenset()
    return CannotBeStopped(targets, min(shared)) if shared else CannotBeStopped(())


def _lets_fill(case: SquareCase, reply: MoveCode) -> LetsFill | None:
    """Return the ground of a line that the opponent completes with this reply, if it wins."""
    lines = case.after.after(reply).winning_lines
    if not lines or case.rules.completing_loses:
        return None
    above = case.rules.falls and reply == case.cell - case.rules.columns
    return LetsFill(reply, lines[0], above, _freed(case.position, lines[0]))


def _freed(position: Position, line: Bits) -> Cell | None:
    """Return the square on which the mover's oldest stone makes room for a line, or None."""
    return position.ages[0] if position.leaving & line else None
