"""YAML documents on disk: the root, and paths that never leave it."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaudit.errors import InvalidDocumentError, UnreadableInputError, UsageError
from evaudit.fields import Model, Text
from evaudit.findings import Where
from evaudit.formats.yaml_documents import (
    find_root,
    load_document,
    name_in_root,
    read_document,
    read_stored_text,
    resolve_inside,
)
from evaudit.sources.document import SourceDocument


class Note(Model):
    """A note."""

    say: Text


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "controls" / "deep").mkdir(parents=True)
    (folder / "pyproject.toml").touch()
    (folder / "controls" / "a.yaml").write_text("say: yes\n", encoding="utf-8")
    return folder


def test_without_a_mark_the_root_is_the_folder_that_holds_the_rooms(root: Path) -> None:
    (root / "pyproject.toml").unlink()
    for start in (root, root / "controls", root / "controls" / "deep", root / "controls" / "a.yaml"):
        assert find_root(start) == root


def test_the_root_is_the_nearest_folder_with_a_mark(root: Path) -> None:
    assert find_root(root / "controls" / "deep") == root
    assert find_root(root / "controls" / "a.yaml") == root
    (root / "controls" / ".git").touch()
    assert find_root(root / "controls" / "a.yaml") == root / "controls"
    assert find_root(root / "controls" / "a.yaml", given=root) == root
    with pytest.raises(UsageError):
        find_root(root, given=root / "none")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("b.csv", "controls/b.csv"),
        ("./deep/b.csv", "controls/deep/b.csv"),
        ("../b.csv", "b.csv"),
        ("deep/../b", "controls/b"),
    ],
)
def test_a_path_is_relative_to_its_file(root: Path, text: str, meant: str) -> None:
    path = resolve_inside(root / "controls" / "a.yaml", text, root)
    assert path == root / meant
    assert name_in_root(path, root) == meant


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("/etc/passwd", "absolute"),
        ("C:/x", "absolute"),
        ("c:x", "absolute"),
        ("inputs\\x.csv", "backslash"),
        ("../../x", "leaves the root"),
        ("../../project/x", "leaves the root"),
        ("deep/../../../x", "leaves the root"),
        ("", "names no file"),
        ("a\x00b", "names no file"),
    ],
)
def test_a_path_is_refused(root: Path, text: str, words: str) -> None:
    where = Where("controls/a.yaml", 3, 9, "$.source.path")
    with pytest.raises(InvalidDocumentError) as refused:
        resolve_inside(root / "controls" / "a.yaml", text, root, where)
    (finding,) = refused.value.findings
    assert (finding.rule, finding.where) == ("path-refused", where)
    assert words in finding.message


def test_a_link_may_not_leave_the_root(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (root / "controls" / "out").symlink_to(tmp_path / "outside")
    (root / "controls" / "in").symlink_to(root / "controls" / "deep")
    with pytest.raises(InvalidDocumentError, match="link"):
        resolve_inside(root / "controls" / "a.yaml", "out/x.csv", root)
    assert resolve_inside(root / "controls" / "a.yaml", "in/x.csv", root) == root / "controls/in/x.csv"


def test_a_root_behind_a_link_is_still_the_root(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    base = tmp_path / "link" / "controls" / "a.yaml"
    assert resolve_inside(base, "../x", tmp_path / "link") == tmp_path / "link" / "x"


def test_a_file_outside_the_root_has_no_paths(root: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidDocumentError, match="outside the root"):
        resolve_inside(tmp_path / "b.yaml", "x", root)


def test_a_document_is_read_from_disk(root: Path) -> None:
    path = root / "controls" / "a.yaml"
    document, note = read_document(path, Note, "controls/a.yaml")
    assert (document.path, note.say) == ("controls/a.yaml", "yes")
    assert load_document(path).path == path.as_posix()


def test_a_missing_file_or_a_folder_is_unreadable(root: Path) -> None:
    with pytest.raises(UnreadableInputError, match="no such file"):
        read_document(root / "none.yaml", Note)
    with pytest.raises(UnreadableInputError, match="folder"):
        load_document(root / "controls")
    with pytest.raises(UnreadableInputError):
        load_document(Path("a\x00b"))


def test_a_huge_file_is_refused_with_its_size(root: Path) -> None:
    (root / "big.yaml").write_bytes(b"#" * (2**20 + 5))
    with pytest.raises(InvalidDocumentError, match="1,048,581"):
        load_document(root / "big.yaml")


def test_a_stored_text_is_read_as_it_stands(root: Path) -> None:
    (root / "controls" / "t.txt").write_bytes("\ufeffé\r\n".encode())
    base = root / "controls" / "a.yaml"
    document = SourceDocument(ref="a/b@1", text_path="t.txt")
    assert read_stored_text(document, base, root).text == "\ufeffé\r\n"
    (root / "controls" / "t.txt").write_bytes(b"a\xff")
    with pytest.raises(InvalidDocumentError, match="0xFF at position 1"):
        read_stored_text(document, base, root)
    with pytest.raises(UnreadableInputError):
        read_stored_text(SourceDocument(ref="a/b@1", text_path="none.txt"), base, root)
    whole = SourceDocument(ref="a/b@1", text="x")
    assert read_stored_text(whole, base, root) is whole
