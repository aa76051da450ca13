"""evaudit: an auditor of evidence bundles, decision accounting and ranked retrieval.

How a question becomes an answer:

    files ──formats──▶ models and columns ──bundles │ decisions │ ranking──▶ figures and findings
                                    ▲                                              │
                                 sources                                        audits ──▶ Result ──reports──▶ text
                       (identity, anchors, views)                                  ▲
                                                        register (controls, frozen calculations, entries)

``api`` is the same for Python: ``evaudit.cover``, ``evaudit.decide``, ``evaudit.rank``.
``cli`` parses arguments, calls one audit, prints one report and ends with one exit code.
What a figure is stands in ``figures``; what can be wrong stands in ``findings``; each measure's definition stands
beside its code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaudit.versions import DEFINITIONS_VERSION, __version__

if TYPE_CHECKING:
    from evaudit.api import Audit, cover, decide, rank

__all__ = ["DEFINITIONS_VERSION", "Audit", "__version__", "cover", "decide", "rank"]

_IN_API = ("Audit", "cover", "decide", "rank")


def __getattr__(name: str) -> Any:
    """The public functions, loaded when they are first asked for: ``import evaudit`` alone loads nothing heavy."""
    if name in _IN_API:
        from evaudit import api

        return getattr(api, name)
    raise AttributeError(f"module 'evaudit' has no attribute {name!r}")
