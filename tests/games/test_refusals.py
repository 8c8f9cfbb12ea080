"""Refusals: the right paragraph, the right cells and a sentence for whatever may be attempted."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import pytest

import escale
from escale.game.errors import BadPosition, IllegalMove
from escale.game.game import Game
from escale.game.moves import Atoms
from escale.game.position import Position
from escale.game.refusals import explain
from escale.game.texts import LANGUAGES, spaced
from escale.games.canoe import refusals as canoe
from escale.games.canyon_1972 import refusals as canyon_1972
from escale.games.tortuga import refusals as tortuga

PARAGRAPHS = {
    "canoe": canoe.PARAGRAPHS,
    "canyon-1972": canyon_1972.PARAGRAPHS,
    "tortuga": tortuga.PARAGRAPHS,
}


class Case(NamedTuple):
    """An attempt, and what is said to it."""

    game: str
    table: str
    """Each kind of piece with its places; then, after a semicolon, the turn and the options."""
    attempt: str
    key: str
    cells: str
    fr: str
    en: str

    def position(self) -> Position:
        """The table set up."""
        game = escale.game(self.game)
        pieces, words = self.table.split(";")
        kinds = [kind.split() for kind in pieces.split("|")]
        board = game.write_board({place: kind for kind, *places in kinds for place in places})
        turn, *options = words.split()
        return game.position(" ".join([board, turn, "0", *options]))


LONE = "south d2 | north g4; south"
CHAIN = "south d1 | north d2 d4 a4; south"
NEUTRAL = "south d2 | neutral d3 | north a4; south"
TWO_CHAINS = "south a1 d1 | north a2 d2 d4 g4; south"
PAWNS = "red c2 c3 | yellow g7; red"
JUMPS = "red a1 b2 | yellow d2 f1 h8; red"
SHUT_IN = "red a1 | yellow a2 a3 b1 b2 c1 c3; red"

CASES = [
    Case("tortuga", LONE, "g4-g3", "not-yours", "g4",
         "La tortue en g4 vous fait face : elle n’est pas de votre équipe. (Règle 4.)",
         "The turtle on g4 faces you: it is not on your team. (Rule 4.)"),
    Case("tortuga", NEUTRAL, "d3-d4", "on-its-back", "d3",
         "La tortue en d3 est sur le dos : elle ne peut pas bouger. (Règle 5.)",
         "The turtle on d3 is on its back: it cannot move. (Rule 5.)"),
    Case("tortuga", LONE, "south", "chance-decided", "d2",
         "Le sort a déjà désigné qui commence. Jouez une de vos tortues : d2. (Règle 7.)",
         "The lot has already said who starts. Play one of your turtles: d2. (Rule 7.)"),
    Case("tortuga", LONE + " first=south", "north", "no-chance", "d2",
         "Ici on ne tire pas au sort qui commence. Jouez une de vos tortues : d2. (Règle 26.)",
         "Here no lot is drawn to say who starts. Play one of your turtles: d2. (Rule 26.)"),
    Case("tortuga", LONE, "south-d2", "turtle-first", "d2",
         "Un coup commence par une de vos tortues : d2. (Règle 8.)",
         "A move begins with one of your turtles: d2. (Rule 8.)"),
    Case("tortuga", LONE, "c3", "nobody", "c3",
         "Il n’y a pas de tortue en c3 : un coup est le trajet d’une de vos tortues. (Règle 8.)",
         "There is no turtle on c3: a move is the journey of one of your turtles. (Rule 8.)"),
    Case("tortuga", LONE, "d2-d2", "no-pass", "d2",
         "On ne passe pas son tour : la tortue ne peut pas rester en d2. (Règle 8.)",
         "There is no passing: the turtle cannot stay on d2. (Rule 8.)"),
    Case("tortuga", CHAIN, "d1", "where-to", "d3",
         "Un coup est un trajet complet : où va la tortue en d1 ? Possible : d3. (Règle 8.)",
         "A move is a whole journey: where does the turtle on d1 go? Possible: d3. (Rule 8.)"),
    Case("tortuga", LONE, "d2-d3-d4", "step-ends", "d3",
         "Un pas est un coup entier : il s’arrête en d3. (Règle 8.)",
         "A step is a whole move: it ends on d3. (Rule 8.)"),
    Case("tortuga", CHAIN, "d1-d3-c3", "no-step-after-jump", "c3",
         "Un coup est un pas ou des sauts, jamais les deux : c3 n’est qu’à un pas. (Règle 8.)",
         "A move is a step or jumps, never both: c3 is only a step away. (Rule 8.)"),
    Case("tortuga", LONE, "d2-d1", "not-ahead", "d1",
         "d1 n’est pas devant d2 : une tortue ne va que vers l’avant. (Règle 9.)",
         "d1 is not ahead of d2: a turtle only ever goes forward. (Rule 9.)"),
    Case("tortuga", LONE, "d2-f1", "not-ahead", "f1",     # level with d2
         "f1 n’est pas devant d2 : une tortue ne va que vers l’avant. (Règle 9.)",
         "f1 is not ahead of d2: a turtle only ever goes forward. (Rule 9.)"),
    Case("tortuga", "south d2 | north e4; north", "e4-e5", "not-ahead", "e5",
         "e5 n’est pas devant e4 : une tortue ne va que vers l’avant. (Règle 9.)",
         "e5 is not ahead of e4: a turtle only ever goes forward. (Rule 9.)"),
    Case("tortuga", LONE, "d2-e4", "not-in-line", "e4",
         "e4 n’est ni tout droit ni en diagonale devant d2. (Règle 9.)",
         "e4 is neither straight ahead of d2 nor diagonally ahead. (Rule 9.)"),
    Case("tortuga", "south d6 | north d7; south", "d6-d7", "occupied", "d7",
         "d7 est occupée : on ne s’y pose pas. (Règle 10.)",
         "d7 is occupied: you cannot land there. (Rule 10.)"),
    Case("tortuga", "south d1 d2 | north d4; south", "d1-d3-d4", "occupied", "d4",
         "d4 est occupée : on ne s’y pose pas. (Règle 10.)",      # nor may it be jumped here
         "d4 is occupied: you cannot land there. (Rule 10.)"),
    Case("tortuga", CHAIN, "d1-d3-d4", "jump-it", "d4",
         "d4 est occupée : on ne s’y pose pas, mais on peut la sauter, jusqu’en d5. (Règle 10.)",
         "d4 is occupied: you cannot land there, but you can jump it, to d5. (Rule 10.)"),
    Case("tortuga", "south d1 c1 b1 d2 d3 e1 f1 | north g4; south", "d1", "hemmed-in", "d2, c1, e1",
         "La tortue en d1 n’a devant elle ni case vide ni saut possible. (Règle 10.)",
         "The turtle on d1 has neither an empty cell before it nor a jump to make. (Rule 10.)"),
    Case("tortuga", LONE, "d2-d5", "too-far", "d5",
         "Un pas n’avance que d’une case : d5 est trop loin. (Règle 10.)",
         "A step goes one cell only: d5 is too far. (Rule 10.)"),
    Case("tortuga", LONE, "d2-d4", "nothing-to-jump", "d3",
         "Il n’y a rien à sauter en d3. (Règle 11.)",
         "There is nothing to jump on d3. (Rule 11.)"),
    Case("tortuga", "south d2 d3 | north d4; south", "d2-d5", "one-at-a-time", "d5",
         "Un saut passe par-dessus une seule tortue, ici d3, et retombe juste derrière : "
         "d5 est trop loin. (Règle 11.)",
         "A jump goes over a single turtle, here d3, and lands right behind it: "
         "d5 is too far. (Rule 11.)"),
    Case("tortuga", "south d2 | north d3 d4; south", "d2-d4", "no-landing", "d4",
         "d3 ne peut pas être sautée : juste derrière, d4 est occupée. (Règle 11.)",
         "d3 cannot be jumped: right behind it, d4 is occupied. (Rule 11.)"),
    Case("tortuga", "south b1 a1 | north g4; south", "b1-a1", "corner", "a1",
         "a1 est occupée, et dans un coin une tortue ne peut jamais être sautée. (Règle 12.)",
         "a1 is occupied, and on a corner a turtle can never be jumped. (Rule 12.)"),
    Case("tortuga", CHAIN, "d1-d3", "go-on", "d5",
         "Une suite de sauts entamée va jusqu’au bout. Ensuite : d5. (Règle 13.)",
         "A chain of jumps goes on to its end. Next: d5. (Rule 13.)"),
    Case("tortuga", "south d1 d2 | north d4; south", "d1-d3-d5", "friends-and-enemies", "d4",
         "Amies et adverses ne se sautent pas dans la même suite : d4 est de trop. (Règle 14.)",
         "Friends and enemies are not jumped in the same chain: d4 is one too many. (Rule 14.)"),
    Case("tortuga", CHAIN, "d1-d3-south-d5", "enemy-falls", "d2",
         "La tortue en d2 était adverse : sautée, elle tombe sur le dos, sans camp à choisir. "
         "(Règle 15.)",
         "The turtle on d2 was an enemy: once jumped it lies on its back, with no side to choose. "
         "(Rule 15.)"),
    Case("tortuga", NEUTRAL, "d2-d4", "choose-side", "d3",
         "La tortue en d3 se remet sur ses pattes : dites pour qui, south ou north. (Règle 16.)",
         "The turtle on d3 gets back on its feet: say for whom, south or north. (Rule 16.)"),
    Case("tortuga", NEUTRAL, "d2-d4-north-south", "side-chosen", "d3",
         "Le camp de la tortue en d3 est déjà choisi. (Règle 16.)",
         "The side of the turtle on d3 has already been chosen. (Rule 16.)"),
    Case("tortuga", LONE, "d2-d3-south", "no-side-to-choose", "d3",
         "Il n’y a pas de camp à choisir en d3 : seule une tortue sur le dos qu’on vient de sauter "
         "en change. (Règle 16.)",
         "There is no side to choose on d3: only a turtle on its back that has just been jumped "
         "changes sides. (Rule 16.)"),
    Case("tortuga", "south d2 d3 | north a4; south", "d2-d4-north", "friend-stays", "d3",
         "La tortue en d3 est des vôtres : sautée, elle reste comme elle est. (Règle 17.)",
         "The turtle on d3 is one of yours: once jumped it stays as it is. (Rule 17.)"),
    Case("tortuga", TWO_CHAINS, "d1-c1", "must-jump", "a1, d1",
         "Il faut sauter une adverse. Possible avec : a1, d1. (Règle 18.)",
         "You must jump an enemy. Possible with: a1, d1. (Rule 18.)"),
    Case("tortuga", "south a1 e4 | neutral e5 | north a2 g4; south", "e4-e6", "must-jump", "a1",
         "Il faut sauter une adverse. Possible avec : a1. (Règle 18.)",   # whichever side e5 joins
         "You must jump an enemy. Possible with: a1. (Rule 18.)"),
    Case("tortuga", "south a1 e4 | north a2 g4; south", "e4", "must-jump", "a1",
         "Il faut sauter une adverse. Possible avec : a1. (Règle 18.)",
         "You must jump an enemy. Possible with: a1. (Rule 18.)"),
    Case("tortuga", "south d5 | north d6 g4; south", "d5-d7-c6", "base-ends", "d7",
         "d7 est la base adverse : la suite s’arrête là, et la partie est gagnée. (Règle 20.)",
         "d7 is the enemy base: the chain stops there, and the game is won. (Rule 20.)"),
    Case("tortuga", TWO_CHAINS + " obligation=start", "d1-c1", "must-begin", "a1, d1",
         "Il faut commencer par sauter une adverse. Possible avec : a1, d1. (Règle 24.)",
         "You must begin by jumping an enemy. Possible with: a1, d1. (Rule 24.)"),
    Case("tortuga", "south a1 d1 | neutral d2 | north a2 d4 g4; south obligation=start longest=on",
         "d1-d3-south-d5", "must-begin", "a1",
         "Il faut commencer par sauter une adverse. Possible avec : a1. (Règle 24.)",
         "You must begin by jumping an enemy. Possible with: a1. (Rule 24.)"),
    Case("tortuga", TWO_CHAINS + " longest=on", "a1-a3", "longest", "d1",
         "Il faut sauter le plus d’adverses possible, ici 2. Possible avec : d1. (Règle 25.)",
         "As many enemies as possible must be jumped, here 2. Possible with: d1. (Rule 25.)"),
    Case("tortuga", TWO_CHAINS + " longest=on", "a1-b2", "must-jump", "d1",
         "Il faut sauter une adverse. Possible avec : d1. (Règle 18.)",
         "You must jump an enemy. Possible with: d1. (Rule 18.)"),
    Case("canoe", "light g3 | dark h4; light", "reserve", "hole-first", "light reserve",
         "Un coup commence par un trou : vide pour planter, ou avec un de vos pions. (Règle 5.)",
         "A move begins with a hole: an empty one to plant in, or one with a peg of yours. "
         "(Rule 5.)"),
    Case("canoe", "light g3 | dark h4; light", "g3-f4-e5", "one-action", "e5",
         "On ne fait qu’une action par tour : planter, reprendre ou déplacer un seul pion. "
         "(Règle 5.)",
         "There is one action in a turn: plant, take back or move a single peg. (Rule 5.)"),
    Case("canoe", "light g3 | dark h4; light", "g3-g3", "no-pass", "g3",
         "On ne passe pas son tour : le pion ne peut pas rester en g3. (Règle 6.)",
         "There is no passing: the peg cannot stay in g3. (Rule 6.)"),
    Case("canoe", "light g3 | dark h4; light", "h4", "taken", "h4",
         "Il y a déjà un pion en h4 : on ne plante que dans un trou vide. (Règle 7.)",
         "There is a peg in h4 already: you plant in an empty hole only. (Rule 7.)"),
    Case("canoe", "light g3 | dark h4; light", "reserve-g5", "plant-by-hole", "g5",
         "Pour planter, dites seulement le trou : g5. (Règle 7.)",
         "To plant, just name the hole: g5. (Rule 7.)"),
    Case("canoe", "light g3 | dark h4; dark", "h4", "where-to", "h4",
         "Votre pion est déjà en h4. Dites où il va, un trou voisin ou reserve, ou plantez dans un "
         "trou vide. (Règle 7.)",
         "Your peg is in h4 already. Say where it goes, a neighbouring hole or reserve, or plant "
         "in an empty hole. (Rule 7.)"),
    Case("canoe", "light g3 | dark h4; light", "e5-reserve", "nothing-to-take", "e5",
         "Il n’y a pas de pion à reprendre en e5. (Règle 8.)",
         "There is no peg to take back in e5. (Rule 8.)"),
    Case("canoe", "light g3 | dark h4; light", "e5-e4", "nothing-to-move", "e5",
         "Il n’y a pas de pion à déplacer en e5. (Règle 9.)",
         "There is no peg to move in e5. (Rule 9.)"),
    Case("canoe", "light g3 | dark h4; light", "g3-h4", "occupied", "h4",
         "h4 est occupé : un pion ne va que dans un trou vide. (Règle 9.)",
         "h4 is taken: a peg moves to an empty hole only. (Rule 9.)"),
    Case("canoe", "light g3 | dark h4; light", "g3-i3", "too-far", "i3",
         "i3 n’est pas un trou voisin : un pion ne va pas plus loin. (Règle 9.)",
         "i3 is not a neighbouring hole: a peg goes no further. (Rule 9.)"),
    Case("canoe", "light g3 | dark h4; light", "h4-reserve", "not-yours", "h4",
         "Le pion en h4 est à l’adversaire : on n’y touche pas. (Règle 10.)",
         "The peg in h4 is your opponent’s: leave it alone. (Rule 10.)"),
    Case("canoe", "dark a3 b3 c3 d3 e3 f3 g3 h3 i3 j3 k3 l3 m3 | light g5; dark", "g1",
         "reserve-empty", "g1, dark reserve",
         "Votre réserve est vide : reprenez ou déplacez un pion. (Règle 11.)",
         "Your reserve is empty: take a peg back or move one. (Rule 11.)"),
    Case("canyon-1972", PAWNS, "c3-d4", "canyon", "d4",
         "d4 est dans le canyon : personne n’y entre. (Règle 4.)",
         "d4 is in the canyon: nobody goes there. (Rule 4.)"),
    Case("canyon-1972", "red c4 | yellow h8; red", "c4-e6", "across-canyon", "d5",
         "On ne saute pas par-dessus le canyon : il n’y a aucun pion en d5. (Règle 4.)",
         "Nobody jumps across the canyon: there is no pawn on d5. (Rule 4.)"),
    Case("canyon-1972", PAWNS, "stop-c2", "pawn-first", "c2, c3",
         "Un coup commence par un de vos pions : c2, c3. (Règle 6.)",
         "A move begins with one of your pawns: c2, c3. (Rule 6.)"),
    Case("canyon-1972", PAWNS, "g7-g6", "not-yours", "g7",
         "Le pion en g7 est à l’adversaire. (Règle 6.)",
         "The pawn on g7 is your opponent’s. (Rule 6.)"),
    Case("canyon-1972", PAWNS, "a1-a2", "nobody", "a1",
         "Il n’y a pas de pion en a1. (Règle 6.)",
         "There is no pawn on a1. (Rule 6.)"),
    Case("canyon-1972", PAWNS, "c3", "where-to", "b2, b3, b4, c1, c4, d2, d3",
         "Où va le pion en c3 ? Possible : b2, d2, b3, d3, b4, c4, c1. (Règle 6.)",
         "Where does the pawn on c3 go? Possible: b2, d2, b3, d3, b4, c4, c1. (Rule 6.)"),
    Case("canyon-1972", PAWNS, "c3-b3-b4", "step-ends", "b3",
         "Un pas s’arrête sur la case voisine, ici b3. (Règle 6.)",
         "A step ends on the neighbouring cell, here b3. (Rule 6.)"),
    Case("canyon-1972", JUMPS, "a1-c3-c4", "no-step-after-jump", "c4",
         "Après un saut, on ne fait plus que des sauts : c4 est à un pas. (Règle 6.)",
         "After a jump come only jumps: c4 is one step away. (Rule 6.)"),
    Case("canyon-1972", "red a1 h8 | yellow a2 a3 b1 b2 c1 c3; red", "a1-a2", "hemmed-in", "a1",
         "Le pion en a1 n’a autour de lui ni case libre ni saut possible. (Règle 7.)",
         "The pawn on a1 has neither a free cell beside it nor a jump to make. (Rule 7.)"),
    Case("canyon-1972", PAWNS, "c2-c3", "occupied", "c3",
         "c3 est occupée : un pas ne mène que sur une case libre. (Règle 7.)",
         "c3 is occupied: a step leads to a free cell only. (Rule 7.)"),
    Case("canyon-1972", PAWNS, "c2-f5", "too-far", "f5",
         "f5 n’est ni à un pas ni à un saut de c2. (Règle 8.)",
         "f5 is neither one step nor one jump from c2. (Rule 8.)"),
    Case("canyon-1972", PAWNS, "c2-e2", "nothing-to-jump", "d2",
         "Il n’y a rien à sauter en d2. (Règle 8.)",
         "There is nothing to jump on d2. (Rule 8.)"),
    Case("canyon-1972", "red a1 | yellow b1 c1; red", "a1-c1", "no-landing", "c1",
         "b1 ne peut pas être sauté : juste derrière, c1 est occupée. (Règle 8.)",
         "b1 cannot be jumped: right behind it, c1 is occupied. (Rule 8.)"),
    Case("canyon-1972", JUMPS, "a1-c3", "go-on-or-stop", "c3, e1",
         "En c3, la suite de sauts peut continuer vers e1 ; pour s’arrêter là, ajoutez "
         "« s’arrêter ici ». (Règle 9.)",
         "On c3 the chain of jumps can go on to e1; to end it there, add “stop here”. (Rule 9.)"),
    Case("canyon-1972", PAWNS, "c3-stop", "no-stop-yet", "b2, b3, b4, c1, c4, d2, d3",
         "On ne s’arrête pas en c3 avant d’avoir sauté. (Règle 9.)",
         "There is no stopping on c3 before a jump. (Rule 9.)"),
    Case("canyon-1972", PAWNS, "c2-c4-stop", "no-stop-needed", "c4",
         "Le coup s’achève en c4 de lui-même : il n’y a rien à ajouter. (Règle 9.)",
         "The move ends on c4 by itself: there is nothing to add. (Rule 9.)"),
    Case("canyon-1972", PAWNS, "c3-b3-stop", "no-stop-needed", "b3",
         "Le coup s’achève en b3 de lui-même : il n’y a rien à ajouter. (Règle 9.)",
         "The move ends on b3 by itself: there is nothing to add. (Rule 9.)"),
    Case("canyon-1972", JUMPS, "a1-c3-stop-e1", "after-stop", "c3",
         "Le coup s’est arrêté en c3 : rien ne vient après. (Règle 9.)",
         "The move has ended on c3: nothing comes after that. (Rule 9.)"),
    Case("canyon-1972", "red a1 | yellow b1 g7; red", "a1-c1-a1", "gone", "b1",
         "Le pion qui était en b1 est déjà pris : il ne se saute pas deux fois. (Règle 10.)",
         "The pawn that was on b1 is captured already: it is not jumped twice. (Rule 10.)"),
    Case("canyon-1972", PAWNS, "c2-c4-c2", "nothing-changes", "c2",
         "Revenir en c2 sans avoir rien pris ne change rien : ce n’est pas un coup. "
         "(Règle 11.)",
         "Coming back to c2 without a capture changes nothing: that is no move. (Rule 11.)"),
    Case("canyon-1972", "red a1 b1 b2 c2 | yellow g7; red", "a1-c1-a1-c3", "same-move", "c3",
         "C’est le même coup que a1 – c3 – s’arrêter ici, par un détour : "
         "écrivez a1 – c3 – s’arrêter ici. (Règle 11.)",
         "That is the same move as a1 – c3 – stop here, in a roundabout way: "
         "write a1 – c3 – stop here. (Rule 11.)"),
    Case("canyon-1972", PAWNS, "pass", "no-pass", "c2, c3",
         "On ne passe que si aucun coup n’est possible. (Règle 12.)",
         "A turn is passed only when no move is possible. (Rule 12.)"),
    Case("canyon-1972", PAWNS, "c3-c3", "no-pass", "c3",
         "On ne passe que si aucun coup n’est possible. (Règle 12.)",
         "A turn is passed only when no move is possible. (Rule 12.)"),
    Case("canyon-1972", SHUT_IN, "a1-c1", "must-pass", "a1",
         "Aucun de vos pions ne peut bouger : passez. (Règle 12.)",
         "None of your pawns can move: pass. (Rule 12.)"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}-{case.key}-{case.attempt}")
def test_the_sentence(case: Case) -> None:
    with pytest.raises(IllegalMove) as caught:
        case.position().play(case.attempt)
    refusal = caught.value.refusal
    assert refusal.key == case.key
    assert refusal.paragraph == PARAGRAPHS[case.game][case.key]
    assert sorted(refusal.cells) == sorted(case.cells.split(", "))
    assert refusal.text("fr") == spaced(case.fr, "fr")
    assert refusal.text("en") == case.en


@pytest.mark.parametrize("slug", PARAGRAPHS)
def test_every_sentence_has_a_case(slug: str) -> None:
    assert set(PARAGRAPHS[slug]) == {case.key for case in CASES if case.game == slug}


@pytest.mark.parametrize("slug", PARAGRAPHS)
def test_every_sentence_is_used(slug: str) -> None:
    texts = tomllib.loads((escale.game(slug).folder / "texts.toml").read_text("utf-8"))
    assert set(texts["refusal"]) == set(PARAGRAPHS[slug])


# ---- whatever may be attempted ----


def visited(game: Game[Any], rng: random.Random, games: int) -> Iterator[Position]:
    """Positions of games played at random, with options chosen at random."""
    for _ in range(games):
        chosen = {option.name: rng.choice(option.values) for option in game.options}
        position = game.start(seats=None, seed=None, **chosen)
        while position.moves():
            position = position.play(rng.choice(position.moves()))
            if rng.random() < 0.2:
                yield position


def scattered(game: Game[Any], rng: random.Random, boards: int) -> Iterator[Position]:
    """Positions with a few pieces thrown on the board, likely or not."""
    places = [cell.id for cell in game.board.cells]
    for _ in range(boards):
        pieces = rng.sample(places, rng.randint(2, 9))
        board = game.write_board({place: rng.choice([*game.board.kinds]) for place in pieces})
        options = [f"{option.name}={rng.choice(option.values)}" for option in game.options]
        try:
            yield game.position(" ".join([board, rng.choice(game.seat_names), "0", *options]))
        except BadPosition:
            continue


def attempted(position: Position, rng: random.Random) -> Iterator[Atoms]:
    """Atoms thrown together, moves begun well that end badly, and those of another option."""
    known = sorted(position.game.vocabulary(position.options))
    mine = [*position.choices().next, *position.cells]
    first = [atom for atom in mine if atom in known] or known
    for _ in range(4):
        yield tuple(rng.choice(known) for _ in range(rng.randint(1, 5)))
        yield (rng.choice(first), *(rng.choice(known) for _ in range(rng.randint(0, 3))))
    for _ in range(4):
        atoms: Atoms = ()
        node = position.choices()
        while node.next and rng.random() < 0.8:
            atoms += (rng.choice([*node.next]),)
            node = node.next[atoms[-1]]
        yield (*atoms, *(rng.choice(known) for _ in range(rng.randint(0, 2))))
    if position.options.changed:
        words = [w for w in position.text.split() if w.split("=")[0] not in position.options]
        with suppress(BadPosition):         # an option may allow what is impossible without it
            usual = position.game.position(" ".join(words)).moves()
            yield from (move.atoms for move in rng.sample(usual, min(4, len(usual))))


@pytest.mark.parametrize("game", escale.games(), ids=lambda game: game.slug)
def test_nothing_makes_it_stumble(game: Game[Any]) -> None:
    rng = random.Random(f"refusals of {game.slug}")
    tables = [*visited(game, rng, 20)]
    shown = {game.position(e.position): game.split(e.attempt) for e in game.examples if e.attempt}
    if game.slug in PARAGRAPHS:
        tables += scattered(game, rng, 3000)
    known = game.rules["fr"].numbers
    places = {cell.id for cell in game.board.cells} | {area.id for area in game.board.areas}
    cited = set()
    for position in [*tables, *shown]:
        for atoms in [*attempted(position, rng), shown.get(position, ())]:
            node = position.choices().after(*atoms)
            if not atoms or (node is not None and node.move is not None):
                continue
            refusal = explain(position, atoms)
            assert refusal.paragraph is None or refusal.paragraph in known
            for lang in LANGUAGES:
                assert refusal.text(lang).strip()
            if position.turn is None:
                assert refusal.key == "over"
            elif game.slug in PARAGRAPHS and position.turn >= 0:
                assert refusal.key in PARAGRAPHS[game.slug], (position.text, atoms)
                assert refusal.paragraph == PARAGRAPHS[game.slug][refusal.key]
                assert refusal.cells
                assert set(refusal.cells) <= places
                cited.add(refusal.key)
    assert cited == set(PARAGRAPHS.get(game.slug, ())), "every refusal came up"


@pytest.mark.parametrize("slug", ["qenj1", "qenj2", "qenj3", "qenj4"])
def test_a_piece_that_may_well_move_is_not_crossed_out(slug: str) -> None:
    """What is lit is the place that cannot be, or what stands in the way there."""
    game = escale.game(slug)
    rng = random.Random(f"crossed out at {slug}")
    keys = set()
    for position in visited(game, rng, 20):
        if position.turn is None or position.turn < 0:
            continue
        cells = [cell.id for cell in game.board.cells]
        for first in position.choices().next:
            for second in rng.sample(cells, 6):
                node = position.choices().after(first, second)
                if node is not None or first in ("pass", second):
                    continue
                refusal = explain(position, (first, second))
                keys.add(refusal.key)
                assert first not in refusal.cells, (position.text, first, second)
    assert {"wrong-way", "gone"} <= keys or slug == "qenj2"
    assert keys & {"not-so-far", "too-far", "not-nearest"}


def test_a_cell_in_place_of_a_column_is_refused_for_what_is_wrong_with_the_column() -> None:
    position = escale.game("qenj2").start(setup="quick", seed=2).play("north")
    piece = next(atom for atom in position.choices().next if atom.endswith("6"))
    right = next(iter(position.choices().next[piece].next))
    force = int(str(position.cells[piece])[-1])
    wrong = next(letter for letter in "abcdefghijkl"
                 if letter not in position.choices().next[piece].next and letter != piece[0]
                 and abs(ord(letter) - ord(piece[0])) != force)
    assert explain(position, (piece, f"{wrong}2")).key == "not-so-far"
    assert explain(position, (piece, f"{wrong}2")).cells == (f"{wrong}2",)
    assert explain(position, (piece, f"{right}2")).key == "column-next"    # typed, a letter is due
    assert explain(position, (piece, right, f"{right}5")).key == "side-next"
    assert explain(position, (piece, right, f"{right}5")).cells == (f"{right}5",)
