"""What is refused at Canoë, why, and in which words."""

from __future__ import annotations

from tests.games.refusals import Case

SWAP_ONLY = (
    "L’échange est un coup entier : le pion foncé prend le trou du pion clair, et c’est à Clair de "
    "jouer.",
    "The swap is a whole move: a dark peg takes the hole of the light one, and it is Light’s turn.",
)

CASES = [
    Case("canoe", "light g3 | dark h4; light", "reserve", "hole-first", "light reserve",
         "Un coup commence par un trou : vide pour planter, ou avec un de vos pions.",
         "A move begins with a hole: an empty one to plant in, or one with a peg of yours."),
    Case("canoe", "light g3 | dark h4; light", "g3-f4-e5", "one-action", "e5",
         "On ne fait qu’une action par tour : planter, reprendre ou déplacer un seul pion.",
         "A turn is one action: plant, take back or move a single peg."),
    Case("canoe", "light g3 | dark h4; light", "g3-g3", "no-pass", "g3",
         "On ne passe pas son tour : le pion ne peut pas rester en g3.",
         "You cannot pass: the peg cannot stay in g3."),
    Case("canoe", "light g3 | dark h4; light", "h4", "taken", "h4",
         "Il y a déjà un pion en h4 : on ne plante que dans un trou vide.",
         "There is a peg in h4 already: you plant in an empty hole only."),
    Case("canoe", "light g3 | dark h4; light", "reserve-g5", "plant-by-hole", "g5",
         "Pour planter, indiquez seulement le trou : g5.",
         "To plant, just name the hole: g5."),
    Case("canoe", "light g3 | dark h4; dark", "h4", "where-to", "h4",
         "Votre pion est déjà en h4. Dites où il va, un trou voisin ou « réserve », ou plantez "
         "dans un trou vide.",
         "Your peg is in h4 already. Say where it goes, a neighbouring hole or “reserve”, or "
         "plant in an empty hole."),
    Case("canoe", "light g3 | dark h4; light", "e5-reserve", "nothing-to-take", "e5",
         "Il n’y a pas de pion à reprendre en e5.",
         "There is no peg to take back in e5."),
    Case("canoe", "light g3 | dark h4; light", "e5-e4", "nothing-to-move", "e5",
         "Il n’y a pas de pion à déplacer en e5.",
         "There is no peg to move in e5."),
    Case("canoe", "light g3 | dark h4; light", "g3-h4", "occupied", "h4",
         "h4 est occupé : un pion ne va que dans un trou vide.",
         "h4 is taken: a peg moves to an empty hole only."),
    Case("canoe", "light g3 | dark h4; light", "g3-i3", "too-far", "i3",
         "i3 n’est pas un trou voisin : un pion ne va pas plus loin.",
         "i3 is not a neighbouring hole: a peg goes no further."),
    Case("canoe", "light g3 | dark h4; light", "h4-reserve", "not-yours", "h4",
         "Le pion en h4 est à votre adversaire : on n’y touche pas.",
         "The peg in h4 is your opponent’s: leave it alone."),
    Case("canoe", "dark a3 b3 c3 d3 e3 f3 g3 h3 i3 j3 k3 l3 m3 | light g5; dark", "g1",
         "reserve-empty", "g1, dark reserve",
         "Votre réserve est vide : reprenez ou déplacez un pion.",
         "Your reserve is empty: take a peg back or move one."),
    Case("canoe", "light g3; dark", "swap", "no-swap", "dark reserve",
         "Ici on n’échange pas : c’est une variante, à choisir avant la partie.",
         "There is no swapping here: it is a variant, chosen before the game."),
    Case("canoe", "light g3 f4 | dark h4; dark swap=on", "swap", "swap-once", "dark reserve",
         "Seul Foncé peut échanger, et seulement à son premier tour.",
         "Only Dark may swap, and only on its first turn."),
    Case("canoe", "; light swap=on", "swap", "swap-once", "light reserve",
         "Seul Foncé peut échanger, et seulement à son premier tour.",
         "Only Dark may swap, and only on its first turn."),
    Case("canoe", "light g3; dark 1 swap=on", "swap-g3", "swap-only", "g3",
         *SWAP_ONLY),
    Case("canoe", "light g3; dark 1 swap=on", "g3-swap", "swap-only", "g3",
         *SWAP_ONLY),
]
