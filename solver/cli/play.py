"""The commands that play: `play` in the terminal, `games` to choose from, `move` for one opponent, `match` for many."""

from argparse import Namespace
from collections import Counter

from solver import oracle
from solver.board.game import Game
from solver.board.notation import capital, format_cell, format_cells, format_moves, format_particulars, format_state
from solver.board.position import Mark, Position, Result
from solver.board.rules import Rules
from solver.cli.command import (
    POSITION,
    RECORD,
    SEED,
    Answer,
    Interruptible,
    answering,
    argument,
    board_and_start,
    command,
    game_named,
    on_boards,
    on_positions,
    recording,
    within,
)
from solver.cli.output import letter_rows, position_text, progress, table_text
from solver.errors import NoughtsError
from solver.players import HUMANS, OFFERED, STRATEGIES, Strategy, player_named, strategy_named
from solver.players.decision import choose, consult, generator_for
from solver.players.handbook import is_list
from solver.players.match import match_games
from solver.report import games_report, move_report, trace_report

MAX_GAMES = 1_000_000


@command(
    "play",
    "Plays the game in the terminal, between people, opponents, or both.",
    "noughts play --x easy --o hard --seed 1",
    *POSITION,
    SEED,
    argument(
        "--x", default=HUMANS[0], metavar="PLAYER", help=f"who plays X: {', '.join(HUMANS)}, {OFFERED} (%(default)s)"
    ),
    argument("--o", default="hard", metavar="PLAYER", help="who plays O (%(default)s)"),
    RECORD,
)
def play_command(options: Namespace) -> int:
    """Play a game to its end in the terminal, and record it."""
    game = game_named(*board_and_start(options), options.moves)
    with recording(options, X=options.x, O=options.o) as record:
        record(_play(game, options))
    return 0


def _play(game: Game, options: Namespace) -> Game:
    """Play a game to its end, and ask people for their moves. The end of the input ends the game. Return it."""
    rules = game.last.rules
    players = {Mark.X: player_named(options.x, rules), Mark.O: player_named(options.o, rules)}
    print(f"{_goal(rules)} {_help(rules)}")
    print(_picture(game.last))
    while game.last.result is None:
        mover = game.last.mover
        player = players[mover]
        if player is None:
            following = _ask(game, both_human=not any(players.values()))
            if following is None:
                print(f"\nGoodbye. The moves so far: {format_moves(game.moves, rules) or 'none'}.")
                return game
            game = following
        else:
            decision = oracle.decide(player, game.last, options.seed)
            cell = choose(decision, generator_for(options.seed, 0, len(game.moves)))
            game = game.play(cell)
            print(f"{mover} ({player.title}) plays {format_cell(cell, rules)}: {decision.explanation}.")
        print(_picture(game.last))
    result = game.last.result
    print("A draw." if result in (None, Result.DRAW) else f"{capital(rules.player(result))} wins.")
    return game


@answering(
    "games",
    "Lists the games that have names: the board of each, its rule, and who wins with best play.",
    "noughts games upside down",
    argument("query", nargs="*", metavar="WORD", help="words to look for in names and rules (all games)"),
)
def games_command(options: Namespace) -> Answer:
    """Return the games of the shelf that fit the words; none if no game does."""
    from solver.catalogue.shelf import games_matching

    games = games_matching(" ".join(options.query))
    rows = [(game.game.name, game.game.board, game.who_wins, game.game.rule) for game in games]
    lines = (
        table_text([("game", "board", "best play", "rule"), *rows], words=(0, 1, 2, 3)) if rows else ["No game fits."]
    )
    return Answer(games_report(games), lines)


def _in_either_order(options: Namespace) -> None:
    """Exchange the position and the player if the player comes first, as in earlier versions."""
    first, second = options.position, options.player
    if first is not None and (_is_name(first) or (is_list(first) and not _is_name(second) and not is_list(second))):
        options.position, options.player = second, first


def _is_name(text: str) -> bool:
    return text.strip().lower() in STRATEGIES


