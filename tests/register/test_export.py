"""What is exported is accepted by the format's own library, is the same every time, and is honest about failures."""

from __future__ import annotations

import base64
import hashlib
import json
import os

import pytest

from evaudit.errors import UsageError
from evaudit.register.check import check_paths
from evaudit.register.statement import (
    PAYLOAD_TYPE,
    PREDICATE_TYPE,
    STATEMENT_TYPE,
    envelope,
    pre_authentication,
    statement,
    write_export,
)
from evaudit.register.workspace import Workspace


@pytest.fixture(autouse=True)
def _no_epoch(monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)


def exported(project):
    return statement(check_paths([project.root]), Workspace.at(project.root))


def test_the_library_of_the_format_accepts_it(small):
    pytest.importorskip("google.protobuf")
    library = pytest.importorskip("in_toto_attestation.v1.statement")
    from google.protobuf.json_format import Parse
    from in_toto_attestation.v1.statement_pb2 import Statement as Message

    message = Parse(exported(small), Message())
    own = library.Statement(list(message.subject), message.predicate_type, message.predicate)
    own.validate()
    assert message.type == STATEMENT_TYPE
    assert message.predicate_type == PREDICATE_TYPE
    assert message.predicate["verificationResult"] == "PASSED"


def test_its_subjects_are_the_files_that_were_read_by_the_digest_of_their_bytes(small):
    content = json.loads(exported(small))
    digests = {s["name"]: s["digest"]["sha256"] for s in content["subject"]}
    expected = {"controls/calculation.yaml", "controls/calculation.lock.json", "controls/cohort.yaml",
                "controls/inputs/decisions.csv", "controls/inputs/roster.txt", "registers/book.yaml", "README.md",
                "controls/cases.yaml"}  # fmt: skip
    assert set(digests) == expected
    for name, sha256 in digests.items():
        assert hashlib.sha256((small.root / name).read_bytes()).hexdigest() == sha256


def test_it_says_what_was_found_of_each_entry(small):
    predicate = json.loads(exported(small))["predicate"]
    entries = {
        e["id"]: (e["status"], e["verified"], e["quoteChecked"], e["exact"], e["shown"]) for e in predicate["entries"]
    }
    assert entries == {
        "R-1": ("verified", True, True, "21/43", ".4884"),
        "R-2": ("verified", True, False, "21/37", ".5676"),
        "R-3": ("cited", False, False, None, ".7500"),
    }
    assert predicate["policy"] == {"commands": "not allowed"}


def test_what_does_not_hold_is_stated_as_failed(small):
    small.replace("README.md", ".4884", ".4885")
    predicate = json.loads(exported(small))["predicate"]
    assert (predicate["verificationResult"], predicate["exit"]) == ("FAILED", 1)


def floats(node):
    if isinstance(node, dict):
        return [f for v in node.values() for f in floats(v)]
    if isinstance(node, list):
        return [f for v in node for f in floats(v)]
    return [node] if isinstance(node, float) else []


def test_it_is_the_same_every_time_and_holds_no_time_path_or_float(small):
    first = exported(small)
    for path in small.root.rglob("*"):
        os.utime(path, (1, 1))
    assert exported(small) == first
    assert str(small.root).encode() not in first
    assert floats(json.loads(first)) == []
    assert "timeVerified" not in json.loads(first)["predicate"]


def test_a_time_is_in_it_only_where_the_environment_sets_one(small, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert json.loads(exported(small))["predicate"]["timeVerified"] == "2023-11-14T22:13:20Z"
    for wrong in ("now", "-1", "1.5", "", "9" * 30):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", wrong)
        with pytest.raises(UsageError, match="SOURCE_DATE_EPOCH"):
            exported(small)


def test_the_bytes_to_sign_are_those_of_the_protocol():
    """The example of the DSSE protocol."""
    assert pre_authentication(b"hello world", "http://example.com/HelloWorld") == (
        b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    )
    assert pre_authentication("ä".encode(), "x") == "DSSEv1 1 x 2 ä".encode()


def test_the_folder_holds_the_statement_its_envelope_and_the_bytes_to_sign(small, tmp_path):
    payload = exported(small)
    folder = tmp_path / "out"
    write_export(folder, payload)
    assert sorted(p.name for p in folder.iterdir()) == ["envelope.json", "statement.json", "statement.pae"]
    content = json.loads((folder / "envelope.json").read_bytes())
    assert base64.b64decode(content["payload"]) == payload == (folder / "statement.json").read_bytes()
    assert (content["payloadType"], content["signatures"]) == (PAYLOAD_TYPE, [])
    assert (folder / "statement.pae").read_bytes() == pre_authentication(payload)
    with pytest.raises(UsageError, match="exists"):
        write_export(folder, payload)
    assert envelope(payload) == (folder / "envelope.json").read_bytes()
