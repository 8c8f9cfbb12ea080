"""Prompts: which one is asked where, in the words of each game."""

from __future__ import annotations

import re
from typing import Any

import pytest

import escale
from escale.devkit.prompts import nodes
from escale.devkit.starts import random_starts
from escale.game.prompts import NAMED_ATOMS, Prompt, Questions, Situation, either
from escale.game.texts import LANGUAGES, Texts, house
from escale.kernel import CHANCE
from tests.games import OURS


@pytest.mark.parametrize(("pattern", "path", "fits"), [
    ("", [], True),
    ("", ["piece"], False),
    ("piece", ["piece"], True),
    ("piece", ["piece", "empty"], False),
    ("*", [], True),
    ("*", ["piece", "empty"], True),
    ("piece *", ["piece"], True),
    ("piece *", ["empty", "piece"], False),
    ("piece * side", ["piece", "side"], True),
    ("piece * side", ["piece", "empty", "side"], True),
    ("piece * side", ["piece"], False),
    ("side * side", ["side"], False),
])
def test_a_path_is_kinds_in_order(pattern: str, path: list[str], fits: bool) -> None:
    assert Prompt("one", "empty", path=pattern).fits("", path, {"empty"}) is fits


@pytest.mark.parametrize(("pattern", "following", "fits"), [
    ("empty", {"empty"}, True),
    ("empty", {"empty", "stop"}, False),
    ("empty stop", {"empty"}, False),
    ("empty stop?", {"empty"}, True),
    ("empty stop?", {"empty", "stop"}, True),
    ("empty? piece?", {"piece"}, True),
])
def test_what_may_follow_is_kinds_without_order(
    pattern: str, following: set[str], fits: bool
) -> None:
    assert Prompt("one", pattern).fits("", [], following) is fits


def test_a_situation_is_asked_for_only_where_a_prompt_names_it() -> None:
    assert Prompt("one", "empty", when="late").fits("late", [], {"empty"})
    assert not Prompt("one", "empty", when="late").fits("", [], {"empty"})
    assert Prompt("one", "empty").fits("late", [], {"empty"})


def test_values_are_numbers_names_or_texts() -> None:
    texts = Texts({"suit": {"red": {"fr": "rouge", "en": "red"}}})
    situation = Situation("follow", {"suit": "suit.red", "points": 3, "cell": "a4"})
    assert situation.said(texts, "fr") == {"suit": "rouge", "points": "3", "cell": "a4"}


def test_one_of_several_things() -> None:
    assert either(["c4"], house(), "fr") == "c4"
    assert either(["c4", "e4"], house(), "fr") == "c4 ou e4"
    assert either(["c4", "d4", "e4"], house(), "en") == "c4, d4 or e4"


def test_a_template_has_its_terms_and_keeps_its_gaps() -> None:
    qenj3 = escale.game("qenj3").texts
    assert qenj3.template("prompt.land", "en") == "Where does the pebble from {first} land?"
    with pytest.raises(KeyError, match=r"no text 'prompt\.nothing'"):
        qenj3.template("prompt.nothing", "en")


TORTUGA, CANOE, CANYON = map(escale.game, ("tortuga", "canoe", "canyon-1972"))
PAIR = TORTUGA.write_board({"c2": "south", "c3": "north", "e2": "south", "e3": "north"})
BACKS = TORTUGA.write_board({"d2": "south", "d3": "neutral", "d5": "neutral", "g4": "north"})
CROWD = TORTUGA.write_board({
    **{f"{column}1": "south" for column in "abcde"},
    **{f"{column}2": "north" for column in "abcde"},
})
SHUT_IN = CANOE.write_board({
    f"{column}{row}": "light" for column in "efg" for row in "234"
})
FULL_ROW = "4/6D6/13/LLLLLLLLLLLLL/11/7"
LOCKED = "8/8/8/8/8/Y1Y5/YY6/RYY5"
CHAIN = "8/8/8/8/8/8/8/1RY1Y3"
STACKS = (
    "...b3y2r1.../...y2r1y3.../...r1r1y1.../...b1y1y2.../...b3b2b1.../...y2r2r3.../"
    "...r2b3b2.../...r3y1b1.../...y3b1r2.../...r2y3r3.../...b2y3y1.../...r3b2b3..."
)
NEARLY = "..wb../.rwr../..wb../..br../..bwr./..rb../..wb../.rwb../..rw.."

