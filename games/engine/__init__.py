"""The rules of Break Poker: pure, standard library only, same input, same output.

The rules are numbered BP-x.y in ``docs/rules.md``; ``docs/engine.md`` tells how the parts fit.
"""
