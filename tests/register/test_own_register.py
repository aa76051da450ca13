"""The project's own register binds every result that its texts state; what programs print is run by other tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaudit.register.scan import scan

PROJECT = Path(__file__).resolve().parents[2]
TEXTS = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/files.md", "docs/decisions.md", "docs/register.md")
NO_RESULTS = {
    "README.md": {"3.11", "2.0"},  # versions of Python and of the licence
    "docs/files.md": {".7500", "1.0", "2/2", "1/1"},  # how scalars are read, how counts are compared
    "docs/register.md": {".48", ".4884", "27/43"},  # how quotes are found, why measures are named
}
"""Figures that name or explain; seconds of benchmarks are measured anew by their scripts and claimed by nobody."""


@pytest.mark.parametrize("name", TEXTS)
def test_every_result_of_a_text_is_bound_by_an_entry(name):
    if not (PROJECT / name).exists():
        pytest.skip(f"there is no {name}")
    figures = scan([PROJECT / name], PROJECT, code=False).details["texts"][0]["figures"]
    unbound = {f"{f['figure']} on line {f['line']}" for f in figures
               if not f["bound_by"] and f["figure"] not in NO_RESULTS.get(name, set())}  # fmt: skip
    assert not unbound, f"bind them with `evaudit register add {name} --quote …`: {sorted(unbound)}"
