"""Controls, frozen calculations and register entries: what ties a published figure to the audit that gives it.

    control ──▶ audit ──▶ compare expected with given
    calculation ──▶ audit ──▶ outputs ──▶ lock (digests, counts) ──▶ drift, explained
    register entry ──▶ quote in a text, output of a calculation, labels, inputs

Nothing here computes a measure: this room re-runs audits and compares.
"""
