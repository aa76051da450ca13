r"""LaTeX to the words that are printed: ``\textbf{.4884}`` is .4884, ``$21/43 \approx .4884$`` is 21/43 ≈ .4884."""

from __future__ import annotations

import re
import unicodedata

from evaudit.register.prose.lines import replace_all

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*")
_FRACTION = re.compile(r"\\[a-z]*frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_DROPPED = re.compile(
    r"\\(?:cite[a-zA-Z]*|label|ref|eqref|pageref|autoref|cref|Cref|index|vspace|hspace|includegraphics|usepackage"
    r"|documentclass|bibliography(?:style)?|begin|end|input|include)\*?\s*(?:\[[^\[\]]*\]\s*)*(?:\{[^{}]*\})?"
)
_ACCENT = re.compile(r"""\\([`'^"~=.])\s*(?:\{(\\?[a-zA-Z])\}|(\\?[a-zA-Z]))|\\([cvuHkr])\s*\{([a-zA-Z])\}""")
_COMMAND = re.compile(r"\\([a-zA-Z]+)\*?\s*(?:\[[^\[\]\n]*\])?")
_SIGN = re.compile(r"\\([^a-zA-Z])")
_DASHES = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"))

_MARKS = {"`": "\u0300", "'": "\u0301", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
          "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328", "r": "\u030a"}  # fmt: skip
_WORDS = {
    "approx": "≈", "sim": "∼", "simeq": "≃", "times": "×", "cdot": "·", "pm": "±", "le": "≤", "leq": "≤", "ge": "≥",
    "geq": "≥", "neq": "≠", "ne": "≠", "to": "→", "rightarrow": "→", "ldots": "…", "dots": "…", "alpha": "α",
    "beta": "β", "gamma": "γ", "delta": "δ", "kappa": "κ", "lambda": "λ", "mu": "μ", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "chi": "χ", "percent": "%", "ss": "ß", "ae": "æ", "oe": "œ", "o": "ø", "aa": "å", "textasciitilde": "~",
    "textbackslash": "\\", "infty": "∞", "quad": " ", "qquad": " ", "par": " ", "item": " ", "hline": " ", "div": "÷",
}  # fmt: skip
"""Commands that print a character; every other command prints its arguments."""
_RELATIONS = frozenset("≈∼≃×·±≤≥≠→÷")
"""Signs that are set with room around them."""


def latex_words(text: str) -> str:
    """The words of a LaTeX text, line for line."""
    return latex_signs(_COMMENT.sub(r"\1", text))


def latex_signs(text: str) -> str:
    """``text`` with its commands as what they print; for a formula within another markup, too."""
    text = replace_all(_FRACTION, r"\1/\2", text)
    text = replace_all(_DROPPED, "", text)
    text = replace_all(_ACCENT, _accented, text)
    text = text.replace("\\\\", "  ")
    text = replace_all(_COMMAND, _printed, text)
    for written, printed in _DASHES:
        text = text.replace(written, printed)
    # Signs that stand for themselves only behind a backslash are kept apart until the others are gone.
    text = _SIGN.sub(lambda m: " " if m[1] in ",;:! /" else chr(0xE000 + ord(m[1]) % 256), text)
    text = re.sub(r"[{}$]", "", text).replace("~", " ").replace("&", " ")
    text = re.sub(r"\ue028|\ue029|\ue05b|\ue05d", " ", text)  # \( \) \[ \] open and close formulas
    return re.sub(r"[\ue000-\ue0ff]", lambda m: chr(ord(m[0]) - 0xE000), text)


def _accented(match: re.Match[str]) -> str:
    mark = match[1] or match[4]
    letter = (match[2] or match[3] or match[5]).lstrip("\\")
    return unicodedata.normalize("NFC", letter + _MARKS[mark])


def _printed(match: re.Match[str]) -> str:
    printed = _WORDS.get(match[1], "")
    return f" {printed} " if printed in _RELATIONS else printed
