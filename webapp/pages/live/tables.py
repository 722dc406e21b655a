"""The tables of live games, and how a game is written as a row. Existing tables keep their columns."""

from typing import Any, Final

import sqlalchemy as sql

from solver.board.position import Mark
from webapp.pages.live.game import Ending, LiveGame, Matter, game_of
from webapp.pages.play.series import read_series

LONGEST_MOVES: Final = 128
"""Characters of the moves of the longest game: 64 squares of two."""

TABLES = sql.MetaData()
GAMES = sql.Table(
    "live_games",
    TABLES,
    sql.Column("id", sql.String(22), primary_key=True),
    sql.Column("board", sql.String(5), nullable=False),
    sql.Column("moves", sql.String(LONGEST_MOVES), nullable=False),
    sql.Column("first", sql.String(1), nullable=False),
    sql.Column("x_seat", sql.String(40), nullable=False),
    sql.Column("o_seat", sql.String(40), nullable=False),
    sql.Column("ending", sql.String(4), nullable=False),
    sql.Column("series", sql.String(20), nullable=False),
    *(sql.Column(str(matter), sql.String(2), nullable=False) for matter in Matter),
    sql.Column("before", sql.String(LONGEST_MOVES), nullable=False),
    sql.Column("moved", sql.Double, nullable=False, index=True),
    sql.Column("version", sql.Integer, nullable=False),
    sql.Column("change", sql.BigInteger, nullable=False, index=True),
)
CHANGES = sql.Table(
    "live_changes",
    TABLES,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("last", sql.BigInteger, nullable=False),
)
PRESENCE = sql.Table(
    "live_presence",
    TABLES,
    sql.Column("seat", sql.String(40), primary_key=True),
    sql.Column("game", sql.String(22), nullable=False, index=True),
    sql.Column("seen", sql.Double, nullable=False),
)
MADE: Final = "made"
"""What a network did with a game that it made, in the table below; for a seat that it took, the seat's mark."""

ORIGINS = sql.Table(
    "live_origins",
    TABLES,
    sql.Column("game", sql.String(22), primary_key=True),
    sql.Column("what", sql.String(4), primary_key=True),
    sql.Column("net64", sql.String(24), nullable=False),
    sql.Column("net56", sql.String(24), nullable=False),
    sql.Column("net48", sql.String(24), nullable=False),
    sql.Column("at", sql.Double, nullable=False),
    *(sql.Index(f"live_origins_{net}", net, "at") for net in ("net64", "net56", "net48")),
)
"""From which networks games were made and seats were taken, by their digests: to tell a flood from visitors."""

KEYS = sql.Table(
    "live_keys",
    TABLES,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("key", sql.String(64), nullable=False),
)
"""One row: the key that all machines sign seats with, 32 random bytes as hexadecimal digits."""


def row_of(live: LiveGame) -> dict[str, Any]:
    """Return the columns of a game but for `change`."""
    return {
        "id": live.id,
        "board": str(live.rules),
        "moves": live.moves,
        "first": str(live.first),
        "x_seat": live.x_seat,
        "o_seat": live.o_seat,
        "ending": str(live.ending),
        "series": str(live.series),
        "before": live.before,
        "moved": live.moved,
        "version": live.version,
    } | {str(matter): "".join(sorted(live.wishes[matter])) for matter in Matter}


def game_in(row: sql.RowMapping) -> LiveGame:
    """Return the game of a row."""
    return LiveGame(
        id=row["id"],
        game=game_of(row["board"], row["moves"]),
        first=Mark(row["first"]),
        moved=row["moved"],
        x_seat=row["x_seat"],
        o_seat=row["o_seat"],
        ending=Ending(row["ending"]),
        series=read_series(row["series"]),
        wishes={matter: frozenset(map(Mark, row[str(matter)])) for matter in Matter},
        before=row["before"],
        version=row["version"],
    )
