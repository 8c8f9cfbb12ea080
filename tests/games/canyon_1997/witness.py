"""A literal witness of Canyon (1997): the rules, one by one, with no concern for speed.

The river, seen with the start at the top: columns a to f, rows 0 to 29.  A cell is its column and
its row: c11 is in the third column of row 11::

         a b c d e f
     0   S S S S S S
     1   . . . . . .
     2   . . . . . .
     3   # . . . . #
     4   # . O O . #
     5   # . . . . #
     6   # # . . # #
     7   # # . . . #
     8   # . . . . .
     9   # . O . O .
    10   . . . . . #
    11   . . . # # #
    12   # . . # # #
    13   # . O . # #
    14   # . . . # #
    15   # # . # # #
    16   # . . . . #
    17   . . . . . #
    18   . . O . . .
    19   # . . . O .
    20   # # . . . .
    21   # . . . P #
    22   > > > > W #
    23   > > > > W #
    24   O O > > W #
    25   > > > > W #
    26   > > > > W #
    27   O > > > W #
    28   > > > > W #
    29   L L L # # #

S start, . water, O rock or island, # mountain, > current with its arrow, W waterfall, P footbridge
(the end of the cave), L landing.

Seats are numbered 0, 1, ... clockwise; the left of a seat is the next one.  A card is its suit and
its value, such as "blue 7"; blue is the paddle.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache

# --- The river -----------------------------------------------------------------------------------

River = tuple[str, ...]
"""The rows of the map, the start first; one sign per cell."""

Cells = Collection[str]
"""Some cells, by name, in no order."""

RIVER: River = (
    "SSSSSS",
    "......",
    "......",
    "#....#",
    "#.OO.#",
    "#....#",
    "##..##",
    "##...#",
    "#.....",
    "#.O.O.",
    ".....#",
    "...###",
    "#..###",
    "#.O.##",
    "#...##",
    "##.###",
    "#....#",
    ".....#",
    "..O...",
    "#...O.",
    "##....",
    "#...P#",
    ">>>>W#",
    ">>>>W#",
    "OO>>W#",
    ">>>>W#",
    ">>>>W#",
    "O>>>W#",
    ">>>>W#",
    "LLL###",
)

COLUMNS = "abcdef"

START = "S"
WATER = "."
ROCK = "O"
MOUNTAIN = "#"
WATERFALL = "W"
FOOTBRIDGE = "P"
LANDING = "L"
ARROWS = {">": (0, 1), "<": (0, -1), "v": (1, 0), "^": (-1, 0)}
"""Current cells, and where each arrow leads: how many rows on, how many columns to the right.

