"""Ranked lists against judgements: conventions, order, measures.

A ranking becomes a ``TopicList`` (``order``), many of them ``JudgedLists`` (``judgements``); a measure is asked for by
name (``spelling``), computed over all topics at once (``evaluation``, ``measures/``) under one ``Convention``.
"""
