# What `alphabeta.py` sees of the tree at C level.

cimport cython
from escale.kernel.core cimport Moves, State, u64
from escale.kernel.evaluation cimport Evaluation

cdef enum:
    ONE_WIN = 1000                      # what a win has over a draw, in points
    MOST = 8000                         # an evaluation, either way
    INFINITE = 32000
    WIN = 31000                         # less one for each ply until then
    DECISIVE = 30000                    # what only ends of the game reach
    DEEPEST = 96                        # plies from the root


@cython.final
cdef class TranspositionTable:
    cdef u64* words
    cdef u64 mask

    cdef inline void expect(self, u64 key) noexcept nogil
    cdef inline u64 find(self, u64 key) noexcept nogil
    cdef void keep(
        self, u64 key, u64 mark, int value, int depth, int bound, bint solid, int iteration
    ) noexcept nogil


@cython.final
cdef class Frame:
    cdef State state
    cdef Moves moves
    cdef long long* order               # how soon each move is to be tried
    cdef u64* line                      # the best continuation found from here
    cdef int length
    cdef u64 killer                     # the moves that refuted others at this ply
    cdef u64 second_killer
    cdef u64 trail                      # a key for the whole way from the root
    cdef Frame deeper


@cython.final
cdef class Tree:
    cdef Evaluation evaluation
    cdef TranspositionTable table
    cdef Frame top
    cdef Frame bottom
    cdef int frames                     # plies from the root that there is room for
    cdef int* habits                    # how often moves were good, wherever they were played
    cdef long long nodes
    cdef long long most                 # nodes at most
    cdef long long look_at              # when to look at the clock next
    cdef double until                   # when to stop; 0 for never
    cdef bint stopped
    cdef bint solid                     # whether the value returned last rests on ends only
    cdef bint wary                      # keys contain the whole way to a position
    cdef int deepest                    # plies from the root that were reached
    cdef int walked                     # the same, of a proof
    cdef int iteration
    cdef int noise                      # evaluations are off by at most this many points
    cdef u64 salt                       # decides by how much
    cdef int contempt                      # points by which a draw is worse to the root's seat
    cdef double regret                  # the same as a share
    cdef double shares[8]

    cdef void make_room(self, int frames)
    cdef void count(self) noexcept nogil
    cdef int points(self, State state, int seat) noexcept nogil
    cdef int evaluate(self, State state) noexcept nogil
    cdef int with_contempt(self, State state, int value) noexcept nogil
    cdef u64 key(self, Frame frame) noexcept nogil
    cdef inline u64 mark(self, u64 move, int turn) noexcept nogil
    cdef int recall(self, Frame frame, u64 mark) noexcept nogil
    cdef void arrange(self, Frame frame, bint known, u64 best) noexcept nogil
    cdef u64 pick(self, Frame frame, int i) noexcept nogil
    cdef void refuted(self, Frame frame, u64 move, int depth) noexcept nogil
    cdef void play(self, Frame frame, u64 move) noexcept nogil
    cdef int after(
        self, Frame frame, int turn, int depth, int height, int alpha, int beta
    ) noexcept nogil
    cdef void follow(self, Frame frame, u64 move) noexcept nogil
    cdef int settle(self, Frame frame, int height, int alpha, int beta) noexcept nogil
    cdef int search(self, Frame frame, int depth, int height, int alpha, int beta) noexcept nogil
    cdef int average(self, Frame frame, int depth, int height) noexcept nogil
    cdef int search_root(
        self, Frame frame, int first, int depth, int alpha, int beta
    ) noexcept nogil
    cdef int deepen(self, int first, int depth, int value) noexcept nogil
