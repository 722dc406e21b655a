"""PNG and PDF of the pictures, and the posters."""

import json
import re
import zlib
from base64 import a85decode, b64decode
from collections import Counter
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from solver.board.notation import parse_rules
from solver.board.outcome import to_parent
from solver.board.position import Mark, Position, Result
from solver.board.rules import Rules
from solver.cli import main
from solver.errors import TooLarge
from solver.pictures import svg
from solver.pictures.files import PIXELS, pdf, png, size_of
from solver.pictures.gallery import GALLERY, picture_named
from solver.pictures.poster import BestReply, best_reply, describe, map_of_moves, poster, tally
from solver.pictures.svg import crosses, rings
from tests.marked import sampled
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, minimax_score

CENTRE = picture_named("reduced-centre").svg


def size_of_png(data: bytes) -> tuple[int, int]:
    assert data.startswith(b"\x89PNG\r\n")
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


def test_a_png_is_twice_as_wide_as_the_picture_in_its_proportions() -> None:
    across, down = size_of(CENTRE)
    width, height = size_of_png(png(CENTRE))
    assert width == int(2 * across)
    assert height == pytest.approx(2 * down, abs=1.5)


def test_a_png_of_a_large_picture_has_no_more_pixels_than_are_allowed() -> None:
    wide = '<svg xmlns="http://www.w3.org/2000/svg" width="9000" height="3000"/>'
    width, height = size_of_png(png(wide))
    assert 0.98 * PIXELS <= width * height <= PIXELS + width  # the last row may be completed


def test_the_letters_of_a_png_are_those_of_the_font_that_is_installed_with_it() -> None:
    lettered = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20" font-family="sans-serif">{}</svg>'
    blank = png(lettered.format(""))
    assert png(lettered.format('<text x="0" y="15">X wins</text>')) != blank


def page_of(data: bytes) -> str:
    """Return the drawing steps of the page of a PDF."""
    (stream,) = re.findall(rb"/ASCII85Decode /FlateDecode \].*?stream\s(.*?)~>endstream", data, re.DOTALL)[:1]
    return zlib.decompress(a85decode(stream)).decode("latin-1")


def test_a_pdf_has_every_board_every_move_and_every_line_of_text() -> None:
    data = pdf(CENTRE)
    assert data.startswith(b"%PDF-")
    steps = page_of(data)
    assert steps.count(" re") == CENTRE.count("<rect")
    assert len(re.findall(r" c\b", steps)) >= len(re.findall(r"\dC", CENTRE))
    outlined = len(re.findall(r"<text[^>]* stroke=", CENTRE))
    assert steps.count("Tj") == CENTRE.count("<text") + outlined


def test_a_pdf_of_a_large_picture_is_no_larger_than_a_page_may_be() -> None:
    data = pdf('<svg xmlns="http://www.w3.org/2000/svg" width="28800" height="1000"><title>t</title></svg>')
    assert b"/MediaBox [ 0 0 14400 500 ]" in data


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(GALLERY, 7))
def test_every_picture_of_the_gallery_can_be_had_as_a_file(name: str) -> None:
    svg = picture_named(name).svg
    assert png(svg)
    assert pdf(svg) == pdf(svg)


@pytest.mark.parametrize(("kind", "begins"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_the_command_writes_them_into_a_file_and_into_its_object(
    kind: str, begins: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tree"
    asked = ["picture", "tree", "XXO/OOX/X..", "--format", kind]
    assert main([*asked, "--output", str(file)]) == 0
    assert file.read_bytes().startswith(begins)
    assert main([*asked, "--json"]) == 0
    assert b64decode(json.loads(capsys.readouterr().out)[kind]) == file.read_bytes()
    assert main(asked) == 2
    assert "--output" in capsys.readouterr().err


SVG = "{http://www.w3.org/2000/svg}"
MARKS = pytest.mark.parametrize("owner", Mark)


@cache
def whole_map(owner: Mark) -> tuple[BestReply, ...]:
    return tuple(map_of_moves(TIC_TAC_TOE, owner).walk())


@MARKS
def test_every_move_on_the_map_is_a_best_one_by_plain_minimax_so_a_win_at_once_is_taken(owner: Mark) -> None:
    for advice in whole_map(owner):
        if advice.reply is not None:
            scores = {
                cell: to_parent(minimax_score(advice.position.after(cell))) for cell in advice.position.legal_moves
            }
            assert scores[advice.reply] == max(scores.values())


@MARKS
def test_every_answer_of_the_opponent_is_on_the_map(owner: Mark) -> None:
    for advice in whole_map(owner):
        assert tuple(advice.answers) == advice.after.legal_moves
        assert all(answer.position == advice.after.after(cell) for cell, answer in advice.answers.items())


@MARKS
def test_every_line_ends_in_a_finished_game_that_the_owner_has_not_lost(owner: Mark) -> None:
    ends = Counter(advice.after.result for advice in whole_map(owner) if not advice.answers)
    assert set(ends) == {Result(owner), Result.DRAW}


@pytest.mark.parametrize(("owner", "won", "drawn"), [(Mark.X, 71, 2), (Mark.O, 378, 79)])
def test_the_map_counts_its_games(owner: Mark, won: int, drawn: int) -> None:
    found = tally(whole_map(owner)[0], owner)
    assert (found.won, found.drawn, found.lost) == (won, drawn, 0)
    assert f"of the {won + drawn} games" in describe(whole_map(owner)[0], owner)


def test_of_equally_good_moves_the_map_takes_one_that_sets_most_traps() -> None:
    # All nine openings draw with best play; after a corner an opponent who plays at random loses most often.
    assert best_reply(Position(TIC_TAC_TOE)) == 0


@pytest.mark.parametrize("rules", sampled([rules for rules in SMALL_BOARDS if rules.size <= 6], 5), ids=str)
@MARKS
def test_every_small_board_has_a_map(rules: Rules, owner: Mark) -> None:
    picture = ElementTree.fromstring(poster(rules, owner))  # noqa: S314 - our own text
    assert picture.tag == SVG + "svg"


def test_a_map_of_a_large_board_is_refused() -> None:
    with pytest.raises(TooLarge, match="nine squares"):
        map_of_moves(parse_rules("4x4x4"), Mark.X)


@MARKS
def test_every_move_of_the_owner_is_drawn_once_and_large_in_its_colour_and_no_other_stone_is(owner: Mark) -> None:
    picture = ElementTree.fromstring(poster(TIC_TAC_TOE, owner))  # noqa: S314 - our own text
    page = next(each for each in picture if each.tag == SVG + "g")  # the map; the legend comes after it
    wanted = {"stroke": svg.MARKS[owner], "stroke-width": ".16"}
    drawn = Counter(each.get("d") for each in page.iter(SVG + "path") if wanted.items() <= each.attrib.items())
    path = crosses if owner is Mark.X else rings
    assert drawn == Counter(
        path(1 << advice.reply, TIC_TAC_TOE) for advice in whole_map(owner) if advice.reply is not None
    )
