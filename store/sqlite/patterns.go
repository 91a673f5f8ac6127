package sqlite

import (
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// A pattern is k.
var (
	patternColumns   = `k.key, ` + db.Selected("k", fields.Pattern(&memory.Pattern{}), fields.PatternGains(&memory.Pattern{}))
	readPattern      = db.ScannerOf(fields.Pattern, fields.PatternGains).Read
	insertingPattern = db.Inserting("patterns", slices.Concat(fields.Pattern(&memory.Pattern{}), fields.PatternGains(&memory.Pattern{})), "id", "key", "context_key")
	updatingPattern  = db.Updating("patterns", fields.PatternGains(&memory.Pattern{}), `id = :id`)
	patternRow       = `patterns k ON k.id = n.id`
)

// patternsPage selects a page, best first.
func patternsPage(query *store.PatternQuery, page *store.Page) (find string, w db.Conditions) {
	from, w := patternsOf(query)
	addAfterPattern(&w, page.After)
	return patternsBestFirst(from, w), w
}

func patternsBestFirst(from string, w db.Conditions) string {
	return `SELECT ` + patternColumns + from + ` WHERE ` + w.SQL() + ` ORDER BY k.rate DESC, k.total DESC, k.key LIMIT :limit`
}

// patternsOf says where the patterns of a query are, but for its page: in the index of its kind and type.
func patternsOf(query *store.PatternQuery) (from string, w db.Conditions) {
	index := `patterns_by_rate`
	if query.Kind != nil {
		index = `patterns_by_kind`
		w.Add(`k.kind = :kind`, db.Arg("kind", string(*query.Kind)))
	}
	if query.SectionType != nil {
		index = `patterns_by_type`
		w.Add(`k.section_type = :section_type`, db.Arg("section_type", query.SectionType))
	}
	whole := query.Kind != nil && query.SectionType != nil
	if whole {
		index = `patterns_by_type_and_kind`
	}
	if query.Context != nil {
		index = `patterns_by_context`
		w.Add(`k.context_key = :context`, db.Arg("context", query.Context))
	}
	if whole && query.Context != nil {
		index = `patterns_by_part`
	}
	if query.MinRate > 0 {
		w.Add(`k.rate >= :min_rate`, db.Arg("min_rate", query.MinRate))
	}
	if query.MinTotal > 0 {
		w.Add(`k.total >= :min_total`, db.Arg("min_total", query.MinTotal))
	}
	return ` FROM patterns k INDEXED BY ` + index, w
}

// candidates reads the best of each kind in each context, at most so many.
func candidates(c *db.Conn, query *store.CandidateQuery, most int) ([]*memory.Pattern, error) {
	found := []*memory.Pattern{}
	for _, bound := range query.Bounds {
		for _, part := range db.Distinct(query.Contexts) {
			from, w := patternsOf(&store.PatternQuery{
				Kind: &bound.Kind, SectionType: &query.SectionType, Context: &part, MinRate: bound.MinRate, MinTotal: bound.MinTotal,
			})
			some, err := db.All(c, patternsBestFirst(from, w), readPattern, append(w.Args, db.Arg("limit", most))...)
			if err != nil {
				return nil, err
			}
			found = append(found, some...)
		}
	}
	return found, nil
}

// addAfterPattern goes on behind a position in the order best first.
func addAfterPattern(w *db.Conditions, after *store.Position) {
	if after == nil || after.Value == nil {
		return
	}
	w.Add(`k.rate <= :after_rate AND (k.rate < :after_rate OR k.total < :after_total OR k.total = :after_total AND k.key > :after_key)`,
		db.Arg("after_rate", after.Value), db.Arg("after_total", after.Sequence), db.Arg("after_key", after.Key))
}

// learn adds what a run learned of a pattern, and links it with the sections that it was learned from.
func learn(tx *db.Tx, gain *judging.LearnedPattern, at time.Time) {
	id := graph.NodeID(tx, memory.KindPattern, gain.Key)
	if id == 0 {
		createPattern(tx, gain, at)
		return
	}
	addToPattern(tx, id, &gain.Pattern)
	learnedFrom(tx, id, gain, at)
}

func createPattern(tx *db.Tx, gain *judging.LearnedPattern, at time.Time) {
	id := graph.AddNode(tx, memory.KindPattern, gain.Key)
	insertPattern(tx, id, &gain.Pattern)
	learnedFrom(tx, id, gain, at)
}

// learnedFrom links a pattern with those of its sections that are there.
func learnedFrom(tx *db.Tx, id int64, gain *judging.LearnedPattern, at time.Time) {
	for _, key := range gain.Sections {
		graph.AddEdge(tx, id, graph.EdgeLearnedFrom, graph.NodeID(tx, memory.KindSection, key), at)
	}
}

func insertPattern(tx *db.Tx, id int64, p *memory.Pattern) {
	tx.Put(insertingPattern, slices.Concat(fields.Pattern(p), fields.PatternGains(p)), db.Arg("id", id), db.Arg("key", p.Key),
		db.Arg("context_key", memory.ContextKey(p.Context)))
}

// addToPattern adds a run's gain to a pattern. An unreadable one, or one with only a node left, begins anew with it.
func addToPattern(tx *db.Tx, id int64, gain *memory.Pattern) {
	var p *memory.Pattern
	damaged := false
	there := tx.One(`SELECT `+patternColumns+` FROM patterns k WHERE k.id = :id`, func(r *db.Row) {
		p = readPattern(r)
		damaged = r.Dispensable(tx.Context)
	}, db.Arg("id", id))
	if damaged || !there {
		tx.Exec(`DELETE FROM patterns WHERE id = :id`, db.Arg("id", id))
		insertPattern(tx, id, gain)
		return
	}
	p.Add(gain)
	tx.Put(updatingPattern, fields.PatternGains(p), db.Arg("id", id))
}
