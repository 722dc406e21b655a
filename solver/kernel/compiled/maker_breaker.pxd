# The C types of ../maker_breaker.py, read only by the compiler.
cimport cython

from solver.kernel.compiled.searcher cimport SOURCES, WORD, Searcher, popcount, word

cdef int CELLS, DISPROOF_AT, MAX_THREATS, CROSSING, PROOF, DISPROOF, PROBES, ROUNDS, LOST, SLOT
cdef word NEVER, MAKER_MOVES, SURE, HOPELESS, LARGE, MOST, DECIDED

cdef class MakerBreaker(Searcher):
    cdef object shared
    cdef word[::1] table, all_lines, run_of, lines, numbers, rest, rest_of, urgency, doubly, worth, common, crossed, threat_work, moves, makers, frees, turns, sides, zones, values, estimates, weights
    cdef int line_count, count, end, threat_steps, left_out
    cdef long capacity, lost
    cdef bint may_grow
    cdef word maker, free, spent, zone, proof, disproof, found_zone

    cpdef bint wins(self, word maker, word free, bint maker_moves) except -1

    @cython.locals(
        maker_moves=cython.bint, chosen=cython.int, counted=cython.int, chosen_limit=word, counted_limit=word, start=cython.int, end=cython.int, zone=word, useful=word,
        child=cython.int, best=cython.int, most=word, waiting=word, least=word, second=word, cost=word, effort=word, total=word, chosen_next=word, counted_next=word,
    )
    cdef int search(self, int node, word proof_limit, word disproof_limit) except -1 nogil

    @cython.locals(zone=word, useful=word, best=cython.int, least=cython.int, child=cython.int, size=cython.int, other=cython.int)
    cdef word refuted(self, int start, int end) noexcept nogil

    @cython.locals(maker=word, free=word, maker_moves=cython.bint, chosen=cython.int, end=cython.int, child=cython.int, move=word)
    cdef word expand(self, int node, int start) except? 0 nogil

    @cython.locals(threats=word, zone=word, first=word, second=word, turn=cython.int)
    cdef int enter(self, word maker, word free, bint maker_moves, int child) except -1 nogil

    @cython.locals(
        either=word, count=cython.int, threats=word, index=cython.int, line=word, missing=word, one=word, run=word, other_index=cython.int, other=word, once=word,
        twice=word, kept=cython.int, pair=word, rest=word,
    )
    cdef word reduce(self, word maker, word free) noexcept nogil

    @cython.locals(rest=word, low=word, cell=cython.int, total=word, index=cython.int, line=word, weight=word, squares=word)
    cdef word weigh(self) noexcept nogil

    @cython.locals(end=cython.int, rest=word, low=word, worth=word, place=cython.int, kept=word, child=cython.int, better=word, dominating=word)
    cdef word order(self, int start) noexcept nogil

    @cython.locals(index=cython.int, total=word)
    cdef int judge(self, bint maker_moves) except -1 nogil

    @cython.locals(most=word, rest=word, low=word)
    cdef word greatest(self) noexcept nogil

    @cython.locals(
        once=word, growing=word, index=cython.int, line=word, crossing=word, missing=cython.int, following=cython.int, move=word, reply=word, left=cython.int,
        other=cython.int,
    )
    cdef bint threatening(self, int start, int count) noexcept nogil

    @cython.locals(index=cython.int)
    cdef bint paired(self, bint maker_moves) noexcept nogil

    @cython.locals(count=cython.int, danger=word, pairs=word, held=cython.bint, index=cython.int, line=word, squares=word, pair=word, left=cython.int, weight=word)
    cdef bint pairs_taken(self, bint maker_moves) noexcept nogil

    @cython.locals(rest=word, low=word)
    cdef void clear_crossed(self) noexcept nogil

    @cython.locals(low=word)
    cdef void cross(self, word line, word danger) noexcept nogil

    @cython.locals(most=word, low=word)
    cdef word most_crossed(self, word squares) noexcept nogil

    @cython.locals(
        alone=word, chosen=word, most=word, fewest=cython.int, index=cython.int, line=word, of=cython.int, size=cython.int, endangered=word, rest=word, low=word
    )
    cdef word narrowest(self, int count, bint maker_moves) noexcept nogil

    @cython.locals(
        doubly=cython.int, index=cython.int, rest=word, best=word, least=word, one=word, others=word, other=word, pair=word, danger=word
    )
    cdef word best_pair(self, word line, int count) noexcept nogil

    cdef int look_again(self) except -1

    @cython.locals(home=cython.long, probe=cython.int, slot=cython.long, zone=word, numbers=word)
    cdef bint known(self, word maker, word free, bint maker_moves) noexcept nogil

    @cython.locals(mixed=word)
    cdef bint at(self, long slot, word maker, word free, word zone, word numbers) noexcept nogil

    cdef long home(self, word maker, word free) noexcept nogil

    @cython.locals(home=cython.long, to=cython.long, least=word, probe=cython.int, slot=cython.long, numbers=word, worth=word, mixed=word)
    cdef int remember(self, word maker, word free, bint maker_moves, word zone) except -1 nogil

    @cython.locals(
        old=cython.ulonglong[::1], had=cython.long, slot=cython.long, zone=word, numbers=word, mixed=word, home=cython.long, probe=cython.int, to=cython.long, part=cython.int
    )
    cdef int grow(self) except -1 with gil
