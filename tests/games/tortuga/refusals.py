"""What is refused at Tortuga, why, and in which words."""

from __future__ import annotations

from tests.games.refusals import Case

LONE = "south d2 | north g4; south"
CHAIN = "south d1 | north d2 d4 a4; south"
NEUTRAL = "south d2 | neutral d3 | north a4; south"
TWO_CHAINS = "south a1 d1 | north a2 d2 d4 g4; south"

CASES = [
    Case("tortuga", LONE, "g4-g3", "not-yours", "g4",
         "La tortue en g4 vous fait face : elle n’est pas de votre équipe. (Règle 4.)",
         "The turtle on g4 faces you: it is not on your team. (Rule 4.)"),
    Case("tortuga", NEUTRAL, "d3-d4", "on-its-back", "d3",
         "La tortue en d3 est sur le dos : elle ne peut pas bouger. (Règle 5.)",
         "The turtle on d3 is on its back: it cannot move. (Rule 5.)"),
    Case("tortuga", LONE, "south", "chance-decided", "d2",
         "Le tirage au sort a déjà désigné qui commence. Jouez une de vos tortues : d2. (Règle "
         "7.)",
         "Who starts has already been drawn at random. Play one of your turtles: d2. (Rule 7.)"),
    Case("tortuga", LONE + " first=south", "north", "no-chance", "d2",
         "Ici, on ne tire pas au sort qui commence. Jouez une de vos tortues : d2. (Règle 26.)",
         "Who starts is not drawn at random here. Play one of your turtles: d2. (Rule 26.)"),
    Case("tortuga", LONE, "south-d2", "turtle-first", "d2",
         "Un coup commence par une de vos tortues : d2. (Règle 8.)",
         "A move begins with one of your turtles: d2. (Rule 8.)"),
    Case("tortuga", LONE, "c3", "nobody", "c3",
         "Il n’y a pas de tortue en c3 : un coup est le trajet d’une de vos tortues. (Règle 8.)",
         "There is no turtle on c3: a move is the journey of one of your turtles. (Rule 8.)"),
    Case("tortuga", LONE, "d2-d2", "no-pass", "d2",
         "On ne passe pas son tour : la tortue ne peut pas rester en d2. (Règle 8.)",
         "You cannot pass: the turtle cannot stay on d2. (Rule 8.)"),
    Case("tortuga", CHAIN, "d1", "where-to", "d3",
         "Un coup est un trajet complet : où va la tortue en d1 ? Cases possibles : d3. (Règle "
         "8.)",
         "A move is a whole journey: where does the turtle on d1 go? Possible cells: d3. (Rule "
         "8.)"),
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
         "d4 est occupée : on ne s’y pose pas, mais on peut sauter par-dessus, jusqu’en d5. "
         "(Règle 10.)",
         "d4 is occupied: you cannot land there, but you can jump over it, to d5. (Rule 10.)"),
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
         "La tortue en d3 ne peut pas être sautée : juste derrière, d4 est occupée. (Règle 11.)",
         "The turtle on d3 cannot be jumped: right behind it, d4 is occupied. (Rule 11.)"),
    Case("tortuga", "south b1 a1 | north g4; south", "b1-a1", "corner", "a1",
         "a1 est occupée, et dans un coin une tortue ne peut jamais être sautée. (Règle 12.)",
         "a1 is occupied, and a turtle in a corner can never be jumped. (Rule 12.)"),
    Case("tortuga", CHAIN, "d1-d3", "go-on", "d5",
         "Une suite de sauts entamée va jusqu’au bout. Ensuite : d5. (Règle 13.)",
         "A chain of jumps goes on to its end. Next: d5. (Rule 13.)"),
    Case("tortuga", "south d1 d2 | north d4; south", "d1-d3-d5", "friends-and-enemies", "d4",
         "On ne saute pas des tortues amies et des tortues adverses dans la même suite : d4 est "
         "de trop. (Règle 14.)",
         "Friends and enemies are not jumped in the same chain: d4 is one too many. (Rule 14.)"),
    Case("tortuga", CHAIN, "d1-d3-south-d5", "enemy-falls", "d2",
         "La tortue en d2 était à l’adversaire : sautée, elle tombe sur le dos, sans camp à "
         "choisir. (Règle 15.)",
         "The turtle on d2 was an enemy: once jumped it lies on its back, with no side to choose. "
         "(Rule 15.)"),
    Case("tortuga", NEUTRAL, "d2-d4", "choose-side", "d3",
         "La tortue en d3 se remet sur ses pattes : dites pour qui, sud ou nord. (Règle 16.)",
         "The turtle on d3 gets back on its feet: say for whom, south or north. (Rule 16.)"),
    Case("tortuga", NEUTRAL, "d2-d4-north-south", "side-chosen", "d3",
         "Le camp de la tortue en d3 est déjà choisi. (Règle 16.)",
         "The side of the turtle on d3 has already been chosen. (Rule 16.)"),
    Case("tortuga", LONE, "d2-d3-south", "no-side-to-choose", "d3",
         "Il n’y a pas de camp à choisir en d3 : seule change de camp une tortue sur le dos que "
         "l’on vient de sauter. (Règle 16.)",
         "There is no side to choose on d3: only a turtle on its back that has just been jumped "
         "changes sides. (Rule 16.)"),
    Case("tortuga", "south d2 d3 | north a4; south", "d2-d4-north", "friend-stays", "d3",
         "La tortue en d3 est des vôtres : sautée, elle reste comme elle est. (Règle 17.)",
         "The turtle on d3 is one of yours: once jumped it stays as it is. (Rule 17.)"),
    Case("tortuga", TWO_CHAINS, "d1-c1", "must-jump", "a1, d1",
         "Il faut sauter une tortue adverse. Tortues possibles : a1, d1. (Règle 18.)",
         "You must jump an enemy. Possible turtles: a1, d1. (Rule 18.)"),
    # Whichever side e5 joins.
    Case("tortuga", "south a1 e4 | neutral e5 | north a2 g4; south", "e4-e6", "must-jump", "a1",
         "Il faut sauter une tortue adverse. Tortues possibles : a1. (Règle 18.)",
         "You must jump an enemy. Possible turtles: a1. (Rule 18.)"),
    Case("tortuga", "south a1 e4 | north a2 g4; south", "e4", "must-jump", "a1",
         "Il faut sauter une tortue adverse. Tortues possibles : a1. (Règle 18.)",
         "You must jump an enemy. Possible turtles: a1. (Rule 18.)"),
    Case("tortuga", "south d5 | north d6 g4; south", "d5-d7-c6", "base-ends", "d7",
         "d7 est la base adverse : la suite s’arrête là, et la partie est gagnée. (Règle 20.)",
         "d7 is the enemy base: the chain stops there, and the game is won. (Rule 20.)"),
    Case("tortuga", TWO_CHAINS + " obligation=start", "d1-c1", "must-begin", "a1, d1",
         "Il faut commencer par sauter une tortue adverse. Tortues possibles : a1, d1. (Règle "
         "24.)",
         "You must begin by jumping an enemy. Possible turtles: a1, d1. (Rule 24.)"),
    Case("tortuga", "south a1 d1 | neutral d2 | north a2 d4 g4; south obligation=start longest=on",
         "d1-d3-south-d5", "must-begin", "a1",
         "Il faut commencer par sauter une tortue adverse. Tortues possibles : a1. (Règle 24.)",
         "You must begin by jumping an enemy. Possible turtles: a1. (Rule 24.)"),
    Case("tortuga", TWO_CHAINS + " longest=on", "a1-a3", "longest", "d1",
         "Il faut sauter le plus de tortues adverses possible, ici 2. Tortues possibles : d1. "
         "(Règle 25.)",
         "You must jump as many enemies as possible, here 2. Possible turtles: d1. (Rule 25.)"),
    Case("tortuga", TWO_CHAINS + " longest=on", "a1-b2", "must-jump", "d1",
         "Il faut sauter une tortue adverse. Tortues possibles : d1. (Règle 18.)",
         "You must jump an enemy. Possible turtles: d1. (Rule 18.)"),
]
