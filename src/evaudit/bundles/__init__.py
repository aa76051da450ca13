"""Needs, components and accepted bundles; what selected units cover of them; claims, conflict rules, paths and
verdicts.

``columns`` holds the tables, ``coverage`` says what contains what, ``assessment`` puts the answers of one audit
together.
"""