Every arrow of the map is a ">"; the others let a corrected map be tried.
"""

STEPPABLE = (START, WATER, LANDING, *ARROWS)
"""What a step may end on: never a rock, a mountain, the waterfall or the footbridge."""


def cell_name(row: int, column: int) -> str:
    """The name of a cell; ``column`` counts from 0."""
    return f"{COLUMNS[column]}{row}"


def place_of(cell: str) -> tuple[int, int]:
    """The row and the column of a cell, both from 0."""
    return int(cell[1:]), COLUMNS.index(cell[0])


def all_cells(river: River) -> list[str]:
    """Every cell, row by row, mountains included."""
    return [
        cell_name(row, column) for row in range(len(river)) for column in range(len(river[row]))
    ]


def sign(river: River, cell: str) -> str:
    """What the map shows on a cell."""
    row, column = place_of(cell)
    return river[row][column]


def cells_with(river: River, wanted: str) -> list[str]:
    """Every cell that shows one of the wanted signs."""
    return [cell for cell in all_cells(river) if sign(river, cell) in wanted]


def neighbour(river: River, cell: str, down: int, right: int) -> str | None:
    """The cell so many rows on and so many columns to the right; None off the map."""
    row, column = place_of(cell)
    row, column = row + down, column + right
    if 0 <= row < len(river) and 0 <= column < len(river[row]):
        return cell_name(row, column)
    return None


def neighbours(river: River, cell: str) -> list[str]:
    """The eight cells around a cell, or fewer at the edge of the map."""
    around = []
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            beside = neighbour(river, cell, down, right)
            if beside is not None and beside != cell:
                around.append(beside)
    return around


@cache
def steps_from(river: River, cell: str) -> tuple[str, ...]:
    """The cells that one step leads to on the empty board."""
    # A move ends on reaching a landing: no step leads on from there.
    if sign(river, cell) == LANDING:
        return ()
    # A step goes to any of the eight neighbouring water cells, never onto a rock, a mountain, the
    # waterfall or the footbridge.  Diagonally between two obstacles is allowed, so that nothing but
    # the cell stepped on matters.
    return tuple(
        beside for beside in neighbours(river, cell) if sign(river, beside) in STEPPABLE
    )


def fewest_steps(river: River, taken: Cells, origin: str, points: int) -> dict[str, int]:
    """The cells that a canoe reaches from ``origin`` in 1 to ``points`` steps, and in how few.

    ``taken`` are the cells that it may not step on, such as those of the other canoes.
    """
    reached = {origin: 0}
    last = [origin]
    for number in range(1, points + 1):
        next_ones = []
        for cell in last:
            for beside in steps_from(river, cell):
                # Never onto a canoe, nor over one.
                if beside not in taken and beside not in reached:
                    reached[beside] = number
                    next_ones.append(beside)
        last = next_ones
    del reached[origin]
    return reached


@cache
def distance(river: River, cell: str) -> int:
    """How many steps a cell is from the nearest landing on the empty board.

    The same steps as a canoe's: over start cells, water and current (arrows do not matter to
    somebody who paddles), with the footbridge never stepped on.  From the footbridge itself it is
    counted as from ordinary water: one step out of it, and on.
    """
    if sign(river, cell) == LANDING:
        return 0
    reached = fewest_steps(river, (), cell, len(all_cells(river)))
    return min(reached[landing] for landing in cells_with(river, LANDING) if landing in reached)


# --- Canoes that paddle --------------------------------------------------------------------------


def is_shut(river: River, taken: Cells, origin: str) -> bool:
    """Whether the way is shut: none leads over free water from ``origin`` to a free landing.

    However many steps it would take.  All water that is not rock or canoe counts, current and start
    cells included; a landing with a canoe on it is not free.
    """
    reached = fewest_steps(river, taken, origin, len(all_cells(river)))
    return not any(sign(river, cell) == LANDING for cell in reached)


def ends_of_every_way(river: River, taken: Cells, origin: str, points: int) -> set[str]:
    """Every cell in which a way of exactly ``points`` steps ends: all ways are gone, one by one.

    No cell is entered twice, the starting cell included.  A landing ends a way at once.  A way that
    comes to a dead end before its last step is none.
    """
    ends = set()

    def go_on(way: list[str]) -> None:
        here = way[-1]
        if len(way) - 1 == points or sign(river, here) == LANDING:
            ends.add(here)
            return
        for beside in steps_from(river, here):
            if beside not in taken and beside not in way:
                go_on([*way, beside])

    go_on([origin])
    return ends


def nearest_of_every_way(river: River, taken: Cells, origin: str, points: int) -> set[str]:
    """Of all cells in which a way of exactly ``points`` steps ends, the nearest to a landing."""
    ends = ends_of_every_way(river, taken, origin, points)
    if not ends:
        return set()
    nearest = min(distance(river, cell) for cell in ends)
    return {cell for cell in ends if distance(river, cell) == nearest}


def way_exists(river: River, taken: Cells, way: Sequence[str], target: str, points: int) -> bool:
    """Whether ``way``, gone already, can be gone on with for exactly ``points`` steps to a target.

    Every way is tried as in ``ends_of_every_way``, except those that cannot come to the target.
    """
    here = way[-1]
    if points == 0:
        return here == target
    # The target is the last cell of the way: it is entered once.
    if here == target:
        return False
    # What is left of the way goes over cells that were not entered yet: so many must be within
    # reach, and the target among them.
    reached = fewest_steps(river, {*taken, *way}, here, points)
    if len(reached) < points or target not in reached:
        return False
    return any(
        way_exists(river, taken, [*way, beside], target, points - 1)
        for beside in steps_from(river, here)
        if beside in reached
    )


def nearest_ends(river: River, taken: Cells, origin: str, points: int) -> set[str]:
    """The same cells as ``nearest_of_every_way``, found without going every way.

    Cells are tried from the nearest to a landing on; the first that a way ends in, and those as
    near, are the answer.
    """
    if points == 0:
        return {origin}
    # A way of so many steps ends no farther than that.
    reached = fewest_steps(river, taken, origin, points)
    for wanted in sorted({distance(river, cell) for cell in reached}):
        ends = {
            cell
            for cell in reached
            if distance(river, cell) == wanted
            # A landing ends the move: the shortest way to it will do.
            and (wanted == 0 or way_exists(river, taken, [origin], cell, points))
        }
        if ends:
            return ends
    return set()


def choices(river: River, canoes: Sequence[str], seat: int, points: int) -> list[tuple[str, int]]:
    """Where the canoe of ``seat`` may end its move: each end cell, and the steps it takes.

    ``canoes`` are the cells of the canoes, by seat.  The steps are all the points, but the fewest
    to a landing, and the fewest if the way is shut.  A canoe that stays is told as its own cell and
    no step.  The cells come row by row, from left to right.
    """
    taken = frozenset(cell for other, cell in enumerate(canoes) if other != seat)
    return list(choices_from(river, taken, canoes[seat], points))


@cache
def choices_from(
    river: River, taken: frozenset[str], here: str, points: int
) -> tuple[tuple[str, int], ...]:
    """The choices of a canoe that stands ``here``, the other canoes on the cells ``taken``."""
    reached = fewest_steps(river, taken, here, points)
    if is_shut(river, taken, here):
        # Points may be given up: the nearest cell in at most so many steps, if nearer than its own.
        nearest = min((distance(river, cell) for cell in reached), default=distance(river, here))
        if nearest >= distance(river, here):
            return ((here, 0),)
        ends = {cell for cell in reached if distance(river, cell) == nearest}
        return tuple((cell, reached[cell]) for cell in all_cells(river) if cell in ends)
    # No point may be given up.  There always is such a way: the shortest one to a free landing,
    # whole, or as far as the points last.
    ends = nearest_ends(river, taken, here, points)
    assert ends
    return tuple(
        (cell, reached[cell] if sign(river, cell) == LANDING else points)
        for cell in all_cells(river)
        if cell in ends
    )


# --- Canoes that drift ---------------------------------------------------------------------------


def drift(river: River, canoes: Sequence[str], seat: int) -> tuple[str, ...]:
    """The cells of the canoes after that of ``seat`` has drifted one cell along its arrow."""
    canoes = tuple(canoes)
    here = canoes[seat]
    if sign(river, here) not in ARROWS:
        # Off the current nothing drifts.
        return canoes
    ahead = neighbour(river, here, *ARROWS[sign(river, here)])
    # Drifts into the waterfall: through the cave to the footbridge, which holds any number.
    if ahead is not None and sign(river, ahead) == WATERFALL:
        return moved_to(canoes, seat, cells_with(river, FOOTBRIDGE)[0])
    # Drift blocked by rock: stays.  A drift never reaches a landing; the footbridge is entered
    # only through the cave.
    if ahead is None or sign(river, ahead) not in (START, WATER, *ARROWS):
        return canoes
    # A canoe there drifts first, along its own arrow, and so on.
    if ahead in canoes:
        other = canoes.index(ahead)
        canoes = drift(river, canoes, other)
        # If that one stays, so does everybody in the row behind it.
        if canoes[other] == ahead:
            return canoes
    return moved_to(canoes, seat, ahead)


def moved_to(canoes: tuple[str, ...], seat: int, cell: str) -> tuple[str, ...]:
    """The canoes with that of ``seat`` put on another cell."""
    return (*canoes[:seat], cell, *canoes[seat + 1 :])


def fallen(river: River, before: Sequence[str], after: Sequence[str]) -> list[int]:
    """The seats whose canoe has gone through the cave to the footbridge in a drift."""
    footbridge = cells_with(river, FOOTBRIDGE)
    return [
        seat
        for seat, cell in enumerate(after)
        if cell in footbridge and before[seat] not in footbridge
    ]


# --- Cards ---------------------------------------------------------------------------------------

SUITS = ("blue", "red", "green", "yellow", "purple")
HIGHEST_VALUE = 10
CARDS = tuple(f"{suit} {value}" for suit in SUITS for value in range(1, HIGHEST_VALUE + 1))
"""The fifty cards: five suits, 1 to 10."""

HAND_SIZES = (8, 7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7)
"""What the marker shows on its spaces 1 to 14."""
SKIPPED = (6, 7, 8, 9)
"""The spaces that the marker leaves out with the option ``short``."""


def suit_of(card: str) -> str:
    """The suit of a card."""
    return card.split()[0]


def value_of(card: str) -> int:
    """The value of a card."""
    return int(card.split()[1])


def marker(round_number: int, *, short: bool = False) -> int:
    """The space of the marker, 1 to 14, in a round; rounds are counted from 1 without end."""
    spaces = list(range(1, len(HAND_SIZES) + 1))
    if short:
        # Rounds 6, 7, 8, 9 are skipped.
        spaces = [space for space in spaces if space not in SKIPPED]
    # After round 14, again from round 1.
    return spaces[(round_number - 1) % len(spaces)]


def hand_size(round_number: int, *, short: bool = False) -> int:
    """How many cards everybody gets in a round."""
    return HAND_SIZES[marker(round_number, short=short) - 1]


def legal_cards(hand: Sequence[str], lead_suit: str | None) -> list[str]:
    """The cards that may be played; ``lead_suit`` is None for the seat that leads."""
    if lead_suit is None:
        return list(hand)
    # Follow suit if you can ...
    following = [card for card in hand if suit_of(card) == lead_suit]
    if following:
        return following
    # ... otherwise any card: no duty to trump or to beat.
    return list(hand)


def trick_winner(cards: Sequence[str], trumps: str) -> int:
    """Which card of a trick takes it, counted from 0 in the order played."""
    # The highest trump, else the highest card of the suit led.
    asked = trumps if any(suit_of(card) == trumps for card in cards) else suit_of(cards[0])
    candidates = [card for card in cards if suit_of(card) == asked]
    return cards.index(max(candidates, key=value_of))


def bonus(bid: int, won: int) -> int:
    """The bonus, only if the tricks won are the bid: 1 for a bid of 0, 2 for 1, 3 for 2 or more."""
    if won != bid:
        return 0
    if bid == 0:
        return 1
    if bid == 1:
        return 2
    return 3


def points(bid: int, won: int) -> int:
    """The points of a canoe that starts its move on ordinary water: tricks won and bonus."""
    return won + bonus(bid, won)


def points_in_current(bid: int, won: int) -> int | None:
    """The points of a canoe that starts its move on a current cell; None if it drifts."""
    # Bid exact: the bonus alone.  Bid missed: it drifts.
    return bonus(bid, won) if won == bid else None


# --- The end -------------------------------------------------------------------------------------


def shares(
    seats: int, landed: Sequence[int], left_over: Sequence[int], bids: Sequence[int]
) -> tuple[float, ...]:
    """Each seat's share of the victory, after the round in which the canoes ``landed``."""
    # Several landed: most points left over ...
    most = max(left_over[seat] for seat in landed)
    winners = [seat for seat in landed if left_over[seat] == most]
    # ... then highest bid ...
    highest = max(bids[seat] for seat in winners)
    winners = [seat for seat in winners if bids[seat] == highest]
    # ... then shared.
    return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(seats))


