# The C types of ../attack.py, read only by the compiler.
cimport cython

from solver.kernel.compiled.searcher cimport SOURCES, WORD, popcount, word
from solver.kernel.compiled.threats cimport Threats

cdef int PROOF, DISPROOF, MIRRORED, PROBES
cdef long SHORT, LONG, QUIET, LEAST_QUIET
cdef word NUMBER, NEVER, FORCING

cdef class Attacker(Threats):
    cdef word[::1] attackers, defenders, values, moves, table
    cdef word full, proof, disproof
    cdef public word choice
    cdef long capacity, max_entries, filled

    cpdef bint succeeds(self, word own, word other) except -1

    @cython.locals(
        attacker=word, defender=word, end=cython.int, chosen=cython.int, counted=cython.int, chosen_limit=word, counted_limit=word, best=cython.int, most=word,
        waiting=word, least=word, second=word, child=cython.int, effort=word, total=word, chosen_next=word, counted_next=word,
    )
    cdef int search(self, int node, word proof_limit, word disproof_limit, bint attacking, int start) except -1 nogil

    @cython.locals(rest=word, move=word, end=cython.int)
    cdef int attacks(self, word attacker, word defender, int start) except -1 nogil

    @cython.locals(threats=word, rest=word, reply=word, promising=cython.bint, end=cython.int)
    cdef int replies(self, word attacker, word defender, int start) except -1 nogil

    @cython.locals(empty=word, weight=cython.long, line=word, index=cython.int)
    cdef void judge(self, word attacker, word defender) noexcept nogil

    cdef void place(self, word attacker, word defender) noexcept nogil

    @cython.locals(node=cython.int)
    cdef bint listed(self, int start, int end) noexcept nogil

    cdef void set(self, int node) noexcept nogil

    @cython.locals(slot=cython.long, numbers=word)
    cdef bint known(self) noexcept nogil

    @cython.locals(slot=cython.long)
    cdef int remember(self) except -1 nogil

    @cython.locals(home=cython.long, best=cython.long, slot=cython.long, least=word, numbers=word)
    cdef long slot(self) noexcept nogil

    @cython.locals(old=cython.ulonglong[::1], had=cython.long, slot=cython.long)
    cdef int grow(self) except -1 with gil
