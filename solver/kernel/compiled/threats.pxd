# The C types of ../threats.py, read only by the compiler.
cimport cython

from solver.kernel.compiled.searcher cimport SOURCES, WORD, Searcher, popcount, word

cdef long LOOKED_AT

cdef class Threats(Searcher):
    cdef word[::1] lines, pairs, looked_at, favourites
    cdef int line_count
    cdef word completing, feared
    cdef bint cut_short
    cdef public long long looks
    cdef long long last_look

    cdef int look_again(self) except -1

    cpdef bint threatens(self, word own, word other, long most) except -1

    cdef bint wins(self, word own, word other, long most) noexcept nogil

    @cython.locals(slot=cython.long, end=cython.int, index=cython.int, found=cython.bint, moves=word, once=word, twice=word)
    cdef bint attack(self, word own, word other, int start) noexcept nogil

    @cython.locals(depth=cython.int, index=cython.int, first=word, rest=word, move=word)
    cdef bint goes_on(self, word own, word other, word moves, int start, int end) noexcept nogil

    @cython.locals(end=cython.int, index=cython.int, known=cython.int, line=word, rest=word)
    cdef int look(self, word own, word other, int start) noexcept nogil
