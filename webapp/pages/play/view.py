"""The values that the game's template is given, made from a snapshot: no requests and no rules."""

from secrets import token_hex
from typing import Any, Final
from zlib import crc32

from solver.analysis.review import judge
from solver.board.notation import format_cell
from solver.board.position import Mark
from solver.board.rules import MAX_SIDE
from solver.errors import NoughtsError
from solver.search.tablebase import has_table
from webapp.pages.play import players, schemes, words
from webapp.pages.play.games import GameForm
from webapp.pages.play.link import SHARE, SPEEDS, Link
from webapp.pages.play.record import own_mistakes, record
from webapp.pages.play.series import Series
from webapp.pages.play.snapshot import Snapshot
from webapp.pages.play.squares import board
from webapp.pages.play.turns import between_computers, computer_to_move, plays_by_itself, redone, undone
from webapp.pages.play.why import why
from webapp.serving.pool.gating import reason_of
from webapp.serving.pool.work import Standing
from webapp.ui.choices import Choice, Option

FIRST_MOVE_DELAY: Final = 400
"""Milliseconds before a computer that plays against a person makes a move of its own accord."""

_MODES: Final = {"off": "Play", "coach": "Coach", "distance": "Analyse"}

_BEGINS: Final = {"alternate": "Take turns", "loser": "The loser", "same": "Always the same"}

_SIZES: Final = {"columns": "Columns", "rows": "Rows", "k": "In a row"}

_ASK_AGAIN: Final = {Standing.WAITING: 800, Standing.PROVING: 800, Standing.DONE: 800, Standing.BUSY: 5000}
"""Milliseconds after which a page asks again how a proof gets on."""


def game_context(shown: Snapshot, problems: tuple[NoughtsError | str, ...], moved: str) -> dict[str, Any]:
    """All that the template names. `moved` says how the last move was made, if just now: see `board`.

    `problems` are what was wrong with the link.
    """
    link = shown.link
    position, url = link.position, link.url()
    status, finished = words.status(link), position.result is not None
    predictions = shown.prediction.squares.values() if shown.prediction is not None and link.shows_outcomes else ()
    line = why(link, shown.prediction, shown.line, shown.reason)
    return {
        "link": link,
        "url": url,
        "title": f"{status} · Noughts" if link.game.moves else words.TITLE,
        "rule": words.rule(link.rules),
        "status": status,
        "finished": finished,
        "lines": words.lines(position),
        "news": words.news(link),
        "intro": words.intro(link),
        "said": _said(shown),
        "question": _question(shown),
        "lesson": _lesson(shown),
        "record": record(shown),
        "problems": problems,
        "board": board(shown, moved, line["stones"] if line else {}),
        "closer": _closer(link),
        "shows_outcomes": link.shows_outcomes,
        "chances_of": words.opponent(link) if shown.chances else "",
        "unproved": any(outcome.plies is None for outcome in predictions),
        "modes": [
            Option(link.show if show == "distance" and link.shows_outcomes else show, title, _is_mode(show, link))
            for show, title in _MODES.items()
        ],
        "details": Choice(
            "Letters without distance" if link.show == "distance" else "Letters with distance",
            link.having(show="colours" if link.show == "distance" else "distance").url(),
            id="details",
        ),
        "tell": Choice(
            "Say nothing of moves that give something away" if link.tell else "Say when a move gives something away",
            link.having(tell=not link.tell).url(),
            id="tell",
        ),
        "begins": [
            Choice(title, link.having(begins=begins).url(), begins == link.begins, f"begins-{begins}")
            for begins, title in _BEGINS.items()
        ],
        "steps": _steps(link),
        "score": _score(link),
        "schemes": _schemes(link),
        "scheme_words": words.scheme(link),
        "reset_score": link.having(series=Series()).url() if link.series.games else None,
        **_computers(link, url, bool(problems)),
        "carried_game": link.leaving().url().removeprefix("/play/"),
        "size": {name: (title, getattr(link.rules, name)) for name, title in _SIZES.items()},
        "most": MAX_SIDE,
        "proof": _proof(shown),
        "large": not has_table(link.rules),
        "line": line,
        "share_id": f"share-{crc32(url.encode()):08x}",
        "share_url": link.url(SHARE),
        "why_url": f"/why{url.removeprefix('/play')}{'&' if '?' in url else '?'}line=",
        "lines_offered": _lines_offered(shown),
    }


