"""The formats of a picture: the text or the bytes of its file."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from solver.pictures.gallery import Picture
from solver.pictures.pdf import pdf
from solver.pictures.png import png

FORMATS: Final[Mapping[str, Callable[[Picture], str | bytes | None]]] = MappingProxyType(
    {
        "svg": lambda picture: picture.svg,
        "dot": lambda picture: picture.dot,
        "png": lambda picture: png(picture.svg),
        "pdf": lambda picture: pdf(picture.svg),
    }
)
"""Each format by how the names of its files end.

None is for a file that there is not: a picture that is no graph has no DOT. Each raises TooLarge
for more boards than one can look at.
"""
