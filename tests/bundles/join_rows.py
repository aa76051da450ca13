"""Rows of needs and units, and the command, for the tests of how tables join."""

from __future__ import annotations

import sys

import pytest

from evaudit.cli import main

Row = dict[str, object]
NEAR, APART = "unit-document-near-miss", "no-document-in-common"


def need(name: str, doc: str, source: str = "kb", version: str = "1", start: int = 0, end: int = 10) -> Row:
    at = {"source": source, "doc": doc, "version": version, "start": start, "end": end}
    return {"need": name, "bundle": "1", "component": f"{doc} {start}", **at}


def unit(name: str, doc: str, source: str = "kb", version: str = "1", start: int = 0, end: int = 20) -> Row:
    return {"need": name, "source": source, "doc": doc, "version": version, "start": start, "end": end}


def command(monkeypatch, capsys, *arguments: str) -> tuple[int, str]:
    monkeypatch.setattr(sys, "argv", ["evaudit", "bundles", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0), capsys.readouterr().out
