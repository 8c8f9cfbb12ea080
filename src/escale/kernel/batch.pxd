# How threads without the GIL go through a list of games: references are not counted on the way.

from escale.kernel.core cimport Moves

ctypedef int (*Go)(void* batch, void* game, int row, int action, Moves moves) except -1 nogil
