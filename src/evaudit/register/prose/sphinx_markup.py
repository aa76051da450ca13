"""Directives and roles of Sphinx as docutils reads them here, for the time that one text is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_ROLES = re.findall(
    r"\S+",
    "ref doc func class meth mod attr obj exc data const py:func py:class py:meth py:mod py:attr "
    "py:obj py:data py:exc term numref eq cite cite:p cite:t download file guilabel menuselection "
    "command program option envvar kbd samp token keyword dfn makevar mailheader mimetype manpage "
    "regexp rfc pep any c:func cpp:func issue pr user",
)
_SHOWN = re.findall(
    r"\S+",
    "versionadded versionchanged deprecated seealso glossary rubric centered hlist tab-set tab-item tabs tab",
)
_UNSHOWN = re.findall(
    r"\S+",
    "toctree index highlight currentmodule module tabularcolumns sectionauthor codeauthor only-never",
)


@contextmanager
def known_to_docutils() -> Iterator[None]:
    """Within it docutils knows them; its own tables are as they were afterwards."""
    from docutils.parsers.rst import directives, roles

    tables: list[dict[str, Any]] = [vars(directives)["_directives"], vars(roles)["_roles"]]
    kept = [(table, dict(table)) for table in tables]
    try:
        for name in _ROLES:
            roles.register_local_role(name, _words_of_role)
        for name, directive in _directives().items():
            directives.register_directive(name, directive)
        yield
    finally:
        for table, before in kept:
            table.clear()
            table.update(before)


def _words_of_role(
    name: str, rawtext: str, text: str, lineno: int, inliner: Any, options: Any = None, content: Any = None
) -> tuple[list[Any], list[Any]]:
    """The title of a reference, without its target."""
    from docutils import nodes, utils

    words = utils.unescape(text)
    title, opening, _ = words.rpartition("<")
    shown = title.strip() if opening and words.endswith(">") and title.strip() else words.lstrip("~!")
    return [nodes.inline(rawtext, shown)], []


def _directives() -> dict[str, Any]:
    from docutils import nodes
    from docutils.parsers.rst import Directive, directives

    class Shown(Directive):
        """Its argument and its content are shown."""

        optional_arguments = 1
        final_argument_whitespace = True
        has_content = True

        def run(self) -> list[nodes.Node]:
            box = nodes.container()
            if self.arguments:
                words, messages = self.state.inline_text(self.arguments[0], self.lineno)
                box += [nodes.paragraph(self.arguments[0], "", *words), *messages]
                box[0].line = self.lineno
            self.state.nested_parse(self.content, self.content_offset, box)
            return [box]

    class Unshown(Directive):
        """Neither its argument nor its content is shown."""

        optional_arguments = 100
        final_argument_whitespace = True
        has_content = True

        def run(self) -> list[nodes.Node]:
            return []

    class Only(Shown):
        """Shown for some outputs: not for ``never``; for any other condition, with a warning."""

        def run(self) -> list[nodes.Node]:
            condition = self.arguments[0].strip() if self.arguments else ""
            self.arguments = []
            if condition == "never":
                return []
            if condition in ("html", "latex", "text", "html or latex"):
                return super().run()
            message = f'the condition "only:: {condition}" is not decided: its text is read'
            return [self.state_machine.reporter.warning(message, line=self.lineno), *super().run()]

    class Todo(Shown):
        """Shown where the configuration asks for it."""

        def run(self) -> list[nodes.Node]:
            message = "a todo is shown or not, as the configuration says"
            return [self.state_machine.reporter.warning(message, line=self.lineno), *super().run()]

    class CodeBlock(Directive):
        """A block of code."""

        optional_arguments = 1
        option_spec = dict.fromkeys(
            re.findall(
                r"\S+",
                "linenos lineno-start emphasize-lines caption name dedent force number-lines class",
            ),
            directives.unchanged,
        )
        has_content = True

        def run(self) -> list[nodes.Node]:
            block = nodes.literal_block("\n".join(self.content), "\n".join(self.content))
            block.line = self.content_offset + 1
            return [block]

    shown = dict.fromkeys(_SHOWN, Shown)
    code = dict.fromkeys(("code-block", "sourcecode", "code"), CodeBlock)
    return {**shown, **dict.fromkeys(_UNSHOWN, Unshown), **code, "only": Only, "todo": Todo}
