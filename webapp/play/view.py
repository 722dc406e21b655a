"""What the game's template sees, made from a snapshot: values alone, no requests and no rules."""

from secrets import token_hex
from typing import Any, Final
from zlib import crc32

from solver.board.notation import format_cell
from solver.board.position import Mark
from solver.board.rules import MAX_SIDE
from solver.errors import NoughtsError
from webapp.choices import Choice, Option
from webapp.play import players, schemes, words
from webapp.play.games import GameForm
from webapp.play.link import SHOWS, SPEEDS, Link
from webapp.play.series import Series
from webapp.play.snapshot import Snapshot
from webapp.play.squares import board
from webapp.play.turns import back_to, between_computers, computer_to_move, plays_by_itself, redone, undone
from webapp.server.work import Standing

FIRST_MOVE_DELAY: Final = 400
"""Milliseconds before a computer that plays against a person makes a move of its own accord."""

_SHOW_TITLES: Final = {"off": "Off", "colours": "Colours", "distance": "Colours and distance"}

_SIZES: Final = {"columns": "Columns", "rows": "Rows", "k": "In a row"}

_ASK_AGAIN: Final = {Standing.WAITING: 800, Standing.PROVING: 800, Standing.DONE: 800, Standing.BUSY: 5000}
"""Milliseconds after which a page asks again how a proof gets on."""


def game_context(shown: Snapshot, problems: tuple[NoughtsError | str, ...], replied: bool) -> dict[str, Any]:
    """All that the template names. `replied` says that the last move is a reply made just now, to appear a bit later.

    `problems` are what was wrong with the link.
    """
    link = shown.link
    position, url = link.position, link.url()
    status = words.status(link)
    predictions = shown.prediction.squares.values() if shown.prediction is not None and link.show != "off" else ()
    upto = GameForm.of(link.game.upto(link.at))
    players_of_form = {"x": link.x, "o": link.o}
    game_of_form = {name: text for name, text in _carried(link).items() if name not in players_of_form}
    line = _line(shown)
    return {
        "link": link,
        "url": url,
        "title": f"{status} · Noughts" if link.game.moves else words.TITLE,
        "rule": words.rule(link.rules),
        "status": status,
        "lines": words.lines(position),
        "news": words.news(link),
        "aside": words.hint(shown) or words.reason(shown),
        "problems": problems,
        "board": board(shown, replied, line["stones"] if line else {}),
        "lab": upto.lab,
        "explorer": upto.explorer,
        "legend": link.show != "off" and position.result is None,
        "unproved": any(outcome.plies is None for outcome in predictions),
        "shows": [
            Choice(title, link.having(show=show).url(), show == link.show, f"show-{show}")
            for show, title in zip(SHOWS, _SHOW_TITLES.values(), strict=True)
        ],
        "steps": _steps(link),
        "swap": Choice("Swap sides", link.swapped().url(), id="swap"),
        "moves": _moves(link),
        "score": _score(link),
        "schemes": _schemes(link),
        "scheme_words": words.scheme(link),
        "reset_score": link.having(series=Series()).url() if link.series.games else None,
        **_computers(link, url, bool(problems)),
        "fields": game_of_form,
        "fields_with_players": game_of_form | players_of_form,
        "size": {name: (title, getattr(link.rules, name)) for name, title in _SIZES.items()},
        "most": MAX_SIDE,
        "proof": _proof(shown),
        "line": line,
        "lines_offered": _lines_offered(shown),
    }


def _steps(link: Link) -> list[Choice]:
    back, forward, finished = undone(link), redone(link), link.position.result is not None
    return [
        Choice("Play again" if finished else "New game", link.restarted().url(), id="new"),
        Choice("Undo", back.url() if back else None, id="undo"),
        Choice("Redo", forward.url() if forward else None, id="redo"),
        Choice("Best move", None if finished else link.having(hint=not link.hint).url(), link.hint, "hint"),
    ]


def _moves(link: Link) -> list[Choice]:
    """The positions of the game in order, the first of them the start."""
    positions = link.game.positions
    titles = ["Given position" if positions[0].x else "Empty board"]
    titles += (f"{positions[ply].mover} {format_cell(cell, link.rules)}" for ply, cell in enumerate(link.game.moves))
    return [Choice(title, back_to(link, ply).url(), ply == link.at, f"move-{ply}") for ply, title in enumerate(titles)]


def _score(link: Link) -> list[tuple[str, int]]:
    named = [(words.name(link, mark), str(mark)) for mark in Mark]
    x, o = (name if mark in name else f"{name} ({mark})" for name, mark in named)
    score = link.score
    return [(x, score.x), (o, score.o), ("Draws", score.draws)]