#: A position, the atoms chosen, and what is asked, with ordinary spaces.
ASKED = [
    ("tortuga", TORTUGA.start(first="south").text, "",
     "Choisissez la tortue à déplacer.", "Choose the turtle to move."),
    ("tortuga", TORTUGA.start(first="south").text, "d2",
     "Où va la tortue en d2 ?", "Where does the turtle on d2 go?"),
    ("tortuga", f"{PAIR} south 4", "", "Vous devez sauter : c2 ou e2.", "You must jump: c2 or e2."),
    ("tortuga", f"{PAIR} south 4", "c2",
     "Où saute la tortue en c2 ?", "Where does the turtle on c2 jump?"),
    ("tortuga", f"{CROWD} south 4", "",
     "Vous devez sauter : quelle tortue saute ?", "You must jump: which turtle jumps?"),
    ("tortuga", f"{BACKS} south 4", "", "Choisissez la tortue à déplacer.",
     "Choose the turtle to move."),
    ("tortuga", f"{BACKS} south 4", "d2 d4", "La tortue sautée se relève : pour quel camp ?",
     "The turtle you jumped gets up: for which side?"),
    ("tortuga", f"{BACKS} south 4", "d2 d4 north", "Elle saute encore : où se pose-t-elle ?",
     "It jumps again: where does it land?"),
    ("canoe", CANOE.start().text, "", "Plantez un pion dans un trou.", "Plant a peg in a hole."),
    ("canoe", CANOE.start(swap="on").play("g3").text, "",
     "Plantez un pion, ou échangez : prenez le trou de Clair.",
     "Plant a peg, or swap: take Light’s hole."),
    ("canoe", CANOE.start().play("g3").play("a3").text, "",
     "Plantez un pion, ou choisissez un des vôtres.", "Plant a peg, or choose one of yours."),
    ("canoe", CANOE.start().play("g3").play("a3").text, "g3",
     "Où va le pion en g3 : trou voisin ou réserve ?",
     "Where does g3 go: a hole beside it, or the reserve?"),
    ("canoe", f"{FULL_ROW} light 40", "",
     "Réserve vide : choisissez un de vos pions.",
     "Your reserve is empty: choose one of your pegs."),
    ("canoe", f"{SHUT_IN} light 20", "f3",
     "Aucun trou libre à côté : reprenez-le en réserve.",
     "No free hole beside it: take it back to the reserve."),
    ("canyon-1972", CANYON.start().text, "",
     "Choisissez le pion à déplacer.", "Choose the pawn to move."),
    ("canyon-1972", CANYON.start().text, "a4",
     "Où va le pion en a4 ?", "Where does the pawn on a4 go?"),
    ("canyon-1972", f"{CHAIN} red 30", "b1 d1",
     "Sautez encore, ou arrêtez-vous en d1.", "Jump again, or stop on d1."),
    ("canyon-1972", f"{LOCKED} red 40", "", "Aucun de vos pions ne peut bouger : passez.",
     "None of your pawns can move: pass."),
    ("qenj2", f"{STACKS} A 0 north=B", "", "Prenez un pion : ceux entre lui et vous partent aussi.",
     "Take a piece: those between it and you come too."),
    ("qenj2", f"{STACKS} A 0 north=B", "a5", "Dans quelle colonne allez-vous ?",
     "Which column do you go to?"),
    ("qenj2", f"{STACKS} A 0 north=B", "a5 b", "De quel côté se pose-t-il : nord ou sud ?",
     "Which side does it land on: North or South?"),
    ("qenj2", f"{STACKS} A 0 north=B", "a5 b south",
     "De quel côté se pose le suivant : nord ou sud ?",
     "Which side for the next one: North or South?"),
    ("qenj2", f"{STACKS} A 0 north=B unstack=free", "a4 b", "Quel pion posez-vous d’abord ?",
     "Which piece do you set down first?"),
    ("qenj2", f"{STACKS} A 0 north=B unstack=free", "a4 b a5",
     "De quel côté se pose le pion pris en a5 : nord ou sud ?",
     "Which side for the piece from a5: North or South?"),
    ("qenj2", f"{STACKS} A 0 north=B unstack=free", "a4 b a5 north",
     "Quel pion posez-vous ensuite ?", "Which piece do you set down next?"),
    ("qenj3", f"{NEARLY} B 0 north=A", "",
     "Prenez un galet proche de vous : ce sera le premier posé.",
     "Take a pebble near you: it will be the first to land."),
    ("qenj3", f"{NEARLY} B 0 north=A", "e5",
     "Où se pose-t-il ? Autant de colonnes que de galets.",
     "Where does it land? As many columns on as pebbles."),
    ("qenj3", f"{NEARLY} B 0 north=A", "e5 h1 e4 h5 h6",
     "La colonne est pleine : quel galet sortez-vous ?",
     "The column is full: which pebble do you take out?"),
    ("qenj3", f"{NEARLY} B 0 north=A", "e5 h1 e4", "Où se pose le suivant ?",
     "Where does the next one land?"),
    ("qenj3", f"{NEARLY} B 0 north=A", "e5 h1", "Quel galet posez-vous ensuite ?",
     "Which pebble do you set down next?"),
]


@pytest.mark.parametrize(("slug", "text", "atoms", "french", "english"), ASKED)
def test_what_is_asked(slug: str, text: str, atoms: str, french: str, english: str) -> None:
    position = escale.game(slug).position(text)
    assert re.sub(r"[\xa0\u202f]", " ", position.prompt("fr", *atoms.split())) == french
    assert position.prompt("en", *atoms.split()) == english


