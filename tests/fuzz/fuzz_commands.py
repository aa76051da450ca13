"""Every command that the program has, with arguments and options as its own declarations allow them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, get_args

import typer

from evaudit.cli import app

Words = tuple[str, ...]
CONSENT = "--allow-commands"
"""The one option that is never drawn: a mutated calculation may name any program."""
WRITERS = [("calc", "freeze"), ("calc", "accept"), ("register", "add"), ("init",)]
"""Commands that write where they succeed."""


@cache
def commands() -> dict[Words, list[Any]]:
    """The words of every command, and its parameters."""

    def below(command: Any, words: Words) -> Iterator[tuple[Words, list[Any]]]:
        if not hasattr(command, "list_commands"):
            yield words, command.params
            return
        context = typer.Context(command)
        for name in command.list_commands(context):
            yield from below(command.get_command(context, name), (*words, name))

    return dict(below(typer.main.get_command(app), ()))


def of(words: Sequence[str]) -> Words:
    """The command of a command line."""
    return next(key for key in (tuple(words[:2]), tuple(words[:1])) if key in commands())


def has_format(words: Sequence[str]) -> bool:
    """Whether the command prints its result in the form that is asked for."""
    return any("--format" in one.opts for one in commands()[of(words)])


def any_command(names: Sequence[str], rng: random.Random) -> Words:
    """Some command on some of the files."""
    words = list(command := rng.choice(sorted(commands())))
    for one in commands()[command]:
        if one.param_type_name == "argument" and (one.required or rng.random() < 0.5):
            words += [rng.choice(names) for _ in range(1 if one.nargs == 1 else rng.choice([1, 2]))]
        elif one.required:
            words += _given(one, names, rng)
    return tuple(words)


def further(words: Words, names: Sequence[str], rng: random.Random) -> Words:
    """The command line with one or two more options; those of the output are drawn apart."""
    free = [
        one
        for one in commands()[of(words)]
        if one.param_type_name == "option" and not {CONSENT, "--help", "--output", "--format"} & {*one.opts}
    ]
    chosen = rng.sample(free, min(len(free), rng.choice([1, 1, 2])))
    return (*words, *(word for one in chosen for word in _given(one, names, rng)))


def _given(option: Any, names: Sequence[str], rng: random.Random) -> list[str]:
    name = option.opts[-1]
    if option.is_flag:
        return [name]
    wanted = option.type_descriptor.annotation
    choices = [one for part in (wanted, *get_args(wanted)) for one in get_args(part) if isinstance(one, str)]
    if choices:
        return [name, rng.choice(choices)]
    if wanted in (int, float):
        return [name, rng.choice(["1", "2", "0", "-1", "0.5", "1e9", "x"])]
    return [name, rng.choice([*names, ".", "absent", "a=b", "", "x" * 300, "1", "AP", "é\x1b[2J"])]
