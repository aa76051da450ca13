"""What orders the events of a candidate: whole numbers or ISO 8601 times, of one kind, no two of them equal."""

from __future__ import annotations

import itertools
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workspaces import Workspace

from evaudit.decisions.event_order import moment_of

EVENTS = """\
schema: evaudit/cohort@1
id: c
source: {path: log.csv, mode: events, seq: at}
states: {promoted: {decided: yes}, deferred: {decided: no}, rejected: {decided: yes}}
labels: {provenance: {kind: heuristic}}
endpoints: {promoted: [promoted]}
"""


def log(*events: str) -> dict[str, str]:
    return {"c.yaml": EVENTS, "log.csv": "candidate_id,state,label,at\n" + "".join(f"{e}\n" for e in events)}


def findings(workspace: Workspace, *events: str) -> list[tuple[str, int, str]]:
    workspace.write(log(*events))
    found = workspace.json("c.yaml", exit_code=1)["findings"]
    return [(f["rule"], f["where"]["line"], f["message"]) for f in found]


def test_an_earlier_event_in_an_undeclared_state_withholds_everything(workspace: Workspace) -> None:
    [(rule, line, message)] = findings(workspace, "a,promotd,,1", "a,promoted,positive,2", "b,rejected,positive,1")
    assert (rule, line) == ("cohort-unknown-state", 2)
    assert "the state 'promotd' of 1 earlier event is not declared (did you mean 'promoted'?): a (line 2)" in message


def test_an_earlier_event_of_a_stage_in_an_undeclared_state_withholds_everything(workspace: Workspace) -> None:
    stage = """\
stage: full
stages:
  - name: title
    source: {path: title.csv, mode: events}
    states: {include: {decided: yes}, exclude: {decided: yes}}
    onward: [include]
"""
    spec = EVENTS.replace("log.csv, mode: events, seq: at", "log.csv") + stage
    title = "candidate_id,state,seq\na,maybe,1\na,include,2\nb,exclude,1\n"
    workspace.write({"c.yaml": spec, "title.csv": title, "log.csv": "candidate_id,state,label\na,promoted,positive\n"})
    assert workspace.rules("c.yaml") == ["cohort-unknown-state"]


@pytest.mark.parametrize("number", ["+1", "1.0", "1e3", "٣", "first", "", "1_0", "0x1", "2024-13-01", "2024-02-30"])
def test_a_number_that_is_none_is_named_as_it_is_written(workspace: Workspace, number: str) -> None:
    [(rule, line, message)] = findings(workspace, "a,deferred,,2", f"a,promoted,positive,{number}")
    assert (rule, line) == ("cohort-event-order", 3)
    assert f"1 event whose 'at' is neither a whole number nor an ISO 8601 time: {number!r} of a" in message


@pytest.mark.parametrize("digits", [1, 18, 19, 40, 4000])
def test_a_whole_number_is_one_however_many_digits_it_has(workspace: Workspace, digits: int) -> None:
    later, earlier = "9" * digits, "9" * (digits - 1) + "8"
    workspace.write(log(f"a,promoted,positive,{later}", f"a,rejected,,{earlier}", f"b,rejected,positive,-{later}"))
    figure = workspace.figures("c.yaml")["recall(endpoint=promoted, over=cohort)"]
    assert (figure["num"], figure["den"]) == (1, 2)


def test_two_events_without_a_number_are_not_two_events_of_one_number(workspace: Workspace) -> None:
    [(rule, _, message)] = findings(workspace, "a,deferred,,first", "a,promoted,positive,second")
    assert rule == "cohort-event-order"
    assert "2 events whose 'at' is neither" in message
    assert "two events of one number" not in message


def test_two_events_of_one_number_are_named_with_their_lines(workspace: Workspace) -> None:
    [(_, line, message)] = findings(workspace, "a,deferred,,1", "a,promoted,positive,01", "a,rejected,,2")
    assert line == 3
    assert "1 candidate with two events of one number in 'at': a ('1' = '01', lines 2, 3)" in message


INSTANTS = (
    "a,promoted,positive,2024-03-01T09:30:00+01:00",  # 08:30 UTC: after the next line
    "a,deferred,,2024-03-01T08:29:59.999999999Z",
    "a,rejected,,2024-03-01 12:00:00+05:30",  # 06:30 UTC: first of all
    "b,rejected,positive,2024-02-29T23:59-0800",
)


