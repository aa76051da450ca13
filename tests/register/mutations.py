"""Every way in which a project stops holding, and the finding that must catch it: what tests run and docs show.

``python tests/register/mutations.py`` writes docs/mutations.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from changes import (
    BOOK,
    CALC,
    CASES,
    COHORT,
    HISTORY,
    LEDGER,
    LOCK,
    README,
    ROSTER,
    Change,
    Mutation,
    both,
    caught,
    edit,
    not_reached,
)
from text_mutations import TEXTS


def ends(name: str) -> Change:
    return lambda p: p.write(name, p.read(name).replace("\n", "\r\n"))


def counts_in_claim_and_quote(p):
    p.replace(BOOK, "is 21/43, about .4884.", "is .4884 (20 of 43).")
    p.replace(BOOK, "recall is 21/43 ≈ .4884", "recall is .4884 (20 of 43)")
    p.replace(README, "21/43 ≈ .4884", ".4884 (20 of 43)")


def byte_order_mark(p):
    p.write(LEDGER, "\ufeff" + p.read(LEDGER))


def swapped(p):
    p.replace(CALC, "path: inputs/decisions.csv", "path: X")
    p.replace(CALC, "path: inputs/roster.txt", "path: inputs/decisions.csv")
    p.replace(CALC, "path: X", "path: inputs/roster.txt")


def digit_of_a_digest(p):
    start, spec = p.read(LOCK).split('"spec": {')
    head, digest = spec.split('"sha256": "')
    p.write(LOCK, f'{start}"spec": {{{head}"sha256": "{"1" if digest[0] == "0" else "0"}{digest[1:]}')


def outside(name: str) -> Change:
    """The file out of the project, and a link in its place."""

    def change(p):
        target = p.root.parent / f"{p.root.name}-outside-{name.rpartition('/')[2]}"
        (p.root / name).rename(target)
        (p.root / name).symlink_to(target)

    return change


def two_forms(p):
    """The roster under a name of which both Unicode forms stand side by side."""
    import unicodedata

    composed, apart = (unicodedata.normalize(form, "rösten.txt") for form in ("NFC", "NFD"))
    p.write(f"controls/inputs/{composed}", p.read(ROSTER))
    p.write(f"controls/inputs/{apart}", p.read(ROSTER))
    for name in (CALC, COHORT, BOOK):
        p.write(name, p.read(name).replace("inputs/roster.txt", f"inputs/{composed}"))


def without_the_last(name: str, first_line: str) -> Change:
    """The document without its last entry, whose first line begins so."""
    return lambda p: p.write(name, p.read(name)[: p.read(name).rindex(first_line)])


def cut_tail(p):
    p.write(HISTORY, p.read(HISTORY).splitlines(keepends=True)[0])


def written_anew(p):
    """Everything changed together by somebody who means it: no record inside shows it."""
    from evaudit.register.accept import accept

    p.replace(LEDGER, "C22,deferred", "C22,promoted")
    (p.root / HISTORY).unlink()
    (p.root / "registers/.evaudit-accept.json").unlink(missing_ok=True)
    names = [
        "recall(endpoint=promoted, over=cohort)",
        "recall(endpoint=promoted, over=decided)",
        "accuracy(endpoint=promoted, over=decided)",
    ]
    accept(p.root / CALC, names, "written anew")
    was, now = digests(p)
    for old, new in (
        (was, now),
        ("21/43", "22/43"),
        (".4884", ".5116"),
        ("21/37", "22/38"),
        (".5676", ".5789"),
    ):
        p.write(BOOK, p.read(BOOK).replace(old, new))
        p.write(README, p.read(README).replace(old, new))


def digests(p):
    import hashlib

    now = p.read(LEDGER)
    was = now.replace("C22,promoted", "C22,deferred")
    return tuple(hashlib.sha256(text.encode()).hexdigest() for text in (was, now))


INPUTS: Mapping[str, Mutation] = {
    "flip a label": caught(
        edit(LEDGER, "C21,promoted,positive", "C21,promoted,negative"),
        "input-changed",
        "calculation-drift",
        "entry-drift",
    ),
    "move a state": caught(
        edit(LEDGER, "C22,deferred", "C22,promoted"), "input-changed", "calculation-drift", "entry-drift"
    ),
    "change a column that no figure reads": caught(
        edit(LEDGER, "C01,promoted,positive,rules", "C01,promoted,positive,x"), "input-changed", "entry-input"
    ),
    "drop a row": caught(
        edit(LEDGER, "C50,rejected,negative,rules\n", ""), "calculation-rows", "cohort-lost-candidate"
    ),
    "duplicate an id": caught(edit(LEDGER, "C02,", "C01,"), "cohort-repeated-row"),
    "other line ends in an input read as bytes": caught(ends(ROSTER), "input-line-ends"),
    "a byte order mark in an input read as text": caught(byte_order_mark, "input-line-ends"),
    "a missing input": caught(lambda p: (p.root / LEDGER).unlink(), "input-missing"),
    "other line ends in an input read as text": not_reached(
        ends(LEDGER), "the same text by declaration: `as: text` folds line ends"
    ),
    "the time stamp of an input": not_reached(
        lambda p: (p.root / LEDGER).touch(), "the same content; only content decides"
    ),
}

CALCULATIONS: Mapping[str, Mutation] = {
    "edit only the lock": caught(edit(LOCK, '"num": 27', '"num": 28'), "lock-edited", "calculation-drift"),
    "a digest in the lock": caught(edit(LOCK, '"C01": "', '"C01": "0000000000000000", "C0x": "'), "lock-edited"),
    "a digit of a digest in the lock": caught(digit_of_a_digest, "lock-edited"),
    "the form of the lock": caught(edit(LOCK, '"id": "audit"', '"id":  "audit"'), "lock-edited"),
    "a float in the lock": caught(edit(LOCK, '"num": 21', '"num": 21.0'), "lock-edited"),
    "remove the lock": caught(lambda p: (p.root / LOCK).unlink(), "lock-missing"),
    "a lock without its calculation": caught(lambda p: (p.root / CALC).unlink(), "lock-orphan", "entry-calculation"),
    "a comment in calculation.yaml": caught(edit(CALC, "id: audit", "id: audit  # same"), "lock-stale"),
    "rename an endpoint": caught(edit(COHORT, "retained:", "kept:"), "lock-stale", "control-unknown-figure"),
    "swap two inputs": caught(swapped, "lock-stale"),
    "an undeclared input": caught(
        edit(CALC, "  - {id: roster, path: inputs/roster.txt, as: bytes}\n", ""),
        "calculation-undeclared-input", "lock-stale",
    ),
    "an input that nothing reads": caught(
        edit(CALC, "outputs:", "  - {id: readme, path: ../README.md, as: text}\noutputs:"), "lock-stale"
    ),
    "a digit of expect": caught(
        edit(CALC, "expect: 21/43", "expect: 22/43"), "calculation-output-mismatch", "lock-stale"
    ),
    "reduced counts": caught(edit(CALC, "expect: 21/43", "expect: 42/86"), "calculation-output-mismatch"),
    "a digit of show": caught(
        edit(CALC, 'show: ".4884"', 'show: ".4883"'), "calculation-shown-mismatch", "lock-stale"
    ),
    "other line ends in calculation.yaml": not_reached(ends(CALC), "the same text: documents are hashed as text"),
}  # fmt: skip

ENTRIES: Mapping[str, Mutation] = {
    "a digit of exact": caught(edit(BOOK, "exact: 21/43", "exact: 21/44"), "entry-drift", "entry-claim-figure"),
    "a digit of shown": caught(
        edit(BOOK, 'shown: ".4884"', 'shown: ".4894"'), "entry-shown-mismatch", "entry-quote-figure"
    ),
    "a digit of the claim": caught(edit(BOOK, "about .4884", "about .4874"), "entry-claim-figure"),
    "a fraction of the claim": caught(edit(BOOK, "is 21/43", "is 21/50"), "entry-claim-figure"),
    "the counts of the claim in words": caught(
        edit(BOOK, "is 21/43, about", "is twenty of the forty-three, about"), "entry-claim-figure"
    ),
    "the counts in claim, quote and text": caught(counts_in_claim_and_quote, "entry-claim-figure"),
    "the sign of the claim": caught(edit(BOOK, "about .4884", "about -.4884"), "entry-claim-figure"),
    "the scale of the claim": caught(edit(BOOK, "about .4884", "about .4884 million"), "entry-claim-figure"),
    "another group sign": caught(
        both(edit(BOOK, "entries:", 'numbers: {group: ".", decimal: ","}\nentries:')), "document-invalid"
    ),
    "a figure of another output in the claim": caught(
        edit(BOOK, "about .4884.", "about .4884, of retention .6279."), "entry-claim-figure"
    ),
    "a digit of a digest": caught(edit(BOOK, 'sha256: "', 'sha256: "0'), "document-invalid"),
    "an input that is none": caught(
        edit(BOOK, "path: ../controls/inputs/roster.txt", "path: ../README.md"), "entry-input"
    ),
    "other label provenance": caught(edit(BOOK, "adjudicated: no", "adjudicated: yes"), "entry-labels"),
    "no label provenance": caught(
        edit(BOOK, "    labels: {kind: heuristic, method: keyword rules, adjudicated: no}\n", ""), "entry-labels"
    ),
    "a placeholder": caught(edit(BOOK, "keyword rules", "TODO"), "entry-placeholder"),
    "an id twice": caught(edit(BOOK, "id: R-2", "id: R-1"), "control-duplicate-id"),
    "delete an entry, their number kept elsewhere": caught(
        without_the_last(BOOK, "  - id: "), "count-not-as-expected", kept=True
    ),
    "delete an entry": not_reached(
        without_the_last(BOOK, "  - id: "), "nothing inside shows it: keep their number elsewhere (--expect-entries)"
    ),
    "a calculation that is not there": caught(edit(BOOK, "calculation.yaml", "calc.yaml"), "entry-calculation"),
    "a measure that is not given": caught(
        edit(BOOK, 'figure: "recall(endpoint=promoted, over=cohort)"', 'figure: "recall(endpoint=promoted, over=all)"'),
        "entry-figure",
    ),
}  # fmt: skip

CONTROLS: Mapping[str, Mutation] = {
    "an expected value of a control": caught(edit(CASES, "P: 2/3", "P: 1/3"), "control-mismatch"),
    "a name that the audit does not give": caught(edit(CASES, "P: 2/3", "Precison: 2/3"), "control-unknown-figure"),
    "a wrong value that is right": caught(edit(CASES, "P: 3/3", "P: 2/3"), "control-wrong-value-passed"),
    "a wrong value of an unknown name": caught(edit(CASES, "{P: 3/3}", "{Q: 3/3}"), "control-unknown-figure"),
    "a refusal that is accepted": caught(edit(CASES, "cutoff: 0", "cutoff: 1"), "control-not-refused"),
    "a control id twice": caught(edit(CASES, "id: cutoff-zero", "id: ranked"), "control-duplicate-id"),
    "a ratio as a decimal": caught(edit(CASES, "P: 2/3", 'P: "0.6667"'), "control-not-counts"),
    "delete a control, their number kept elsewhere": caught(
        without_the_last(CASES, "  - id: "), "count-not-as-expected", kept=True
    ),
    "delete a control": not_reached(
        without_the_last(CASES, "  - id: "), "nothing inside shows it: keep their number elsewhere (--expect-controls)"
    ),
    "an unknown kind of document": caught(
        lambda p: p.write("controls/x.yaml", "schema: other/x@1\n"), "document-unknown-kind"
    ),
    "a broken document": caught(lambda p: p.write("controls/x.yaml", "schema: [\n"), "yaml-syntax"),
}

HISTORIES: Mapping[str, Mutation] = {
    "the history's middle": caught(edit(HISTORY, "decided on review", "decided by chance"), "history-broken"),
    "a value in its middle": caught(edit(HISTORY, '"new":"22/43"', '"new":"23/43"'), "history-broken"),
    "its last record": caught(edit(HISTORY, "no, it was not", "yes, it was"), "history-broken"),
    "its tail cut off, the lock still there": caught(cut_tail, "history-lock"),
    "empty it, the head kept elsewhere": caught(lambda p: p.write(HISTORY, ""), "history-head", kept=True),
    "its tail cut off, the head kept elsewhere": caught(cut_tail, "history-head", kept=True),
    "remove all of it, the head kept elsewhere": caught(
        lambda p: (p.root / HISTORY).unlink(), "history-head", kept=True
    ),
    "a lock frozen anew": caught(
        lambda p: [(p.root / LOCK).unlink(), p.replace(CALC, "id: audit", "id: audit # x"), refreeze(p)], "history-lock"
    ),
    "remove all of it": not_reached(
        lambda p: (p.root / HISTORY).unlink(), "nothing inside shows it: keep the head elsewhere (--expect-head)"
    ),
    "input, calculation, lock, history, entry and text together": not_reached(
        written_anew, "a project that is written anew holds: keep the head elsewhere (--expect-head)"
    ),
    "all of them, the head kept elsewhere": caught(written_anew, "history-head", kept=True),
}


LINKS: Mapping[str, Mutation] = {
    "an input that is a link out of the root": caught(outside(LEDGER), "path-refused"),
    "a spec that is a link out of the root": caught(outside(COHORT), "path-refused"),
    "a lock that is a link out of the root": caught(outside(LOCK), "path-refused"),
    "a register that is a link out of the root": caught(outside(BOOK), "path-refused"),
    "controls that are a link out of the root": caught(outside(CASES), "path-refused"),
    "a text that is a link out of the root": caught(outside(README), "path-refused"),
    "both Unicode forms of a name side by side": caught(two_forms, "path-two-forms"),
}


def refreeze(p):
    from evaudit.register.freeze import freeze

    freeze(p.root / CALC)


GROUPS: Mapping[str, Mapping[str, Mutation]] = {
    "Inputs": INPUTS,
    "Texts": TEXTS,
    "Calculations and locks": CALCULATIONS,
    "Register entries": ENTRIES,
    "Controls and documents": CONTROLS,
    "History": HISTORIES,
    "Links and names": LINKS,
}

MUTATIONS: Mapping[str, Mutation] = {name: m for group in GROUPS.values() for name, m in group.items()}
"""Every mutation by what it changes."""


def page() -> str:
    """docs/mutations.md."""
    total = sum(bool(m.rules) for m in MUTATIONS.values())
    rest = len(MUTATIONS) - total
    lines = [
        "# What a check catches",
        "",
        "Each row is a change to a small project that holds (one ledger, one frozen calculation, three register",
        "entries, two controls, a history of two records), run as a test: every finding named must be among those of",
        "`evaudit check`; where the head or a number is kept elsewhere, of `evaudit check` with `--expect-head`,",
        "`--expect-entries` and `--expect-controls`. Written by `python tests/register/mutations.py` from the table",
        "that the tests run.",
        "",
        f"Caught: {total}. Not reached: {rest}; these are counted apart, and each says why.",
    ]
    for heading, group in GROUPS.items():
        lines += ["", f"## {heading}", "", "| change | caught by |", "|---|---|"]
        for name, mutation in group.items():
            told = ", ".join(f"`{rule}`" for rule in mutation.rules) or f"not reached: {mutation.why}"
            lines.append(f"| {name} | {told} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    target = Path(__file__).resolve().parents[2] / "docs" / "mutations.md"
    target.write_text(page(), encoding="utf-8")
