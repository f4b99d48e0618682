"""The benchmark lab: invented agent projects, a simulator, and the ranking rules of other tools.

A *decision maker* is a plain callable from a request to a list of picks (``request.py``).
``simulate`` lets k agents work through a project by asking it again and again, ``measures``
reads the log of what they did, ``bounds`` says what no decision maker could beat, and
``table`` prints the comparison::

    PYTHONPATH=tests python -m benchmarks.table
    python tests/benchmarks                       # the same, from the top of the repository

``test_lab.py`` checks the laws of the lab itself.
"""
