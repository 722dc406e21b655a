"""The game in a terminal: any pair of players, a human at the keyboard or two."""

from solver.board.game import Game
from solver.board.notation import COLUMNS, format_cell, format_cells, format_moves, parse_cell
from solver.board.outcome import Outcome
from solver.board.position import Mark, Position, Result
from solver.board.rules import Rules
from solver.errors import NoughtsError
from solver.players import player_named
from solver.players.match import choose, decide, seeded
from solver.proofs.prediction import predict

_HELP = "Type a square such as {example}, or hint, undo, help or quit."


def play_in_terminal(game: Game, x: str, o: str, seed: str | None) -> int:
    """Plays `game` on to its end, asking at the terminal for the moves of people. Returns the exit code, 0.

    Raises UnknownPlayer. The end of the input ends the game.
    """
    rules = game.last.rules
    players = {Mark.X: player_named(x, rules), Mark.O: player_named(o, rules)}
    print(f"{rules.columns}×{rules.rows}, {rules.k} in a row win. {_help(rules)}")
    print(_picture(game.last))
    while game.last.result is None:
        mover = game.last.mover
        player = players[mover]
        if player is None:
            answered = _ask(game, both_human=all(each is None for each in players.values()))
            if answered is None:
                print(f"\nGoodbye. The moves so far: {format_moves(game.moves, rules) or 'none'}.")
                return 0
            game = answered
        else:
            decision = decide(player, game.last, seed)
            cell = choose(decision, seeded(seed, 0, len(game.moves)))
            game = game.play(cell)
            print(f"{mover} ({player.title}) plays {format_cell(cell, rules)}: {decision.explanation}.")
        print(_picture(game.last))
    print("A draw." if game.last.result is Result.DRAW else f"{game.last.result} wins.")
    return 0


def _ask(game: Game, both_human: bool) -> Game | None:
    """The game after the human's answer, asked for until it makes sense; None to stop."""
    position = game.last
    while True:
        try:
            answer = input(f"{position.mover} to move: ").strip().lower()
        except EOFError:
            return None
        if answer in ("quit", "exit", "q"):
            return None
        if answer == "undo":
            back = 1 if both_human else 2
            if len(game.moves) >= back:
                return game.upto(len(game.moves) - back)
            print("There is no move of yours to take back.")
        elif answer == "hint":
            print(_hint(position))
        elif answer in ("", "help", "?"):
            print(_help(position.rules))
        else:
            try:
                return game.play(parse_cell(answer, position.rules))
            except NoughtsError as error:
                print(error)


def _help(rules: Rules) -> str:
    return _HELP.format(example=format_cell(rules.cell(rules.columns // 2, rules.rows // 2), rules))


def _hint(position: Position) -> str:
    prediction = predict(position)
    if not prediction.best:
        return "The best move is not proved here."
    outcome: Outcome = prediction.squares[prediction.best[0]]
    cells = format_cells(prediction.best, position.rules)
    return f"Best: {cells} ({outcome.words(position.mover)})."


def _picture(position: Position) -> str:
    """The board with its row numbers and column letters."""
    rules = position.rules
    rows = [
        f"{rules.rows - row}  "
        + " ".join(position.mark_at(rules.cell(column, row)) or "." for column in range(rules.columns))
        for row in range(rules.rows)
    ]
    return "\n".join([*rows, "   " + " ".join(COLUMNS[: rules.columns])])
