"""Calculations by command: a program without a shell, on a copy of the declared inputs, within a time limit.

The copy holds the declared inputs and nothing else, laid out as in the project, so that an input that was not declared
is missing there. It is no prison: a program that wants to can still reach the rest of the machine, so commands run only
where they are allowed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import cast

from evaudit.errors import InvalidDocumentError
from evaudit.figures import REASONS
from evaudit.formats.project_files import not_there, opened
from evaudit.register.offer import Offered
from evaudit.register.running import Run, stopped

_COUNTS = re.compile(r"([0-9]{1,18})/([0-9]{1,18})", re.ASCII)
_NUMBER = re.compile(r"-?[0-9]{0,40}\.?[0-9]{1,40}", re.ASCII)
_MAX_BYTES = 2**20
_MAX_PRINTED = 2**16


def run_command(run: Run) -> None:
    """Run the command and take its outputs.

    Raises:
        InvalidDocumentError: commands are not allowed here, or the command fails; ``exit_code`` 3.
        UnreadableInputError: a declared input is missing.
    """
    if not run.workspace.allow_commands:
        shown = " ".join(run.file.model.command)
        message = f"{run.file.model.id} runs `{shown}`; read it, then allow it with --allow-commands"
        raise stopped("command-not-allowed", message, run.file.where("command"))
    with tempfile.TemporaryDirectory(prefix="evaudit-") as scratch:
        folder = _copy(run, Path(scratch))
        _call(run, folder)
        content = _produced(run, folder)
    for name in run.file.model.outputs:
        if name not in content:
            known = ", ".join(sorted(content)[:12]) or "none"
            raise _failed(run, f"the command gives no output {name}; it gives {known}")
        run.give(name, _value(run, name, content[name]))


def _copy(run: Run, scratch: Path) -> Path:
    """Copy the declared inputs as they lie below the root; returns the copy of the calculation's folder."""
    root = run.workspace.root
    for n, declared in enumerate(run.file.model.inputs):
        source = run.workspace.resolve(run.file, declared.path, run.file.where("inputs", n, "path"))
        if not source.is_file():
            raise run.workspace.lacking(source, not_there(source))
        target = scratch / source.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    folder = scratch / run.file.path.parent.relative_to(root)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _environment(folder: Path) -> dict[str, str]:
    """What the command sees of this machine: programs, and settings under which it prints the same everywhere."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP", "TMP") if name in os.environ}
    return {**kept, "PATH": path, "HOME": str(folder), "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC",
            "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}  # fmt: skip


def _call(run: Run, folder: Path) -> None:
    environment = _environment(folder)
    program, *arguments = run.file.model.command
    found = shutil.which(program, path=environment["PATH"]) if os.sep not in program else str(folder / program)
    if found is None:
        raise _failed(run, f"there is no program {program} on this machine")
    limit = run.file.model.time_limit
    status, printed = _supervised([found, *arguments], folder, environment, limit)
    if status == "timeout":
        raise _failed(run, f"the command was ended after its time limit of {limit} s")
    if not status.lstrip("-").isdigit():
        raise _failed(run, f"{program} {status or 'ended without a word'}")
    if status != "0":
        last = printed.decode("utf-8", "replace").strip().splitlines()[-1:] or ["it printed nothing"]
        raise _failed(run, f"the command ended with {status}: {last[0][:300]}")


def _supervised(command: Sequence[str], folder: Path, environment: Mapping[str, str], limit: int) -> tuple[str, bytes]:
    """How the command ended, and the end of what it printed. Nothing that it started is left."""
    with tempfile.TemporaryDirectory(prefix="evaudit-") as apart:
        status = Path(apart) / "status"
        supervisor = [
            sys.executable,
            "-I",
            "-S",
            str(Path(__file__).with_name("supervisor.py")),
            str(limit),
            str(status),
        ]
        with subprocess.Popen(
            [*supervisor, *command], cwd=folder, env=dict(environment), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=os.name == "posix",
        ) as process:  # fmt: skip
            assert process.stdout is not None
            printed = b""
            try:
                while chunk := process.stdout.read(_MAX_PRINTED):
                    printed = (printed + chunk)[-_MAX_PRINTED:]
            except BaseException:
                process.terminate()  # it ends what the command started
                raise
        return status.read_text() if status.exists() else "", printed


def _produced(run: Run, folder: Path) -> dict[str, object]:
    name = cast(str, run.file.model.produces)
    root = folder.parents[len(run.file.path.parent.relative_to(run.workspace.root).parts) - 1] if (
        run.file.path.parent != run.workspace.root
    ) else folder  # fmt: skip
    target = Path(os.path.realpath(folder / name))
    if "\\" in name or not target.is_relative_to(os.path.realpath(root)):
        raise _failed(run, f"produces: {name} leaves the copy of the project")
    try:
        file = opened(target)
        if file is None:
            raise _failed(run, f"{name}: expected a file, found a pipe or device")
        with file:
            raw = file.read(_MAX_BYTES + 1)
        if len(raw) > _MAX_BYTES:
            raise _failed(run, f"{name} is larger than {_MAX_BYTES} bytes")
        content = json.loads(raw, parse_constant=_no_constant, parse_float=str, parse_int=str)
    except OSError:
        raise _failed(run, f"the command did not write {name}") from None
    except (ValueError, RecursionError) as error:
        raise _failed(run, f"{name} is no JSON ({error})") from None
    if not isinstance(content, dict):
        raise _failed(run, f"{name}: expected an object of output names, found something else")
    return content


def _no_constant(text: str) -> object:
    raise ValueError(f"{text} is no figure")


def _value(run: Run, name: str, given: object) -> Offered:
    """A value as the command wrote it: ``"21/43"``, a decimal, or ``"undefined: REASON"``."""
    text = given.strip() if isinstance(given, str) else ""
    if text.startswith("undefined:") and (reason := text.partition(":")[2].strip()) in REASONS:
        return Offered(name, name, {}, undefined=reason)
    if match := _COUNTS.fullmatch(text):
        counts = int(match[1]), int(match[2])
        undefined = None if counts[1] else "not-applicable"
        return Offered(name, name, {}, counts=None if undefined else counts, undefined=undefined)
    if _NUMBER.fullmatch(text):
        return Offered(name, name, {}, number=float(Decimal(text)))
    raise _failed(run, f'{name}: expected "21/43", a decimal or "undefined: REASON", found {str(given)[:60]!r}')


def _failed(run: Run, message: str) -> InvalidDocumentError:
    return stopped("command-failed", message, run.file.where("command"))