def _schemes(link: Link) -> list[Choice]:
    """What the series may count; the other scheme begins a new series, since points cannot be told from games."""
    if not schemes.pays_patterns(link.rules):
        return []
    return [
        Choice(
            title,
            (link if scheme == link.scheme else link.having(scheme=scheme, series=Series())).url(),
            scheme == link.scheme,
            f"scheme-{scheme}",
        )
        for scheme, title in schemes.SCHEMES.items()
    ]


def _computers(link: Link, url: str, problem: bool) -> dict[str, Any]:
    """How computers move: by a button, by themselves with JavaScript, and how fast and whether between each other."""
    finished, among_themselves = link.position.result is not None, between_computers(link)
    automatic = plays_by_itself(link) and not problem
    next_move = None
    if among_themselves:
        next_move = "Next move"
    elif computer_to_move(link):
        next_move = f"Let {players.title(link.player(link.position.mover))} move"
    pause_url = None if finished else link.having(paused=not link.paused).url()
    return {
        "next_move": next_move,
        "next_possible": not finished,
        # A link's own id: htmx then takes the form for a new element, and its clock starts again with every move.
        "auto_id": f"auto-{crc32(url.encode()):08x}" if automatic else None,
        "auto_delay": SPEEDS[link.speed] if among_themselves else FIRST_MOVE_DELAY,
        "pause": Choice("Play" if link.paused else "Pause", pause_url, id="pause") if among_themselves else None,
        "speeds": [
            Choice(speed.capitalize(), link.having(speed=speed).url(), speed == link.speed, f"speed-{speed}")
            for speed in (SPEEDS if among_themselves else ())
        ],
    }


def _proof(shown: Snapshot) -> dict[str, Any] | None:
    """How many squares are proved of those that are open, what becomes of the others, and where that can be changed."""
    link, proof, prediction = shown.link, shown.proof, shown.prediction
    if proof is None or prediction is None:
        return None
    return {
        "proved": prediction.proved,
        "open": len(prediction.squares),
        "words": words.proof(proof) if link.prove else "Proving is stopped.",
        "toggle": Choice(
            "Stop" if link.prove else "Go on proving", link.having(prove=not link.prove).url(), id="prove"
        ),
        # A name of its own for each answer: htmx then takes the element for a new one, which asks again.
        "poll_id": f"poll-{token_hex(4)}" if proof.standing in _ASK_AGAIN else None,
        "poll_delay": _ASK_AGAIN.get(proof.standing, 0),
    }


def _line(shown: Snapshot) -> dict[str, Any] | None:
    """The line of best play that is shown, its first `step` moves on the board, and the links to the other steps."""
    link, prediction = shown.link, shown.prediction
    if link.line is None or link.show == "off" or prediction is None:
        return None
    mover, outcome = link.position.mover, prediction.squares[link.line]
    name, close = format_cell(link.line, link.rules), link.having(line=None, step=None).url()
    if outcome.plies is None:
        unknown = f"The line after {name} is not known: {outcome.words(mover)}."
        return {"words": unknown, "now": "", "stones": {}, "back": None, "forward": None, "close": close}
    moves = shown.line
    step = min(link.step if link.step is not None else len(moves), len(moves))
    stones = {cell: (str((mover, mover.other)[ply % 2]), ply + 1) for ply, cell in enumerate(moves[:step])}
    last = f", {stones[moves[step - 1]][0]} {format_cell(moves[step - 1], link.rules)}" if step else ""
    text = " ".join(format_cell(cell, link.rules) for cell in moves)
    whole = len(moves) == outcome.plies
    return {
        "words": f"Best play after {name}: {outcome.words(mover)}. {text}{'.' if whole else ' …'}",
        "now": f"Shown: {step} of {len(moves)}{last}.",
        "stones": stones,
        "back": link.having(step=step - 1).url() if step > 0 else None,
        "forward": link.having(step=step + 1).url() if step < len(moves) else None,
        "close": close,
    }


def _lines_offered(shown: Snapshot) -> list[Option]:
    """The squares whose outcome is proved; the one whose line is shown is selected."""
    link, prediction = shown.link, shown.prediction
    if link.show == "off" or prediction is None:
        return []
    mover = link.position.mover
    return [
        Option(name := format_cell(cell, link.rules), f"{name}: {outcome.words(mover)}", cell == link.line)
        for cell, outcome in prediction.squares.items()
        if outcome.plies is not None
    ]


def _carried(link: Link) -> dict[str, str]:
    """What forms carry along unseen: the board, and the parts of the link that outlast the position shown."""
    return {"of": str(link.rules)} | link.leaving().parts()