def test_nothing_is_asked_of_chance_nor_after_the_end_nor_of_a_whole_move() -> None:
    assert TORTUGA.start().prompt("fr") == ""
    assert TORTUGA.start(first="south").prompt("fr", "d2", "d3") == ""
    assert TORTUGA.start(first="south").prompt("fr", "d2", "a4") == ""
    won = TORTUGA.write_board({"d7": "south", "a4": "north"})
    assert TORTUGA.position(f"{won} north 9").prompt("fr") == ""


def test_the_set_ups_of_qenj_are_asked_step_by_step() -> None:
    for slug in ("qenj1", "qenj2"):
        position = escale.game(slug).start(seed=1)
        spots = []
        for colour in ("red", "blue", "yellow"):
            spots.append(position.prompt("en"))
            position = position.play(colour)
        cells = [re.search(r"on (\w\d)\?$", asked) for asked in spots]
        assert [cell and cell[1] in position.cells for cell in cells] == [True] * 3
        position = position.play("fill")
        assert position.prompt("en") == "Choose your side: North or South."
    assert spots[0] == "Which colour do you place on a4?"
    assert "repeat" in position.game.buttons
    qenj1 = escale.game("qenj1").start(setup="quick", seed=1)
    assert qenj1.prompt("fr") == "Choisissez votre côté\xa0: nord ou sud."
    qenj1 = qenj1.play("north")
    assert qenj1.prompt("fr") == "Prenez un pion, le plus proche de vous dans sa colonne."
    first = qenj1.moves()[0].atoms[0]
    assert qenj1.prompt("en", first) == f"Where does the piece from {first} land?"
    assert escale.game("qenj4").start(seed=1).prompt("fr").startswith("Prenez un galet")
    assert "bandes" in escale.game("qenj4").start(seed=1).prompt("fr", "a3")


def test_every_phase_of_canyon_1997_is_asked_for() -> None:
    asked: dict[str, tuple[str, str]] = {}
    for bids in ("secret", "open"):
        position = escale.game("canyon-1997").start(seed=3, seats=3, bids=bids)
        for _ in range(60):
            both = position.prompt("fr"), position.prompt("en")
            asked.setdefault(position.situation.name, both)
            position = position.play(position.moves()[0])
    assert asked == {
        "place": ("Posez votre canoë sur une case de départ.",
                  "Put your canoe on a starting cell."),
        "bid-secret": ("En secret\xa0: combien de levées annoncez-vous, sur 8\u202f?",
                       "In secret: how many tricks do you bid, out of 8?"),
        "bid": ("Combien de levées annoncez-vous, sur 8\u202f?",
                "How many tricks do you bid, out of 8?"),
        "lead": ("À vous d’entamer\xa0: jouez la carte que vous voulez.",
                 "You lead: play any card."),
        "follow": ("Servez\xa0: jouez bleu.", "Follow suit: play blue."),
        "discard": ("Pas de rouge en main\xa0: jouez la carte que vous voulez.",
                    "You have no red: play any card."),
        "paddle": ("Où s’arrête votre canoë\u202f? Points à pagayer\xa0: 2.",
                   "Where does your canoe stop? Points to paddle: 2."),
    }


@pytest.mark.parametrize("game", OURS, ids=lambda game: str(game.slug))
def test_whatever_is_chosen_is_asked_for(game: escale.Game[Any]) -> None:
    for start, random in random_starts(game, 6, seed=22):
        position = start
        for _ in range(80):
            if position.turn is None:
                break
            if position.turn == CHANCE:
                position = position.play(position.draw(random))
                continue
            questions = Questions(position)
            for atoms, following in nodes(position, random, 6):
                for lang in LANGUAGES:
                    sentence = questions.ask(atoms, following, lang)
                    assert sentence, (position.text, atoms)
                    assert not re.search(r"[{}]", sentence)
            moves = position.moves()
            position = position.play(moves[random.below(len(moves))])


def test_who_must_jump_is_told_exactly_where_from() -> None:
    told = 0
    for start, random in random_starts(TORTUGA, 40, seed=22):
        position = start
        while position.turn is not None:
            if position.turn == CHANCE:
                position = position.play(position.draw(random))
                continue
            starts = {move.atoms[0] for move in position.moves()}
            jumps = [
                any(change.kind == "turned" and change.piece == "neutral"
                    for change in move.changes)
                for move in position.moves()
            ]
            sentence = position.prompt("en")
            assert sentence.startswith("You must jump") is all(jumps)
            if all(jumps) and len(starts) <= NAMED_ATOMS:
                told += 1
                assert set(re.findall(r"\b[a-g][1-7]\b", sentence)) == starts
            moves = position.moves()
            position = position.play(moves[random.below(len(moves))])
    assert told > 20
