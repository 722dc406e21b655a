"""The view of a game for its template, made from a snapshot and without the request."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from secrets import token_hex
from types import MappingProxyType
from typing import Final, NamedTuple
from zlib import crc32

from solver.board.notation import capital, format_cell, format_whole_percent
from solver.board.outcome import Outcome, Value, own_moves
from solver.board.position import Mark, Position
from solver.board.rules import Cell, Rules
from solver.errors import NoughtsError
from solver.proofs.prediction import ProofState, ProofStatus
from webapp.pages.play import players, words
from webapp.pages.play.game import (
    Snapshot,
    between_computers,
    computer_to_move,
    places,
    plays_by_itself,
    redone,
    undone,
)
from webapp.pages.play.link import LIVE, PLAY, SHARE, SPEEDS, Link
from webapp.pages.play.record import GameEnd, Record, alone, ending, record, rung
from webapp.ui.board import Board, LineView, Square, empty, line_view, of_line, placings, standing
from webapp.ui.filters import Choice, Option, reason_or_outcome, winning_rule

FIRST_MOVE_DELAY: Final = 400
"""Milliseconds before a computer moves by itself against a person."""

_ASK_AGAIN: Final = {ProofState.WAITING: 800, ProofState.PROVING: 800, ProofState.DONE: 800, ProofState.BUSY: 5000}
"""Milliseconds until a page asks again for the progress of a proof, by the state of the proof."""


NO_STONES: Final[Mapping[Cell, tuple[str, int]]] = MappingProxyType({})

_in_percent: Final = lru_cache(maxsize=1024)(format_whole_percent)


@dataclass(frozen=True, slots=True)
class Why:
    """The square whose line is shown, with its outcome, its line and the reason in `words`.

    `steps` are the links to go through the line. `play` is the address to play it from its start.
    """

    title: str
    play: str
    outcome: Outcome
    words: str
    line: LineView
    steps: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class PointedAt:
    """The square that the visitor points at, for the part of the page that explains it."""

    link: Link
    why: Why | None
    invite_url: str = ""
    asks: bool = False
    unproved: bool = False
    heading: str = ""
    said: str = ""
    greeting: str = ""
    chances_of: str = ""
    record: None = None
    question: None = None
    end: None = None

    @property
    def line(self) -> LineView | None:
        """The line that is drawn over the board."""
        return self.why.line if self.why else None


@dataclass(frozen=True, slots=True)
class CoachQuestion:
    """The coach's question about the tried `cell`, with `more` about the reason and the link to choose again."""

    words: str
    more: str
    cell: str
    back: Choice


@dataclass(frozen=True, slots=True)
class Computers:
    """The controls for computers' moves: a button, and a timer of `auto_delay` milliseconds.

    `auto_id` is None if computers wait for the button. `pause` is the link to pause or go on between computers.
    """

    next_move: str | None
    next_possible: bool
    auto_id: str | None
    auto_delay: int
    pause: Choice | None


@dataclass(frozen=True, slots=True)
class ProofProgress:
    """The progress of a proof: the numbers of squares, and its state in words.

    Of the `open` squares, `valued` are proved to win, draw or lose, and of these `proved` with their distance. `toggle`
    is the link to stop the proof or go on.
    """

    proved: int
    valued: int
    open: int
    words: str
    safety: str
    toggle: Choice


class Seat(NamedTuple):
    """A side in the line above the board. `moves` is true for the side to move, and at the end for the winner.

    `mark` is "" where no mark belongs to a side. `is_chosen` is true for the opponent, whom a dropdown chooses. `there`
    says whether the player of a live game is there.
    """

    mark: str
    name: str
    moves: bool
    won: int
    is_chosen: bool = False
    there: str = ""


class Poll(NamedTuple):
    """The next request for the page as it will be then: the id of its element, and milliseconds until then."""

    id: str
    delay: int


