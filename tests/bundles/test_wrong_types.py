"""Values of other types in the files of other tools are refused with their file and line, or read; nothing crashes."""

from __future__ import annotations

import copy
import json
import os
import random

import pytest
from border_files import FILES, IDS, TOOLS

from program import ran

ODD = [None, True, -1, 1.5, 10**30, 1e300, "", "\x00", "x" * 300, [], {}, [[]], [1], [None], {"": 1}, {"a": {"b": []}}]
RAGAS = json.dumps({"id": "a", "retrieved_context_ids": ["d"], "reference_context_ids": ["d", "e"]}) + "\n"
EXAMPLES = {name: made(IDS) for name, (made, _, _) in FILES.items() if name != "qrels"} | {"ragas": (RAGAS,)}
EACH = int(os.environ.get("EVAUDIT_WRONG_TYPES", "25"))
"""Changes that are tried of each file; 0 for all of them."""


def places(value, path=()):
    """Every place below a value, from the top down."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*path, key))


def changed(value, path, new):
    """The value with something else at one place; ``...`` takes the place away."""
    if not path:
        return new
    value = copy.deepcopy(value)
    inside = value
    for key in path[:-1]:
        inside = inside[key]
    if new is ...:
        del inside[path[-1]]
    else:
        inside[path[-1]] = new
    return value


def changes(text):
    """The text with one value changed, for every place of its first record and every odd value."""
    try:
        whole = json.loads(text)
    except ValueError:
        first, _, rest = text.partition("\n")
        record = json.loads(first)
        return [json.dumps(changed(record, path, new)) + "\n" + rest
                for path in places(record) for new in [*ODD, ...] if path or new is not ...]  # fmt: skip
    return [json.dumps(changed(whole, path, new)) for path in places(whole) for new in [*ODD, ...]
            if path or new is not ...]  # fmt: skip


CASES = [(name, place) for name, texts in EXAMPLES.items() for place, text in enumerate(texts) if text[0] in "[{"]


@pytest.mark.parametrize(("name", "place"), CASES)
def test_a_value_of_another_type_is_refused_or_read(tmp_path, name, place):
    names = FILES[name][1:] if name in FILES else ("rows.jsonl",)
    texts = EXAMPLES[name]
    for file, text in zip(names, texts, strict=False):
        (tmp_path / file).write_text(text, encoding="utf-8")
    words = ["bundles", "--from", name, "--gold", names[0]]
    words += ["--predicted", names[1]] if len(texts) > 1 else []
    words += ["--compat", name] if name in TOOLS or name == "ragas" else []
    tried = changes(texts[place])
    tried = random.Random(len(tried)).sample(tried, min(EACH, len(tried))) if EACH else tried
    assert tried
    failed = []
    for text in tried:
        (tmp_path / names[place]).write_text(text, encoding="utf-8")
        done = ran(tmp_path, *words)
        said = done.stderr.startswith("error: ") and any(file in done.stderr for file in names)
        if done.returncode not in (0, 1, 2, 4) or (done.returncode == 2 and not said) or "Traceback" in done.stderr:
            failed.append((text[:300], done.stderr[-300:]))
    assert not failed, f"{len(failed)} of {len(tried)}, e.g. {failed[0]}"
