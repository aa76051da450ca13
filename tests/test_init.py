"""``init`` writes the whole project or nothing, and touches nothing that was there."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from unittest import mock

import pytest

from program import ran

CALLS = [(Path, "mkdir"), (Path, "write_bytes"), (Path, "rename"), (os, "fsync")]


def _files(folder: Path) -> dict[str, bytes | None]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() if p.is_file() else None for p in sorted(folder.rglob("*"))
    }


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS])
@pytest.mark.parametrize(("owner", "name"), CALLS, ids=lambda v: v if isinstance(v, str) else "")
def test_a_write_that_fails_leaves_the_folder_as_it_was(owner: object, name: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "demo/controls").mkdir(parents=True)
    (tmp_path / "demo/controls/own.txt").write_text("kept")
    before, real = _files(tmp_path), getattr(owner, name)
    failed = 0
    for n in range(1, 100):
        calls = 0

        def call(*arguments: object, at: int = n, **options: object) -> object:
            nonlocal calls
            calls += 1
            if calls == at:
                raise OSError(code, os.strerror(code))
            return real(*arguments, **options)

        with mock.patch.object(owner, name, call):
            done = ran(tmp_path, "init", "demo")
        if calls < n:
            break
        failed += 1
        assert (done.returncode, done.stdout) == (3, "")
        assert "nothing was written" in done.stderr and "Traceback" not in done.stderr
        assert _files(tmp_path) == before
    assert failed and done.returncode == 0
    assert ran(tmp_path, "check", "demo").returncode == 0


def test_a_link_in_the_place_of_a_file_is_never_written_through(tmp_path: Path) -> None:
    (tmp_path / "demo/registers").mkdir(parents=True)
    (tmp_path / "demo/registers/figures.yaml").symlink_to(tmp_path / "elsewhere")
    assert ran(tmp_path, "init", "demo").returncode == 2
    assert not (tmp_path / "elsewhere").exists()
