"""The sentences of the page: the rule, the turn, the last moves with their reasons, the best moves."""

from collections.abc import Iterable
from typing import Final

from solver.analysis.review import Turn
from solver.board.game import PATTERNS, Pattern, pattern_of
from solver.board.notation import (
    MAX_NAMED,
    capital,
    few_cells,
    format_cell,
    format_lines,
    format_particulars,
    format_whole_percent,
    listed_cells,
)
from solver.board.outcome import Grade, Outcome, Value, counted
from solver.board.position import Mark, Position, Result
from solver.board.rules import MoveCode, Rules
from solver.players.searching import BEST_OUTCOME
from solver.proofs.prediction import UNPROVED, Prediction, ProofState, ProofStatus
from solver.reasons import Reason
from webapp.pages.play import players
from webapp.pages.play.game import Snapshot
from webapp.pages.play.link import PATTERN_SCHEME, Link
from webapp.ui.filters import winning_rule

FEW: Final = 3
"""The most winning squares that the visitor is asked to find."""

TITLE: Final = "Noughts: tic-tac-toe that shows every move's outcome"
"""The title of the page of a game that has not begun."""

_PROOF_STATES = {
    ProofState.WAITING: "Proving goes on in a moment.",
    ProofState.PROVING: "The server is still proving.",
    ProofState.DONE: "",
    ProofState.SPENT: "The server stopped after two minutes. The rest isn't proved yet.",
    ProofState.BUSY: "The server is busy with other positions. Try again later.",
    ProofState.OFF: "This server proves nothing in the background.",
}

_GAVE = {Grade.WIN_TO_DRAW: "a win", Grade.WIN_TO_LOSS: "a win", Grade.DRAW_TO_LOSS: "a draw"}

_VERBS = {Value.WIN: "wins", Value.LOSS: "loses"}

_PATTERNS = {Pattern.ISLAND: "an island", Pattern.ARROW: "an arrow", Pattern.SCORPION: "a scorpion"}


def name(link: Link, mark: Mark) -> str:
    """Name the player of a mark, as within a sentence.

    A person is named by the mark or the turn if both players are people or the visitor is a guest.
    """
    own, other = link.player(mark), link.player(mark.other)
    if own in players.PEOPLE and (link.guest or other in players.PEOPLE):
        return link.rules.player(mark)
    return f"{players.title(own)} ({mark})" if own == other else players.title(own)


def names(link: Link) -> dict[Mark, str]:
    """Name both players."""
    return {mark: name(link, mark) for mark in Mark}


def subject(link: Link, mark: Mark) -> str:
    """Name the player of a mark at the beginning of a sentence."""
    return capital(name(link, mark))


def within(link: Link, mark: Mark) -> str:
    """Name the player of a mark within a sentence, also the visitor."""
    return "you" if (who := name(link, mark)) == "You" else who


def status(link: Link) -> str:
    """Say whose turn it is, or the result."""
    position = link.position
    match position.result:
        case None:
            mover = name(link, position.mover)
            if mover == "You":
                return "Your turn"
            named = str(position.mover) in mover or link.rules.player(position.mover) != position.mover
            return f"{capital(mover)} to move" + ("" if named else f" ({position.mover})")
        case Result.DRAW:
            return "A draw"
        case Result.X | Result.O as winner:
            return "You win!" if (who := name(link, Mark(winner))) == "You" else f"{capital(who)} wins"


def _mover(link: Link) -> str:
    """Name the player about to move, whoever it is, at the start of a sentence."""
    return capital(link.rules.player(link.position.mover))


def opponent(link: Link) -> str:
    """Name the opponent of the person at this screen: a computer by its title, a person as a friend."""
    return players.title(players.opponent(link.x, link.o))


def over(link: Link) -> str:
    """Say how the game ended, e.g. "Three in a row in column c."; empty while it is on."""
    position = link.position
    if position.result is None:
        return ""
    if position.result is Result.DRAW:
        return "The board is full: a draw."
    if link.rules.k == 1:
        return "One stone is enough to lose." if link.rules.completing_loses else "One stone is enough."
    lines = [sorted(line) for line in format_lines(position.winning_lines, link.rules)]
    won, where = _wins(link.rules).rpartition(" ")[0], f": {', '.join(lines[0])}"
    if link.rules.in_space:
        where = f" from {lines[0][0]} to {lines[0][-1]}"
    elif link.rules.is_straight:
        where = f" {_where(lines[0])}"
    if link.rules.completing_loses:
        return f"{capital(name(link, position.mover.other))} completed {won.lower()}{where}."
    return f"{won}{where}."


