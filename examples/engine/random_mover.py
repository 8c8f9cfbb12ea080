"""An engine in thirty lines that knows no rules: it is sent the legal moves, and chooses one.

It needs nothing but Python. `escale arena match "engine:python3 random_mover.py" mousse -g canoe`
lets it play; in a real engine, `choose` would think about `line["position"]`.
"""

import json
import random
import sys


def choose(line: dict, request: dict) -> dict:
    """A move for the position that `line` leads to, within the limits of `request`."""
    dice = random.Random(request.get("seed", 0))
    return {"move": dice.choice(line["legal"])}


line: dict = {}
for text in sys.stdin:
    request = json.loads(text)
    answer: dict = {"id": request.get("id")}
    if request["do"] == "hello":
        answer["result"] = {"name": "Random mover", "wants": ["moves"]}
    elif request["do"] == "line":
        line, answer["result"] = request, {}
    elif request["do"] == "think":
        answer["result"] = choose(line, request)
    elif request["do"] == "quit":
        answer["result"] = {}
    else:
        answer["error"] = {"code": "bad-request", "message": f"cannot {request['do']}"}
    print(json.dumps(answer), flush=True)
    if request["do"] == "quit":
        break
