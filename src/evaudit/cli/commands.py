"""Every command, in the order of the help text; each is one file of this folder."""

from __future__ import annotations

COMMANDS = {
    "check": "The main job: reproduce controls, verify published figures.",
    "control": "Run controls: cases with the figures that they must give.",
    "calc": "Run, freeze, verify, compare and accept calculations.",
    "register": "Check and verify the register of published figures.",
    "history": "Verify the chain of accepted changes.",
    "export": "Write verified figures in another tool's form.",
    "bundles": "Evidence bundles: coverage, stages, conflicts, verdicts.",
    "anchors": "Check anchors against real text; propose new positions.",
    "decisions": "Decision accounting: precision and recall of each endpoint.",
    "rank": "Ranked measures under a declared convention.",
    "explain": "What a measure, rule, finding or reason code means.",
    "schema": "The JSON Schema of a YAML kind, for editors.",
    "init": "Write a small project to start from.",
    "digest": "A fingerprint that names how it was made.",
}
"""A line for each in ``evaudit --help``; the whole text is in the help of the command."""
