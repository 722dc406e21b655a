# The C types of ../transpositions.py, read only by the compiler.
cimport cython

from solver.kernel.compiled.searcher cimport SOURCES, Searcher, prefetch, word

cdef int MARKS, PROBES, CHECK_AT

cdef class TableClient(Searcher):
    cdef object shared
    cdef word[::1] table
    cdef long capacity
    cdef bint may_grow, remembered
    cdef word found

    cdef void fetch(self, word first, word second) noexcept nogil

    cdef long home(self, word mixed) noexcept nogil

    @cython.locals(mixed=word, home=cython.long, slot=cython.long, what=word)
    cdef long find(self, word first, word second, word mark) noexcept nogil

    cdef bint known(self, word first, word second, word mark, int plies) noexcept nogil

    @cython.locals(slot=cython.long, mixed=word, fails=word, wins=word)
    cdef int remember(self, word first, word second, word mark, word plies, bint won) except -1 nogil

    cdef int look_again(self) except -1

    @cython.locals(old=cython.ulonglong[::1], had=cython.long, slot=cython.long, first=word, second=word, what=word, to=cython.long)
    cdef int grow(self) except -1 with gil
