-- The spans of traces that are not episodes yet; data is the whole span as JSON.
CREATE TABLE IF NOT EXISTS spans (
  trace      TEXT NOT NULL,
  span       TEXT NOT NULL,
  ends       INTEGER NOT NULL,
  arrived_at INTEGER NOT NULL,
  data       TEXT NOT NULL,
  PRIMARY KEY (trace, span)
) STRICT, WITHOUT ROWID;

-- Which traces are due is told without reading what their spans say.
CREATE INDEX IF NOT EXISTS spans_by_trace ON spans (trace, arrived_at, ends);
