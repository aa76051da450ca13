"""Export of a verification as an in-toto Statement v1, unsigned, with the bytes that a signer signs.

https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md and the DSSE protocol
(https://github.com/secure-systems-lab/dsse/blob/master/protocol.md). The same project gives the same bytes: no time
stands in it unless ``SOURCE_DATE_EPOCH`` sets one, and numbers are integers or strings.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from evaudit.errors import UnreadableInputError, UsageError
from evaudit.register.workspace import Workspace
from evaudit.results import Result
from evaudit.versions import DEFINITIONS_VERSION, __version__

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "urn:evaudit:verification:v1"
PAYLOAD_TYPE = "application/vnd.in-toto+json"

Record = Mapping[str, Any]


def statement(result: Result, workspace: Workspace) -> bytes:
    """The statement on a check: its subjects are the files read, its predicate what was found.

    Raises:
        UsageError: SOURCE_DATE_EPOCH is no number of seconds. UnreadableInputError: a file is gone.
    """
    subjects = [
        {"name": file.path, "digest": {"sha256": workspace.fingerprint(workspace.root / file.path, "bytes")}}
        for file in sorted(result.inputs, key=lambda f: f.path)
    ]
    content = {
        "_type": STATEMENT_TYPE,
        "subject": subjects,
        "predicateType": PREDICATE_TYPE,
        "predicate": _predicate(result, workspace),
    }
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8") + b"\n"


def _predicate(result: Result, workspace: Workspace) -> dict[str, object]:
    details = cast(Record, result.details)
    checked = cast(Mapping[str, Sequence[Record]], details["checked"])
    time = _time()
    return {
        "verifier": {"id": "evaudit", "version": __version__, "definitions": DEFINITIONS_VERSION},
        "policy": {"commands": "allowed" if workspace.allow_commands else "not allowed"},
        "verificationResult": "FAILED" if details["exit"] else "PASSED",
        "exit": details["exit"],
        "totals": details["totals"],
        "files": {f.path: {"recipe": f.recipe, "sha256": f.sha256} for f in result.inputs},
        "calculations": [
            {"id": c["id"], "path": c["path"], "lock": c["lock"], "verified": c["verified"], "outputs": c["outputs"]}
            for c in checked["calculations"]
        ],
        "entries": [
            {"id": e["id"], "status": e["status"], "verified": e["verified"], "quoteChecked": e["quote_checked"],
             "figure": e["figure"], "exact": e["exact"], "shown": e["shown"], "calculation": e["calculation"]}
            for e in checked["entries"]
        ],
        "findings": [{"rule": f.rule, "severity": f.severity, "message": f.text()} for f in result.findings],
        **({"history": details["history"]} if "history" in details else {}),
        **({"timeVerified": time} if time else {}),
    }  # fmt: skip


def _time() -> str | None:
    """The time that SOURCE_DATE_EPOCH states; None without it."""
    text = os.environ.get("SOURCE_DATE_EPOCH")
    if text is None:
        return None
    try:
        if not text.isascii() or not text.isdigit():
            raise ValueError(text)
        return datetime.fromtimestamp(int(text), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        raise UsageError(f"expected SOURCE_DATE_EPOCH as whole seconds since 1970, found {text!r}") from None


def pre_authentication(payload: bytes, payload_type: str = PAYLOAD_TYPE) -> bytes:
    """The bytes that a DSSE signature covers: ``DSSEv1 LENGTH TYPE LENGTH PAYLOAD``."""
    kind = payload_type.encode("utf-8")
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def envelope(payload: bytes) -> bytes:
    """The DSSE envelope around a payload, without signatures."""
    content = {"payload": base64.b64encode(payload).decode(), "payloadType": PAYLOAD_TYPE, "signatures": []}
    return json.dumps(content, sort_keys=True, indent=1).encode() + b"\n"


def write_export(folder: Path, payload: bytes) -> list[str]:
    """Write statement, pre-authentication bytes and envelope to a new folder, all or none; returns their names.

    Raises:
        UsageError: the folder exists. UnreadableInputError: it cannot be written.
    """
    if folder.exists():
        raise UsageError(f"{folder} exists; an export is written to a new folder")
    files = {
        "statement.json": payload,
        "statement.pae": pre_authentication(payload),
        "envelope.json": envelope(payload),
    }
    try:
        scratch = Path(tempfile.mkdtemp(dir=folder.absolute().parent, prefix=f".{folder.name}."))
    except OSError as error:
        raise UnreadableInputError(f"{folder}: cannot write here ({error.strerror}); nothing was written") from error
    try:
        for name, content in files.items():
            (scratch / name).write_bytes(content)
        scratch.chmod(0o755)
        scratch.rename(folder)
    except OSError as error:
        shutil.rmtree(scratch, ignore_errors=True)
        raise UnreadableInputError(f"{folder}: cannot be written ({error.strerror}); nothing was written") from error
    return list(files)
