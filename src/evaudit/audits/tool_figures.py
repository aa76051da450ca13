"""The figures of a format's own tool, put beside ours."""

from __future__ import annotations

from dataclasses import replace

from evaudit.figures import Mean, Param
from evaudit.formats.foreign import Compat, CompatFigure
from evaudit.results import Result


def with_tool(result: Result, name: str, compat: Compat) -> Result:
    """The same result with the figures of the tool of the format ``name`` beside it."""
    ours = {mean.name: mean.value for mean in result.means}
    means = [_mean(name, one) for one in compat.figures]
    rows = [
        {
            "name": mean.name, "value": one.value, "ours": one.ours, "ours_value": ours.get(one.ours or ""),
            "because": one.because,
        }
        for mean, one in zip(means, compat.figures, strict=True)
    ]  # fmt: skip
    told: dict[str, object] = {"tool": compat.tool, "fails": compat.fails, "figures": rows}
    if compat.looked is not None:
        told["max_evidence"] = compat.looked
    return replace(result, means=[*result.means, *means], details=dict(result.details) | {"compat": told})


def _mean(name: str, one: CompatFigure) -> Mean:
    family, _, k = f"compat:{name}:{one.name}".replace(" ", "-").partition("@")
    params: dict[str, Param] = {"k": int(k)} if k else {}
    if one.value is None:
        return Mean(family, params, None, 0, {"tool-fails": max(one.n, 1)}, undefined="tool-fails")
    return Mean(family, params, one.value, one.n, {}, num=one.num, den=one.den)
