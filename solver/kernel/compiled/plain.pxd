# The C types of ../plain.py, read only by the compiler.
cimport cython

from solver.kernel.compiled.searcher cimport SOURCES, popcount, word
from solver.kernel.compiled.transpositions cimport TableClient

cdef class PlainProver(TableClient):
    cdef word[::1] lines, rests, starts
    cdef word full
    cdef int columns
    cdef bint loses, own, wild

    cpdef bint wins(self, word first, word second, bint attacking, int plies) except -1

    @cython.locals(place=cython.long)
    cdef bint completes(self, word stones, int cell) noexcept nogil

    @cython.locals(number=cython.long, line=word, found=word)
    cdef word open(self, word first, word second) noexcept nogil

    @cython.locals(
        empty=word, alive=word, idle=word, rest=word, quiet=word, other_quiet=word, cell=cython.int, low=word, least=word, least_other=word, mark=word, found=cython.bint,
    )
    cdef bint search(self, word first, word second, bint attacking, int plies) except -1 nogil