class GameView(NamedTuple):
    """A game as its page and its frame show it.

    `said` is the comment on the position. A `question` or a line takes its place, and `end` at the end.
    `asks` is true where pointing at a square tells something, or will once squares are proved. `alone` names the
    game so far and `rung` the level that its end counts for, both as for the ladder in `record.py`.
    """

    link: Link
    url: str
    title: str
    rule: str
    goal: str
    invite_url: str
    status: str
    finished: bool
    thinks: str
    ended: str
    end: GameEnd | None
    alone: str
    rung: str
    heading: str
    lines: str
    news: str
    seats: tuple[Seat, ...]
    score: tuple[tuple[str, int], ...]
    said: str
    greeting: str
    watched: bool
    problems: tuple[NoughtsError | str, ...]
    question: CoachQuestion | None
    why: Why | None
    board: Board
    drawn: LineView | None
    record: Record
    shows_outcomes: bool
    asks: bool
    chances_of: str
    unproved: bool
    steps: tuple[Choice, ...]
    new: Choice
    record_steps: tuple[Choice, ...]
    computers: Computers
    proof: ProofProgress | None
    poll: Poll | None
    large: bool
    carried_game: str
    settings_url: str
    share_url: str
    why_url: str
    lines_offered: tuple[Option, ...]

    @property
    def line(self) -> LineView | None:
        """The line that the card explains. `drawn` is this one, or the line that refutes the move in question."""
        return self.why.line if self.why else None


def game_view(shown: Snapshot, problems: tuple[NoughtsError | str, ...], moved: str) -> GameView:
    """Return the view of a game. `moved` says who has just moved; see `board`.

    `problems` are the mistakes in the link.
    """
    link, explained, urls, offered = shown.link, why(shown), places(shown.link), _lines_offered(shown)
    drawn = explained.line if explained else _refuting(shown)
    url, status = link.url(), words.status(link)
    query = url.removeprefix(f"{PLAY}/{link.rules}")
    predictions = shown.prediction.squares.values() if shown.prediction is not None and link.shows_outcomes else ()
    hidden = () if link.shows_outcomes or shown.review is None else shown.review.mistakes
    will_ask = any(turn.mover in words.asked_of(link) for turn in hidden)  # the review; a graph would tell where
    return GameView(
        link=link,
        url=url,
        title=f"{status} · Noughts" if link.game.moves else words.TITLE,
        rule=winning_rule(link.rules),
        goal=words.goal(link.rules),
        invite_url=_invite_url(link),
        status=status,
        finished=link.position.result is not None,
        thinks=words.thinker(link),
        ended=words.ended(link),
        end=ending(shown),
        alone=alone(link),
        rung=rung(link),
        heading=words.heading(shown),
        lines=words.lines(link.position),
        news=words.news(link),
        seats=tuple(_seat(link, mark) for mark in sides(players.own(link.x, link.o))),
        score=_score(link),
        said=_said(shown),
        greeting=words.greeting(shown),
        watched=players.own(link.x, link.o) == players.WATCH,
        problems=problems,
        question=_question(shown),
        why=explained,
        board=board(shown, moved, drawn.stones if drawn else NO_STONES),
        drawn=drawn,
        record=record(link, None if will_ask else shown.review, urls),
        shows_outcomes=link.shows_outcomes,
        asks=bool(offered) or (link.shows_outcomes and shown.proof is not None),
        chances_of=words.opponent(link) if shown.chances and link.chances else "",
        unproved=any(not outcome.is_exact for outcome in predictions),
        steps=_steps(link, urls),
        new=_new(link),
        record_steps=_record_steps(link, urls),
        computers=_computers(link, url, bool(problems)),
        proof=_proof(shown),
        poll=poll(shown.proof, _ASK_AGAIN),
        large=not link.rules.is_small,
        carried_game=link.form_text(),
        settings_url=f"{PLAY}/{link.rules}/settings{query}",
        share_url=f"{SHARE}/{link.rules}{query}",
        why_url=f"/why/{link.rules}{query}{'&' if query else '?'}line=",
        lines_offered=offered,
    )