def goal(rules: Rules) -> str:
    """Say what wins or loses, e.g. "Three in a row wins", which edges meet, and whose mark is placed."""
    shaped = f"{_wins(rules)}: {rules.shape.drawn}, turned or flipped" if rules.shape else _wins(rules)
    more = format_particulars(rules)
    return f"{shaped}. {more}" if more else shaped


def _wins(rules: Rules) -> str:
    return winning_rule(rules).partition(", ")[2].capitalize()


def ended(link: Link) -> str:
    """Return "won", "drawn" or "lost" for the person at this screen; empty while the game is on."""
    result, own = link.position.result, players.own(link.x, link.o)
    if result is None:
        return ""
    if result is Result.DRAW:
        return "drawn"
    is_alone = own != players.WATCH and players.opponent(link.x, link.o) != "friend"
    return "lost" if is_alone and own != str(result) else "won"


def thinker(link: Link) -> str:
    """Name the computer that answers the next move of a person; empty if none does."""
    answers = link.position.result is None and players.computer(link.player(link.position.mover)) is None
    other = link.player(link.position.mover.other)
    return players.title(other) if answers and players.computer(other) else ""


def _where(line: list[str]) -> str:
    """Say where a line runs, e.g. "in column c"."""
    columns, rows = ({name[0] for name in line}, {name[1:] for name in line})
    if len(columns) == 1:
        return f"in column {columns.pop()}"
    return f"in row {rows.pop()}" if len(rows) == 1 else f"from {line[0]} to {line[-1]}"


def heading(shown: Snapshot) -> str:
    """Say the result, the last move, or how to begin."""
    link = shown.link
    if link.position.result:
        return status(link)
    if link.hint:
        return "Hint"
    if not link.at:
        if challenge := dare(link):
            return f"“{challenge}”"
        own, place = players.own(link.x, link.o), "column" if link.rules.falls else "square"
        if own == players.WATCH:
            return "Two computers play."
        if players.opponent(link.x, link.o) == "friend":
            return f"{_mover(link)} starts. Tap a {place}."
        return f"You start. Tap a {place}." if own == str(link.position.mover) else f"{opponent(link)} starts."
    return took(link)


def took(link: Link) -> str:
    """Say the last move that is shown, e.g. "Hard took a1."."""
    moved = _played(link.game.moves[link.at - 1], link.rules, verb="took")
    return f"{capital(name(link, link.position.mover.other))} {moved}."


def _played(move: MoveCode, rules: Rules, verb: str = "played") -> str:
    """Say what was played, e.g. "played b2" or "placed O on b2"."""
    mark, cell = divmod(move, rules.size)
    return f"placed {'?XO'[mark]} on {rules.name(cell)}" if mark else f"{verb} {format_cell(move, rules)}"


def dare(link: Link) -> str:
    """Say in a friend's words what the friend did against the opponent; empty without a challenge."""
    against = players.opponent(link.x, link.o)
    if link.dare is None or against in players.PEOPLE or players.own(link.x, link.o) == players.WATCH:
        return ""
    did = f"beat {players.title(against)} in {counted(link.dare, 'move', 'moves')}"
    return f"I {did if link.dare else f'held {players.title(against)}'}: can you?"


def greeting(shown: Snapshot) -> str:
    """Greet the visitor with a fact about the start position. Empty after a move, or if outcomes are hidden."""
    link, prediction = shown.link, shown.prediction
    if link.at or prediction is None or not link.shows_outcomes or link.position.result:
        return ""
    values = {outcome.value for outcome in prediction.squares.values()}
    if Value.UNKNOWN in values:
        return f"{UNPROVED} The ? squares fill in as the proof goes on."
    if winning := [outcome.value for outcome in prediction.by_cell.values()].count(Value.WIN):
        those = "Any square does" if len(values) == 1 else f"{winning} of {len(prediction.by_cell)} squares do"
        return f"{_mover(link)} can force a win from here. {'Can you find it?' if winning <= FEW else f'{those} it.'}"
    if values == {Value.DRAW}:
        return f"All draws so far. {_to_win(link)}"
    return "Some squares already lose. Look for the L."


