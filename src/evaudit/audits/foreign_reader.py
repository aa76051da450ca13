"""The reader of a foreign format by its name, and files that were given in each other's place."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol, TypeVar, cast

from evaudit.errors import EvauditError, InvalidDocumentError, UsageError
from evaudit.formats import FOREIGN
from evaudit.formats.foreign import Foreign, Request

T = TypeVar("T")


class Reader(Protocol):
    """What a module of a foreign format offers."""

    def read(self, request: Request) -> Foreign:
        """Read its files."""
        ...


def reader(name: str) -> Reader:
    """The module that reads a format.

    Raises:
        UsageError: there is none of that name.
    """
    if name not in FOREIGN:
        raise UsageError(f"--from {name}: no such format; there are {', '.join(FOREIGN)}")
    return cast(Reader, importlib.import_module(f"evaudit.formats.{FOREIGN[name]}"))


def unless_swapped(name: str, request: Request, read: Callable[[Request], T]) -> T:
    """What ``read`` makes of the files.

    Raises:
        UsageError: it refuses them, and reads them in each other's place.
    """
    try:
        return read(request)
    except InvalidDocumentError:
        if request.predicted is not None and _are_swapped(request, request.predicted, read):
            message = f"{request.gold} cannot be read as the gold file of {name}, and {request.predicted} can"
            raise UsageError(f"{message}: are --gold and --predicted swapped?") from None
        raise


def _are_swapped(request: Request, predicted: Path, read: Callable[[Request], object]) -> bool:
    alone, turned = replace(request, predicted=None), replace(request, gold=predicted, predicted=request.gold)
    return not _reads(read, alone) and _reads(read, turned)


def _reads(read: Callable[[Request], object], request: Request) -> bool:
    try:
        read(request)
    except EvauditError:
        return False
    return True
