"""The figures that ``bundles.py`` times beside ours, written for other engines: DuckDB, polars, FEVER's scorer."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path

SQL = """
WITH a AS (SELECT row_number() OVER () AS id, need, bundle, source, doc, version, start, "end" FROM needs),
s AS (SELECT *, row_number() OVER () AS row FROM selected),
held AS (SELECT a.id, a.need, a.bundle, s.row FROM a JOIN s USING (need, doc, source, version)
         WHERE s.start <= a.start AND s."end" >= a."end"),
cand AS (SELECT DISTINCT a.id FROM a JOIN candidates c USING (need, doc, source, version)
         WHERE c.start <= a.start AND c."end" >= a."end"),
edge AS (SELECT need, doc, source, version, start, "end", start > max("end") OVER (
           PARTITION BY need, doc, source, version ORDER BY start, "end"
           ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS gap FROM s),
island AS (SELECT *, sum(coalesce(gap, true)::INT) OVER (
             PARTITION BY need, doc, source, version ORDER BY start, "end" ROWS UNBOUNDED PRECEDING) AS n FROM edge),
joined AS (SELECT need, doc, source, version, min(start) AS start, max("end") AS "end" FROM island
           GROUP BY need, doc, source, version, n),
wide AS (SELECT DISTINCT a.id FROM a JOIN joined j USING (need, doc, source, version)
         WHERE j.start <= a.start AND j."end" >= a."end"),
mark AS (SELECT a.need, a.bundle, a.id, h.id IS NOT NULL AS held, c.id IS NOT NULL AS cand, w.id IS NOT NULL AS wide
         FROM a LEFT JOIN (SELECT DISTINCT id FROM held) h USING (id) LEFT JOIN cand c USING (id)
         LEFT JOIN wide w USING (id)),
b AS (SELECT need, bundle, count(*) AS size, sum(held::INT) AS got, sum(cand::INT) AS could, sum(wide::INT) AS wide
      FROM mark GROUP BY need, bundle),
one AS (SELECT need, max((n = size)::INT) AS single FROM (SELECT need, bundle, row, count(*) AS n FROM held
        GROUP BY need, bundle, row) JOIN b USING (need, bundle) GROUP BY need),
best AS (SELECT need, bundle, got, size FROM (SELECT *, row_number() OVER (
           PARTITION BY need ORDER BY got / size DESC, got DESC, bundle) AS place FROM b) WHERE place = 1),
most AS (SELECT need, could, size FROM (SELECT *, row_number() OVER (
           PARTITION BY need ORDER BY could / size DESC, could DESC, bundle) AS place FROM b) WHERE place = 1),
useful AS (SELECT need, count(DISTINCT (s.source, s.doc, s.version, s.start, s."end")) AS useful
           FROM best JOIN held USING (need, bundle) JOIN s USING (row, need) GROUP BY need),
many AS (SELECT need, count(*) AS selected FROM s GROUP BY need),
per AS (SELECT need, max((got = size)::INT) AS cover, max((wide = size)::INT) AS wide, max((got > 0)::INT) AS hit
        FROM b GROUP BY need)
SELECT avg(cover), avg(per.wide), avg(coalesce(single, 0)), avg(best.got / best.size), avg(most.could / most.size),
       avg(best.got / best.size), avg(hit), avg(coalesce(useful, 0) / selected)
FROM per JOIN best USING (need) JOIN most USING (need) LEFT JOIN one USING (need) LEFT JOIN useful USING (need)
     LEFT JOIN many USING (need)
"""

CHECKS = (
    "SELECT count(*) FROM (SELECT 1 FROM candidates GROUP BY need, unit HAVING count(*) > 1)",
    "SELECT count(*) FROM (SELECT 1 FROM selected GROUP BY need, unit HAVING count(*) > 1)",
    """SELECT count(*) FROM selected s LEFT JOIN candidates c USING (need, unit) WHERE c.unit IS NULL OR s.doc <> c.doc
       OR s.source <> c.source OR s.version <> c.version OR s.start <> c.start OR s."end" <> c."end\"""",
    *(
        f"""SELECT count(*) FROM (SELECT need, rank, start, "end", lag(need) OVER () AS before, lag(rank) OVER () AS above
        FROM {units}) WHERE start < 0 OR "end" <= start OR (before = need AND rank <= above)"""
        for units in ("selected", "candidates")
    ),
)
"""What evaudit looks at in every audit: repeated ids, selected units that were no candidate or stand elsewhere, ranks
out of order, spans that are none."""


def run_duckdb(data: str, *, checks: bool = False, memory: str | None = None) -> list[float]:
    import duckdb

    limit = {"memory_limit": memory} if memory else {}
    connection = duckdb.connect(config={"threads": os.cpu_count() or 1, **limit})
    for name in ("needs", "selected", "candidates"):
        connection.execute(
            f"CREATE VIEW {name} AS SELECT * FROM read_parquet('{data}/{name}/*/*.parquet', hive_partitioning=false)"
        )
    if checks and any(connection.execute(check).fetchone()[0] for check in CHECKS):
        raise SystemExit("the workload should hold nothing that the checks find")
    return [float(v) for v in connection.execute(SQL).fetchone()]