def _closer(link: Link) -> list[Choice]:
    """Where one looks closer at the position shown; of a finished game, at the one before, from which one can move."""
    ended = link.position.result is not None
    if ended and not link.at:
        return []
    form = GameForm.of(link.game.upto(link.at - ended))
    settings = "".join(f"&{name}={text}" for name, text in link.settings().items())
    where = "before the last move" if ended else "from here"
    return [
        Choice(f"Explore the tree {where}", form.explorer + settings, id="explore"),
        Choice(f"Compare solvers {where}", form.lab + settings, id="lab"),
    ]


def _is_mode(show: str, link: Link) -> bool:
    return link.shows_outcomes if show == "distance" else link.show == show


def _said(shown: Snapshot) -> str:
    """What there is to say of the position: the best moves if they are asked for, else of the moves before it."""
    if hint := words.hint(shown):
        return hint
    if over := words.over(shown.link):
        return over
    slip = words.gave_away(shown.slip) if shown.slip else ""
    return " ".join(filter(None, (slip, words.reason(shown))))


def _question(shown: Snapshot) -> dict[str, Any] | None:
    """What the coach asks of the square that was tried, and the way back from it."""
    link, tried = shown.link, shown.tried
    if tried is None or link.learn:
        return None
    return {
        "words": words.sure(tried, shown.reason),
        "more": words.whole(tried.grade, shown.reason) if tried.grade.is_mistake else "",
        "cell": format_cell(tried.cell, link.rules),
        "back": Choice("Choose another", link.having(tried=None).url(), id="choose-another"),
    }


def _lesson(shown: Snapshot) -> dict[str, Any] | None:
    """Where one learns from a mistake: what to look for, what the tried square is worth, and where it goes on."""
    link, found = shown.link, shown.review
    if not link.learn or found is None:
        return None
    mistakes = own_mistakes(link, found)
    now = next((turn for turn in mistakes if turn.ply == link.at + 1), None)
    following = next((turn for turn in mistakes if turn.ply > link.at + 1), None)
    more = ""
    if now is None:
        said = "There is no mistake here to learn from."
    elif shown.tried is not None:
        played = link.game.moves[link.at]
        verdict = judge(link.position, shown.tried.cell, played, lambda _: now.prediction, reason_of)
        said, more = words.judged(verdict, link.rules), words.whole(verdict.grade, verdict.reason)
    else:
        said = f"{format_cell(now.cell, link.rules)} was played here, and gave something away. Find a better square."
    onward = link.showing(following.ply - 1).url() if following else None
    return {
        "words": said,
        "more": more,
        "steps": [
            *([Choice("Next", onward, id="next-mistake")] if onward else []),
            Choice("Play on", link.having(learn=False, tried=None).url(), id="play-on"),
            Choice("Review", link.having(learn=False, tried=None, review=True).url(), id="learnt"),
        ],
    }


def _steps(link: Link) -> list[Choice]:
    back, forward, finished = undone(link), redone(link), link.position.result is not None
    begun = bool(link.game.moves)
    return [
        Choice("New", link.restarted().url(), id="new"),
        Choice("Undo", back.url() if back else None, id="undo"),
        Choice("Redo", forward.url() if forward else None, id="redo"),
        Choice("Hint", None if finished else link.having(hint=not link.hint).url(), link.hint, "hint"),
        Choice("Review", link.having(review=not link.review).url() if begun else None, link.review, "review"),
    ]


def _score(link: Link) -> list[tuple[str, int]]:
    people = {link.x, link.o} <= players.PEOPLE.keys()
    titles = (f"{players.title(link.player(mark))} ({mark})" if people else words.name(link, mark) for mark in Mark)
    score = link.score
    return [*zip(titles, (score.x, score.o), strict=True), ("Draws", score.draws)]


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
        "pause": Choice("Go on" if link.paused else "Pause", pause_url, id="pause") if among_themselves else None,
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
        "safety": prediction.outcome.safety,
        "toggle": Choice(
            "Stop proving" if link.prove else "Go on proving", link.having(prove=not link.prove).url(), id="prove"
        ),
        # A name of its own for each answer: htmx then takes the element for a new one, which asks again.
        "poll_id": f"poll-{token_hex(4)}" if proof.standing in _ASK_AGAIN else None,
        "poll_delay": _ASK_AGAIN.get(proof.standing, 0),
    }


def _lines_offered(shown: Snapshot) -> list[Option]:
    """The squares whose outcome is proved; the one whose line is shown is selected."""
    link, prediction = shown.link, shown.prediction
    if not link.shows_outcomes or prediction is None:
        return []
    mover = link.position.mover
    return [
        Option(name := format_cell(cell, link.rules), f"{name}: {outcome.in_moves(mover)}", cell == link.line)
        for cell, outcome in prediction.squares.items()
        if outcome.plies is not None
    ]
