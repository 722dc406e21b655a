"""The preview of a game's link: the game in a few words, and its picture. Nothing is proved for it."""

from solver.board.notation import format_cell
from solver.board.outcome import Value, counted
from solver.board.position import Mark, Position, Result
from solver.board.rules import DEFAULT_BOARD
from solver.pictures.card import SIDE, Card, Face, WinningStroke, board
from solver.proofs.prediction import Prediction
from webapp.pages.play import players, squares, words
from webapp.pages.play.link import Link
from webapp.pages.play.snapshot import Snapshot
from webapp.serving.pool.gating import already
from webapp.ui.previews import Preview
from webapp.ui.words import board_title


def preview(link: Link, prediction: Prediction | None) -> Preview:
    """What is told of a link's page; `prediction` is what it shows of the squares, if it does."""
    url = link.url()
    path, question, query = url.partition("?")
    return Preview(
        title=f"{headline(link.position)} · {board_title(link.rules)}",
        description=_described(link, prediction),
        path="/" if url == f"/play/{DEFAULT_BOARD}" else url,
        picture=f"{path}.png{question}{query}",
    )


def known(link: Link) -> Prediction | None:
    """What is known of the squares whose outcomes a link shows."""
    return already(link.position) if link.shows_outcomes and link.position.result is None else None


def card(link: Link, prediction: Prediction | None) -> Card:
    """The picture of a link: the board as its page shows it, but for what is asked there of single squares."""
    bare = link.having(hint=False, tried=None, line=None)
    shown = squares.board(Snapshot(bare, prediction, None, (), None, None, None, None, None, {}, settled=False), "")
    position, mover, last = link.position, Mark(shown.mover), _last(link)
    outcomes = prediction.squares.values() if prediction else ()
    return Card(
        parts=tuple(
            board(
                [[_face(square) for square in row.squares] for row in shown.rows],
                [
                    WinningStroke((int(each.x1), int(each.y1)), (int(each.x2), int(each.y2)), mover)
                    for each in shown.strikes
                ],
                SIDE,
            )
        ),
        headline=headline(position),
        lines=tuple(
            filter(None, (board_title(link.rules), last and f"Last move: {last}", _review(link), _verdict(prediction)))
        ),
        description=_described(link, prediction),
        key=tuple(dict.fromkeys(str(outcome.value) for outcome in outcomes)),
        key_of=str(position.mover),
    )


def headline(position: Position) -> str:
    """Whose turn it is or how the game ended, without the players' names."""
    match position.result:
        case None:
            return f"{position.mover} to move"
        case Result.DRAW:
            return "A draw"
        case winner:
            return f"{winner} wins"


def _described(link: Link, prediction: Prediction | None) -> str:
    """The board, the game so far, who plays, and what perfect play makes of it where the page shows that."""
    after = f" after {counted(link.at, 'move', 'moves')}, the last {_last(link)}" if link.at else ""
    told = [f"{words.rule(link.rules)}.", f"{headline(link.position)}{after}."]
    if link.position.result is None:
        told.append(_seated(link))
    elif review := _review(link):
        told.append(f"{review}.")
    told.append(f"{verdict}." if (verdict := _verdict(prediction)) else "")
    return " ".join(filter(None, told))


def _last(link: Link) -> str:
    return format_cell(link.game.moves[link.at - 1], link.rules) if link.at else ""


def _review(link: Link) -> str:
    """That the page of a game that is over shows what its moves were worth."""
    return "With a review of every move" if link.review and link.position.result is not None else ""


def _seated(link: Link) -> str:
    """The players, as the page offers them to the visitor that opens the link."""
    own = players.own(link.x, link.o)
    if own == players.WATCH:
        return f"{players.title(link.x)} plays X, {players.title(link.o)} plays O."
    against = words.opponent(link)
    return "" if players.opponent(link.x, link.o) in players.PEOPLE else f"Play {own} against {against}."


def _verdict(prediction: Prediction | None) -> str:
    """What perfect play makes of the position, as far as it is proved."""
    if prediction is None or not prediction.squares:
        return ""
    outcome, mover = prediction.outcome, prediction.position.mover
    if outcome.value is Value.UNKNOWN:
        told = f"{outcome.limits} for {mover}" if outcome.limits else "not proved"
    else:
        told = outcome.in_moves(mover)
    return f"Perfect play: {told}"


def _face(square: squares.Square) -> Face:
    looks = frozenset(square.classes.split())
    return Face(Mark(square.mark) if square.mark else None, square.letter, square.distance, looks)
