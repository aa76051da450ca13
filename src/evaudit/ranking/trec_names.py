"""The measures under trec_eval's own names: their order of output, their parameters and defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from evaudit.ranking.measures.measure import Asked

Kind = Literal["plain", "cutoffs", "numbers", "points", "gains", "prices", "named"]


@dataclass(frozen=True, slots=True)
class TrecName:
    """One measure of trec_eval.

    Attributes:
        name: what the program calls it.
        measure: the family here.
        kind: what its parameters are: none, cutoffs (one figure each), numbers (one figure each), recall points (one
            figure), gains of grades, the four prices of utility, or one number with a name.
        defaults: the parameters that it has where nobody says, as written.
        option: the numeric parameter here that its numbers go to.
        pairs: whether the number must follow its name, as in ``p=0.8``.
        official: whether the program prints it without ``-m``.
        all_trec: whether ``-m all_trec`` prints it.
    """

    name: str
    measure: str
    kind: Kind = "plain"
    defaults: str = ""
    option: str = ""
    pairs: bool = False
    official: bool = False
    all_trec: bool = True


_CUTOFFS = "5,10,15,20,30,100,200,500,1000"
_LEVELS = "0.0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1.0"

TREC_NAMES: tuple[TrecName, ...] = (
    TrecName("runid", "runid", official=True),
    TrecName("num_q", "num-q", official=True),
    TrecName("num_ret", "num-ret", official=True),
    TrecName("num_rel", "num-rel", official=True),
    TrecName("num_rel_ret", "num-rel-ret", official=True),
    TrecName("map", "AP", official=True),
    TrecName("gm_map", "GM-AP", official=True),
    TrecName("Rprec", "Rprec", official=True),
    TrecName("bpref", "bpref", official=True),
    TrecName("recip_rank", "RR", official=True),
    TrecName("iprec_at_recall", "iprec", "numbers", _LEVELS, "recall", official=True),
    TrecName("P", "P", "cutoffs", _CUTOFFS, official=True),
    TrecName("relstring", "relstring", "named", "", "first"),
    TrecName("recall", "recall", "cutoffs", _CUTOFFS),
    TrecName("infAP", "infAP"),
    TrecName("gm_bpref", "GM-bpref"),
    TrecName("Rprec_mult", "Rprec-mult", "numbers", "0.2,0.4,0.6,0.8,1.0,1.2,1.4,1.6,1.8,2.0", "factor"),
    TrecName("utility", "utility", "prices"),
    TrecName("11pt_avg", "iprec-avg", "points"),
    TrecName("binG", "binG"),
    TrecName("G", "G", "gains"),
    TrecName("ndcg", "nDCG", "gains"),
    TrecName("ndcg_rel", "nDCG-rel", "gains"),
    TrecName("Rndcg", "R-nDCG", "gains"),
    TrecName("ndcg_cut", "nDCG", "cutoffs", _CUTOFFS),
    TrecName("map_cut", "AP", "cutoffs", _CUTOFFS),
    TrecName("relative_P", "relative-P", "cutoffs", _CUTOFFS),
    TrecName("success", "success", "cutoffs", "1,5,10"),
    TrecName("set_P", "set-P"),
    TrecName("set_relative_P", "set-relative-P"),
    TrecName("set_recall", "set-recall"),
    TrecName("set_map", "set-AP"),
    TrecName("set_F", "set-F", "named", "", "x"),
    TrecName("num_nonrel_judged_ret", "num-nonrel-judged-ret"),
    TrecName("rbp", "RBP", "named", "", "p", pairs=True),
    TrecName("rbp_resid", "RBP-residual", "named", "", "p", pairs=True),
    TrecName("unj", "unj", "cutoffs", "5,10,20"),
    TrecName("dcg", "DCG", "gains", all_trec=False),
    TrecName("ideal_dcg", "ideal-DCG", "gains", all_trec=False),
    TrecName("yaap", "yaap", all_trec=False),
)
"""Every measure, in the order in which trec_eval 10 prints them."""

BY_NAME: Mapping[str, TrecName] = {one.name: one for one in TREC_NAMES}
_PLACE = {one.name: place for place, one in enumerate(TREC_NAMES)}

NICKNAMES: Mapping[str, tuple[str, ...]] = {
    "official": tuple(one.name for one in TREC_NAMES if one.official),
    "all_trec": tuple(one.name for one in TREC_NAMES if one.all_trec),
    "set": (
        "runid",
        "num_q",
        "num_ret",
        "num_rel",
        "num_rel_ret",
        "utility",
        "set_P",
        "set_relative_P",
        "set_recall",
        "set_map",
        "set_F",
    ),
}
"""A name that stands for several measures."""


def trec_name(asked: Asked) -> tuple[int, float, str] | None:
    """Where trec_eval prints the measure (place, cutoff) and under which name, or None where it has no such measure."""
    for one in TREC_NAMES:
        if one.measure == asked.measure.id and asked.bound is None:
            label = _label(one, asked)
            if label is not None:
                within = float(asked.k or 0) if one.kind != "numbers" else asked.number(one.option)
                return _PLACE[one.name], within, label
    return None


def _label(one: TrecName, asked: Asked) -> str | None:
    if one.kind == "cutoffs":
        return None if asked.k is None or asked.gain not in (None, "linear") else f"{one.name}_{asked.k}"
    if asked.k is not None:
        return None
    if one.kind == "numbers":
        return f"{one.name}_{asked.number(one.option):.2f}"
    if asked.gain in ("exponential", "map", "given"):
        return None
    if asked.written is not None:
        return f"{one.name}_{asked.written}" if asked.written else one.name
    if one.kind == "gains":
        return one.name if asked.gain in (None, "linear") else f"{one.name}_{str(asked.gain).replace(';', ',')}"
    defaults = {option.name: option.default for option in asked.measure.options if option.default}
    chosen = {name: value for name, value in asked.options if (name, value) != ("top-grade", "topic")}
    if not chosen.keys() <= defaults.keys():
        return None
    if chosen == defaults:
        return one.name
    values = list(chosen.values())
    if one.kind == "prices":
        return f"{one.name}_{','.join(values)}"
    if one.kind == "points":
        return f"{one.name}_{values[0].replace(':', ',')}"
    return f"{one.name}_{'p=' if one.option == 'p' else ''}{values[0]}"
