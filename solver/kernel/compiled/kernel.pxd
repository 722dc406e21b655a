# The C types of ../kernel.py, read only by the compiler.
cimport cython

from solver.kernel.compiled.searcher cimport SOURCES, popcount, word
from solver.kernel.compiled.transpositions cimport TableClient

cdef int REPLIES, MAX_THREATS, OFTEN, HELPED, TAKEN, ATTACKING, ALONE, CELLS, NO_LINE
cdef word MORE, SURE, HOPELESS

cdef class Prover(TableClient):
    cdef bint with_forks, with_threats, with_pairings, with_dominance, with_keys, with_zones
    cdef int helper, line_count, frame, threat_frame, threat_steps, own_at, own_end, other_at, other_end, rest_at
    cdef word full, zone, pairing, left_over, dominating
    cdef word[::1] work, worths, worth, danger, common, crossed, doubly, threat_work
    cdef public long long threat_nodes

    cpdef bint wins(self, word attacker, word defender, bint attacking, int plies, int helper=*) except -1

    @cython.locals(
        answers_at=cython.int, counts_at=cython.int, before=cython.int, empty=word, own_moves=cython.int, other_moves=cython.int, line_count=cython.int, answer_count=cython.int,
        own_late=word, other_late=word, threats=word, counters=word, attacker_used=word, defender_used=word, own_open=word, other_open=word, open_used=word, total=word, index=cython.int, line=word,
        missing=word, short=cython.int, must=word, mark=word, first=word, second=word, counted=cython.longlong, won=cython.bint,
    )
    cdef bint forced(self, word attacker, word defender, bint attacking, int plies, int start) except -1 nogil

    @cython.locals(lines_at=cython.int, count=cython.int, zone=word, index=cython.int, line=word, have=cython.int, rest=word)
    cdef void guard(self, int start, bint attackers, word squares, int fewest) noexcept nogil

    @cython.locals(reasons=word, useful=word, empty=word, counts_at=cython.int, answers_at=cython.int, line_count=cython.int, answer_count=cython.int, won=cython.bint, rest=word, matters=word, moves=cython.int, moves_at=cython.int, index=cython.int, reply=word)
    cdef bint searched(
        self, word attacker, word defender, bint attacking, int plies, int start, word own_open, word other_open, word total, word first,
        word second, word mark
    ) except -1 nogil

    @cython.locals(moves_at=cython.int, next_frame=cython.int, zone=word, index=cython.int, move=word, won=cython.bint)
    cdef bint tried(self, word attacker, word defender, bint attacking, int plies, int start, int moves, word useful) except -1 nogil

    @cython.locals(first=cython.int, index=cython.int, to=cython.int, move=word)
    cdef void begin_elsewhere(self, int moves_at, int moves) noexcept nogil

    @cython.locals(squares=word, index=cython.int, other_index=cython.int, one=word, other=word, both=word)
    cdef word fork_squares(self, int start, int line_count, int own_moves, word empty, word most) noexcept nogil

    @cython.locals(
        answers_at=cython.int, counts_at=cython.int, line_count=cython.int, answer_count=cython.int, rest=word, low=word, cell=cython.int, index=cython.int, moves_at=cython.int, count=cython.int, kept=word, better=word, kept_moves=cython.int, row=cython.int
    )
    cdef int order(self, int start, bint attacking, word useful, word empty) noexcept nogil

    @cython.locals(index=cython.int, missing=word, short=cython.int, rest=word, low=word, cell=cython.int)
    cdef void weigh(self, int lines_at, int count, word squares, word empty, word sure, int worths_at) noexcept nogil

    cdef word threat_sequence(
        self, word own, word other, int plies, int own_at, int own_count, int other_at, int other_count
    ) noexcept nogil

    @cython.locals(
        pairs=cython.int, depends=word, squares=word, growing=word, completing=word, counters=word, index=cython.int, line=word, missing=word,
        partners_at=cython.int, rest=word, low=word, answers=word, more=word, answer=word, found=word,
    )
    cdef word threatening(self, word own, word other, int plies, int start) noexcept nogil

    @cython.locals(
        lines_at=cython.int, count=cython.int, covered=word, free=word, left=cython.int, narrow=cython.int, danger=word, index=cython.int,
        line=word, uncovered=cython.int, size=cython.int, ranked=cython.int, fewest=cython.int, narrowest=word,
    )
    cdef bint paired(self, int start, int line_count, word reply, word empty, word total, word bound) noexcept nogil

    @cython.locals(
        rest=word, one=word, doubly=cython.int, index=cython.int, line=word, best=word, least=cython.long, others=word, other=word, pair=word, cost=cython.long
    )
    cdef word best_pair(self, int count, word squares) noexcept nogil
