"""reStructuredText to the words that are read, by docutils: no roles, targets, comments or directives' options.

No file is included and no raw text is passed through: what is read is not trusted. Directives and roles of Sphinx that
docutils does not know are read where their content is plain text, and told where it is not.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from evaudit.register.prose.latex import latex_words
from evaudit.register.prose.page import Page, set_apart

if TYPE_CHECKING:
    from docutils import nodes

_SETTINGS = {
    "file_insertion_enabled": False, "raw_enabled": False, "_disable_config": True, "report_level": 2, "halt_level": 5,
    "warning_stream": False, "smart_quotes": False, "syntax_highlight": "none", "sectsubtitle_xform": False,
    "doctitle_xform": False, "embed_stylesheet": False, "input_encoding": "unicode", "pep_references": False,
}  # fmt: skip


def restructured_page(text: str) -> Page:
    """The words of a reStructuredText."""
    from docutils.core import publish_doctree

    from evaudit.register.prose.sphinx_markup import known_to_docutils

    page = Page()
    with known_to_docutils():
        tree = publish_doctree(text, settings_overrides=_SETTINGS)
    _Reader(text, page).read(tree)
    return page


_COULD_HIDE = frozenset({"hidden", "invisible", "strike", "strikethrough", "line-through", "del"})
"""Classes by which style sheets hide text or strike it out."""


class _Reader:
    def __init__(self, text: str, page: Page) -> None:
        self.text, self.page, self.at = text, page, 0
        self.starts = [0]
        for line in text.split("\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)

    def read(self, tree: nodes.document) -> None:
        from docutils import nodes

        for node, entering in _walk(tree):
            if isinstance(node, nodes.system_message):
                if entering:
                    self._problem(node)
            elif isinstance(node, nodes.Text):
                self._words(node)
            else:
                self._element(node, entering)

    def _element(self, node: nodes.Element, entering: bool) -> None:
        from docutils import nodes

        if not isinstance(node, nodes.Inline):
            self._block(node, entering)
        for name in _COULD_HIDE.intersection(node.attributes.get("classes", ())) if entering else ():
            self.page.warn(self.at, f"the class {name} is read as if its text were shown")

    def _block(self, node: nodes.Element, entering: bool) -> None:
        from docutils import nodes

        line = node.line if entering else None
        if line is not None and isinstance(node, nodes.TextElement):
            self._move_to(node, line)
        self.page.border(self.at)

    def _move_to(self, node: nodes.Element, line: int) -> None:
        """Go to where a block begins: its first words stand on its line or near it."""
        first = (node.rawsource or node.astext()).split("\n", 1)[0].strip()
        begin = self.starts[min(max(line - 3, 0), len(self.starts) - 1)]
        end = self.starts[min(line + 3, len(self.starts) - 1)]
        found = self.text.find(first, begin, end) if first else -1
        self.at = found if found >= 0 else self.starts[min(max(line - 1, 0), len(self.starts) - 1)]

    def _words(self, node: nodes.Text) -> None:
        from docutils import nodes

        words, parent = node.astext(), node.parent
        if isinstance(parent, (nodes.math, nodes.math_block)):
            latex_words(words, self.page, self._find(words), math=True)
        elif isinstance(parent, (nodes.literal_block, nodes.doctest_block)):
            at = self._find(words.split("\n", 1)[0])
            self._lines(words, at)
        elif isinstance(parent, (nodes.footnote_reference, nodes.citation_reference, nodes.label)):
            self._find(words)
        elif isinstance(parent, nodes.superscript):
            from evaudit.register.prose.raised import raised

            self.page.put(raised(words, self.page.last), self._find(words))
        elif isinstance(parent, nodes.subscript):
            from evaudit.register.prose.raised import lowered

            self.page.put(lowered(words, self.page.last), self._find(words))
        else:
            for part in words.splitlines(keepends=True):
                at = self._find(part.rstrip("\n"))
                self.page.add(part.rstrip("\n"), at)
                self.page.put("\n" if part.endswith("\n") else "", at)

    def _lines(self, words: str, at: int) -> None:
        """A literal block, whose lines stand in the source with an indent of their own."""
        line = bisect_right(self.starts, at) - 1
        self.page.border(at)
        for n, text in enumerate(words.split("\n")):
            begin = self.starts[min(line + n, len(self.starts) - 1)]
            found = self.text.find(text, begin)
            self.page.add(set_apart(text) + "\n", found if found >= 0 else begin)
        self.page.border(at)

    def _find(self, words: str) -> int:
        """Where words stand from here on; here where they are written with other characters."""
        found = self.text.find(words, self.at, self.at + len(words) + 2000) if words else -1
        if found >= 0:
            self.at = found + len(words)
            return found
        return min(self.at, max(len(self.text) - 1, 0))

    def _problem(self, node: nodes.system_message) -> None:
        line = node.get("line") or 1
        told = node.children[0].astext().split("\n", 1)[0].rstrip(".") if node.children else "not read"
        at = self.starts[min(max(line - 1, 0), len(self.starts) - 1)]
        self.page.warn(at, f"{told}: what stands there may not be read")


def _walk(tree: nodes.Node) -> Iterator[tuple[Any, bool]]:
    """Every node that is shown, before and behind its children; without recursion."""
    from docutils import nodes

    unseen = (nodes.comment, nodes.substitution_definition, nodes.target, nodes.meta, nodes.raw, nodes.pending)
    waiting: list[tuple[Any, bool]] = [(tree, True)]
    while waiting:
        node, entering = waiting.pop()
        if isinstance(node, unseen):
            continue
        yield node, entering
        if not entering or isinstance(node, (nodes.Text, nodes.system_message)):
            continue
        waiting.append((node, False))
        waiting += [(child, True) for child in reversed(node.children)]
