# The C types of ../pairings.py, read only by the compiler.
cimport cython

from solver.kernel.compiled.searcher cimport SOURCES, popcount, word

cdef int NO_LINE
cdef long SURE

cdef class Pairings:
    cdef word[::1] lines, left, urgencies, dangers, pairs
    cdef int count, cells, pair_count

    @cython.locals(left_out=cython.int, index=cython.int)
    cpdef list search(self, int rounds)

    @cython.locals(index=cython.int, number=cython.int, line=word, pair=word)
    cdef int round(self) noexcept nogil

    @cython.locals(cell=cython.int, index=cython.int, line=word, size=cython.long, rank=cython.long, least=cython.long, best=cython.int, most=word, danger=word)
    cdef int next_line(self) noexcept nogil

    @cython.locals(best=word, low=word, others=word, high=word, least=cython.long, added=cython.long, index=cython.int, line=word)
    cdef word best_pair(self, word squares) noexcept nogil
