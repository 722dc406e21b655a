# The C types of ../searcher.py, read only by the compiler.
cimport cython

ctypedef unsigned long long word

cdef word WORD, MIX_FIRST, MIX_SECOND, MIX_BOTH

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

@cython.locals(cell=cython.int, bits=cython.int, moved=word)
cdef long fill_images(word[::1] table, long at, list images, int count) except -1

cdef class Searcher:
    cdef word[::1] images, inverses
    cdef int image_count, image_bytes, turn
    cdef word first, second
    cdef public long long nodes, pause_at
    cdef public object on_pause

    cdef int count_node(self) except -1 nogil

    cdef int pause(self) except -1 with gil

    cdef int look_again(self) except -1

    @cython.locals(symmetry=cython.int, image=word, other=word)
    cdef void turn_to_least(self, word first, word second) noexcept nogil

    @cython.locals(mixed=word)
    cdef word mixed(self, word first, word second) noexcept nogil

    @cython.locals(at=cython.long, image=word, byte=cython.int)
    cdef word turned(self, word bits, int turn) noexcept nogil
