"""From Python: the audits as functions that take files or data frames, and one object that holds their answer.

    import evaudit
    audit = evaudit.decide(frame, "cohort.yaml")
    audit["recall(endpoint=promoted, over=cohort)"]        # a Figure: num, den, value, bounds, undefined
    audit.to_arrow()                                       # every figure as a table
    print(audit)                                           # the report of the command line

A frame is anything that hands out Arrow data (pandas, polars, duckdb, pyarrow), a mapping of columns, or a list of
mappings. Nothing is printed, and nothing but a finding is wrong: an audit with findings is an answer, not an exception.
"""

from __future__ import annotations

from evaudit.api.answers import Audit, Figures, Means
from evaudit.api.bundles import Cover, cover
from evaudit.api.decisions import decide
from evaudit.api.ranking import rank

__all__ = ["Audit", "Cover", "Figures", "Means", "cover", "decide", "rank"]