def _said(shown: Snapshot) -> str:
    """Return the comment on the position: a hint if the visitor asked for one, else the result or the last moves."""
    if hint := words.hint(shown):
        return hint
    if over := words.over(shown.link):
        return over
    if not shown.link.at and words.dare(shown.link):
        return f"A friend dares you. {words.status(shown.link)}."
    slip = words.gave_away(shown.slip) if shown.slip else ""
    return " ".join(filter(None, (slip, words.reason(shown))))


def _question(shown: Snapshot) -> CoachQuestion | None:
    link, tried = shown.link, shown.tried
    if tried is None:
        return None
    return CoachQuestion(
        words=words.sure(tried),
        more=words.warning(tried, shown.reason),
        cell=format_cell(tried.cell, link.rules),
        back=Choice("Choose again", link.having(tried=None).url(), id="choose-another"),
    )


def _refuting(shown: Snapshot) -> LineView | None:
    """Return the line after the move that the coach asks about, if this move loses; otherwise None."""
    link, tried, reason = shown.link, shown.tried, shown.reason
    if tried is None or reason is None or tried.after.value is not Value.LOSS:
        return None
    after, moves = link.position.after(tried.cell), reason.refutation
    return line_view(after, moves, len(moves), url=lambda _: "", reason=reason, plies=None)


def _invite_url(link: Link) -> str:
    """Return the address to invite a friend to another screen; empty unless this is a new game of two people."""
    at_start = not link.game.moves and link.x in players.PEOPLE and link.o in players.PEOPLE
    return f"{LIVE}{link.rules}" if at_start else ""


def _steps(link: Link, urls: tuple[str, ...]) -> tuple[Choice, ...]:
    """Return the links below the board: Undo and Hint, or Review once the game is over."""
    if link.position.result is not None:
        return (_review(link),)
    hint = Choice("Hint", link.having(hint=not link.hint).url(), link.hint, "hint")
    return _step_to(undone(link), "Undo", "undo", urls), hint


def _new(link: Link) -> Choice:
    title = "Play again" if link.position.result is not None else "New game"
    return Choice(title, link.restarted().url(), id="new")


def _record_steps(link: Link, urls: tuple[str, ...]) -> tuple[Choice, ...]:
    """Return the links beside the moves: Review and Redo, or Undo and Redo once the visitor's own game is over."""
    if link.guest and link.position.result is not None:
        return ()
    first = _review(link) if link.position.result is None else _step_to(undone(link), "Undo", "undo-game", urls)
    return first, _step_to(redone(link), "Redo", "redo", urls)


def _step_to(there: Link | None, title: str, name: str, urls: tuple[str, ...]) -> Choice:
    return Choice(title, urls[there.at] if there else None, id=name)


def _review(link: Link) -> Choice:
    # Once the game is over, Review and Undo are in another place. A different id keeps htmx from moving them there.
    name = "review" if link.position.result is None else "review-game"
    return Choice("Review", link.review_url() if link.game.moves else None, id=name, away=True)


def _seat(link: Link, mark: Mark) -> Seat:
    own = players.own(link.x, link.o)
    return Seat(
        mark=seat_mark(link.rules, mark),
        name=capital(words.name(link, mark)) if link.guest else players.title(link.player(mark)),
        moves=is_on(link.position, mark),
        won=link.score.x if mark is Mark.X else link.score.o,
        is_chosen=mark != ("X" if own == players.WATCH else own),
    )


def sides(own: str | None) -> tuple[Mark, Mark]:
    """Return the two marks, the visitor's own first."""
    return (Mark.O, Mark.X) if own == Mark.O else (Mark.X, Mark.O)


def seat_mark(rules: Rules, mark: Mark) -> str:
    """Return the mark that belongs to a side; "" where both sides place the same marks."""
    return "" if rules.is_wild or rules.player(mark) != mark else mark


def is_on(position: Position, mark: Mark) -> bool:
    """Return whether this side is to move or, at the end, has won."""
    return position.mover is mark if position.result is None else str(position.result) == mark


def _score(link: Link) -> tuple[tuple[str, int], ...]:
    people = {link.x, link.o} <= players.PEOPLE.keys()
    titles = (f"{players.title(link.player(mark))} ({mark})" if people else words.name(link, mark) for mark in Mark)
    score = link.score
    return *zip(titles, (score.x, score.o), strict=True), ("Draws", score.draws)