# --- A whole game --------------------------------------------------------------------------------

NOBODY = -1
"""The dealer and the first player before they are known."""
NO_BID = -1
"""The bid of a seat that has not bid yet."""
HAS_BID = "has bid"
HAS_NOT_BID = "has not bid"
"""What others see of a seat that bids."""
SPECTATOR = "spectator"
"""Somebody who looks on and has no seat."""
NOWHERE = ""
"""The cell of a canoe that has not been put on the water yet."""
NO_CARD = ""
"""The trump card before it is turned up."""
CHANCE = "chance"
"""Who draws, deals and turns up the cards."""


@dataclass(frozen=True)
class State:
    """Everything on the table, hidden cards included."""

    seats: int
    short: bool
    secret: bool
    """Whether bids are secret until the last is chosen; if not, they are announced in turn."""
    phase: str
    """ "draw", "place", "deal", "turn up", "bid", "play", "canoes" or "over"."""
    # To find the first dealer.
    drawing: tuple[int, ...]
    """The seats that draw a card, in order: all of them, then those who tied."""
    draws: tuple[str, ...]
    """The cards they have drawn so far."""
    drawn: tuple[str, ...]
    """Every card that has been drawn since the pack was shuffled."""
    # The round.
    round_number: int
    """Counted from 1 without end; ``marker`` tells the space of the marker."""
    dealer: int
    first_player: int
    hands: tuple[tuple[str, ...], ...]
    """By seat, in the order dealt."""
    trump_card: str
    bids: tuple[int, ...]
    # The tricks.
    leader: int
    """The seat that leads, or has led, the trick on the table."""
    trick: tuple[str, ...]
    """The cards of the trick on the table, in the order played."""
    tricks_won: tuple[int, ...]
    # The canoes.
    canoes: tuple[str, ...]
    """The cell of each canoe, by seat."""
    moved: tuple[bool, ...]
    """Whether each canoe's move of this round is over: made, or lost."""
    lost_move: tuple[int, ...]
    """The seats that fell before their move of this round, and so lost it."""
    landed: tuple[int, ...]
    """The seats that have landed in this round, in order."""
    left_over: tuple[int, ...]
    """The points left over of those who have landed; 0 for the others."""


