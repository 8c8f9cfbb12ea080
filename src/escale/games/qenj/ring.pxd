# The small change of Qenj's compiled modules, inlined into all; `ring.py` has the same uncompiled.
#
# A column is a number: five bits a cell, row 1 (North) lowest, each with a piece or 0. A piece is
# its colour (from 1, times 4) and its force (1 to 3; 0 while hidden, and where there are none).
# Beside it the column's tally counts its pieces (bits 0-3), those of each colour (four bits each,
# colour 1 from bit 4) and marks its occupied rows (from bit 20).

from escale.kernel.core cimport highest, lowest, u32, u64

cdef enum:
    OVER = 0x88880                      # a colour's count beyond its limit

# What is being done: the set-up, then play.
cdef enum:
    SHUFFLE = 0                         # the columns of Qenj 1
    COLOURS = 1                         # chosen by A, or dealt
    FORCES = 2                          # dealt
    SIDES = 3
    PLAY = 4

# Moves that are no piece's.
cdef enum:
    FILL = 5                            # let chance choose the other colours
    REPEAT = 6                          # the last column's colours once more
    REDRAW = 7                          # deal again
    PASS = 15

# What a piece adds to a column's tally, its row apart.
cdef inline u32 tally_of(u64 piece) noexcept nogil:
    return 1 + (<u32>1 << <u32>(piece & 28))

# The place `steps` steps East, or West when negative, round a ring of `count`.
cdef inline int onwards(int place, int steps, int count) noexcept nogil:
    place += steps
    while place >= count:               # divisions take longer
        place -= count
    while place < 0:
        place += count
    return place

# The row nearest to a seat, of some that are marked.
cdef inline int nearest(u32 rows, bint north) noexcept nogil:
    return lowest(rows) if north else highest(rows)

# The piece of a column, which has some, that is nearest to a seat.
cdef inline u64 proxime(u64 column, u32 tally, bint north) noexcept nogil:
    return column >> 5 * nearest(tally >> 20, north) & 31

# The column, of `width`, where the pieces of a move arrive: as many columns with pieces away as the
# proxime has force or, without forces, as pieces travel.
cdef inline int target_of(
    u64 move, u64* columns, u32* tally, int width, bint forces, bint north
) noexcept nogil:
    cdef int target = <int>(move & 15)
    cdef int distance = <int>(move >> 4 & 7) + 1
    cdef int towards = -1 if move >> 7 & 1 else 1
    if forces:
        distance = <int>(proxime(columns[target], tally[target], north) & 3)
    while distance:
        target = onwards(target, towards, width)
        distance -= tally[target] != 0
    return target

# How many of the first `columns` have pieces; which, round the ring, is written to `ring`.
cdef inline int occupied(u32* tally, int columns, int* ring) noexcept nogil:
    cdef int i
    cdef int count = 0
    for i in range(columns):
        ring[count] = i                 # written over if there are none
        count += tally[i] != 0
    return count

# How many a column of `cells` cells holds when k pieces come to it; 0 if they may not. The tallies
# say which there are: `held` in the column, `load` in the pieces that come, `alike` how many of a
# colour there may be. It must then hold more than `least`.
cdef inline int together(u32 held, u32 load, int k, int cells, u32 alike, int least) noexcept nogil:
    cdef int total = <int>(held & 15) + k
    if total > cells or total <= least:
        return 0
    return 0 if (held + load + alike) & OVER else total
