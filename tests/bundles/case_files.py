"""Cases written as YAML, read and audited as a control would be."""

from __future__ import annotations

from evaudit import strict_yaml
from evaudit.audits.bundle_case import audit_case
from evaudit.bundles.case import BundleCase

PUMPS = """
documents:
  - {ref: wiki/pump-a@1, status: current, access: public, text: "Pump A runs at 40 Hz."}
  - {ref: wiki/pump-b@1, status: current, access: public, text: "Pump B runs at 50 Hz."}
  - {ref: wiki/both@1, status: current, access: public, text: "Pump A runs at 40 Hz. Pump B runs at 50 Hz."}
need: "At what rates do pumps A and B run?"
components:
  a: {anchor: {ref: wiki/pump-a@1, exact: "Pump A runs at 40 Hz."}}
  b: {anchor: {ref: wiki/pump-b@1, exact: "Pump B runs at 50 Hz."}}
accept: [[a, b]]
"""


def read(text):
    return strict_yaml.validate(strict_yaml.load(text.encode(), "case.yaml"), BundleCase)


def audit(text):
    return audit_case(read(text), "q")


def figures(result):
    """Figure name to ``n/m`` or ``undefined: reason``."""
    return {f.name: f"undefined: {f.undefined}" if f.undefined else f"{f.num}/{f.den}" for f in result.iter_figures()}


def answers(result):
    return result.details["answers"]


def rules(result):
    return [f.rule for f in result.findings]
