# The C types of ../falling.py, read only by the compiler.
cimport cython

from solver.kernel.compiled.searcher cimport SOURCES, WORD, Searcher, popcount, word

cdef int MIRRORED, ZERO, STONES, SIDE

cdef class Falling(Searcher):
    cdef word[::1] order, steps, runs, moves, weights, table
    cdef int columns, rows, k, cells, height
    cdef word column, bottom, board
    cdef long capacity, max_entries, filled

    @cython.locals(mine=word, stones=word, count=cython.int)
    cpdef bint at_least(self, own, other, int value) except -1

    @cython.locals(one=word, found=word, run=word, index=cython.int, length=cython.int, _length=cython.int, step=cython.int)
    cdef word threats(self, word own, word stones) noexcept nogil

    @cython.locals(run=word, index=cython.int, _length=cython.int)
    cdef bint can_complete(self, word cells) noexcept nogil

    @cython.locals(
        left=cython.int, other=word, playable=word, feared=word, forced=word, empty=word, key=word, entry=word, start=cython.int, end=cython.int,
        index=cython.int, place=cython.int, move=word, weight=word, image=word, found=cython.bint,
    )
    cdef bint search(self, word own, word stones, int count, int value) except -1 nogil

    @cython.locals(image=word, _index=cython.int)
    cdef word mirrored(self, word key) noexcept nogil

    @cython.locals(slot=cython.long)
    cdef word known(self, word key) noexcept nogil

    @cython.locals(slot=cython.long, least=cython.int, most=cython.int, entry=word)
    cdef int remember(self, word key, int value, bint found) except -1 nogil

    @cython.locals(old=cython.ulonglong[::1], had=cython.long, index=cython.long, slot=cython.long)
    cdef int grow(self) except -1 with gil
