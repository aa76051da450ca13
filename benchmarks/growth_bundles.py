"""Shapes of evidence bundles for ``growth.py``: each writes its files for a size and returns the command that reads them."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

Rows = Iterable[Sequence[object]]


def table(path: Path, head: str, rows: Rows) -> Path:
    """A CSV file with the columns of ``head``."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head.split(","))
        writer.writerows(rows)
    return path


def lines(path: Path, records: Iterable[object]) -> Path:
    """A file of JSON lines."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def need(
    name: str, spans: dict[str, list[tuple[str, int, int]]], accept: list[list[str]] | None = None
) -> dict[str, object]:
    """A need whose components have one anchor or several (document, start, end)."""
    components: dict[str, object] = {}
    for component, anchors in spans.items():
        given = [{"ref": f"w/{doc}@1", "start": start, "end": end} for doc, start, end in anchors]
        components[component] = {"anchor": given[0]} if len(given) == 1 else {"any_of": given}
    return {"need": name, "components": components, "accept": [list(spans)] if accept is None else accept}


def units(path: Path, rows: Iterable[tuple[str, str, int, int]]) -> Path:
    """A list of units: need, document, start, end; ranks and ids count up."""
    head = "need,rank,unit,source,doc,version,start,end"
    return table(path, head, ((n, i, f"u{i}", "w", doc, 1, low, high) for i, (n, doc, low, high) in enumerate(rows, 1)))


def bundles(needs: Path, selected: Path, *more: str | Path) -> list[str]:
    return ["bundles", "--needs", str(needs), "--selected", str(selected), *map(str, more)]


def claims(path: Path, rows: Rows) -> Path:
    return table(path, "need,claim,component,subject,relation,object,source,doc,version,start,end", rows)


def rules(path: Path, *given: str) -> Path:
    path.write_text(
        "schema: evaudit/rules@1\nrules:\n" + "".join(f"  - {{{rule}}}\n" for rule in given), encoding="utf-8"
    )
    return path


SINGLE = "id: one, kind: single-valued, relation: r"


def needs(n: int, to: Path) -> list[str]:
    many = (need(f"n{i}", {"a": [(f"d{i}", 0, 9)], "b": [(f"d{i}", 20, 29)]}) for i in range(n))
    return bundles(
        lines(to / "n.jsonl", many), units(to / "s.csv", ((f"n{i}", f"d{i}", 0, 10 + i % 40) for i in range(n)))
    )


def anchors_of_a_component(n: int, to: Path) -> list[str]:
    one = need("n", {"a": [("d", 10 * i, 10 * i + 9) for i in range(n)]})
    return bundles(
        lines(to / "n.jsonl", [one]), units(to / "s.csv", (("n", "d", 10 * i, 10 * i + 9) for i in range(n)))
    )


def components_of_a_bundle(n: int, to: Path) -> list[str]:
    one = need("n", {f"c{i}": [("d", 10 * i, 10 * i + 9)] for i in range(n)})
    return bundles(
        lines(to / "n.jsonl", [one]), units(to / "s.csv", (("n", "d", 10 * i, 10 * i + 9) for i in range(n)))
    )


def _many_bundles(n: int, to: Path) -> tuple[Path, Path]:
    spans = {f"c{i}": [("d", 10 * i, 10 * i + 9)] for i in range(n)}
    one = need("n", spans, [[f"c{i}", f"c{(i + 1) % n}"] for i in range(n)] if n > 2 else None)
    return lines(to / "n.jsonl", [one]), units(to / "s.csv", (("n", "d", 20 * i, 20 * i + 9) for i in range(n // 2)))


def bundles_of_a_need(n: int, to: Path) -> list[str]:
    return bundles(*_many_bundles(n, to))


def bundles_with_lint(n: int, to: Path) -> list[str]:
    return bundles(*_many_bundles(n, to), "--lint")


def bundles_with_a_common_component(n: int, to: Path) -> list[str]:
    spans = {f"c{i}": [("d", 10 * i, 10 * i + 9)] for i in range(n + 1)}
    one = need("n", spans, [["c0", f"c{i + 1}"] for i in range(n)])
    chosen = units(to / "s.csv", (("n", "d", 20 * i, 20 * i + 9) for i in range(n // 2)))
    return bundles(lines(to / "n.jsonl", [one]), chosen, "--lint", "--candidates", chosen, "--units", chosen)


def units_of_a_document(n: int, to: Path) -> list[str]:
    one = lines(to / "n.jsonl", [need("n", {"a": [("d", 5, 9)], "b": [("d", 10 * n + 1, 10 * n + 3)]})])
    chosen = units(to / "s.csv", (("n", "d", 10 * i, 10 * i + 10) for i in range(n)))
    return bundles(one, chosen, "--candidates", chosen, "--units", chosen, "--budget-chars", str(4 * n))


def overlapping_units(n: int, to: Path) -> list[str]:
    one = lines(to / "n.jsonl", [need("n", {f"c{i}": [("d", 3 * n + i, 3 * n + i + 1)] for i in range(n)})])
    return bundles(one, units(to / "s.csv", (("n", "d", i, 6 * n - i) for i in range(n))))


def _texts(n: int, to: Path) -> Path:
    rows = (
        ("w", f"d{i}", 1, "current" if i % 2 else f"s{i}", f"This is text {i} of all, said once.") for i in range(n)
    )
    return table(to / "d.csv", "source,doc,version,status,text", rows)


def documents_with_quotes(n: int, to: Path) -> list[str]:
    many = (
        {
            "need": f"n{i}",
            "components": {"a": {"anchor": {"ref": f"w/d{i}@1", "exact": f"text {i} of"}}},
            "accept": [["a"]],
        }
        for i in range(n)
    )
    rows = ((f"n{i}", 1, "w", f"d{i}", 1, f"This is text {i} of all") for i in range(n))
    chosen = table(to / "s.csv", "need,rank,source,doc,version,text", rows)
    return bundles(lines(to / "n.jsonl", many), chosen, "--documents", _texts(n, to))


def labels_of_a_view(n: int, to: Path) -> list[str]:
    view = to / "v.yaml"
    labels = "".join(f"\n    - s{2 * i}" for i in range(n))
    view.write_text(f"schema: evaudit/view@1\nview:\n  name: v\n  statuses:\n    - current{labels}\n", encoding="utf-8")
    one = lines(to / "n.jsonl", (need(f"n{i}", {"a": [(f"d{i}", 0, 4)]}) for i in range(n)))
    chosen = units(to / "s.csv", ((f"n{i}", f"d{i}", 0, 10) for i in range(n)))
    return bundles(one, chosen, "--documents", _texts(n, to), "--view", view)


def chunks_of_one_text(n: int, to: Path) -> list[str]:
    text = " ".join(f"sentence {i} of all." for i in range(n))
    documents = table(to / "d.csv", "source,doc,version,text", [("w", "d", 1, text)])
    given = {f"c{i}": {"anchor": {"ref": "w/d@1", "exact": f"sentence {i} of"}} for i in range(n)}
    one = lines(to / "n.jsonl", [{"need": "n", "components": given, "accept": [list(given)]}])
    rows = (("n", i + 1, f"u{i}", "w", "d", 1, f"sentence {i} of all.") for i in range(n))
    chosen = table(to / "s.csv", "need,rank,unit,source,doc,version,text", rows)
    return bundles(one, chosen, "--documents", documents)


def spellings_of_documents(n: int, to: Path) -> list[str]:
    long = "x%20y_" * 20
    many = (need(f"n{i}", {"a": [(f"{long}{i}", 0, 9)]}) for i in range(n))
    chosen = units(to / "s.csv", ((f"n{i}", f"{long.upper()}{i}", 0, 10) for i in range(n)))
    return bundles(lines(to / "n.jsonl", many), chosen)


def _opposed(n: int, to: Path, subjects: int, values: int, settle: str = "none") -> list[str]:
    one = lines(to / "n.jsonl", [need("n", {"a": [("d", 0, 10 * n)]})])
    said = (("n", f"k{i}", "a", f"s{i % subjects}", "r", f"o{i % values}", "", "", "", "", "") for i in range(n))
    asked = rules(to / "r.yaml", f"{SINGLE}, settle: {settle}")
    return bundles(
        one, units(to / "s.csv", [("n", "d", 0, 10 * n)]), "--claims", claims(to / "c.csv", said), "--rules", asked
    )


def claims_that_all_oppose(n: int, to: Path) -> list[str]:
    return _opposed(n, to, 1, n)


def claims_of_two_sides(n: int, to: Path) -> list[str]:
    return _opposed(n, to, 1, 2)


def claims_that_agree(n: int, to: Path) -> list[str]:
    return _opposed(n, to, 1, 1)


def claims_without_a_conflict(n: int, to: Path) -> list[str]:
    return _opposed(n, to, max(1, n), n)


def claims_that_newest_settles(n: int, to: Path) -> list[str]:
    return _opposed(n, to, max(1, n // 2), n, "newest")


def claims_on_nested_components(n: int, to: Path) -> list[str]:
    one = lines(to / "n.jsonl", [need("n", {f"c{i}": [("d", i, 20 * n - i)] for i in range(n)})])
    said = (("n", f"k{i}", "", f"s{i}", "r", f"o{i}", "w", "d", 1, 10 * n + i, 10 * n + i + 1) for i in range(n))
    return bundles(
        one,
        units(to / "s.csv", [("n", "d", 0, 20 * n)]),
        "--claims",
        claims(to / "c.csv", said),
        "--rules",
        rules(to / "r.yaml", SINGLE),
    )


def claims_of_the_inventory(n: int, to: Path) -> list[str]:
    many = lines(to / "n.jsonl", (need(f"n{i}", {"a": [(f"d{i}", 0, 9)]}) for i in range(n)))
    said = (("", f"k{i}", "", f"s{i // 2}", "r", f"o{i}", "w", f"d{i}", 1, 2, 5) for i in range(n))
    chosen = units(to / "s.csv", ((f"n{i}", f"d{i}", 0, 9) for i in range(n)))
    return bundles(many, chosen, "--claims", claims(to / "c.csv", said), "--rules", rules(to / "r.yaml", SINGLE))


def rules_of_relations(n: int, to: Path) -> list[str]:
    many = lines(to / "n.jsonl", [need("n", {"a": [("d", 0, 20 * n)]})])
    said = (("n", f"k{i}", "a", "s", f"r{i}", "o", "", "", "", "", "") for i in range(n))
    given = (
        f"id: x{i}, kind: exclusive-relations, relations: [r{i}, r{(i + 1) % n if n > 1 else 'q'}]" for i in range(n)
    )
    chosen = units(to / "s.csv", [("n", "d", 0, 20 * n)])
    return bundles(many, chosen, "--claims", claims(to / "c.csv", said), "--rules", rules(to / "r.yaml", *given))


def a_path_of_claims(n: int, to: Path) -> list[str]:
    one = need("n", {"a": [("d", 0, 10 * n)]})
    one["claims"] = [{"id": f"k{i}", "component": "a", "says": [f"s{i}", "r", f"s{i + 1}"]} for i in range(n)]
    one["path"] = [f"k{i}" for i in range(n)]
    chosen = units(to / "s.csv", [("n", "d", 0, 10 * n)])
    return bundles(lines(to / "n.jsonl", [one]), chosen, "--rules", rules(to / "r.yaml", SINGLE))
