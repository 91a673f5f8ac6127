// The links of a type from each record, and to it, in the order of the other ends.
CREATE INDEX mneme_from_{{.}} IF NOT EXISTS FOR ()-[r:{{.}}]-() ON (r.tenant, r.from, r.to);
CREATE INDEX mneme_to_{{.}} IF NOT EXISTS FOR ()-[r:{{.}}]-() ON (r.tenant, r.to, r.from);
