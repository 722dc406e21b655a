"""The command `picture`: the pictures of the game as SVG, DOT, PNG or PDF."""

from argparse import Namespace
from base64 import b64encode
from pathlib import Path

from solver.board.game import Game, read_game
from solver.cli.command import Answer, argument, on_positions
from solver.cli.output import table_text
from solver.errors import BadOption

TREE = "tree"


@on_positions(
    "picture",
    "Draws the game tree, or the map of optimal moves, as SVG, DOT, PNG or PDF.",
    "noughts picture tree X.O/.X./..O --format dot",
    argument("name", nargs="?", help=f"a picture, or {TREE} for the next moves of a position (list them all)"),
    argument(
        "--format", choices=("svg", "dot", "png", "pdf"), default="svg", help="%(default)s if nothing else is said"
    ),
    argument("--output", type=Path, metavar="FILE", help="where to write it (SVG and DOT: standard output)"),
    argument("--depth", type=int, metavar="PLIES", help=f"of {TREE}: how deep (1)"),
    argument(
        "--open", action="append", default=[], metavar="MOVES", help=f"of {TREE}: a branch that goes on, by its moves"
    ),
    argument("--distinct", action="store_true", help=f"of {TREE}: symmetric positions as one"),
)
def picture_command(game: Game, options: Namespace) -> Answer:
    """Draw one picture, or list all pictures."""
    from solver.pictures.gallery import FORMATS, GALLERY, picture_named, tree_picture

    if options.name != TREE and (asked := [part for part, given in _tree_arguments(options).items() if given]):
        raise BadOption(f"Only `noughts picture {TREE}` takes {' and '.join(asked)}: the other pictures are of 3x3x3.")
    if options.name is None:
        found = {name: picture_named(name) for name in GALLERY}
        report = [{"name": name, "title": each.title, "boards": each.boards} for name, each in found.items()]
        rows = [(name, each.title, str(each.boards)) for name, each in found.items()]
        titles, tree = ("picture", "shows", "boards"), (TREE, "The next moves of any position", "")
        return Answer({"pictures": report}, table_text([titles, *rows, tree], words=(0, 1)))
    if options.name == TREE:
        opened = frozenset(read_game(game.last, moves).whole().last for moves in options.open)
        picture = tree_picture(game.last, 1 if options.depth is None else options.depth, options.distinct, opened)
    else:
        picture = picture_named(options.name)
    content = FORMATS[options.format](picture)
    if content is None:
        raise BadOption(f"{picture.title} is no graph, so there is no DOT of it. Ask for --format svg.")
    words = {"title": picture.title, "description": picture.description, "boards": picture.boards}
    if options.output is not None and not options.json:
        options.output.write_bytes(content.encode() if isinstance(content, str) else content)
        return Answer({}, ())
    text = content if isinstance(content, str) else b64encode(content).decode()
    if isinstance(content, bytes) and not options.json:
        raise BadOption(f"{options.format.upper()} is no text. Say where to write it: --output FILE.")
    return Answer({**words, options.format: text}, [text.removesuffix("\n")])


def _tree_arguments(options: Namespace) -> dict[str, bool]:
    """Return the arguments that only a tree takes, each with True if it is given."""
    return {
        "a position": options.position is not None,
        "--board": options.board not in (None, "3x3x3"),
        "--from": bool(options.start),
        "--moves": bool(options.moves),
        "--depth": options.depth is not None,
        "--distinct": options.distinct,
        "--open": bool(options.open),
    }
