r"""What is being read of a LaTeX text: a stretch of tokens, and how arguments and branches of it are passed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from evaudit.register.prose.latex_tokens import Token


@dataclass(slots=True)
class Frame:
    """Tokens that are being read: of the text itself, or of a macro that was used at ``place``."""

    tokens: list[Token]
    place: int | None = None
    i: int = 0
    closes: dict[int, int] = field(default_factory=dict)
    hooks: dict[int, list[Callable[[], None]]] = field(default_factory=dict)

    def skip_spaces(self) -> Token | None:
        """The next token that is no white space, which is then the one to be read."""
        while self.i < len(self.tokens) and self.tokens[self.i].kind == "text" and self.tokens[self.i].text.isspace():
            self.i += 1
        return self.tokens[self.i] if self.i < len(self.tokens) else None

    def group(self) -> list[Token] | None:
        """The tokens of the group that follows, which is then passed; None where none follows."""
        back = self.i
        token = self.skip_spaces()
        if token is None or token.kind != "sign" or token.text != "{" or self.i not in self.closes:
            self.i = back
            return None
        begin, end = self.i + 1, self.closes[self.i]
        self.i = end + 1
        return self.tokens[begin:end]

    def brackets(self) -> list[Token] | None:
        """The tokens of the optional argument that follows, which is then passed; None where none follows."""
        back = self.i
        token = self.skip_spaces()
        if token is None or (token.kind, token.text) != ("sign", "["):
            self.i = back
            return None
        begin = at = self.i + 1
        while at < min(len(self.tokens), begin + 400):
            here = self.tokens[at]
            if here.kind == "sign" and here.text == "]":
                self.i = at + 1
                return self.tokens[begin:at]
            if here.kind == "par":
                break
            at = self.closes.get(at, at) + 1
        self.i = back
        return None

    def skip(self, kind: str) -> None:
        """Pass an argument that is no prose: ``o`` in brackets, ``p`` in round ones, ``h`` in braces."""
        if kind == "o":
            self.brackets()
        elif kind == "h":
            self.group()
        elif (token := self.skip_spaces()) is not None and token.kind == "text" and token.text.startswith("("):
            inner, closed, rest = token.text.partition(")")
            if closed:
                self.tokens[self.i] = replace(token, text=rest, at=token.at + len(inner) + 1)

    def pass_environment(self, name: str) -> bool:
        """Pass everything up to the end of an environment; whether there is one."""
        while self.i < len(self.tokens):
            here = self.tokens[self.i]
            self.i += 1
            if (here.kind, here.text) == ("command", "end") and words_of(self.group() or []) == name:
                return True
        return False

    def pass_branch(self, *, to_else: bool) -> bool:
        """Pass what is not printed: up to ``\\else``, or to ``\\fi``, which is then read; whether there is one."""
        depth = 0
        while self.i < len(self.tokens):
            here = self.tokens[self.i]
            if here.kind == "command" and is_conditional(here.text):
                depth += 1
            elif (here.kind, here.text) == ("command", "fi"):
                if not depth:
                    return True
                depth -= 1
            elif to_else and not depth and (here.kind, here.text) == ("command", "else"):
                self.i += 1
                return True
            self.i += 1
        return False

    def opening(self) -> int | None:
        """Where the group that follows closes; its brace is then the one to be read. None where none follows."""
        back = self.i
        token = self.skip_spaces()
        if token is not None and (token.kind, token.text) == ("sign", "{") and self.i in self.closes:
            return self.closes[self.i]
        self.i = back
        return None


def words_of(tokens: list[Token]) -> str:
    """Tokens as they are written, for names and numbers."""
    return "".join(f"\\{t.text} " if t.kind == "command" else t.text for t in tokens)


def is_conditional(name: str) -> bool:
    r"""Whether a command begins a branch that ``\fi`` ends."""
    return name.startswith("if") and name not in ("iff", "ifthenelse", "iftoggle", "ifbool")
