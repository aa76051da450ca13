"""What can be wrong with data, documents and published figures: the catalogue of rules, and one finding of one rule.

A rule id is stable for ever. Severity ``error`` ends a command with 1, ``warning`` and ``note`` do not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from evaudit.visible import bounded, one_line

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A thing that can be wrong: ``text`` says what it means, ``advice`` what to do about it.

    ``above`` marks what a reader must know before any figure is read: reports say it above the figures.
    """

    id: str
    severity: Severity
    text: str
    advice: str
    above: bool = False


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a file: 1-based ``line`` and ``column``, or a ``pointer`` such as ``$.controls[0].need``."""

    path: str | None = None
    line: int | None = None
    column: int | None = None
    pointer: str | None = None

    def text(self) -> str:
        """``file:line:column: $.pointer``, as far as known."""
        place = ":".join(str(p) for p in (self.path, self.line, self.column) if p is not None)
        return ": ".join(p for p in (place, self.pointer) if p)


@dataclass(frozen=True, slots=True)
class Finding:
    """One occurrence of a rule. ``message`` says what was expected, what was found and what to do, in a sentence."""

    rule: str
    severity: Severity
    message: str
    where: Where | None = None
    need: str | None = None

    def text(self) -> str:
        """One line for people: place, message."""
        place = self.where.text() if self.where else ""
        return one_line(f"{place}: {self.message}" if place else self.message)


def finding(
    rule: str,
    message: str,
    *,
    where: Where | None = None,
    need: str | None = None,
    severity: Severity | None = None,
) -> Finding:
    """A finding of a rule in ``RULES``, with the severity that the catalogue gives unless the facts give another."""
    return Finding(rule, severity or RULE_BY_ID[rule].severity, bounded(message), where, need)


def is_above(found: Finding) -> bool:
    """Whether a reader must know it before any figure is read."""
    return RULE_BY_ID[found.rule].above


def above_first(found: Iterable[Finding]) -> list[Finding]:
    """The same findings, those that stand above the figures first."""
    return sorted(found, key=lambda one: not is_above(one))


RULES: tuple[Rule, ...] = (
    # what stops a command
    Rule("usage-invalid", "error", "An option, id or name that was asked for does not exist, or does not fit the others.", "Correct the command; the message names what there is, and `--help` lists what the command takes."),
    Rule("input-unreadable", "error", "A file that the command needs is missing, or cannot be read or written: nothing was checked.", "Correct the path that the message names, or restore the file."),
    Rule("nothing-to-check", "error", "No control, calculation or entry is what was asked for; an empty selection never counts as success.", "Correct the path, the id or the text that was named."),
    Rule("program-failed", "error", "The program itself failed: nothing was checked.", "Report what stderr says; this is a defect of the program."),
    # documents (strict YAML)
    Rule("document-invalid", "error", "A document breaks the form of its kind.", "Correct the named place; `evaudit schema KIND` prints the form."),
    Rule("document-unreadable", "error", "A document is no UTF-8 text of bearable size and depth without control characters.", "Save it as UTF-8, and put long texts and tables in files of their own."),
    Rule("yaml-syntax", "error", "A document is not YAML: the reader lost its structure at this place.", "Correct indentation, quotes and brackets at the named place."),
    Rule("yaml-feature-refused", "error", "A document uses an anchor, alias, merge key, tag, directive or a second document: it could say something else than a reader sees.", "Write each value out where it belongs, in one document."),
    Rule("duplicate-key", "error", "A mapping has the same key twice; another reader would silently drop one of the two.", "Keep one of the two named lines."),
    Rule("unknown-field", "error", "A field has a name that its kind does not know; it would have no effect.", "Correct the name or remove the field; `evaudit schema KIND` lists the fields."),
    Rule("path-refused", "error", "A path in a document is absolute, not POSIX, or leaves the root of the project.", "Write the path relative to the document, with /, inside the root."),
    Rule("path-two-forms", "error", "Two names in one folder are equal but for their Unicode form, so nobody knows which one is meant.", "Delete or rename one of the two."),
    Rule("path-other-form", "note", "A file is stored under another Unicode form of the name that is written (NFC, NFD).", "Nothing; rename the file if other programs do not find it."),
    Rule("path-link", "note", "A file that was read is a link to another one inside the root.", "Nothing; what the link leads to was read and hashed."),
    # data tables and files
    Rule("table-row-unreadable", "error", "A row of a table cannot be read as declared: the number of cells, an open quote, or JSON that is none.", "Correct the named line."),
    Rule("table-text-invalid", "error", "A text table holds bytes that are no UTF-8, or a NUL character.", "Save the file as UTF-8 text."),
    Rule("table-column-missing", "error", "A table lacks a column that the command needs.", "Rename or add the column; the message names the columns found."),
    Rule("table-column-repeated", "error", "Two columns of a table, or two keys of a JSON row, carry one name.", "Rename or drop one of them."),
    Rule("table-form-unknown", "error", "The name of a file does not say how to read it.", "Use .csv, .tsv, .jsonl or .parquet; .gz and .zst may follow the text forms."),
    Rule("table-file-corrupt", "error", "A compressed or Parquet file cannot be opened, or a table has no header line.", "Write the file again from its source."),
    Rule("table-empty", "warning", "A table that was given has no row: nothing was selected, listed, stored or claimed.", "Check that the right file was meant, and that it was written to its end."),
    # sources
    Rule("document-repeated", "error", "The same source, document and version is listed twice.", "Keep one of the two, or give each its own version."),
    Rule("document-hash-mismatch", "error", "The stored text of a document does not have the hash that is stated for it.", "Restore the text, or state a new version with its own hash."),
    Rule("view-label-missing", "warning", "The view asks for a label that no document carries, so it allows none of them.", "Give a table of documents with the column that the message names; a folder of texts carries no labels."),
    Rule("view-label-unknown", "error", "The view asks for a status, an access label or a version that no document has. It is a warning where documents have another one of those that the view asks for, and none differs in spelling only.", "Write the label as the documents write it; the message lists those found.", above=True),
    # bundles
    Rule("absent-component-with-evidence", "error", "A component is declared absent and carries a quote or a position: evidence for what is not there.", "Drop the quote, or declare an anchor instead of an absence."),
    Rule("bundle-empty", "error", "An accepted bundle names no component; it would be true of nothing.", "Name the components that it requires, or remove it."),
    Rule("bundle-unknown-component", "error", "An accepted bundle names a component that the need does not have.", "Use a name that stands under `components`."),
    Rule("bundle-repeated", "warning", "A need accepts the same bundle twice.", "Remove the repeated one; no figure counts it twice."),
    Rule("bundle-component-repeated", "note", "An accepted bundle names a piece of evidence more than once; it is required once.", "Remove the repeated name; no figure counts it twice."),
    Rule("bundle-superset", "warning", "An accepted bundle contains another one, so it asks for more than suffices.", "Remove the larger one, or correct it."),
    Rule("bundle-over-budget", "warning", "An accepted bundle cannot fit the budget, whatever is selected.", "Raise the budget, or read the figures as what cannot be reached."),
    Rule("bundle-names-absent", "note", "An accepted bundle names a component that is declared absent: legal, and never complete.", "Nothing; it states that the need cannot be met from this inventory."),
    Rule("bundle-unresolved", "warning", "An accepted bundle names a component whose anchor does not resolve: it can never be complete.", "Correct the anchor; see the findings `anchor-unresolved`."),
    Rule("bundle-anchors-overlap", "note", "Two components of an accepted bundle share text, so one passage is required twice.", "Merge the two if one passage is meant."),
    Rule("anchor-unresolved", "warning", "A required anchor does not resolve in the documents given; its component stays required and counts as uncovered.", "Correct the quote, position or version; `evaudit anchors check` says what would fit."),
    Rule("anchor-space-not-comparable", "error", "An anchor and a unit of the same document stand in different spaces, so nobody can say whether one holds the other.", "Give both in the same space, or an offset table with `--offsets`; the figures of the need are withheld."),
    Rule("offsets-invalid", "error", "An offset table repeats a piece, goes back in the text, or reaches outside its document.", "Correct the named line; the pieces of one space of a document are numbered in the order of its text."),
    Rule("reference-fabricated", "error", "A unit refers to a document or version that is not in the inventory.", "Find where the reference comes from; it covers nothing, whatever its score."),
    Rule("reference-out-of-range", "error", "A unit reaches outside its document, or is empty or negative.", "Correct the interval; until then it is not known where the unit stands."),
    Rule("reference-text-mismatch", "error", "The text or digest that a unit claims is not the stored one.", "Restore the text, or locate the unit anew; `--text-match whitespace` takes every run of white space as one."),
    Rule("unit-document-near-miss", "error", "Units name a document in another spelling than their need, so they cover nothing there; a need is withheld where taking the two as one would change its answer. It is a warning where no difference explains three documents or every document of a table: two titles may differ in case only.", "Write both alike, or give an inventory (`--documents`) that holds both spellings if they are two documents.", above=True),
    Rule("stored-document-near-miss", "error", "A document that a need names is not stored, but one in another spelling is; the need is withheld where taking the two as one would change its answer. It is a warning where no difference explains three documents or all that the needs name.", "Write both alike.", above=True),
    Rule("no-document-in-common", "error", "No unit of a list is in any document that the needs name, so nothing can be covered.", "Check that both tables are of one collection, and name source, document and version alike.", above=True),
    Rule("unit-invalid", "error", "A row of a list of units cannot be read as declared.", "Correct the named line; the figures of the need are withheld."),
    Rule("unit-unlocated", "warning", "A unit has no position, and none can be found for it; it is counted, and withholds its need where a place that it could have would change the answer.", "Give start and end, or text that occurs exactly once."),
    Rule("unit-id-repeated", "error", "The same unit id stands twice in one list of one need.", "Make ids unique within a list; the figures of the need are withheld."),
    Rule("unit-rank-repeated", "error", "Two units of one list of one need have the same rank, so their order is not known.", "Make ranks unique within a list; the figures of the need are withheld."),
    Rule("unit-unknown", "error", "A selected unit gives an id without a position, and no candidate or unit of that id is known.", "Correct the id, or give the position."),
    Rule("unit-not-a-candidate", "warning", "A selected unit was no candidate of its need.", "Give the candidates that it was selected from; until then the ledger loses its components at `candidate`."),
    Rule("unit-moved", "error", "A selected unit stands elsewhere than the candidate of the same id, or one of the two elsewhere than the unit of that id in the corpus.", "Find out which list is wrong; the figures use the place that each list gives."),
    Rule("unit-length-unknown", "error", "A budget in characters or tokens needs the length of a unit that nobody gave.", "Give `tokens`, positions in characters, or the text; the figures of the need are withheld."),
    Rule("first-unit-over-budget", "warning", "The first selected unit of a need is larger than the whole budget, so the budget admits nothing.", "Raise the budget, or say with `--budget-rule skip` that units which do not fit are passed over."),
    Rule("repeated-unit", "note", "A unit stands twice in one list of one need, and `--duplicates first` counts it once, at its earliest rank.", "Remove the repetition where the list is made if it is not meant."),
    Rule("repeated-span", "note", "The same span was selected under two ids; it is counted and never credited twice.", "Remove the repeated unit if it is not meant."),
    Rule("path-broken", "warning", "A declared path is no chain: a claim is unknown or denied, or its subject is not the object before it.", "Correct the order of the claims, or their names."),
    Rule("claim-invalid", "error", "A claim names no known component, or a claim id stands twice.", "Correct the name; the figures of the need are withheld."),
    Rule("claim-unlocated", "warning", "The anchor of a claim does not resolve, so its place is not known; a need that it could oppose is withheld if that would change its answer.", "Correct the quote, position or version of the claim."),
    Rule("claim-beside-component", "warning", "A claim stands on no component of its need, though it shares text with the anchor of one: no conflict about it can refuse the need.", "Name its `component`, in the table of claims or in place of its anchor in the need, or give a span within the anchor."),
    Rule("opposing-claim-ineligible", "note", "The view leaves out a claim that would oppose, so a restriction settles what nobody settled.", "Look at the claim before the verdict is used."),
    Rule("conflict-open", "note", "A claim on an accepted bundle, or in the path, is opposed and nothing settles it, though the need is not refused for it.", "Settle the conflict, or look at it with `--show` before the verdict is used."),
    Rule("rule-idle", "note", "A conflict rule names a relation that no claim has, or no claim was given: it finds nothing there.", "Check how the relation is written in the rules and in the claims."),
    Rule("claim-idle", "note", "A table of claims was given without rules, so its claims oppose nothing; they serve declared paths alone.", "Give the rules with `--rules`."),
    Rule("resolution-unknown", "error", "A resolution names a rule or claim that does not exist, or dismisses the claim that it keeps.", "Correct the name."),
    Rule("resolution-keeps-ineligible", "error", "A resolution keeps a claim whose document the view does not allow, so it settles nothing.", "Keep a claim of an eligible document, or leave the conflict open."),
    Rule("need-unknown", "error", "A row refers to a need that the table of needs does not have.", "Add the need, or remove the row; it is in no figure."),
    Rule("need-repeated", "error", "A need stands twice in the table of needs.", "Merge the two; ids of needs are unique."),
    Rule("need-invalid", "error", "The components or bundles of a need cannot be read as declared.", "Correct the named place; the figures of the need are withheld."),
    Rule("need-without-selection", "warning", "A need that requires something has no selected unit.", "It counts as 0; check that the table of selected units is complete."),
    Rule("need-requires-nothing", "note", "A need does not say which bundles it accepts, so nothing is required and its figures are undefined.", "Name its components in a list under `accept`; write `accept: []` where nothing is required."),
    Rule("ids-do-not-pair", "warning", "Ids of two files that are paired by position disagree, repeat or are missing. It is an error, and withholds the pair, where the format asks for the same ids.", "Bring both files into one order, or pair by id where the format can (`--pair id`).", above=True),
    Rule("need-ids-disjoint", "error", "Gold and predictions have no id in common, so every need is withheld.", "Check that both files are of the same questions and spell their ids alike.", above=True),
    Rule("need-id-near-miss", "error", "Predictions find no need, and their ids differ from the id of a need without a prediction in spelling only; these needs are withheld. It is a warning where no difference explains three of them or all ids of a file.", "Write the ids of both files alike.", above=True),
    Rule("prediction-without-claim", "warning", "A prediction belongs to no record of the gold file.", "Check that the two files belong together; it is in no figure."),
    # decisions
    Rule("cohort-missing-id", "error", "A row of a ledger names no candidate.", "Give every row the id of its candidate."),
    Rule("cohort-unknown-state", "error", "A candidate is in a state that the cohort does not declare; it is not guessed.", "Correct the state, or declare it with `decided: yes` or `no`."),
    Rule("cohort-unknown-label", "error", "A label has no declared meaning; it is never coerced.", "Correct the label, or declare it positive, negative or unlabelled."),
    Rule("cohort-two-states", "error", "A candidate stands in more than one state.", "Keep the one row that holds."),
    Rule("cohort-conflicting-labels", "error", "Rows of one candidate carry different labels.", "Settle the label and keep one row."),
    Rule("cohort-repeated-row", "error", "A candidate has several rows with the same state and label.", "Keep one row a candidate."),
    Rule("cohort-lost-candidate", "error", "A candidate of the roster has no row, so it is in no state.", "Add its row, declare with `unlisted: STATE` the state of everybody without one, or correct the roster."),
    Rule("cohort-stray-candidate", "error", "A candidate of the ledger is not on the roster.", "Remove its row, or correct the roster."),
    Rule("cohort-roster-repeated", "error", "The roster lists a candidate more than once, or a blank id.", "List every candidate once."),
    Rule("tar-action-invalid", "error", "The second column of a CLEF TAR run is neither an action in every line nor one stop marker a topic.", "Correct the named line; a run has `AF`, `NF` and `NS`, or 0 and one 1 in each topic."),
    Rule("cohort-estimate-impossible", "warning", "An estimate by inclusion probabilities exceeds the candidates that can be positive.", "Check the probabilities, and say with `sampling.draws` how the draws depend on each other: then it has an interval."),
    Rule("cohort-near-equal-ids", "error", "Ids differ only in blanks, case or Unicode form, so one candidate may count twice.", "Give each candidate one spelling."),
    Rule("cohort-id-near-miss", "error", "Ids of two lists that join by id find no partner, and differ from an id of the other list in spelling only. It is a warning where no difference explains three of them or all ids of a list.", "Write the ids of both lists alike.", above=True),
    Rule("cohort-ids-disjoint", "error", "Two lists that join by id have no id in common.", "Check that both are of the same cohort and spell its ids alike.", above=True),
    Rule("cohort-count-not-as-declared", "error", "The cohort has more or fewer candidates than it declares.", "Find the missing or surplus rows, or correct the declared count."),
    Rule("cohort-margin-not-as-stated", "error", "The counts of a table of states do not add up to the row total that it states.", "Check the table against its source."),
    Rule("cohort-state-without-counts", "error", "A declared state has no row in the table of counts; what is left out is not zero.", "Write the row, with 0 where there is nobody, or remove the state."),
    Rule("cohort-undeclared-endpoint-state", "error", "An endpoint names a state that the cohort does not declare.", "Correct the endpoint, or declare the state."),
    Rule("cohort-relabelled", "error", "A candidate carries different labels in two places: ledger, stage or label file.", "Settle the label, and keep it in one place."),
    Rule("cohort-stray-label", "error", "A label file labels somebody whom the ledger lacks: a positive outside the ledger would vanish from recall.", "Add the candidate, or say with `unlisted: STATE` what became of everybody without a row; `others: ignore` leaves the labels of other cohorts out."),
    Rule("cohort-unlisted-positive", "error", "A candidate that is labelled positive for this cohort has no row in the ledger, so recall would lose it.", "Say with `unlisted: STATE` what became of candidates without a row, or give a roster of everybody who belongs to the cohort."),
    Rule("cohort-unlisted-negative", "warning", "Candidates judged for this cohort, none of them positive, have no row in the ledger: figures whose denominator holds negatives are withheld.", "Say with `unlisted: STATE` what became of candidates without a row."),
    Rule("cohort-event-order", "error", "Events of one candidate have no order: a number is none, or stands twice.", "Number the events of each candidate with different whole numbers."),
    Rule("cohort-lost-between-stages", "error", "A candidate went onward from one stage and has no row in the next.", "Find its row, or correct the state of the earlier stage."),
    Rule("cohort-stray-at-stage", "error", "A candidate has a row in a stage that the stage before did not send onward.", "Correct one of the two rows."),
    Rule("cohort-order-invalid", "error", "A place in the order of screening is no whole number from 1, or two candidates share it.", "Number the candidates in the order in which they were screened; leave it empty for those not reached."),
    Rule("cohort-group-missing", "error", "A candidate has no value in the column that divides the cohort into groups.", "Name its group; a group of the nameless would hide it."),
    Rule("figure-impossible", "error", "No count over the denominator rounds to the shown figure, by either rounding.", "Look for another denominator, or for a slip in the digits."),
    Rule("cohort-circular-labels", "warning", "The labels repeat the decision of every labelled candidate: labels copied from decisions show nothing about them.", "Say in the provenance how the labels came about independently of the decision."),
    # ranking
    Rule("cutoff-invalid", "error", "A cutoff is no whole number from 1.", "Write the number of documents to look at, e.g. 10."),
    Rule("grade-invalid", "error", "A grade is no whole number from 0, and no grade map says what it counts as.", "Correct the grade, or declare a grade map."),
    Rule("gain-invalid", "error", "A gain is missing, negative or no number, or stands at a grade or document that nothing judges.", "Give every judged document or grade one gain from 0."),
    Rule("measure-unknown", "error", "A name names no ranked measure.", "`evaudit explain` lists the measures."),
    Rule("repeated-result-id", "error", "A ranking returns one document twice: it cannot count as two discoveries.", "Remove the repetition where the ranking is made."),
    Rule("repeated-judgement", "error", "A document is judged twice for one topic.", "Keep one judgement, whether or not the grades agree."),
    Rule("judgements-mismatched", "error", "A ranking is measured with judgements of another topic, source or version.", "Use the judgements that belong to the ranking."),
    Rule("trec-columns-invalid", "error", "A line of a qrels or run file has the wrong number of columns.", "A qrels line is `topic iteration document grade`, a run line `topic Q0 document rank score tag`."),
    Rule("trec-id-invalid", "error", "A line of a qrels or run file holds a NUL byte, a byte order mark inside an id, or is no UTF-8.", "Save the file as UTF-8 without a byte order mark."),
    Rule("trec-file-empty", "error", "A qrels or run file has no line of data.", "Check which file was meant."),
    Rule("trec-file-corrupt", "error", "A compressed qrels or run file does not decompress.", "Write the file again from its source."),
    Rule("score-invalid", "error", "A score in a run is NaN or no number.", "Correct the score."),
    Rule("rank-invalid", "error", "A rank in a run is no whole number.", "Correct the rank, or order the run by `--order score` or `--order lines`."),
    Rule("repeated-rank", "error", "Two documents of one topic have the same rank, so the list has no order.", "Correct the ranks, or order the run by `--order score` or `--order lines`."),
    Rule("tied-scores", "error", "Two documents of one topic have the same score, and the convention refuses ties.", "Break the tie where the ranking is made, or say with `--ties` what orders equal scores."),
    Rule("topic-refused", "error", "A topic of the qrels has no line in the run, and the convention refuses that.", "Complete the run, or choose `--missing-topics zero` (`-c`) or `skip`."),
    Rule("tool-fails", "error", "The program that is being reproduced crashes or prints a senseless value on this input.", "Use the book convention, or change what the message names."),
    Rule("topic-sets-differ", "warning", "Runs that stand side by side do not hold the same topics.", "Compare them over the same topics."),
    Rule("result-invalid", "error", "A file that should hold a stored result of this command does not.", "Store the result with `--format json`."),
    Rule("result-not-comparable", "error", "A stored result was worked out from other judgements or by another convention, so its means do not belong beside these.", "Measure both runs in one command."),
    Rule("topic-in-two-groups", "error", "A topic stands in two groups, so no group's mean is known.", "Keep one line a topic."),
    Rule("returned-document-ineligible", "error", "A run returns documents that the view does not allow.", "Remove them where the ranking is made; no score or judgement makes them eligible."),
    Rule("topics-disjoint", "error", "A run and the qrels have no topic in common, so nothing can be measured.", "Check that both files use the same topic ids.", above=True),
    Rule("topic-near-miss", "error", "Topics of a run, or of a file of groups, are in no qrels, and differ in spelling only from topics of the qrels that it lacks. It is a warning where no difference explains three of them or all topics of a file.", "Write the topics of both files alike.", above=True),
    Rule("documents-disjoint", "error", "A run returns no judged document in any topic, and shares more than one topic with the qrels.", "Check that run and qrels name documents alike, and that the qrels are of this collection.", above=True),
    Rule("document-near-miss", "error", "Returned documents are not judged, and differ in spelling only from judged ones of their topic that the run lacks. It is a warning where no difference explains three of them or all.", "Write the documents of both files alike.", above=True),
    Rule("tie-range-left-out", "note", "Equal scores leave too many orders to find the range of a figure over them.", "Ask for another measure, or break the ties where the ranking is made."),
    Rule("topic-missing-in-run", "warning", "A topic of the qrels has no line in the run.", "It counts as nothing returned; check that the run is complete."),
    Rule("topic-without-judgements", "note", "A topic of the qrels has no judgement that counts, so no positive is known.", "It is in every mean that needs none, and undefined in the others; judge it, or take it out of the qrels."),
    Rule("topic-not-in-qrels", "warning", "A topic of the run has no judgement; it is in no figure and no mean.", "Check that the qrels are the right ones."),
    Rule("score-rises-along-ranks", "warning", "A document has a higher score than the one ranked before it, so the two columns disagree.", "Check which column orders the run; `--order score` uses the other."),
    Rule("rank-gaps", "note", "The ranks of a topic do not count up one by one; places in the list are used.", "Check that no lines were cut out of the run."),
    Rule("hash-lines", "note", "Lines of a qrels or run file begin with `#`: comments, left out, or records of a topic whose id begins so.", "Check the named line: a comment with the columns of a record needs a blank behind its `#`."),
    Rule("grade-map-unused", "note", "A grade map names a grade that no judgement has.", "Check how the grade is written in the file."),
    Rule("byte-order-mark", "note", "A file starts with a byte order mark, which was left out.", "Save the file as UTF-8 without it."),
    # register
    Rule("control-mismatch", "error", "A control does not reproduce: the audit gives another value than the control expects.", "Find out which of the two is wrong; never edit the expectation only to make it pass."),
    Rule("control-unknown-figure", "error", "A control or calculation names a figure or answer that the audit does not give.", "Use a name that the message lists."),
    Rule("control-not-counts", "error", "A ratio of counts is expected as a decimal, which counts cannot be compared with exactly.", "Write the expectation as numerator/denominator."),
    Rule("rounding-tie", "note", "A shown figure lies exactly between two roundings: half-even and half-up differ.", "State `rounding:` in the register entry."),
    Rule("control-wrong-value-passed", "error", "A value that a negative control declares wrong is what the audit gives.", "Correct the `wrong` value, or the measure that lets it pass."),
    Rule("control-not-refused", "error", "An input that must be refused is accepted, or refused for another reason.", "Correct the refusal control, or the check that should refuse."),
    Rule("control-duplicate-id", "error", "Two controls, calculations or register entries of a project carry one id.", "Rename one; ids are permanent, so rename the newer."),
    Rule("control-crashed", "error", "The audit of a control or calculation crashed: nothing could be checked.", "Report it with the file; this is a defect of the program."),
    Rule("document-unknown-kind", "error", "A YAML file under `controls/` or `registers/` has no schema that is known.", "Correct the `schema:` line, or move the file out of the folder."),
    Rule("input-missing", "error", "A file that is named by a document is missing or cannot be read.", "Restore the file, or correct its path."),
    Rule("calculation-drift", "error", "A calculation gives another output now than its lock holds.", "Look at the change with `evaudit calc diff`; if it is meant, `evaudit calc accept` it and edit the text."),
    Rule("calculation-output-mismatch", "error", "A calculation gives another output than calculation.yaml expects.", "Correct the input or the expectation."),
    Rule("calculation-shown-mismatch", "error", "A shown figure is not what the output rounds to.", "Write the shown figure that the message gives."),
    Rule("calculation-rows", "error", "An input holds another number of rows than is declared.", "Restore the rows, or correct `rows:`."),
    Rule("calculation-undeclared-input", "error", "A calculation reads a file that is not among its inputs, so no digest guards it.", "Add the file to `inputs:`, then `evaudit calc accept` the change."),
    Rule("calculation-unread-input", "warning", "An input is declared that the calculation never reads.", "Drop it from `inputs:`, or name it in the spec."),
    Rule("calculation-formula", "error", "A formula cannot be computed from the outputs that it uses.", "Use num and den of ratios of counts only, and no answers."),
    Rule("calculation-cycle", "error", "A calculation uses itself, through others or directly.", "Take one of the uses out of the circle."),
    Rule("calculation-upstream", "error", "A calculation uses another one that does not hold, or that has no such output.", "Mend the other calculation first."),
    Rule("command-not-allowed", "error", "A calculation runs a command, and commands are not allowed in this run: nothing was checked.", "Read the command; then run with `--allow-commands`."),
    Rule("command-failed", "error", "The command of a calculation fails, exceeds its time limit, or writes no usable outputs.", "Run the command by hand on the declared inputs."),
    Rule("lock-missing", "error", "A calculation has no lock: nothing guards its inputs and outputs.", "Run `evaudit calc freeze`."),
    Rule("lock-stale", "error", "calculation.yaml, its spec, or an output that it uses changed after the lock was made.", "Look at the change with `evaudit calc diff`; if it is meant, `evaudit calc accept` it."),
    Rule("lock-edited", "error", "A lock is not what `calc freeze` writes: it was edited or damaged.", "Restore it from version control."),
    Rule("lock-orphan", "error", "A lock has no calculation file beside it.", "Restore the calculation, or delete the lock."),
    Rule("input-changed", "error", "The content of a frozen input changed.", "Restore it, or look at the change with `evaudit calc diff` and `evaudit calc accept` it."),
    Rule("input-line-ends", "error", "A frozen input holds the same text with other line ends or another byte order mark.", "Restore the line ends, or declare the input `as: text`."),
    Rule("history-broken", "error", "The chain of the history is broken: a record was edited, removed, added, moved or written in part.", "Restore the history from version control."),
    Rule("history-head", "error", "The last record of the history is not the one that was expected.", "Compare the history with the copy from which the head was taken."),
    Rule("count-not-as-expected", "error", "A project holds another number of register entries or controls than `--expect-entries` or `--expect-controls` says.", "Restore what was deleted; where the change is meant, change the number that is kept elsewhere."),
    Rule("history-lock", "error", "A lock is not the one that the history accepted last.", "Restore the lock, or accept what it should hold with `calc accept`."),
    Rule("accept-interrupted", "error", "An accept was interrupted, so the files on disk may be half of a change.", "Run `evaudit calc accept` again; it first restores the files."),
    Rule("accept-note-invalid", "error", "The note of an interrupted accept names other files than one calculation, its lock and the history, or cannot be read.", "Remove the note, and compare the calculation, its lock and the history with your version control."),
    Rule("entry-drift", "error", "The calculation gives another figure now than the entry publishes.", "Look at the change; then edit the text and the entry."),
    Rule("entry-figure", "error", "The figure of an entry is no output of its calculation, or names another measure than the output it is bound to.", "Bind the entry to the output of the same measure."),
    Rule("entry-calculation", "error", "The calculation of an entry does not exist or cannot be read.", "Correct `calculation.ref`."),
    Rule("entry-shown-mismatch", "error", "The shown figure of an entry is not what its exact figure rounds to.", "Write the shown figure that the message gives."),
    Rule("entry-claim-figure", "error", "A figure in the claim text follows neither from the exact nor from the shown figure of the entry, nor from an output that it names.", "Correct the claim, name the output that gives the figure under `also`, or list it under `not_figures` if it is no result."),
    Rule("entry-claim-integer", "warning", "A whole number in the claim text follows from nothing that the entry names.", "Correct it, name the output that gives it under `also`, or list it under `not_figures` if it is no result."),
    Rule("not-figure-gone", "warning", "Words under not_figures do not stand in the claim.", "Delete them, or write what stands there now."),
    Rule("figure-ambiguous", "warning", "A figure can be read in more than one way, or not at all, so that no entry binds it.", "Write it so that it is one thing, or declare under `numbers` how the texts write numbers."),
    Rule("integer-unbound", "note", "A plain whole number stands in a text, and no entry of the register binds it.", "Bind it if it is a result; `--integers no` leaves whole numbers out."),
    Rule("prose-unread", "warning", "A text holds a construct that cannot be read safely: what a reader sees there is not known.", "Look at the place; write it in another way if a figure depends on it."),
    Rule("entry-quote-figure", "error", "The quote of an entry does not contain its shown figure.", "Quote the passage with the figure in it."),
    Rule("entry-quote", "error", "The quote of an entry does not stand in the text as often as declared.", "Correct the text, the quote or `occurs`."),
    Rule("entry-quote-stands", "error", "The quote of a superseded or withdrawn entry still stands in the text.", "Edit the text."),
    Rule("no-claim-gone", "warning", "Words under no_claims stand no more in their text.", "Delete them, or quote what stands there now."),
    Rule("figure-unbound", "warning", "A figure stands in a text, and no entry of the register binds it.", "Bind it with `evaudit register add`, or quote it under no_claims if it is no result."),
    Rule("quote-not-checked", "note", "The text that an entry quotes is not at hand.", "Give it with `--text FILE`."),
    Rule("text-idle", "warning", "A text that was given serves no entry: nothing was looked for in it.", "Say of which work it is, `--text WORK=FILE`, or leave it out."),
    Rule("entry-input", "error", "An input of an entry differs from its digest, or is no input of its calculation.", "Correct the digest or the path."),
    Rule("entry-input-unnamed", "warning", "An entry leaves out an input of its calculation.", "Add the input with its digest."),
    Rule("entry-labels", "error", "A label-based figure names no label provenance, or another than its cohort.", "Copy the provenance from the cohort."),
    Rule("entry-placeholder", "error", "A register holds a placeholder such as TODO.", "Write the text, or set the status to draft and leave the field out."),
    Rule("entry-superseded-by", "error", "An entry is superseded by an entry that does not exist, or by itself through others.", "Correct `superseded_by`."),
)  # fmt: skip
"""Every rule, in the order of the rooms; the one list."""

RULE_BY_ID = {rule.id: rule for rule in RULES}
