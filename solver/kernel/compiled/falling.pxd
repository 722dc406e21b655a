# The C types of ../falling.py, read only by the compiler.
cimport cython

from solver.kernel.compiled.searcher cimport SOURCES, WORD, Searcher, popcount, prefetch, word

cdef int MIRRORED, ZERO, THREAT, FORCING, KEEPING, LATE, LATE_SLOTS, BIG, SIDE, UNKNOWN

@cython.final  # so that the compiler can join its methods
cdef class Falling(Searcher):
    cdef word[::1] order, steps, runs, moves, weights, fears, hashes, table, late
    cdef int columns, rows, k, cells, height
    cdef word column, bottom, board, firsts
    cdef long capacity

    @cython.locals(mine=word, stones=word, hoped=word, feared=word, count=cython.int, left=cython.int, answer=cython.int)
    cpdef bint at_least(self, own, other, int value) except -1

    @cython.locals(one=word, found=word, run=word, index=cython.int, length=cython.int, _length=cython.int, step=cython.int)
    cdef word threats(self, word own, word stones) noexcept nogil

    @cython.locals(run=word, index=cython.int, _length=cython.int)
    cdef bint can_complete(self, word cells) noexcept nogil

    @cython.locals(playable=word, forced=word)
    cdef word safe(self, word stones, word feared) noexcept nogil

    cdef int at_a_glance(self, word stones, word feared, int left, int value) noexcept nogil

    @cython.locals(
        empty=word, ready=word, leads=cython.bint, lead=word, follow=word, hopes=word, fears=word, above=word, column=word, threat=word,
        below=word, index=cython.int, _row=cython.int,
    )
    cdef int by_pairs(self, word own, word stones, word hoped, word feared, int value) noexcept nogil

    cdef int room(self, word cells, word column) noexcept nogil

    @cython.locals(
        before=cython.longlong, other=word, answer=cython.int, safe=word, left=cython.int, start=cython.int, end=cython.int, index=cython.int, move=word,
        threats=word, next_mixed=word, weight=word, place=cython.int, found=cython.bint,
    )
    cdef bint search(self, word own, word stones, word hoped, word feared, word mixed, int count, int value) except -1 nogil

    @cython.locals(key=word, image=word, rest=word, _index=cython.int)
    cdef word hashed(self, word own, word stones, int count) noexcept nogil

    @cython.locals(slot=cython.long)
    cdef long slot(self, word mixed, int left) noexcept nogil

    cdef word entry(self, long slot, int left) noexcept nogil

    @cython.locals(entry=word)
    cdef int known(self, word mixed, int value, int left) noexcept nogil

    @cython.locals(slot=cython.long, entry=word, least=cython.int, most=cython.int)
    cdef void remember(self, word mixed, int value, bint found, bint big, int left) noexcept nogil
