# The C types of ../transpositions.py, which the compiler alone reads.
cimport cython

ctypedef unsigned long long word

cdef int MARKS, PROBES, CHECK_AT
cdef word WORD, MIX_FIRST, MIX_SECOND

cdef extern from *:
    """
    #ifdef __GNUC__
    #define prefetch(memory, slot) __builtin_prefetch((unsigned long long *) (memory).data + (slot))
    #define popcount __builtin_popcountll
    #else
    #define prefetch(memory, slot) ((void) 0)
    static int popcount(unsigned long long bits) {
        bits -= bits >> 1 & 0x5555555555555555ULL;
        bits = (bits & 0x3333333333333333ULL) + (bits >> 2 & 0x3333333333333333ULL);
        return (int) (((bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL >> 56);
    }
    #endif
    """
    int popcount(word bits) noexcept nogil
    void prefetch(word[::1] memory, long slot) noexcept nogil
    word SOURCES

cdef class Turner:
    cdef word[::1] images, inverses
    cdef int image_count, image_bytes, turn
    cdef word first, second

    @cython.locals(symmetry=cython.int, image=word, other=word)
    cdef void turn_to_least(self, word first, word second) noexcept nogil

    @cython.locals(at=cython.long, image=word, byte=cython.int)
    cdef word turned(self, word bits, int turn) noexcept nogil

cdef class TableClient(Turner):
    cdef object shared
    cdef word[::1] table
    cdef long capacity
    cdef bint may_grow, remembered
    cdef word found

    cdef void fetch(self, word first, word second) noexcept nogil

    @cython.locals(mixed=word)
    cdef word mixed(self, word first, word second) noexcept nogil

    cdef long home(self, word mixed) noexcept nogil

    @cython.locals(mixed=word, home=cython.long, slot=cython.long, what=word)
    cdef long find(self, word first, word second, word mark) noexcept nogil

    cdef bint known(self, word first, word second, word mark, int plies) noexcept nogil

    @cython.locals(slot=cython.long, mixed=word, fails=word, wins=word)
    cdef int remember(self, word first, word second, word mark, word plies, bint won) except -1 nogil

    cdef int look_again(self) except -1

    @cython.locals(old=cython.ulonglong[::1], had=cython.long, slot=cython.long, first=word, second=word, what=word, to=cython.long)
    cdef int grow(self) except -1 with gil
