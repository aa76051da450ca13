"""What can be wrong: ranking."""

from evaudit.findings.finding import Rule, rule


@rule(
    "cutoff-invalid", "error",
    "A cutoff is no whole number from 1.",
    "Write the number of documents to look at, e.g. 10.",
)  # fmt: skip
def cutoff_invalid(message: str) -> str:
    return message


@rule(
    "grade-invalid", "error",
    "A grade is no whole number from 0, and no grade map says what it counts as.",
    "Correct the grade, or declare a grade map.",
)  # fmt: skip
def grade_invalid(message: str) -> str:
    return message


@rule(
    "gain-invalid", "error",
    "A gain is missing, negative or no number, or stands at a grade or document that nothing judges.",
    "Give every judged document or grade one gain from 0.",
)  # fmt: skip
def gain_invalid(message: str) -> str:
    return message


@rule(
    "measure-unknown", "error",
    "A name names no ranked measure.",
    "`evaudit explain` lists the measures.",
)  # fmt: skip
def measure_unknown(message: str) -> str:
    return message


@rule(
    "repeated-result-id", "error",
    "A ranking returns one document twice: it cannot count as two discoveries.",
    "Remove the repetition where the ranking is made.",
)  # fmt: skip
def repeated_result_id(message: str) -> str:
    return message


@rule(
    "repeated-judgement", "error",
    "A document is judged twice for one topic.",
    "Keep one judgement, whether or not the grades agree.",
)  # fmt: skip
def repeated_judgement(message: str) -> str:
    return message


@rule(
    "judgements-mismatched", "error",
    "A ranking is measured with judgements of another topic, source or version.",
    "Use the judgements that belong to the ranking.",
)  # fmt: skip
def judgements_mismatched(message: str) -> str:
    return message


@rule(
    "trec-columns-invalid", "error",
    "A line of a qrels or run file has the wrong number of columns.",
    "A qrels line is `topic iteration document grade`, a run line `topic Q0 document rank score tag`.",
)  # fmt: skip
def trec_columns_invalid(message: str) -> str:
    return message


@rule(
    "trec-id-invalid", "error",
    "A line of a qrels or run file holds a NUL byte, a byte order mark inside an id, or is no UTF-8.",
    "Save the file as UTF-8 without a byte order mark.",
)  # fmt: skip
def trec_id_invalid(message: str) -> str:
    return message


@rule(
    "trec-file-empty", "error",
    "A qrels or run file has no line of data.",
    "Check which file was meant.",
)  # fmt: skip
def trec_file_empty(message: str) -> str:
    return message


@rule(
    "trec-file-corrupt", "error",
    "A compressed qrels or run file does not decompress.",
    "Write the file again from its source.",
)  # fmt: skip
def trec_file_corrupt(message: str) -> str:
    return message


@rule(
    "score-invalid", "error",
    "A score in a run is NaN or no number.",
    "Correct the score.",
)  # fmt: skip
def score_invalid(message: str) -> str:
    return message


@rule(
    "rank-invalid", "error",
    "A rank in a run is no whole number.",
    "Correct the rank, or order the run by `--order score` or `--order lines`.",
)  # fmt: skip
def rank_invalid(message: str) -> str:
    return message


@rule(
    "repeated-rank", "error",
    "Two documents of one topic have the same rank, so the list has no order.",
    "Correct the ranks, or order the run by `--order score` or `--order lines`.",
)  # fmt: skip
def repeated_rank(message: str) -> str:
    return message


@rule(
    "tied-scores", "error",
    "Two documents of one topic have the same score, and the convention refuses ties.",
    "Break the tie where the ranking is made, or say with `--ties` what orders equal scores.",
)  # fmt: skip
def tied_scores(message: str) -> str:
    return message


@rule(
    "topic-refused", "error",
    "A topic of the qrels has no line in the run, and the convention refuses that.",
    "Complete the run, or choose `--missing-topics zero` (`-c`) or `skip`.",
)  # fmt: skip
def topic_refused(message: str) -> str:
    return message


@rule(
    "tool-fails", "error",
    "The program that is being reproduced crashes or prints a senseless value on this input.",
    "Use the book convention, or change what the message names.",
)  # fmt: skip
def tool_fails(message: str) -> str:
    return message


@rule(
    "topic-sets-differ", "warning",
    "Runs that stand side by side do not hold the same topics.",
    "Compare them over the same topics.",
)  # fmt: skip
def topic_sets_differ(message: str) -> str:
    return message


@rule(
    "result-invalid", "error",
    "A file that should hold a stored result of this command does not.",
    "Store the result with `--format json`.",
)  # fmt: skip
def result_invalid(message: str) -> str:
    return message


@rule(
    "result-not-comparable", "error",
    "A stored result was worked out from other judgements or by another convention, so its means do not belong beside these.",
    "Measure both runs in one command.",
)  # fmt: skip
def result_not_comparable(message: str) -> str:
    return message


