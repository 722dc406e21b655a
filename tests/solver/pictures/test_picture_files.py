"""PNG and PDF of the pictures: their sizes, and the same contents as the SVG, letters included."""

import json
import re
import zlib
from base64 import a85decode, b64decode
from pathlib import Path

import pytest

from solver.cli import main
from solver.errors import BadOption
from solver.pictures.files import PIXELS, pdf, png, size_of
from solver.pictures.gallery import GALLERY, picture_named
from tests.marked import sampled

CENTRE = picture_named("reduced-centre").svg


def size_of_png(data: bytes) -> tuple[int, int]:
    assert data.startswith(b"\x89PNG\r\n")
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


def test_a_png_is_as_wide_as_is_asked_for_in_the_proportions_of_the_picture() -> None:
    across, down = size_of(CENTRE)
    width, height = size_of_png(png(CENTRE, 300))
    assert width == 300
    assert height == pytest.approx(300 * down / across, abs=1.5)


def test_a_png_of_a_large_picture_has_no_more_pixels_than_are_allowed() -> None:
    wide = '<svg xmlns="http://www.w3.org/2000/svg" width="9000" height="3000"/>'
    width, height = size_of_png(png(wide))
    assert 0.98 * PIXELS <= width * height <= PIXELS + width  # the last row may be completed


@pytest.mark.parametrize("width", [0, 100_000])
def test_a_width_that_makes_no_picture_or_too_large_a_one_is_refused(width: int) -> None:
    with pytest.raises(BadOption, match="pixels wide"):
        png(CENTRE, width)


def test_the_letters_of_a_png_are_those_of_the_font_that_is_installed_with_it() -> None:
    lettered = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20" font-family="sans-serif">{}</svg>'
    blank = png(lettered.format(""), 90)
    assert png(lettered.format('<text x="0" y="15">X wins</text>'), 90) != blank


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
    assert png(svg, 200)
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
