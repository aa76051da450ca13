"""``pytest --evaudit``: controls, calculations and register entries of a project as tests.

Without the option nothing is imported and nothing happens. With it the project is checked once, while tests are
collected, and each control, calculation and entry becomes a test that shows why it does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from evaudit.visible import one_line, visible

if TYPE_CHECKING:
    from evaudit.findings import Finding
    from evaudit.results import Result


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer ``--evaudit`` and its options."""
    group = parser.getgroup("evaudit", "evaluation figures (evaudit)")
    group.addoption(
        "--evaudit", action="store_true", help="Collect controls, calculations and register entries as tests."
    )
    group.addoption(
        "--evaudit-path", action="append", default=[], metavar="PATH",
        help="What to check, relative to the root directory of pytest; default: the root directory. May be repeated.",
    )  # fmt: skip
    group.addoption(
        "--evaudit-allow-commands", action="store_true", help="Run calculations of kind `command`."
    )  # fmt: skip
    group.addoption("--evaudit-expect-head", metavar="H", help="Digest that the history's last record must have.")
    for what, several in (("register entries", "entries"), ("controls", "controls")):
        group.addoption(
            f"--evaudit-expect-{several}", type=_count, metavar="N", help=f"Number of {what} that there must be."
        )


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the tests, before other plugins choose among all of them (``-k``, ``-m``)."""
    if config.getoption("--evaudit"):
        items.extend(_items(session, config))


def _items(session: pytest.Session, config: pytest.Config) -> Iterator[pytest.Item]:
    from evaudit.errors import EvauditError
    from evaudit.register.check import Expected, check_paths

    root = config.rootpath
    paths = [root / path for path in config.getoption("--evaudit-path")] or [root]
    try:
        allow = bool(config.getoption("--evaudit-allow-commands"))
        expected = Expected(*(config.getoption(f"--evaudit-expect-{what}") for what in ("head", "entries", "controls")))
        result = check_paths(paths, root=root, allow_commands=allow, expected=expected)
    except EvauditError as error:
        raise pytest.UsageError(visible(f"--evaudit: {error}")) from None
    yield from _of_result(session, root, result)


def _of_result(session: pytest.Session, root: Path, result: Result) -> Iterator[pytest.Item]:
    from evaudit.reports.checked_records import checked_of, findings_of, other_findings

    files: dict[Path, CheckedFile] = {}
    for records in checked_of(result).values():
        for record in records:
            path = root / str(record["path"])
            parent = files.setdefault(path, CheckedFile.from_parent(session, path=path))
            yield CheckedItem.from_parent(
                parent, name=one_line(str(record["id"])), record=record, findings=findings_of(record, result)
            )
    rest = [f for f in other_findings(result) if f.severity == "error"]
    for n, finding in enumerate(rest, start=1):
        path = root / (finding.where.path if finding.where and finding.where.path else ".")
        parent = files.setdefault(path, CheckedFile.from_parent(session, path=path))
        record = {"id": f"document-{n}", "holds": False, "line": finding.where.line if finding.where else None}
        yield CheckedItem.from_parent(parent, name=f"document-{n}", record=record, findings=[finding])


class CheckedFile(pytest.File):
    """A document of the project."""

    def collect(self) -> Iterator[pytest.Item]:
        """Nothing: its tests are added when all others are collected."""
        return iter(())


class NotHoldingError(Exception):
    """What a control, calculation or entry fails with."""


class CheckedItem(pytest.Item):
    """A control, calculation or entry that was checked."""

    def __init__(self, *, record: Mapping[str, Any], findings: Sequence[Finding], **options: Any) -> None:
        super().__init__(**options)
        self.record = record
        self.findings = findings

    def runtest(self) -> None:
        """Pass, fail, or skip what was never to be computed."""
        record = self.record
        if not record["holds"]:
            raise NotHoldingError(self._told())
        if "status" in record and record["status"] != "verified":
            pytest.skip(f"{record['status']}: not computed here")
        if "status" in record and not record["verified"]:
            raise NotHoldingError(f"not verified: {record['calculation']} does not hold")

    def _told(self) -> str:
        lines = [f"{f.severity}: {f.text()} [{f.rule}]" for f in self.findings if f.severity != "note"]
        for label in ("because", "next"):
            lines += [
                f"{label}: {line}" if n == 0 else f"  {line}" for n, line in enumerate(self.record.get(label, ()))
            ]
        return visible("\n".join(lines))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str | Any:
        """The findings as people read them, without a traceback."""
        if isinstance(excinfo.value, NotHoldingError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where it stands."""
        line = self.record.get("line")
        return self.path, line - 1 if line else None, f"{self.path.name}: {self.name}"
