"""The game without sockets, for learning and search.

`lab.py` plays, copies and undoes; `answers.py` lists legal answers; `layout.py` turns views and answers into numbers;
`env.py` is a PettingZoo environment and `vector.py` many games at once over processes. The last three need the extra `lab`.
"""
