"""JSON lines: one record a line, the first says what follows; ``record`` names the kind of each."""

from __future__ import annotations

from evaudit.reports.json import dump, figure_record, finding_record, input_record, mean_record
from evaudit.results import RESULT_SCHEMA, Result


def render(result: Result, exit_code: int) -> str:
    """Lines of kinds ``result``, ``figure``, ``mean``, ``finding``, ``input``, in that order."""
    details = {key: value for key, value in result.details.items() if key != "exit"}
    head = {
        **details,
        "record": "result",
        "schema": RESULT_SCHEMA,
        "command": result.command,
        "exit": exit_code,
        "convention": dict(result.convention),
        "notes": list(result.notes),
    }
    lines = [dump(head)]
    lines += [dump({"record": "figure", **figure_record(f)}) for f in result.iter_figures()]
    lines += [dump({"record": "mean", **mean_record(m)}) for m in result.means]
    lines += [dump({"record": "finding", **finding_record(f)}) for f in result.findings]
    lines += [dump({"record": "input", **input_record(i)}) for i in result.inputs]
    return "\n".join(lines) + "\n"
