r"""Options and columns of LaTeX that change what is printed: ``r@{.}l`` sets 3 & 2 as 3.2, ``round-mode`` rounds."""

from __future__ import annotations

import re

_PRINTS = re.compile(r"\\(?:pm|mp|times|cdot|textminus|textendash|textemdash)(?![a-zA-Z])|\\[%&#_]")
_SETS = re.compile(r"\\[a-zA-Z]+\s*(?:\[[^\]]*\])?(?:\{[^{}]*\})*|\\[,;:! ]|[~$\s]")
_BETWEEN = re.compile(r"[@!<>]\{[^{}]*[^{}\s]")
_CHANGES = re.compile(
    r"round|drop|exponent|scientific|engineering|add-|sign|print-|decimal|separator|parse-numbers|color"
)


def columns_print(specification: str) -> bool:
    """Whether a column specification prints something beside its cells."""
    return _BETWEEN.search(_SETS.sub("", _PRINTS.sub("-", specification))) is not None


def changes_numbers(options: str) -> bool:
    """Whether options of siunitx may print a number otherwise than it is written."""
    return _CHANGES.search(options) is not None
