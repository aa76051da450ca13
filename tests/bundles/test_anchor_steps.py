"""What the reports say to do about anchors that do not resolve: only what the commands take."""

from __future__ import annotations

import gzip

import pyarrow as pa
import pyarrow.parquet
import pytest
from typer.testing import CliRunner

from evaudit.cli import app


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "texts" / "wiki").mkdir(parents=True)
    (tmp_path / "texts" / "wiki" / "emoji@1.txt").write_text("She says go. They stay.", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("form", ["folder", "gz", "parquet", "standard input"])
def test_a_proposal_is_promised_only_where_it_can_be_made(folder, form):
    (folder / "selected.csv").write_text("need,rank,unit,source,doc,version,start,end\nq,1,u,wiki,emoji,1,0,22\n")
    rows = {"need": "q", "bundle": "1", "component": "a", "source": "wiki", "doc": "emoji", "version": "1"}
    rows |= {"exact": "says go.", "start": "1", "end": "9"}
    text = ",".join(rows) + "\n" + ",".join(rows.values()) + "\n"
    name = {"folder": "parts", "gz": "flat.csv.gz", "parquet": "flat.parquet", "standard input": "-"}[form]
    if form == "folder":
        (folder / name).mkdir()
        (folder / name / "a.csv").write_text(text)
    elif form == "gz":
        (folder / name).write_bytes(gzip.compress(text.encode()))
    elif form == "parquet":
        pyarrow.parquet.write_table(pa.table({key: [value] for key, value in rows.items()}), name)
    given = ["--needs", name, "--documents", "texts"]
    done = CliRunner().invoke(app, ["anchors", "check", *given], input=text)
    assert (done.exit_code, "refresh" in done.stdout) == (1, False)
    assert "next: correct the quote, position or version of the anchor by hand" in " ".join(done.stdout.split())
    told = CliRunner().invoke(app, ["bundles", *given, "--selected", "selected.csv"], input=text).stdout
    assert ("anchors do not resolve" in told, "refresh" in told) == (True, False)
    assert CliRunner().invoke(app, ["anchors", "refresh", *given], input=text).exit_code != 0