@on_positions(
    "move",
    "Gives the move of one opponent, with its reason and all that it might have played.",
    "noughts move X../.../... hard --seed 1",
    SEED,
    argument(
        "--game", type=int, default=0, metavar="N", help="how many games of a seeded series came before (%(default)s)"
    ),
    argument("--trace", action="store_true", help="say of every rule of the player why it decides, or why not"),
    after=(argument("player", metavar="PLAYER", help=f"one of {OFFERED}"),),
    settle=_in_either_order,
)
def move_command(game: Game, options: Namespace) -> Answer:
    """Return the same object as `move` of the web API."""
    player = strategy_named(options.player, game.last.rules)
    report = move_report(game, player, options.seed, within(options.game, 0, MAX_GAMES, "games before this one"))
    lines = position_text(game.last)
    if options.trace:
        report |= trace_report(player, game.last)
        lines += _trace_text(player, game.last)
    if report["move"]:
        lines.append(f"{player.title} plays {report['move']}: {report['reason']}.")
        lines += table_text([("square", "chance"), *report["choices"].items()], words=(0,))
    return Answer(report, lines)


def _trace_text(player: Strategy, position: Position) -> list[str]:
    """Return a table of the player's rules; nothing for a finished game."""
    if position.result is not None:
        return []
    rows = [
        (
            rule.rule.title(position),
            format_cells(rule.cells, position.rules) or "-",
            "decides" if rule.decides else rule.lacking if rule.asked else "not asked",
        )
        for rule in consult(player.follows, position)
    ]
    return table_text([("rule", "squares", "why"), *rows], words=(0, 1, 2))


@on_boards(
    "match",
    "Lets two opponents play many games and counts them.",
    "noughts match easy impossible --games 20 --seed 1",
    argument("x", metavar="X", help=f"who plays X: {OFFERED}"),
    argument("o", metavar="O", help="who plays O"),
    SEED,
    argument("--games", type=int, default=100, metavar="N", help="how many games (%(default)s)"),
    RECORD,
)
def match_command(rules: Rules, options: Namespace) -> Answer:
    """Count the games by their results; Ctrl-C leaves out the games not yet played."""
    number = within(options.games, 1, MAX_GAMES, "games")
    x, o = strategy_named(options.x, rules), strategy_named(options.o, rules)
    score = Counter(dict.fromkeys(Result, 0))
    with recording(options, X=x.name, O=o.name) as record, Interruptible() as work, progress("games played") as show:
        for game in match_games(rules, x, o, number, options.seed):
            score[game.last.result or Result.DRAW] += 1
            record(game)
            show(score.total(), number)
    report = {
        "x": x.name,
        "o": o.name,
        "games": score.total(),
        "seed": options.seed,
        "x_wins": score[Result.X],
        "o_wins": score[Result.O],
        "draws": score[Result.DRAW],
    }
    line = (
        f"X ({x.title}) won {score[Result.X]}, O ({o.title}) won {score[Result.O]},"
        f" drawn {score[Result.DRAW]}, of {score.total()} on {rules}."
    )
    return Answer(report, [line], work.code)


def _ask(game: Game, both_human: bool) -> Game | None:
    """Ask until the person moves, takes a move back or stops. Return the new game, or None to stop."""
    position = game.last
    while True:
        try:
            answer = input(f"{capital(position.rules.player(position.mover))} to move: ").strip().lower()
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
                return game.play(answer)
            except NoughtsError as error:
                print(error)


def _help(rules: Rules) -> str:
    middle = rules.cell(rules.columns // 2, rules.rows // 2)
    move = f"a square such as {format_cell(rules.moves_to(1 << middle)[0], rules)}"
    if rules.falls:
        move = f"a column from 1 to {rules.columns}, or {move}"
    return f"Type {move}, or hint, undo, help or quit."


def _hint(position: Position) -> str:
    prediction = oracle.predict(position)
    if not prediction.best:
        return "The best move is not proved here."
    outcome = prediction.squares[prediction.best[0]]
    cells = format_cells(prediction.best, position.rules)
    return f"Best: {cells} ({outcome.words(position.mover, position.rules)})."


def _goal(rules: Rules) -> str:
    """Say what wins or loses, and what is special about the board."""
    shape = rules.shape
    verb = ("loses" if shape else "lose") if rules.completing_loses else ("wins" if shape else "win")
    row = f"{rules.k} in a row" if rules.winning is None else "drawn lines"
    wins = f"{shape.words} {verb}: {shape.drawn}, turned or flipped." if shape else f"{row} {verb}."
    return f"{rules.sides}, {wins} {format_particulars(rules)}".rstrip()


def _picture(position: Position) -> str:
    """Return the board with its row numbers and column letters, layer by layer, and which stone leaves next, if any."""
    leaves = [format_state(position)] if position.leaving and not position.result else []
    return "\n".join([*letter_rows(position, position.sign_at), *leaves])
