"""Decision cohorts: candidates, each in one state and with one label, and the figures of named endpoints.

    cohort (what is declared) ─┐
    rows or counts ────────────┴▶ reconciliation ──▶ state table ──▶ figures with their bounds

Decision and label are two columns, always. A cohort that does not reconcile has no figure, only findings.
"""