def start(seats: int, *, short: bool = False, secret: bool = True) -> State:
    """The table before anything: nobody is dealer yet."""
    if not 3 <= seats <= 6:
        raise ValueError(f"three to six seats, not {seats}")
    return State(
        seats=seats,
        short=short,
        secret=secret,
        phase="draw",
        drawing=tuple(range(seats)),
        draws=(),
        drawn=(),
        round_number=1,
        dealer=NOBODY,
        first_player=NOBODY,
        hands=((),) * seats,
        trump_card=NO_CARD,
        bids=(NO_BID,) * seats,
        leader=NOBODY,
        trick=(),
        tricks_won=(0,) * seats,
        canoes=(NOWHERE,) * seats,
        moved=(False,) * seats,
        lost_move=(),
        landed=(),
        left_over=(0,) * seats,
    )


def left(state: State, seat: int, places: int = 1) -> int:
    """The seat so many places to the left of another one."""
    return (seat + places) % state.seats


def order(state: State) -> list[int]:
    """The seats from the first player on, clockwise; the dealer is last."""
    return [left(state, state.first_player, places) for places in range(state.seats)]


def size(state: State) -> int:
    """How many cards everybody gets in this round."""
    return hand_size(state.round_number, short=state.short)


def mover(state: State) -> int | str | None:
    """Who has to move: a seat, "chance", or None when the game is over."""
    if state.phase in ("draw", "deal", "turn up"):
        return CHANCE
    if state.phase == "place":
        return next(seat for seat in order(state) if state.canoes[seat] == NOWHERE)
    if state.phase == "bid":
        return next(seat for seat in order(state) if state.bids[seat] == NO_BID)
    if state.phase == "play":
        return left(state, state.leader, len(state.trick))
    if state.phase == "canoes":
        return next(seat for seat in order(state) if not state.moved[seat])
    return None


