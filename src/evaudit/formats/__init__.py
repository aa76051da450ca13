"""Files to models and tables, and the foreign formats by name."""

from __future__ import annotations

FOREIGN: dict[str, str] = {
    "fever": "fever",
    "hotpotqa": "hotpotqa",
    "2wikimultihop": "two_wiki",
    "hover": "hover",
    "musique": "musique",
    "scifact": "scifact",
    "kilt": "kilt",
    "qasper": "qasper",
    "longmemeval": "longmemeval",
    "chunking": "chunking",
    "web-annotation": "web_annotation",
    "ragas": "ragas",
    "qrels": "qrels",
}
"""What ``bundles --from`` takes, and the module of this folder that reads it; a new format is one file and one line."""

SCORERS: dict[str, str] = {
    "hotpotqa": "hotpotqa_scorer",
    "2wikimultihop": "two_wiki_scorer",
    "hover": "hover_scorer",
    "musique": "musique_scorer",
    "scifact": "scifact_scorer",
    "kilt": "kilt_scorer",
    "qasper": "qasper_scorer",
    "longmemeval": "longmemeval_scorer",
    "chunking": "chunking_scorer",
    "ragas": "ragas_scorer",
}
"""Formats with figures of their own tool (``--compat``), and the module that computes and defines them."""
