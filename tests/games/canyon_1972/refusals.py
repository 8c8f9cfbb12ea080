"""What is refused at Canyon (1972), why, and in which words."""

from __future__ import annotations

from tests.games.refusals import Case

PAWNS = "red c2 c3 | yellow g7; red"
JUMPS = "red a1 b2 | yellow d2 f1 h8; red"
SHUT_IN = "red a1 | yellow a2 a3 b1 b2 c1 c3; red"

CASES = [
    Case("canyon-1972", PAWNS, "c3-d4", "canyon", "d4",
         "d4 est dans le canyon : personne n’y entre. (Règle 7.)",
         "d4 is in the canyon: nobody goes there. (Rule 7.)"),
    Case("canyon-1972", "red c4 | yellow h8; red", "c4-e6", "across-canyon", "d5",
         "On ne saute pas par-dessus le canyon : il n’y a aucun pion en d5. (Règle 7.)",
         "Nobody jumps across the canyon: there is no pawn on d5. (Rule 7.)"),
    Case("canyon-1972", PAWNS, "stop-c2", "pawn-first", "c2, c3",
         "Un coup commence par un de vos pions : c2, c3. (Règle 9.)",
         "A move begins with one of your pawns: c2, c3. (Rule 9.)"),
    Case("canyon-1972", PAWNS, "g7-g6", "not-yours", "g7",
         "Le pion en g7 est à l’adversaire. (Règle 9.)",
         "The pawn on g7 is your opponent’s. (Rule 9.)"),
    Case("canyon-1972", PAWNS, "a1-a2", "nobody", "a1",
         "Il n’y a pas de pion en a1. (Règle 9.)",
         "There is no pawn on a1. (Rule 9.)"),
    Case("canyon-1972", PAWNS, "c3", "where-to", "b2, b3, b4, c1, c4, d2, d3",
         "Où va le pion en c3 ? Possible : b2, d2, b3, d3, b4, c4, c1. (Règle 9.)",
         "Where does the pawn on c3 go? Possible: b2, d2, b3, d3, b4, c4, c1. (Rule 9.)"),
    Case("canyon-1972", PAWNS, "c3-b3-b4", "step-ends", "b3",
         "Un pas s’arrête sur la case voisine, ici b3. (Règle 15.)",
         "A step ends on the neighbouring cell, here b3. (Rule 15.)"),
    Case("canyon-1972", JUMPS, "a1-c3-c4", "no-step-after-jump", "c4",
         "Après un saut, on ne fait plus que des sauts : c4 est à un pas. (Règle 15.)",
         "After a jump come only jumps: c4 is one step away. (Rule 15.)"),
    Case("canyon-1972", "red a1 h8 | yellow a2 a3 b1 b2 c1 c3; red", "a1-a2", "hemmed-in", "a1",
         "Le pion en a1 n’a autour de lui ni case libre ni saut possible. (Règle 10.)",
         "The pawn on a1 has neither a free cell beside it nor a jump to make. (Rule 10.)"),
    Case("canyon-1972", PAWNS, "c2-c3", "occupied", "c3",
         "c3 est occupée : un pas ne mène que sur une case libre. (Règle 10.)",
         "c3 is occupied: a step leads to a free cell only. (Rule 10.)"),
    Case("canyon-1972", PAWNS, "c2-f5", "too-far", "f5",
         "f5 n’est ni à un pas ni à un saut de c2. (Règle 11.)",
         "f5 is neither one step nor one jump from c2. (Rule 11.)"),
    Case("canyon-1972", PAWNS, "c2-e2", "nothing-to-jump", "d2",
         "Il n’y a rien à sauter en d2. (Règle 11.)",
         "There is nothing to jump on d2. (Rule 11.)"),
    Case("canyon-1972", "red a1 | yellow b1 c1; red", "a1-c1", "no-landing", "c1",
         "b1 ne peut pas être sauté : juste derrière, c1 est occupée. (Règle 11.)",
         "b1 cannot be jumped: right behind it, c1 is occupied. (Rule 11.)"),
    Case("canyon-1972", JUMPS, "a1-c3", "go-on-or-stop", "c3, e1",
         "En c3, la suite de sauts peut continuer vers e1 ; pour s’arrêter là, ajoutez "
         "« s’arrêter ici ». (Règle 13.)",
         "On c3 the chain of jumps can go on to e1; to end it there, add “stop here”. "
         "(Rule 13.)"),
    Case("canyon-1972", PAWNS, "c3-stop", "no-stop-yet", "b2, b3, b4, c1, c4, d2, d3",
         "On ne s’arrête pas en c3 avant d’avoir sauté. (Règle 13.)",
         "There is no stopping on c3 before a jump. (Rule 13.)"),
    Case("canyon-1972", PAWNS, "c2-c4-stop", "no-stop-needed", "c4",
         "Le coup s’achève en c4 de lui-même : il n’y a rien à ajouter. (Règle 13.)",
         "The move ends on c4 by itself: there is nothing to add. (Rule 13.)"),
    Case("canyon-1972", PAWNS, "c3-b3-stop", "no-stop-needed", "b3",
         "Le coup s’achève en b3 de lui-même : il n’y a rien à ajouter. (Règle 13.)",
         "The move ends on b3 by itself: there is nothing to add. (Rule 13.)"),
    Case("canyon-1972", JUMPS, "a1-c3-stop-e1", "after-stop", "c3",
         "Le coup s’est arrêté en c3 : rien ne vient après. (Règle 13.)",
         "The move has ended on c3: nothing comes after that. (Rule 13.)"),
    Case("canyon-1972", "red a1 | yellow b1 g7; red", "a1-c1-a1", "gone", "b1",
         "Le pion qui était en b1 est déjà pris : il ne se saute pas deux fois. (Règle 22.)",
         "The pawn that was on b1 is captured already: it is not jumped twice. (Rule 22.)"),
    Case("canyon-1972", PAWNS, "c2-c4-c2", "nothing-changes", "c2",
         "Revenir en c2 sans avoir rien pris ne change rien : ce n’est pas un coup. "
         "(Règle 23.)",
         "Coming back to c2 without a capture changes nothing: that is no move. (Rule 23.)"),
    Case("canyon-1972", "red a1 b1 b2 c2 | yellow g7; red", "a1-c1-a1-c3", "same-move", "c3",
         "C’est le même coup que a1 – c3 – s’arrêter ici, par un détour : "
         "écrivez a1 – c3 – s’arrêter ici. (Règle 23.)",
         "That is the same move as a1 – c3 – stop here, in a roundabout way: "
         "write a1 – c3 – stop here. (Rule 23.)"),
    Case("canyon-1972", PAWNS, "pass", "no-pass", "c2, c3",
         "On ne passe que si aucun coup n’est possible. (Règle 24.)",
         "A turn is passed only when no move is possible. (Rule 24.)"),
    Case("canyon-1972", PAWNS, "c3-c3", "no-pass", "c3",
         "On ne passe que si aucun coup n’est possible. (Règle 24.)",
         "A turn is passed only when no move is possible. (Rule 24.)"),
    Case("canyon-1972", SHUT_IN, "a1-c1", "must-pass", "a1",
         "Aucun de vos pions ne peut bouger : passez. (Règle 24.)",
         "None of your pawns can move: pass. (Rule 24.)"),
]
