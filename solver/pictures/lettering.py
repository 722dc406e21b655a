"""The font that pictures are lettered with where no browser chooses one, so that they look the same on every machine.

It is Bitstream Vera Sans, which comes with the library that writes PDF.
"""

from pathlib import Path
from typing import Final

FAMILY: Final = "Bitstream Vera Sans"
PLAIN: Final = "Vera.ttf"
BOLD: Final = "VeraBd.ttf"


def font_file(name: str) -> str:
    """The path of a font's file."""
    import reportlab  # noqa: PLC0415 - for files alone, not for pictures on a page

    return str(Path(reportlab.__file__).parent / "fonts" / name)
