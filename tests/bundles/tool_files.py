"""Files for the tools of foreign formats, and what they figured out."""

from __future__ import annotations

import json


def lines(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def whole(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def tool_figures(result):
    """Name to value of the figures of the format's own tool."""
    return {f["name"].split(":", 2)[2]: f["value"] for f in result.details["compat"]["figures"]}
