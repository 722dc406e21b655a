# The C types of ../vanishing.py, read only by the compiler.
cimport cython

from solver.kernel.compiled.searcher cimport SOURCES, popcount, word

cdef word STONE, EMPTY

cdef class VanishingTable:
    cdef word[::1] lines, starts, queue
    cdef unsigned short[::1] lasting, failing
    cdef word full
    cdef int squares, most
    cdef long tail
    cdef bint retakes, loses

    cpdef int plies(self, word ages)

    @cython.locals(free=word, place=word, stones=cython.int, low=word)
    cdef word place(self, word ages) noexcept nogil

    @cython.locals(number=cython.long, rest=word, low=word)
    cdef void find_ends(self, word ages, word own, word other) noexcept nogil

    @cython.locals(
        head=cython.long, after=word, lasting=cython.int, kept=word, rest=word, stones=cython.int, before=word, above=word, low=word,
    )
    cdef void go_backwards(self) noexcept nogil

    @cython.locals(place=word, moves=cython.int)
    cdef void precede(self, word ages, int stones, int lasting) noexcept nogil

    cdef void note(self, word ages, word place, int lasting) noexcept nogil
