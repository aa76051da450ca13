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