def _to_win(link: Link) -> str:
    against = players.opponent(link.x, link.o)
    if players.own(link.x, link.o) == players.WATCH or against == "friend":
        return "Somebody has to make a mistake."
    if against == "impossible":
        return "Perfect makes no mistake, so a draw is a fine result."
    return f"Somebody has to make a mistake – make sure it's {opponent(link)}."


def _likeliest(shown: Snapshot) -> str:
    """Name the best squares that win most often against the opponent; empty if none of them stands out."""
    if shown.prediction is None or len(shown.hinted) == len(shown.prediction.best):
        return ""
    chance = format_whole_percent(shown.chances[shown.hinted[0]])
    win = "wins" if len(shown.hinted) == 1 else "win"
    named = listed_cells(shown.hinted, shown.link.rules)
    return f" {named} {win} most often against {opponent(shown.link)} ({chance})."


def gave_away(slip: Turn) -> str:
    """Say that a mistake gave away a win or a draw, e.g. "b1 gave a draw away"."""
    return f"{_of_turn(slip)} gave {_GAVE[slip.grade]} away."


def asked_of(link: Link) -> tuple[Mark, ...]:
    """Return the sides whose mistakes a review asks about: the visitor's own, else both."""
    own = players.own(link.x, link.o)
    is_alone = own != players.WATCH and players.opponent(link.x, link.o) != "friend" and not link.guest
    return (Mark(own),) if is_alone else tuple(Mark)


def sure(tried: Turn) -> str:
    """Return the coach's warning about a square."""
    name = _of_turn(tried)
    if not tried.grade.is_mistake:
        return f"{name} gives nothing away, as far as is proved."
    return f"{name} gives your {'draw' if tried.grade is Grade.DRAW_TO_LOSS else 'win'} away."


def warning(tried: Turn, reason: Reason | None) -> str:
    """Say why the coach warns of a square, without naming a better one; empty if the square is no mistake."""
    if not tried.grade.is_mistake:
        return ""
    if reason is not None and reason.outcome.value is Value.LOSS and reason.discreet.verified:
        return reason.discreet.text
    return "It's only a draw then." if tried.grade is Grade.WIN_TO_DRAW else "It loses."


def _of_turn(turn: Turn) -> str:
    return format_cell(turn.cell, turn.position.rules)


def lines(position: Position) -> str:
    """Return the lines that ended the game square by square, e.g. "along a3-b3-c3"; empty if there are none."""
    listed = ["-".join(line) for line in format_lines(position.winning_lines, position.rules)]
    if listed and position.rules.completing_loses:
        return f"because {' and '.join(listed)} {'is' if len(listed) == 1 else 'are'} complete"
    return "along " + " and ".join(listed) if listed else ""


def news(link: Link) -> str:
    """Say the latest change for screen readers: each side's last move, or the move that the visitor went back to."""
    total = len(link.game.moves)
    if link.at < total:
        return f"Back at move {link.at} of {total}." if link.at else "Back at the start."
    return " ".join(
        f"{capital(link.rules.player(link.game.positions[ply].mover))} {_played(link.game.moves[ply], link.rules)}."
        for ply in range(max(0, total - 2), total)
    )


def reason(shown: Snapshot) -> str:
    """Say why the computer that moved last chose its move.

    Empty if a person moved last. Also empty if the computer's strategy would not choose that move.
    """
    link, decision, after = shown.link, shown.decision, shown.prediction
    if decision is None or link.game.moves[link.at - 1] not in decision.choices:
        return ""
    if link.shows_outcomes and decision.reason.partition(", ")[0] == BEST_OUTCOME and after and after.best:
        return _best_outcome(link, after)
    why = decision.explanation if link.shows_outcomes else decision.reason
    return f"{capital(why.replace(' plies', ' turns').replace(' ply', ' turn'))}."