def test_times_with_offsets_are_compared_as_instants_and_that_is_said(workspace: Workspace) -> None:
    workspace.write(log(*INSTANTS))
    result = workspace.json("c.yaml")
    [changed] = result["history"]["candidates"]
    assert changed["states"] == ["rejected", "deferred", "promoted"]
    assert changed["seq"][0] == "2024-03-01 12:00:00+05:30"
    assert result["convention"]["event-order"] == "instants"
    assert "the events are ordered by 'at', compared as instants: each time with its offset" in result["notes"]
    workspace.write(log(*reversed(INSTANTS)))
    assert workspace.json("c.yaml")["figures"] == result["figures"]


def test_one_instant_in_two_spellings_is_one_instant(workspace: Workspace) -> None:
    [(_, _, message)] = findings(
        workspace, "a,deferred,,2024-03-01T10:00:00Z", "a,promoted,positive,2024-03-01T11:00+01:00"
    )
    assert "two events of one instant in 'at': a ('2024-03-01T10:00:00Z' = '2024-03-01T11:00+01:00'" in message


@pytest.mark.parametrize(
    ("other", "what"),
    [
        ("2024-03-02T10:00:00", "no time with an offset"),
        ("2024-03-02", "no time with an offset"),
        ("7", "no time with an offset"),
    ],
)
def test_an_order_that_mixes_kinds_is_none(workspace: Workspace, other: str, what: str) -> None:
    events = ("a,deferred,,2024-03-01T10:00:00Z", "b,rejected,,2024-03-01T11:00:00Z", f"a,promoted,positive,{other}")
    [(rule, line, message)] = findings(workspace, *events)
    assert (rule, line) == ("cohort-event-order", 4)
    assert f"1 event whose 'at' is {what} as in the other events: {other!r} of a" in message


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [("2024-03-01T10:00", "2024-03-01T10:00:01", "local-times"), ("2024-03-01", "2024-03-02", "days")],
)
def test_times_without_offsets_are_compared_as_written_and_that_is_said(
    workspace: Workspace, first: str, second: str, kind: str
) -> None:
    workspace.write(log(f"a,promoted,positive,{second}", f"a,deferred,,{first}"))
    result = workspace.json("c.yaml")
    assert result["convention"]["event-order"] == kind
    assert result["history"]["candidates"][0]["states"] == ["deferred", "promoted"]
    assert any("compared as written" in note and "have no offset" in note for note in result["notes"])


IN_ORDER = (
    "2016-12-31T23:59:59.999Z",
    "2016-12-31T23:59:60Z",
    "2017-01-01T05:29:60.5+05:30",  # the same leap second, half a second on
    "20170101T000000Z",
    "2017-01-01T00:00:00.2Z",
    "2017-01-01T24:00:00Z",
    "20170102T010001+0100",
)


@pytest.mark.parametrize(("earlier", "later"), list(itertools.pairwise(IN_ORDER)))
def test_leap_seconds_ends_of_days_and_times_without_signs_stand_in_their_order(earlier: str, later: str) -> None:
    one, two = moment_of(earlier), moment_of(later)
    assert one is not None
    assert two is not None
    assert one.kind == two.kind == "instants"
    assert one.number < two.number


@pytest.mark.parametrize(
    "text", ["2017-01-01T12:00:60Z", "2016-12-31T23:59:60+01:00", "2016-12-31T23:59:61Z", "2017-01-01T24:00:01Z",
             "2017-01-01T24:00:00.5Z", "20170230T000000Z", "120170101T000000Z"],
)  # fmt: skip
def test_a_time_that_no_clock_shows_is_none(text: str) -> None:
    assert moment_of(text) is None


@given(
    st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29)),
    st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29)),
    st.integers(-23 * 60, 23 * 60),
    st.integers(-23 * 60, 23 * 60),
)
def test_instants_are_ordered_as_the_standard_library_orders_them(
    a: datetime, b: datetime, shift_a: int, shift_b: int
) -> None:
    first = a.replace(tzinfo=timezone(timedelta(minutes=shift_a)))
    second = b.replace(tzinfo=timezone(timedelta(minutes=shift_b)))
    one, two = moment_of(first.isoformat()), moment_of(second.isoformat())
    assert one is not None
    assert two is not None
    assert (one.number < two.number, one.number == two.number) == (first < second, first == second)
