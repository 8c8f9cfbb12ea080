# What `rules.py` and `evaluation.py` share at C level: the fields of a state, and its helpers.

cimport cython
from escale.kernel.core cimport State, u64


@cython.final
cdef class CanyonState(State):
    cdef readonly int phase
    cdef readonly int dealer                    # NONE while it is drawn for
    cdef readonly int marker                    # on the round track, 1 to 14
    cdef readonly int laps                      # how often the marker has gone around, 8 at most
    cdef readonly bint short                    # rounds 6 to 9 are skipped
    cdef readonly bint secret                   # bids are shown when all have chosen
    cdef readonly int dealt                     # cards dealt this round
    cdef readonly int trump                     # the card turned up, or NONE
    cdef readonly int led                       # the suit led, or NONE
    cdef readonly int moved                     # canoes that had their move
    cdef readonly int drawing                   # seats yet to draw for dealer
    cdef readonly int lost                      # seats whose move fell away
    cdef readonly u64 played                    # cards of the tricks taken
    cdef u64 hand[6]
    cdef int at[6]                              # the canoe's cell, or NONE
    cdef int bid[6]                             # or NONE
    cdef int won[6]                             # tricks
    cdef int laid[6]                            # the card before a seat, drawn or played, or NONE
    cdef int left[6]                            # points left over by a canoe that landed, or NONE
    cdef int void[6]                            # suits, as bits, that a seat has shown not to have

    cdef inline int first(self) noexcept nogil
    cdef inline int after(self, int seat) noexcept nogil
    cdef int bidder(self) noexcept nogil
    cdef inline int full(self) noexcept nogil
    cdef int drawer(self) noexcept nogil
    cdef int _points(self, int seat) noexcept nogil
    cdef inline u64 unseen(self, int seat) noexcept nogil
    cdef inline int rank(self, int card) noexcept nogil
    cdef void _begin(self, u64 move) noexcept nogil
    cdef bint _go_on(self) noexcept nogil
    cdef bint find_dealer(self) noexcept nogil
    cdef bint last_places(self) noexcept nogil
    cdef bint show_bids(self) noexcept nogil
    cdef bint take_trick(self) noexcept nogil
    cdef bint next_canoe(self) noexcept nogil
    cdef void next_round(self) noexcept nogil
    cdef void clear(self) noexcept nogil
    cdef int _choices(self, int seat, int points, int* cells, int* steps) noexcept nogil
    cdef void paddle(self, int seat, int cell) noexcept nogil

cdef int hand_size(int marker) noexcept nogil
cdef int marker_after(int marker, bint short) noexcept nogil
cdef int suit_of(int card) noexcept nogil
cdef int bonus_for(int bid) noexcept nogil