def _best_outcome(link: Link, after: Prediction) -> str:
    """Say what the best move of a perfect player has come to, for the player whose turn it is now."""
    outcome = after.squares[after.best[0]]
    mover = name(link, link.position.mover)
    match outcome.value:
        case Value.WIN:
            still = "you still win" if mover == "You" else f"{mover} still wins"
            cell = link.rules.name(link.game.moves[link.at - 1] % link.rules.size)
            return f"{cell} holds out longest: {still} in {outcome.moves}."
        case Value.LOSS:
            return f"It wins in {outcome.moves}."
        case _:
            return "Still a draw."


def scheme(link: Link) -> str:
    """Say which results pay points, and name the pattern of a drawn board. Empty if the series counts games."""
    if link.scheme != PATTERN_SCHEME:
        return ""
    x_wins, o_wins, island, _, scorpion = (f"{x} to {o}" for x, o in PATTERNS.values())
    paid = (
        f"Points: X wins {x_wins}, O wins {o_wins};"
        f" a drawn board that is an island or an arrow {island}, a scorpion {scorpion}."
    )
    last = link.game.last
    return paid + (f" This game ended as {_PATTERNS[pattern_of(last)]}." if last.result is Result.DRAW else "")


def had(outcome: Outcome) -> str:
    """Name an outcome as a noun, e.g. "a win in 2" or "a draw"; the number counts the winner's moves."""
    if outcome.moves is None:
        return {Value.WIN: "a win", Value.LOSS: "a loss", Value.DRAW: "a draw"}.get(outcome.value, "not proved")
    return f"a {outcome.value} in {outcome.moves}"


def does(outcome: Outcome) -> str:
    """Say what a square does, e.g. "wins in 2" or "draws"."""
    if outcome.value is Value.DRAW:
        return "draws"
    verb = _VERBS.get(outcome.value, "isn't proved yet")
    return verb if outcome.moves is None else f"{verb} in {outcome.moves}"


def proof(status: ProofStatus) -> str:
    """Describe the progress of the proof."""
    if status.state is ProofState.WAITING and status.ahead:
        return f"Waiting for {status.ahead} other position{'s' if status.ahead != 1 else ''}."
    return _PROOF_STATES[status.state]


def _places(moves: Iterable[MoveCode], link: Link) -> bool:
    """Return whether any of the moves places the chosen mark."""
    return any(link.move_to(move % link.rules.size) == move for move in moves)


def hint(shown: Snapshot) -> str:
    """Name the best moves if the visitor asked for a hint, as far as they are proved."""
    link, prediction = shown.link, shown.prediction
    if prediction is None or not link.hint or link.position.result:
        return ""
    rules, squares = link.rules, prediction.squares
    if best := prediction.best:
        others = [cell for cell in squares if cell not in best]
        verb = does(squares[best[0]])
        if not others:
            return f"Every square {verb}.{_likeliest(shown)}"
        if prediction.complete and len(others) < min(len(best), MAX_NAMED + 1):
            return f"Anything but {listed_cells(others, rules)} {verb}.{_likeliest(shown)}"
        named, other = few_cells(best, rules), link.place.other
        turn = f" Choose “Place {other}” first." if rules.is_wild and not _places(best, link) else ""
        return (
            f"Best for {rules.player(link.position.mover)}: {named} ({had(squares[best[0]])}).{_likeliest(shown)}{turn}"
        )
    if prediction.winning:
        verb = "wins" if len(prediction.winning) == 1 else "win"
        return f"{few_cells(prediction.winning, rules)} {verb}. The quickest win isn't proved yet."
    losing = [cell for cell, outcome in squares.items() if outcome.value is Value.LOSS]
    if not losing:
        return "The best move isn't proved yet."
    rest = [cell for cell in squares if cell not in losing]
    if not rest:
        return "Every square loses. Which one lasts longest isn't proved yet."
    if len(rest) <= MAX_NAMED:
        return f"The best move isn't proved yet, but every square loses except {listed_cells(rest, rules)}."
    lose = "loses" if len(losing) == 1 else "lose"
    return f"The best move isn't proved yet, but {listed_cells(losing, rules)} {lose}."
