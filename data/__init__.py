"""Data files of the engine, read through importlib.resources.

`rules/`: the presets. `records/`: matches on record. `match/NAME.json`: how deals end under a preset, with the command
that measured it.
`match/positions.jsonl`: positions in which the score changes the right turn, from late stages of deals that
`ismcts:iterations=40` played; outcomes and game points are exact, every hand or deal solved with open cards, and
`chance`, to win the match, is by the tables as they were when the position was found.
"""