@rule(
    "topic-in-two-groups", "error",
    "A topic stands in two groups, so no group's mean is known.",
    "Keep one line a topic.",
)  # fmt: skip
def topic_in_two_groups(message: str) -> str:
    return message


@rule(
    "returned-document-ineligible", "error",
    "A run returns documents that the view does not allow.",
    "Remove them where the ranking is made; no score or judgement makes them eligible.",
)  # fmt: skip
def returned_document_ineligible(message: str) -> str:
    return message


@rule(
    "topics-disjoint", "error",
    "A run and the qrels have no topic in common, so nothing can be measured.",
    "Check that both files use the same topic ids.",
    above=True,
)  # fmt: skip
def topics_disjoint(message: str) -> str:
    return message


@rule(
    "topic-near-miss", "error",
    "Topics of a run, or of a file of groups, are in no qrels, and differ in spelling only from topics of the qrels that it lacks. It is a warning where no difference explains three of them or all topics of a file.",
    "Write the topics of both files alike.",
    above=True,
)  # fmt: skip
def topic_near_miss(message: str) -> str:
    return message


@rule(
    "documents-disjoint", "error",
    "A run returns no judged document in any topic, and shares more than one topic with the qrels.",
    "Check that run and qrels name documents alike, and that the qrels are of this collection.",
    above=True,
)  # fmt: skip
def documents_disjoint(message: str) -> str:
    return message


@rule(
    "document-near-miss", "error",
    "Returned documents are not judged, and differ in spelling only from judged ones of their topic that the run lacks. It is a warning where no difference explains three of them or all.",
    "Write the documents of both files alike.",
    above=True,
)  # fmt: skip
def document_near_miss(message: str) -> str:
    return message


@rule(
    "tie-range-left-out", "note",
    "Equal scores leave too many orders to find the range of a figure over them.",
    "Ask for another measure, or break the ties where the ranking is made.",
)  # fmt: skip
def tie_range_left_out(message: str) -> str:
    return message


@rule(
    "topic-missing-in-run", "warning",
    "A topic of the qrels has no line in the run.",
    "It counts as nothing returned; check that the run is complete.",
)  # fmt: skip
def topic_missing_in_run(message: str) -> str:
    return message


@rule(
    "topic-without-judgements", "note",
    "A topic of the qrels has no judgement that counts, so no positive is known.",
    "It is in every mean that needs none, and undefined in the others; judge it, or take it out of the qrels.",
)  # fmt: skip
def topic_without_judgements(message: str) -> str:
    return message


@rule(
    "topic-not-in-qrels", "warning",
    "A topic of the run has no judgement; it is in no figure and no mean.",
    "Check that the qrels are the right ones.",
)  # fmt: skip
def topic_not_in_qrels(message: str) -> str:
    return message


@rule(
    "score-rises-along-ranks", "warning",
    "A document has a higher score than the one ranked before it, so the two columns disagree.",
    "Check which column orders the run; `--order score` uses the other.",
)  # fmt: skip
def score_rises_along_ranks(message: str) -> str:
    return message


@rule(
    "rank-gaps", "note",
    "The ranks of a topic do not count up one by one; places in the list are used.",
    "Check that no lines were cut out of the run.",
)  # fmt: skip
def rank_gaps(message: str) -> str:
    return message


@rule(
    "hash-lines", "note",
    "Lines of a qrels or run file begin with `#`: comments, left out, or records of a topic whose id begins so.",
    "Check the named line: a comment with the columns of a record needs a blank behind its `#`.",
)  # fmt: skip
def hash_lines(message: str) -> str:
    return message


@rule(
    "grade-map-unused", "note",
    "A grade map names a grade that no judgement has.",
    "Check how the grade is written in the file.",
)  # fmt: skip
def grade_map_unused(message: str) -> str:
    return message


@rule(
    "byte-order-mark", "note",
    "A file starts with a byte order mark, which was left out.",
    "Save the file as UTF-8 without it.",
)  # fmt: skip
def byte_order_mark(message: str) -> str:
    return message


RULES: tuple[Rule[...], ...] = (
    cutoff_invalid, grade_invalid, gain_invalid, measure_unknown, repeated_result_id, repeated_judgement,
    judgements_mismatched, trec_columns_invalid, trec_id_invalid, trec_file_empty, trec_file_corrupt, score_invalid,
    rank_invalid, repeated_rank, tied_scores, topic_refused, tool_fails, topic_sets_differ, result_invalid,
    result_not_comparable, topic_in_two_groups, returned_document_ineligible, topics_disjoint, topic_near_miss,
    documents_disjoint, document_near_miss, tie_range_left_out, topic_missing_in_run, topic_without_judgements,
    topic_not_in_qrels, score_rises_along_ranks, rank_gaps, hash_lines, grade_map_unused, byte_order_mark,
)  # fmt: skip
