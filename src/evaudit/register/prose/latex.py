r"""LaTeX to the words that are printed: ``\textbf{.4884}`` is .4884, ``$21/43 \approx .4884$`` is 21/43 ≈ .4884.

A strict subset, read from left to right in time that grows with the text: braces and arguments, the commands and
environments of ``latex_commands``, macros that the text defines, ``\iffalse`` and its like. Nothing is executed and no
other file is read. What is not of the subset is a warning with its line, and its arguments are read as words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace

from evaudit.numerals.beside import UNREAD
from evaudit.register.prose.latex_commands import (
    ARGUMENTS,
    CHANGES_NUMBERS,
    ENVIRONMENTS,
    MARKS,
    PRINTED,
    SETS_APART,
    SYMBOLS,
    TRANSPARENT,
    UNSAFE,
    WORDS_OF_THEIR_OWN,
    turns,
)
from evaudit.register.prose.latex_frames import Frame, is_conditional, words_of
from evaudit.register.prose.latex_macros import Macros
from evaudit.register.prose.latex_numbers import NUMBERS, printed
from evaudit.register.prose.latex_options import changes_numbers, columns_print
from evaudit.register.prose.latex_tokens import Token, matches, tokens_of
from evaudit.register.prose.page import TURNED, Page, set_apart
from evaudit.register.prose.raised import raised

_DASHES = re.compile("---|--|``|''")
_DASH = {"---": "—", "--": "–", "``": "“", "''": "”"}
_SIMPLE = re.compile(r"[\w.,]*")


def latex_page(text: str) -> Page:
    """The words of a LaTeX text."""
    page = Page()
    body = re.search(r"^[^%\n]*?\\begin\s*\{document\}", text, re.MULTILINE)
    latex_words(text, page, 0, preamble=body is not None)
    return page


def latex_words(text: str, page: Page, at: int, *, math: bool = False, preamble: bool = False) -> None:
    """Give the words of LaTeX that stands in the source from ``at`` on to ``page``; ``math``: it is a formula."""
    reader = _Reader(page, math)
    page.hidden += preamble
    reader.preamble = preamble
    reader.read(tokens_of(text, at))
    page.hidden -= reader.preamble


class _Reader:
    def __init__(self, page: Page, math: bool) -> None:
        self.page, self.math, self.preamble = page, math, False
        self.frames: list[Frame] = []
        self.macros = Macros(page)
        self.branches: list[bool] = []  # of each conditional that is open, whether an \else ends what is read
        self.told: set[str] = set()
        self.unshown: set[str] = set()

    def read(self, tokens: list[Token]) -> None:
        self.push(tokens, None)
        while self.frames:
            frame = self.frames[-1]
            if frame.i >= len(frame.tokens):
                self.frames.pop()
                continue
            token = frame.tokens[frame.i]
            frame.i += 1
            self._token(token if frame.place is None else replace(token, at=frame.place), frame)

    def push(self, tokens: list[Token], place: int | None) -> None:
        self.frames.append(Frame(tokens, place, closes=matches(tokens)))

    def warn_once(self, key: str, at: int, message: str) -> None:
        if key not in self.told:
            self.told.add(key)
            self.page.warn(at, message)

    def _token(self, token: Token, frame: Frame) -> None:
        page = self.page
        if token.kind == "text":
            self._text(token, frame)
        elif token.kind == "command":
            self._command(token, frame)
        elif token.kind == "symbol":
            self._symbol(token, frame)
        elif token.kind == "sign":
            self._sign(token, frame)
        elif token.kind == "par":
            page.border(token.at)
        elif token.kind == "verbatim":
            page.add(token.text, token.at)
        elif token.kind == "verbatim block":
            page.border(token.at)
            page.add(set_apart(token.text), token.at)
            page.border(token.at)
        elif token.kind == "unread":
            page.warn(token.at, f"a {token.text} is not read: what its nodes say is not known")
        else:
            page.warn(token.at, f"\\begin{{{token.text}}} has no end: what follows it is not read")

    def _text(self, token: Token, frame: Frame) -> None:
        if self.math or frame.place is not None:
            text = token.text if self.math else _DASHES.sub(lambda m: _DASH[m[0]], token.text)
            (self.page.put if frame.place is not None else self.page.add)(text, token.at)
            return
        at = 0
        for dash in _DASHES.finditer(token.text):
            self.page.add(token.text[at : dash.start()], token.at + at)
            self.page.put(_DASH[dash[0]], token.at + dash.start())
            at = dash.end()
        self.page.add(token.text[at:], token.at + at)

    def _sign(self, token: Token, frame: Frame) -> None:
        page, text = self.page, token.text
        if text in "{}":
            for hook in frame.hooks.pop(frame.i - 1, ()):
                hook()
        elif text == "$" or text == "$$":
            self.math = not self.math
            if text == "$$":
                page.border(token.at)
        elif text == "&":
            page.border(token.at)
        elif text == "~":
            page.put("\u00a0", token.at)
        elif text == "^" and self.math:
            self._raised(token, frame)
        elif text != "#":
            page.put(text, token.at)

    def _raised(self, token: Token, frame: Frame) -> None:
        inner = frame.group()
        if inner is None and (following := frame.skip_spaces()) is not None and following.kind == "text":
            first, rest = following.text[0], following.text[1:]
            frame.tokens[frame.i] = replace(following, text=rest, at=following.at + 1)
            self.page.put(raised(first, self.page.last), token.at)
        elif inner is not None and all(t.kind == "text" for t in inner):
            self.page.put(raised(words_of(inner).strip(), self.page.last), token.at)
        elif inner is not None:
            self.page.put("^" if self.page.last.isdigit() and inner[0].text != "circ" else "", token.at)
            self.push(inner, frame.place if frame.place is not None else None)

    def _symbol(self, token: Token, frame: Frame) -> None:
        sign = token.text[1]
        if sign in MARKS and not (self.math and sign in "^~=."):
            self._accent(sign, token, frame)
        elif sign == "\\":
            self.page.border(token.at)
            frame.brackets()
        elif sign in "([":
            self.math = True
            self.page.put(SYMBOLS[sign], token.at)
        elif sign in ")]":
            self.math = False
            self.page.put(SYMBOLS[sign], token.at)
        else:
            self.page.put(SYMBOLS.get(sign, sign), token.at)

    def _accent(self, mark: str, token: Token, frame: Frame) -> None:
        inner = frame.group()
        if inner is not None:
            letter = words_of(inner).strip("\\ ")
        else:
            following = frame.skip_spaces()
            if following is None or following.kind not in ("text", "command"):
                return
            letter = following.text[0]
            rest = following.text[1:] if following.kind == "text" else ""
            frame.tokens[frame.i] = Token("text", rest, following.at + 1)
        dotless = {"ı": "i", "ȷ": "j"}.get(letter[:1], letter[:1])
        self.page.put(unicodedata.normalize("NFC", dotless + MARKS[mark]) + letter[1:], token.at)

    def _command(self, token: Token, frame: Frame) -> None:
        name, at, page = token.text, token.at, self.page
        if self.macros.defines(name, token, frame) or self._branches(name, token, frame):
            return
        if (body := self.macros.use(name, token, frame, len(self.frames))) is not None:
            self.push(body, at)
        elif name in ("begin", "end"):
            self._environment(name, token, frame)
        elif name in UNSAFE:
            self._unsafe(name, token, frame)
        elif name in NUMBERS:
            self._warn_of_options(words_of(frame.brackets() or []), token)
            found = [g for _ in range(NUMBERS[name]) if (g := frame.group()) is not None]
            page.put(printed(name, [words_of(g) for g in found]) if len(found) == NUMBERS[name] else "", at)
        elif name in ("frac", "tfrac", "dfrac", "nicefrac", "sfrac"):
            self._fraction(token, frame)
        elif name in MARKS and len(name) == 1:
            self._accent(name, token, frame)
        elif name in PRINTED:
            page.put(PRINTED[name], at)
        else:
            self._arguments(name, token, frame)

    def _arguments(self, name: str, token: Token, frame: Frame) -> None:
        """A command by its arguments: those that are no words are passed."""
        known = name in ARGUMENTS or name in TRANSPARENT or name in SETS_APART or name in WORDS_OF_THEIR_OWN
        if not known:
            message = f"\\{name} is not known: what it prints is not read, and its arguments are read as words"
            self.warn_once(f"\\{name}", token.at, message)
        if name in ("textcolor", "color") and words_of(frame.tokens[frame.i : frame.i + 3]).strip("{} ") == "white":
            self.page.warn(token.at, "white text is read as if it were seen")
        if name == "sisetup":
            self._warn_of_options(words_of(frame.tokens[frame.i : frame.i + 200]).partition("}")[0], token)
        unseen, _, behind = ARGUMENTS.get(name, "").partition("v")
        begin = frame.i
        for kind in unseen:
            frame.skip(kind)
        if turns(name, words_of(frame.tokens[begin : frame.i])):
            self.page.warn(token.at, f"\\{name} turns or mirrors what is in it")
            self.page.put(TURNED, token.at)
        elif not known or name in CHANGES_NUMBERS:
            if known and any(c.isdigit() for c in words_of(frame.tokens[frame.i : frame.i + 3])):
                self.page.warn(token.at, f"\\{name} sets a mark on a number, which makes it another one")
            self._mark_unread(token.at, frame)
        if "h" in behind:
            self._at_end(frame, lambda: frame.skip("h"))
        if name == "title" and self.preamble:
            self._shown_in_preamble(frame)
        if name == "textsuperscript":
            self._raised(token, frame)
        elif name in WORDS_OF_THEIR_OWN:
            self.page.border(token.at)
            self._at_end(frame, lambda: self.page.border(token.at))
        elif name in SETS_APART:
            self.page.border(token.at)
        elif name == "sqrt":
            self.page.put("√(", token.at)
            self._at_end(frame, lambda: self.page.put(")", token.at))

    def _mark_unread(self, at: int, frame: Frame) -> None:
        """Set marks around the arguments that follow, so that no number at their ends is taken for what is printed."""
        self.page.put(UNREAD, at)
        end = frame.opening()
        while end is not None:
            frame.hooks.setdefault(end, []).append(lambda: self.page.put(UNREAD, at))
            end = frame.closes.get(end + 1)

    def _warn_of_options(self, options: str, token: Token) -> None:
        if changes_numbers(options):
            self.page.warn(token.at, f"the options of \\{token.text} may print other numbers than are written")

    def _at_end(self, frame: Frame, hook: Callable[[], None]) -> None:
        end = frame.opening()
        if end is not None:
            frame.hooks.setdefault(end, []).append(hook)

    def _shown_in_preamble(self, frame: Frame) -> None:
        self.page.hidden -= 1

        def hide() -> None:
            self.page.hidden += 1

        end = frame.opening()
        if end is None:
            hide()
        else:
            frame.hooks.setdefault(end, []).append(hide)

    def _fraction(self, token: Token, frame: Frame) -> None:
        top = frame.group()
        below = frame.group() if top is not None else None
        if top is None or below is None:
            following = frame.skip_spaces() if top is None else None
            if following is not None and following.kind == "text" and len(following.text) > 1:
                one, two, rest = following.text[0], following.text[1], following.text[2:]
                frame.tokens[frame.i] = replace(following, text=rest, at=following.at + 2)
                self.page.put(f"{one}/{two}", token.at)
            else:
                self.page.warn(token.at, "a fraction without its two arguments is not read")
            return
        bar = Token("text", "/", token.at)
        parts = [*_in_brackets(top, token.at), bar, *_in_brackets(below, token.at)]
        self.push(parts, frame.place)

    def _unsafe(self, name: str, token: Token, frame: Frame) -> None:
        what = words_of(frame.group() or []) if name in ("input", "include", "subfile", "import") else ""
        told = f"\\{name}{{{what}}}" if what else f"\\{name}"
        self.page.warn(token.at, f"{told} is not followed: what it prints is not read")

    def _environment(self, verb: str, token: Token, frame: Frame) -> None:
        name = words_of(frame.group() or [])
        plain = name if name in ENVIRONMENTS else name.rstrip("*")
        if verb == "begin" and name in self.unshown:
            if not frame.pass_environment(name):
                self.page.warn(token.at, f"\\begin{{{name}}} has no end: what follows it is not read")
            return
        if verb == "begin" and plain == "document" and self.preamble:
            self.page.hidden -= 1
            self.preamble = False
        self.page.border(token.at)
        if plain in ("equation", "align", "gather", "multline", "eqnarray", "displaymath", "math", "alignat"):
            self.math = verb == "begin"
        if verb == "end":
            return
        if plain not in ENVIRONMENTS:
            message = f"the environment {name} is not known: it is read as if its words were shown"
            self.warn_once(f"{{{name}}}", token.at, message)
        for kind in ENVIRONMENTS.get(plain, ""):
            begin = frame.i
            frame.skip(kind)
            written = words_of(frame.tokens[begin : frame.i])
            if kind == "h" and (columns_print(written) or ("S[" in written and changes_numbers(written))):
                self.page.warn(token.at, f"the columns of {name} print more than their cells: that is not read")

    def _pass_branch(self, token: Token, frame: Frame) -> None:
        if not frame.pass_branch(to_else=token.text != "else"):
            self.page.warn(token.at, f"\\{token.text} has no \\fi: what follows it is not read")

    def _branches(self, name: str, token: Token, frame: Frame) -> bool:
        """Conditionals: of ``\\iffalse`` and of a switch that the text declares, the branch that is printed is read."""
        if name in ("excludecomment", "includecomment"):
            inner = words_of(frame.group() or [])
            (self.unshown.add if name[0] == "e" else self.unshown.discard)(inner)
        elif name == "fi":
            self.branches = self.branches[:-1]
        elif name == "else":
            if self.branches and self.branches[-1]:
                self._pass_branch(token, frame)
        elif is_conditional(name):
            holds = self.macros.switches.get(name[2:], {"iftrue": True, "iffalse": False}.get(name))
            if holds is None:
                self.page.warn(token.at, f"\\{name} is not decided: both of its branches are read")
            self.branches.append(holds is True)
            if holds is False:
                self._pass_branch(token, frame)
        else:
            return False
        return True


def _in_brackets(tokens: list[Token], at: int) -> list[Token]:
    """The tokens, in round brackets where they are more than one number or name."""
    if all(t.kind == "text" for t in tokens) and _SIMPLE.fullmatch(words_of(tokens).strip()):
        return tokens
    return [Token("text", "(", at), *tokens, Token("text", ")", at)]