def _computers(link: Link, url: str, problem: bool) -> Computers:
    finished, among_themselves = link.position.result is not None, between_computers(link)
    automatic = plays_by_itself(link) and not problem
    next_move = pause = None
    if among_themselves:
        next_move = "Next move"
        paused = None if finished else link.having(paused=not link.paused).url()
        pause = Choice("Go on" if link.paused else "Pause", paused, id="pause")
    elif computer_to_move(link):
        next_move = f"Let {players.title(link.player(link.position.mover))} move"
    return Computers(
        next_move=next_move,
        next_possible=not finished,
        # Each position has its own id. So htmx sees a new form after every move, and restarts its timer.
        auto_id=f"auto-{crc32(url.encode()):08x}" if automatic else None,
        auto_delay=SPEEDS[link.speed] if among_themselves else FIRST_MOVE_DELAY,
        pause=pause,
    )


def _proof(shown: Snapshot) -> ProofProgress | None:
    link, proof, prediction = shown.link, shown.proof, shown.prediction
    if proof is None or prediction is None:
        return None
    return ProofProgress(
        proved=prediction.proved,
        valued=prediction.valued,
        open=len(prediction.squares),
        words=proof_words(link, proof),
        safety=prediction.outcome.safety,
        toggle=toggle(link, "prove"),
    )


def proof_words(link: Link, proof: ProofStatus) -> str:
    """Describe the progress of the proof, or say that the visitor has stopped it."""
    return words.proof(proof) if link.prove else "Proving is stopped."


def toggle(link: Link, name: str) -> Choice:
    """Return the link to stop the proof or go on."""
    return Choice("Stop proving" if link.prove else "Go on proving", link.having(prove=not link.prove).url(), id=name)


def poll(proof: ProofStatus | None, delays: Mapping[ProofState, int]) -> Poll | None:
    """Return the next request for the page. Each has its own id, so that htmx sees a new element, which asks again."""
    if proof is None or proof.state not in delays:
        return None
    return Poll(f"poll-{token_hex(4)}", delays[proof.state])


def _lines_offered(shown: Snapshot) -> tuple[Option, ...]:
    """Return dropdown entries for the squares with a proved outcome. The square whose line is shown is selected."""
    link, prediction = shown.link, shown.prediction
    if not link.shows_outcomes or prediction is None:
        return ()
    mover = link.position.mover
    return tuple(
        Option(
            name := format_cell(cell, link.rules), f"{name}: {outcome.in_moves(mover, link.rules)}", cell == link.line
        )
        for cell, outcome in prediction.squares.items()
        if outcome.is_exact
    )


