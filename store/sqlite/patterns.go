package sqlite

import (
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/store"
)

// patternFields are what a pattern keeps for good, patternGains what runs add to it.
func patternFields(p *memory.Pattern) []column {
	return []column{
		{"kind", oneOf(&p.Kind)}, {"issue_code", &p.IssueCode}, {"section_type", &p.SectionType}, {"context", &p.Context},
	}
}

func patternGains(p *memory.Pattern) []column {
	return []column{
		{"description", &p.Description}, {"said_at", &p.SaidAt}, {"hits", &p.Hits}, {"total", &p.Total}, {"scored", &p.Scored},
		{"score_sum", &p.ScoreSum}, {"recovered", &p.Recovered}, {"recovery_sum", &p.RecoverySum}, {"last_seen", &p.LastSeen},
	}
}

// A pattern is k.
var (
	patternColumns   = `k.key, ` + selected("k", patternFields(&memory.Pattern{})) + `, ` + selected("k", patternGains(&memory.Pattern{}))
	patternScanner   = scannerOf(patternFields, patternGains)
	insertingPattern = inserting("patterns", slices.Concat(patternFields(&memory.Pattern{}), patternGains(&memory.Pattern{})), "id", "key", "context_key")
	updatingPattern  = updating("patterns", patternGains(&memory.Pattern{}), `id = :id`)
)

func readPattern(r *row) *memory.Pattern {
	p := &memory.Pattern{Key: r.key(memory.KindPattern)}
	patternScanner.scan(p, r)
	return p
}

var patternsByKey = `SELECT ` + patternColumns + ` FROM json_each(:keys) w
	CROSS JOIN nodes n ON n.kind = 'pattern' AND n.key = w.value CROSS JOIN patterns k ON k.id = n.id`

// Patterns reads patterns by key.
func (t *Tenant) Patterns(ctx context.Context, keys []string) ([]*memory.Pattern, error) {
	return recordsByKey(ctx, t, memory.KindPattern, patternsByKey, keys, readPattern, func(p *memory.Pattern) string { return p.Key })
}

// ListPatterns reads a page, best first.
func (t *Tenant) ListPatterns(ctx context.Context, query store.PatternQuery) ([]*memory.Pattern, bool, error) {
	from, w := patternsOf(&query)
	w.addAfterPattern(query.Page.After)
	return listPage(ctx, t, patternsBestFirst(from, w), w, query.Page.Limit, readPattern)
}

func patternsBestFirst(from string, w conditions) string {
	return `SELECT ` + patternColumns + from + ` WHERE ` + w.sql() + ` ORDER BY k.rate DESC, k.total DESC, k.key LIMIT :limit`
}

// CountPatterns counts what a query lists.
func (t *Tenant) CountPatterns(ctx context.Context, query store.PatternQuery) (int, error) {
	from, w := patternsOf(&query)
	return t.count(ctx, `SELECT count(*)`+from+` WHERE `+w.sql(), w.args)
}

// patternsOf says where the patterns of a query are, but for its page: in the index of its kind and type.
func patternsOf(query *store.PatternQuery) (from string, w conditions) {
	index := `patterns_by_rate`
	if query.Kind != nil {
		index = `patterns_by_kind`
		w.add(`k.kind = :kind`, arg("kind", string(*query.Kind)))
	}
	if query.SectionType != nil {
		index = `patterns_by_type`
		w.add(`k.section_type = :section_type`, arg("section_type", query.SectionType))
	}
	if query.Kind != nil && query.SectionType != nil {
		index = `patterns_by_type_and_kind`
	}
	if query.Context != nil {
		w.add(`k.context_key = :context`, arg("context", query.Context))
	}
	if query.MinRate > 0 {
		w.add(`k.rate >= :min_rate`, arg("min_rate", query.MinRate))
	}
	if query.MinTotal > 0 {
		w.add(`k.total >= :min_total`, arg("min_total", query.MinTotal))
	}
	return ` FROM patterns k INDEXED BY ` + index, w
}

// addAfterPattern goes on behind a position in the order best first.
func (w *conditions) addAfterPattern(after *store.Position) {
	if after == nil || after.Value == nil {
		return
	}
	w.add(`k.rate <= :after_rate AND (k.rate < :after_rate OR k.total < :after_total OR k.total = :after_total AND k.key > :after_key)`,
		arg("after_rate", after.Value), arg("after_total", after.Sequence), arg("after_key", after.Key))
}

// learn adds what a run learned of a pattern, and links it with the sections that it was learned from.
func learn(ctx context.Context, c *conn, gain *judging.LearnedPattern, at time.Time) error {
	id, err := nodeID(c, memory.KindPattern, gain.Key)
	if err != nil {
		return err
	}
	if id == 0 {
		return createPattern(c, gain, at)
	}
	if err := addToPattern(ctx, c, id, &gain.Pattern); err != nil {
		return err
	}
	return learnedFrom(c, id, gain, at)
}

func createPattern(c *conn, gain *judging.LearnedPattern, at time.Time) error {
	id, err := addNode(c, memory.KindPattern, gain.Key)
	if err != nil {
		return err
	}
	if err := insertPattern(c, id, &gain.Pattern); err != nil {
		return err
	}
	return learnedFrom(c, id, gain, at)
}

func learnedFrom(c *conn, id int64, gain *judging.LearnedPattern, at time.Time) error {
	for _, key := range gain.Sections {
		section, err := nodeID(c, memory.KindSection, key)
		if err != nil {
			return err
		}
		if err := addEdge(c, id, edgeLearnedFrom, section, at); err != nil {
			return err
		}
	}
	return nil
}

func insertPattern(c *conn, id int64, p *memory.Pattern) error {
	return c.put(insertingPattern, slices.Concat(patternFields(p), patternGains(p)), arg("id", id), arg("key", p.Key),
		arg("context_key", memory.ContextKey(p.Context)))
}

// addToPattern adds what a run gained to a pattern. One that cannot be read, or of which only the node is left, begins anew with it.
func addToPattern(ctx context.Context, c *conn, id int64, gain *memory.Pattern) error {
	var p *memory.Pattern
	find := `SELECT ` + patternColumns + ` FROM patterns k WHERE k.id = :id`
	damaged := false
	there, err := c.one(find, func(r *row) {
		p = readPattern(r)
		damaged = r.dispensable(ctx)
	}, arg("id", id))
	if err != nil {
		return err
	}
	if damaged || !there {
		if err := c.exec(`DELETE FROM patterns WHERE id = :id`, arg("id", id)); err != nil {
			return err
		}
		return insertPattern(c, id, gain)
	}
	p.Add(gain)
	return c.put(updatingPattern, patternGains(p), arg("id", id))
}
