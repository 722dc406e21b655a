# The C types of ../tablebase.py, read only by the compiler.
cimport cython

from solver.kernel.compiled.searcher cimport SOURCES, popcount, word

cdef int WIN, WON, OPEN, UNREACHED, FARTHER

cdef class Tablebase:
    cdef word[::1] counts, starts, ranks, seen, lines
    cdef signed char[::1] scores, complete
    cdef word full
    cdef int squares, columns, ended
    cdef bint own, wild

    @cython.locals(filled=word, pattern=word, is_placed=cython.bint, score=cython.int)
    cpdef int score(self, word first, word second) except -1

    @cython.locals(empty=word, best=word, worst=cython.int, by_o=cython.bint, low=word, score=cython.int)
    cpdef word best(self, word first, word second) except? 1

    @cython.locals(begin=word, end=word, filled=word)
    cpdef fill(self, int stones, bint backwards, word parts, word part)

    @cython.locals(bits=word, start=word, stones=cython.int, number=cython.long)
    cdef void number(self) noexcept nogil

    cdef int xs(self, int stones) noexcept nogil

    @cython.locals(packed=word, at=word, low=word)
    cdef word compress(self, word bits, word mask) noexcept nogil

    @cython.locals(place=word, pattern=word, first=word, xs=cython.int)
    cdef void go_through(self, word filled, int stones, bint backwards) noexcept nogil

    @cython.locals(last=word, low=word, at=cython.int, before=word)
    cdef int reached(self, word filled, word pattern, word first, int stones) noexcept nogil

    @cython.locals(empty=word, low=word, at=cython.int, start=word, after=word, worst=cython.int)
    cdef int decided(self, word filled, word pattern, int stones) noexcept nogil