def board(
    shown: Snapshot,
    moved: str,
    stones: Mapping[Cell, tuple[str, int]] = NO_STONES,
    either: bool = False,
    asks: bool | None = None,
) -> Board:
    """Return the board of a link. Its squares have outcomes only if the link shows them.

    `moved` is "own" after a person's move, "move" after a computer's move, and "reply" after both. A reply appears a
    moment after the person's move. With `either`, a square shows the better of the two marks that can be placed there.
    `stones` has the stones of a line of best play, which are drawn with their numbers
    on open squares. A review `asks` for a square or not; otherwise a person whose turn it is can play.
    """
    link = shown.link
    rules, position = link.rules, link.position
    playable = position.result is None and not computer_to_move(link) if asks is None else asks
    held = standing(position, playable, link.game.moves[link.at - 1] % rules.size if link.at else None)

    def square(cell: Cell) -> Square:
        if stone := held.get(cell):
            if rules.falls and moved == "reply" and cell == link.game.moves[link.at - 2]:
                stone = stone._replace(classes=f"{stone.classes} fell")
            return _retaken(shown, cell, stone) if stone.open else stone
        if cell in stones:
            return of_line(rules, cell, playable, *stones[cell])
        return _open(shown, cell, playable, not stones, either)

    turn = (link.at if moved == "own" else link.at // 2) % 2
    classes = f"board played played-{turn} {moved} {moved}-{turn}" if moved else "board"
    marks = () if asks is False else placings(position, link.place, lambda mark: link.having(place=mark).url())
    return Board(position, tuple(map(square, range(rules.size))), classes, link.place, marks)


def why(shown: Snapshot) -> Why | None:
    """Return the square whose line is shown, with the line's first `step` moves; None if no line is shown."""
    link, prediction, moves = shown.link, shown.prediction, shown.line
    if link.line is None or not link.shows_outcomes or prediction is None:
        return None
    outcome = prediction.squares[link.line]
    step = min(link.step if link.step is not None else len(moves), len(moves))

    def to(number: int) -> str:
        return link.having(step=number).url()

    line = line_view(link.position, moves, step, url=to, reason=shown.reason, plies=outcome.plies)
    return Why(
        title=f"{format_cell(link.line, link.rules)} {words.does(outcome)}",
        play=to(0),
        outcome=outcome,
        words=reason_or_outcome(shown.reason, outcome, link.position),
        line=line,
        steps=(*line.steps, Choice("Close", link.having(line=None, step=None).url(), id="line-close")),
    )


def _retaken(shown: Snapshot, cell: Cell, stone: Square) -> Square:
    """Return the square of a stone that is about to leave, with the outcome of placing it there again, if shown."""
    link, prediction = shown.link, shown.prediction
    if prediction is None or not link.shows_outcomes or cell not in prediction.squares:
        return stone
    said, letter, distance = _told(
        prediction.squares[cell], link.rules.player(link.position.mover), link.show == "distance"
    )
    return stone._replace(label=stone.label + said, chance=letter + distance)


def _open(shown: Snapshot, cell: Cell, playable: bool, outcomes: bool, either: bool) -> Square:
    """Return an open square. It has its outcome if `outcomes` is set and the link shows outcomes; see `board`."""
    link, prediction = shown.link, shown.prediction
    move, moves = link.move_to(cell), link.rules.moves_to(1 << cell)
    bare = empty(link.rules, cell, playable, link.position.landing(cell))
    label, classes, letter, distance, chance = bare.label, bare.classes, "", "", ""
    if prediction is not None and link.shows_outcomes and outcomes and move in prediction.squares:
        outcome = prediction.by_cell[cell] if either else prediction.squares[move]
        top = prediction.squares[prediction.best[0]] if prediction.best else None
        said, letter, distance = _told(outcome, link.rules.player(link.position.mover), link.show == "distance")
        label += said
        classes += f" {outcome.value}{' prime' if outcome == top else ''}"
        if outcome.value is Value.UNKNOWN:
            classes += f" guess-{round(4 * prediction.estimates[move])}"
        if link.chances and outcome.value is not Value.WIN and move in shown.chances:
            chance = _in_percent(shown.chances[move])
            label += f", {chance} to win against {words.opponent(link)}"
    if link.hint and any(each in shown.hinted for each in (moves if either else (move,))):
        label += ", best move"
        classes += " best"
    if move == link.tried:
        label += ", the square you tried"
        classes += " tried"
    return Square(bare.x, bare.y, "", classes, letter, distance, chance, bare.name, label, playable)


@lru_cache(maxsize=1024)
def _told(outcome: Outcome, mover: str, with_distance: bool) -> tuple[str, str, str]:
    """Return the words of a square's outcome, its letter and its distance."""
    distance = _distance(outcome) if with_distance else ""
    return f", {outcome.would(mover, with_distance)}", outcome.letter, distance


def _distance(outcome: Outcome) -> str:
    """Return the number of moves that the winner still needs. A draw has no number: it always fills the board."""
    if outcome.value not in (Value.WIN, Value.LOSS):
        return outcome.number if outcome.value is Value.UNKNOWN else ""
    plies = outcome.plies if outcome.plies is not None else outcome.at_most
    assert plies is not None  # noqa: S101 - a proved win or loss has a distance or its limit
    return ("≤" if outcome.plies is None else "") + str(own_moves(plies))