def seat_to_move(state: State) -> int:
    """The seat that has to move, when it is not for chance to move."""
    seat = mover(state)
    if seat is None or isinstance(seat, str):
        raise ValueError("no seat has to move")
    return seat


def moves(state: State) -> list[str]:
    """Every move: a card, a cell, or "bid 3"; for chance, every card that may come.

    A canoe's move is its end cell.  Canoes with nothing to choose move on their own, so that they
    never appear here; a last card and a last free start cell do.
    """
    if state.phase == "draw":
        return [card for card in CARDS if card not in state.drawn]
    if state.phase == "place":
        # Free start cells, each seat choosing.
        return [cell for cell in cells_with(RIVER, START) if cell not in state.canoes]
    if state.phase in ("deal", "turn up"):
        dealt = [card for hand in state.hands for card in hand]
        return [card for card in CARDS if card not in dealt]
    if state.phase == "bid":
        # Each seat bids 0 ... hand size.  The sum is free, so that what may be bid tells nothing
        # of the bids before.
        return [f"bid {number}" for number in range(size(state) + 1)]
    if state.phase == "play":
        lead_suit = suit_of(state.trick[0]) if state.trick else None
        return legal_cards(state.hands[seat_to_move(state)], lead_suit)
    if state.phase == "canoes":
        seat = seat_to_move(state)
        return [cell for cell, _ in canoe_choices(state, seat)]
    return []