def run_polars(data: str) -> list[float]:
    import polars as pl

    key = ["need", "doc", "source", "version"]

    def scan(name: str) -> pl.LazyFrame:
        return pl.scan_parquet(f"{data}/{name}/*/*.parquet", hive_partitioning=False)

    anchors = scan("needs").select(*key, "bundle", "start", "end").with_row_index("id")
    selected = scan("selected").select(*key, pl.col("start").alias("s"), pl.col("end").alias("e")).with_row_index("row")
    candidates = scan("candidates").select(*key, pl.col("start").alias("s"), pl.col("end").alias("e"))
    inside = (pl.col("s") <= pl.col("start")) & (pl.col("e") >= pl.col("end"))
    held = anchors.join(selected, on=key).filter(inside)
    could = anchors.join(candidates, on=key).filter(inside).select("id").unique().with_columns(could=pl.lit(1))
    ordered = selected.sort(*key, "s", "e")
    gap = (pl.col("s") > pl.col("e").cum_max().shift(1)).over(key).fill_null(True)
    islands = ordered.with_columns(n=gap.cast(pl.Int32).cum_sum().over(key))
    joined = islands.group_by(*key, "n").agg(pl.col("s").min(), pl.col("e").max())
    wide = anchors.join(joined, on=key).filter(inside).select("id").unique().with_columns(wide=pl.lit(1))
    got = held.select("id").unique().with_columns(got=pl.lit(1))
    marked = anchors
    for other in (got, could, wide):
        marked = marked.join(other, on="id", how="left")
    bundles = marked.group_by("need", "bundle").agg(
        size=pl.len(), got=pl.col("got").sum(), could=pl.col("could").sum(), wide=pl.col("wide").sum()
    )

    def best(column: str) -> pl.LazyFrame:
        share = pl.col(column) / pl.col("size")
        order = ("need", "share", column, "bundle")
        ranked = bundles.with_columns(share=share).sort(*order, descending=[False, True, True, False])
        return ranked.group_by("need", maintain_order=True).first()

    chosen = best("got")
    one = (
        held.group_by("need", "bundle", "row").agg(n=pl.len()).join(bundles, on=["need", "bundle"])
        .group_by("need").agg(single=(pl.col("n") == pl.col("size")).max())
    )  # fmt: skip
    useful = (
        held.join(chosen.select("need", "bundle"), on=["need", "bundle"])
        .select(*key, "s", "e").unique().group_by("need").agg(useful=pl.len())
    )  # fmt: skip
    many = selected.group_by("need").agg(selected=pl.len())
    per = bundles.group_by("need").agg(
        cover=(pl.col("got") == pl.col("size")).max(), wide=(pl.col("wide") == pl.col("size")).max(),
        hit=(pl.col("got") > 0).max(),
    )  # fmt: skip
    table = (
        per.join(chosen.select("need", recall="share"), on="need")
        .join(best("could").select("need", candidate="share"), on="need")
        .join(one, on="need", how="left").join(useful, on="need", how="left").join(many, on="need", how="left")
        .select(
            pl.col("cover").mean(), pl.col("wide").mean(), pl.col("single").fill_null(False).mean(),
            pl.col("recall").mean(), pl.col("candidate").mean(), pl.col("recall").mean().alias("again"),
            pl.col("hit").mean(), (pl.col("useful").fill_null(0) / pl.col("selected")).mean().alias("precision"),
        )
    )  # fmt: skip
    return [float(v) for v in table.collect(engine="streaming").row(0)]


def run_fever(folder: str) -> list[float]:
    """FEVER's scorer, by its published rules."""
    instances = []
    with Path(folder, "actual.jsonl").open() as gold, Path(folder, "predictions.jsonl").open() as predicted:
        for one, other in zip(gold, predicted, strict=True):
            instances.append({**json.loads(one), **{k: v for k, v in json.loads(other).items() if k != "id"}})
    strict = labels = hits = recalled = 0.0
    verifiable = 0
    for instance in instances:
        looked = instance["predicted_evidence"][:5]
        right = instance["label"].upper() == instance["predicted_label"].upper()
        labels += right
        if instance["label"].upper() == "NOT ENOUGH INFO":
            strict += right
            continue
        verifiable += 1
        whole = False
        for group in instance["evidence"]:
            if all([e[2], e[3]] in looked for e in group):
                whole = True
                break
        strict += right and whole
        recalled += whole
        everything = [[e[2], e[3]] for group in instance["evidence"] for e in group if e[3] is not None]
        hits += sum(p in everything for p in looked) / len(looked) if looked else 1.0
    return [strict / len(instances), labels / len(instances), hits / verifiable, recalled / verifiable]


ENGINES = {
    "duckdb": run_duckdb,
    "duckdb-checks": partial(run_duckdb, checks=True),
    "duckdb-300MB": partial(run_duckdb, memory="300MB"),
    "polars": run_polars,
    "fever": run_fever,
}
"""By name; each takes the folder of the data and gives its figures."""
