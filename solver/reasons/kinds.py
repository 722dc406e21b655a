"""The kinds of reasons: what decides about a square, in a word for programs."""

from collections.abc import Sequence
from enum import StrEnum

from solver.reasons.grounds import (
    Among,
    Blocks,
    Completes,
    Elsewhere,
    FillsBoard,
    ForcesReply,
    GainsTime,
    GivesWinAway,
    Ground,
    Harmless,
    LimitsReplies,
    Loses,
    NoLineLeft,
    OnlyMove,
    Pairing,
    Replies,
    StopsFork,
    StopsWin,
    Unblocked,
    Wins,
)
from solver.reasons.plan import DoubleThreat, QuietMove, SingleThreat


class ReasonKind(StrEnum):
    """What decides about a square, seen by the player who would move there."""

    COMPLETES_LINE = "completes-line"
    MAKES_TWO_THREATS = "makes-two-threats"
    FORCES_TWO_THREATS = "forces-two-threats"
    PREPARES_TWO_THREATS = "prepares-two-threats"
    LOSES_TO_LINE = "loses-to-line"
    CANNOT_BLOCK_BOTH = "cannot-block-both"
    LOSES_TO_TWO_THREATS = "loses-to-two-threats"
    LOSES_TO_FORCING = "loses-to-forcing"
    LOSES_TO_PREPARING = "loses-to-preparing"
    LOSES_RACE = "loses-race"
    MUST_PLAY_ELSEWHERE = "must-play-elsewhere"
    FILLS_BOARD = "fills-board"
    NO_LINE_LEFT = "no-line-left"
    BLOCKS = "blocks"
    ONLY_MOVE = "only-move"
    GAINS_TIME = "gains-time"
    STOPS_TWO_THREATS = "stops-two-threats"
    STOPS_WIN = "stops-win"
    FORCES_REPLY = "forces-reply"
    LIMITS_REPLIES = "limits-replies"
    PAIRING = "pairing"
    MISSES_WIN = "misses-win"
    REPLIES = "replies"
    AMONG_OTHERS = "among-others"
    UNEXPLAINED = "unexplained"


_SIMPLE = {
    Completes: ReasonKind.COMPLETES_LINE,
    FillsBoard: ReasonKind.FILLS_BOARD,
    NoLineLeft: ReasonKind.NO_LINE_LEFT,
    Blocks: ReasonKind.BLOCKS,
    OnlyMove: ReasonKind.ONLY_MOVE,
    GainsTime: ReasonKind.GAINS_TIME,
    StopsFork: ReasonKind.STOPS_TWO_THREATS,
    StopsWin: ReasonKind.STOPS_WIN,
    ForcesReply: ReasonKind.FORCES_REPLY,
    LimitsReplies: ReasonKind.LIMITS_REPLIES,
    Pairing: ReasonKind.PAIRING,
    Harmless: ReasonKind.NO_LINE_LEFT,
    GivesWinAway: ReasonKind.MISSES_WIN,
    Elsewhere: ReasonKind.MUST_PLAY_ELSEWHERE,
    Replies: ReasonKind.REPLIES,
    Among: ReasonKind.AMONG_OTHERS,
}
_WINS = {
    DoubleThreat: ReasonKind.MAKES_TWO_THREATS,
    SingleThreat: ReasonKind.FORCES_TWO_THREATS,
    QuietMove: ReasonKind.PREPARES_TWO_THREATS,
}
_LOSES = {
    DoubleThreat: ReasonKind.LOSES_TO_TWO_THREATS,
    SingleThreat: ReasonKind.LOSES_TO_FORCING,
    QuietMove: ReasonKind.LOSES_TO_PREPARING,
}


def kind_of(grounds: Sequence[Ground]) -> ReasonKind:
    """The kind of a reason, by what it rests on first; a block is one also where it is the only move."""
    match grounds:
        case (Wins(plan=plan), *_):
            return _WINS[type(plan)]
        case (Loses(plan=plan, race=race), *_):
            return _LOSES[type(plan)] if race is None else ReasonKind.LOSES_RACE
        case (Unblocked(threats=threats), *_):
            return ReasonKind.LOSES_TO_LINE if len(threats) == 1 else ReasonKind.CANNOT_BLOCK_BOTH
        case (OnlyMove(), Blocks(), *_):
            return ReasonKind.BLOCKS
        case _:
            return _SIMPLE[type(grounds[0])]