def after(state: State, move: str) -> State:
    """The table after a move, and after every canoe move that leaves no choice."""
    if move not in moves(state):
        raise ValueError(f"not a move here: {move}")
    if state.phase == "draw":
        return after_draw(state, move)
    if state.phase == "place":
        return after_place(state, move)
    if state.phase == "deal":
        return after_deal(state, move)
    if state.phase == "turn up":
        # One card is turned up: its suit is trumps.  The rest is out of play.
        return replace(state, phase="bid", trump_card=move)
    if state.phase == "bid":
        return after_bid(state, int(move.split()[1]))
    if state.phase == "play":
        return after_card(state, move)
    seat = seat_to_move(state)
    steps = dict(canoe_choices(state, seat))[move]
    return settle(paddle(state, seat, move, steps))


def outcome(state: State) -> tuple[float, ...] | None:
    """Each seat's share of a finished game, or None."""
    if state.phase != "over":
        return None
    return shares(state.seats, state.landed, state.left_over, state.bids)


# --- Before the first round ----------------------------------------------------------------------


def after_draw(state: State, card: str) -> State:
    """Every seat draws a card; the highest is the dealer."""
    draws = (*state.draws, card)
    state = replace(state, draws=draws, drawn=(*state.drawn, card))
    if len(draws) < len(state.drawing):
        return state
    highest = max(value_of(card) for card in draws)
    tied = tuple(
        seat for seat, card in zip(state.drawing, draws, strict=True) if value_of(card) == highest
    )
    if len(tied) > 1:
        # Ties draw again: those who tied for the highest, and only they, from the rest of the
        # pack; should it not suffice, all fifty cards are shuffled again.
        enough = len(CARDS) - len(state.drawn) >= len(tied)
        return replace(state, drawing=tied, draws=(), drawn=state.drawn if enough else ())
    # The seat on the dealer's left is first player.
    dealer = tied[0]
    return replace(
        state,
        phase="place",
        drawing=(),
        draws=(),
        drawn=(),
        dealer=dealer,
        first_player=left(state, dealer),
    )


def after_place(state: State, cell: str) -> State:
    """In order from the first player the canoes are put on free start cells."""
    seat = seat_to_move(state)
    state = replace(state, canoes=moved_to(state.canoes, seat, cell))
    if NOWHERE in state.canoes:
        return state
    return replace(state, phase="deal")


# --- A round: the cards --------------------------------------------------------------------------


def after_deal(state: State, card: str) -> State:
    """The hand size to everybody, one card at a time, from the first player on."""
    dealt = sum(len(hand) for hand in state.hands)
    seat = left(state, state.first_player, dealt)
    hands = list(state.hands)
    hands[seat] = (*hands[seat], card)
    state = replace(state, hands=tuple(hands))
    if dealt + 1 < state.seats * size(state):
        return state
    return replace(state, phase="turn up")


def after_bid(state: State, number: int) -> State:
    """From the first player on each seat bids: secretly, or aloud.  ``bids_seen`` tells by whom."""
    bids = list(state.bids)
    bids[seat_to_move(state)] = number
    state = replace(state, bids=tuple(bids))
    if NO_BID in bids:
        return state
    # The first player leads.
    return replace(state, phase="play", leader=state.first_player)


def bids_seen(state: State, viewer: int | str) -> tuple[int | str, ...]:
    """What a seat, or a spectator, knows of each seat's bid in this round."""
    # Once the last has chosen, and as long as the round lasts, all bids are shown.
    shown = not state.secret or NO_BID not in state.bids
    return tuple(
        HAS_NOT_BID if bid == NO_BID else bid if shown or viewer == seat else HAS_BID
        for seat, bid in enumerate(state.bids)
    )


