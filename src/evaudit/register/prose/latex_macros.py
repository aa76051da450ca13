r"""Macros that a LaTeX text defines: stored when they are defined, printed where they are used, and only there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from evaudit.register.prose.latex_frames import Frame
from evaudit.register.prose.latex_tokens import Token
from evaudit.register.prose.page import Page

MAX_DEPTH = 60
MAX_TOKENS = 200_000
"""Tokens that all macros of a text may expand to; what goes on for longer is told and not read."""
_DEFINITIONS = frozenset(
    ["newcommand", "renewcommand", "providecommand", "DeclareRobustCommand", "DeclareMathOperator"]
)


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro: how many arguments it has, and what it stands for."""

    arguments: int
    body: tuple[Token, ...]
    default: tuple[Token, ...] | None = None


class Macros:
    """The macros and switches of one text."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.known: dict[str, Macro] = {}
        self.switches: dict[str, bool] = {}
        self.left = MAX_TOKENS

    def defines(self, name: str, token: Token, frame: Frame) -> bool:
        """Whether a command defines a macro or sets a switch, which it then has done."""
        if name in _DEFINITIONS:
            self._define(token, frame)
        elif name == "def":
            self._def(token, frame)
        elif name == "let":
            self._let(frame)
        elif name == "newif":
            target = frame.skip_spaces()
            frame.i += 1
            if target is not None and target.text.startswith("if"):
                self.switches[target.text[2:]] = False
        elif name[-4:] == "true" and name[:-4] in self.switches:
            self.switches[name[:-4]] = True
        elif name[-5:] == "false" and name[:-5] in self.switches:
            self.switches[name[:-5]] = False
        else:
            return False
        return True

    def _name(self, frame: Frame) -> str | None:
        inner = frame.group()
        if inner is not None:
            return inner[0].text if len(inner) == 1 and inner[0].kind == "command" else None
        token = frame.skip_spaces()
        if token is None or token.kind != "command":
            return None
        frame.i += 1
        return token.text

    def _define(self, token: Token, frame: Frame) -> None:
        name = self._name(frame)
        count = frame.brackets()
        default = frame.brackets() if count is not None else None
        body = frame.group()
        number = "".join(t.text for t in count or []).strip() or "0"
        if name is None or body is None or number not in "0123456789":
            self.page.warn(token.at, f"\\{token.text} is not read: its form is not known")
            return
        if token.text != "providecommand" or name not in self.known:
            self.known[name] = Macro(int(number), tuple(body), None if default is None else tuple(default))

    def _def(self, token: Token, frame: Frame) -> None:
        name = self._name(frame)
        begin = frame.i
        while frame.i < len(frame.tokens) and (frame.tokens[frame.i].kind, frame.tokens[frame.i].text) != ("sign", "{"):
            frame.i += 1
        parameters = frame.tokens[begin : frame.i]
        body = frame.group()
        plain = all(t.text == "#" or t.text.isdigit() for t in parameters if not t.text.isspace())
        if name is None or body is None or not plain:
            self.page.warn(token.at, "\\def is not read: its form is not known")
            return
        self.known[name] = Macro(sum(t.text == "#" for t in parameters), tuple(body))

    def _let(self, frame: Frame) -> None:
        name = self._name(frame)
        following = frame.skip_spaces()
        if following is not None and following.kind == "text" and following.text.strip() == "=":
            frame.i += 1
            following = frame.skip_spaces()
        frame.i += 1
        if name is not None and following is not None and (following.kind, following.text) != ("command", name):
            self.known[name] = self.known.get(following.text, Macro(0, (following,)))

    def use(self, name: str, token: Token, frame: Frame, depth: int) -> list[Token] | None:
        """What a macro stands for where it is used; None where there is none of that name."""
        macro = self.known.get(name)
        if macro is None:
            return None
        arguments: list[tuple[Token, ...]] = []
        if macro.default is not None:
            given = frame.brackets()
            arguments.append(macro.default if given is None else tuple(given))
        while len(arguments) < macro.arguments:
            found = frame.group()
            if found is None:
                self.page.warn(token.at, f"\\{name} is not read: it has fewer arguments than it was defined with")
                return []
            arguments.append(tuple(found))
        body = list(islice(_filled(macro.body, arguments), MAX_TOKENS))
        self.left -= len(body) + 1
        if self.left < 0 or depth > MAX_DEPTH:
            self.page.warn(token.at, f"\\{name} goes on for too long: it is not read")
            self.known = {}
            return []
        return body


def _filled(body: tuple[Token, ...], arguments: list[tuple[Token, ...]]) -> Iterator[Token]:
    """The body with each ``#n`` as the argument that it stands for."""
    waiting = False
    for token in body:
        if (token.kind, token.text) == ("sign", "#"):
            waiting = True
        elif waiting and token.text[:1].isdigit() and 0 < int(token.text[0]) <= len(arguments):
            yield from arguments[int(token.text[0]) - 1]
            if token.text[1:]:
                yield Token(token.kind, token.text[1:], token.at)
            waiting = False
        else:
            waiting = False
            yield token