def after_card(state: State, card: str) -> State:
    """A card is played to the trick; the last one decides who takes it."""
    seat = seat_to_move(state)
    hands = list(state.hands)
    hands[seat] = tuple(held for held in hands[seat] if held != card)
    state = replace(state, hands=tuple(hands), trick=(*state.trick, card))
    if len(state.trick) < state.seats:
        return state
    winner = left(state, state.leader, trick_winner(state.trick, suit_of(state.trump_card)))
    tricks_won = list(state.tricks_won)
    tricks_won[winner] += 1
    # Who takes the trick leads the next.
    state = replace(state, tricks_won=tuple(tricks_won), leader=winner, trick=())
    if any(state.hands):
        return state
    return settle(replace(state, phase="canoes"))


# --- A round: the canoes -------------------------------------------------------------------------


def canoe_points(state: State, seat: int) -> int | None:
    """The points of the canoe whose move begins; None if it drifts."""
    bid, won = state.bids[seat], state.tricks_won[seat]
    if sign(RIVER, state.canoes[seat]) in ARROWS:
        return points_in_current(bid, won)
    # Starts its move on ordinary water: full points, even when it enters the current.
    return points(bid, won)


def canoe_choices(state: State, seat: int) -> list[tuple[str, int]]:
    """Where the canoe may end its move, with the steps; none if it drifts."""
    available = canoe_points(state, seat)
    if available is None:
        return []
    return choices(RIVER, state.canoes, seat, available)


def settle(state: State) -> State:
    """Canoes move in order from the first player; here, as far as there is nothing to choose."""
    while state.phase == "canoes":
        if all(state.moved):
            return end_of_round(state)
        seat = seat_to_move(state)
        ends = canoe_choices(state, seat)
        if not ends:
            state = drift_of(state, seat)
        elif len(ends) == 1:
            cell, steps = ends[0]
            state = paddle(state, seat, cell, steps)
        else:
            break
    return state


def paddle(state: State, seat: int, cell: str, steps: int) -> State:
    """The canoe moves to the end cell in so many steps."""
    available = canoe_points(state, seat)
    assert available is not None
    state = replace(
        state, canoes=moved_to(state.canoes, seat, cell), moved=with_moved(state, [seat])
    )
    if sign(RIVER, cell) != LANDING:
        return state
    # Points left over, to decide who won: points minus the fewest steps to the landing chosen.
    left_over = list(state.left_over)
    left_over[seat] = available - steps
    return replace(state, landed=(*state.landed, seat), left_over=tuple(left_over))


def drift_of(state: State, seat: int) -> State:
    """The canoe drifts, and with it those that it pushes."""
    canoes = drift(RIVER, state.canoes, seat)
    over = fallen(RIVER, state.canoes, canoes)
    # One that falls plays on from the footbridge next round: if it had not moved yet in this
    # round, it has lost its move.
    lost = [other for other in over if other != seat and not state.moved[other]]
    return replace(
        state,
        canoes=canoes,
        moved=with_moved(state, [seat, *over]),
        lost_move=(*state.lost_move, *lost),
    )


def with_moved(state: State, seats: Sequence[int]) -> tuple[bool, ...]:
    """Whose move is over, once that of these seats is."""
    return tuple(over or seat in seats for seat, over in enumerate(state.moved))


def end_of_round(state: State) -> State:
    """The game is over if a canoe has landed; otherwise the marker advances."""
    # The round in which a canoe lands is played out.
    if state.landed:
        return replace(state, phase="over")
    return replace(
        state,
        phase="deal",
        round_number=state.round_number + 1,
        # The first player of this round deals the next; the seat on its left is first.
        dealer=state.first_player,
        first_player=left(state, state.first_player),
        hands=((),) * state.seats,
        trump_card=NO_CARD,
        bids=(NO_BID,) * state.seats,
        leader=NOBODY,
        trick=(),
        tricks_won=(0,) * state.seats,
        moved=(False,) * state.seats,
        lost_move=(),
    )
