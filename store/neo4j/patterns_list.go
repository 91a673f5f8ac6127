package neo4j

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// patternProperties are what a pattern's node holds. Rate and contextKey follow from the others, for the
// order of lists and for what they ask for.
func patternProperties(tenant string, p *memory.Pattern) parameters {
	return parameters{
		"tenant": tenant, "key": p.Key, "kind": string(p.Kind), "description": p.Description, "saidAt": optionalInstant(p.SaidAt),
		"issueCode": p.IssueCode, "sectionType": p.SectionType, "context": jsonOrNothing(p.Context),
		"contextKey": memory.ContextKey(p.Context), "hits": p.Hits, "total": p.Total, "rate": p.Rate(), "scored": p.Scored,
		"scoreSum": p.ScoreSum, "recovered": p.Recovered, "recoverySum": p.RecoverySum, "lastSeen": instant(p.LastSeen),
	}
}

func decodePattern(row *neo4j.Record) (*memory.Pattern, error) {
	node, err := column[neo4j.Node]("p")(row)
	f := &fields{node: node, err: err}
	return f.pattern(), f.err
}

func (f *fields) pattern() *memory.Pattern {
	return &memory.Pattern{
		Key: f.key(memory.KindPattern), Kind: word[memory.PatternKind](f, "kind"), Description: f.text("description"),
		SaidAt: f.optionalInstant("saidAt"), IssueCode: f.optionalText("issueCode"), SectionType: f.text("sectionType"),
		Context: f.json("context"), Hits: f.count("hits"), Total: f.count("total"), Scored: f.count("scored"),
		ScoreSum: f.number("scoreSum"), Recovered: f.count("recovered"), RecoverySum: f.count("recoverySum"),
		LastSeen: f.instant("lastSeen"),
	}
}

// Patterns reads known patterns; see store.HistoryReader.
func (s *tenantStore) Patterns(ctx context.Context, keys []string) ([]*memory.Pattern, error) {
	return readByKey(ctx, s, named("patterns"), keys, decodePattern, func(p *memory.Pattern) string { return p.Key })
}

// patternList is a query for patterns, best first.
type patternList struct {
	Fixed        []string // the properties that the query fixes and an index begins with
	After, Count bool
}

func (s *tenantStore) patternQuery(q store.PatternQuery, count bool) query {
	form := patternList{After: q.Page.After != nil, Count: count}
	switch {
	case q.SectionType != nil && q.Kind != nil && q.Context != nil:
		form.Fixed = []string{"kind", "sectionType", "contextKey"}
	case q.SectionType != nil && q.Kind != nil:
		form.Fixed = []string{"kind", "sectionType"}
	case q.SectionType != nil:
		form.Fixed = []string{"sectionType"}
	}
	values := parameters{
		"kind": nil, "sectionType": q.SectionType, "contextKey": q.Context, "minRate": q.MinRate, "minTotal": q.MinTotal,
		"bestRate": bestRate, "limit": q.Page.Limit + 1,
	}
	if q.Kind != nil {
		values["kind"] = string(*q.Kind)
	}
	if after := q.Page.After; after != nil {
		values["bestRate"], values["afterTotal"], values["afterKey"] = after.Value, after.Sequence, after.Key
	}
	return s.query(rendered("list_patterns", form), values)
}

// bestRate is the highest rate there is.
const bestRate = 1.0

// ListPatterns reads a page of patterns; see store.HistoryReader.
func (s *tenantStore) ListPatterns(ctx context.Context, q store.PatternQuery) ([]*memory.Pattern, bool, error) {
	return wholePage(ctx, q.Page.Limit, func(ctx context.Context, limit int) ([]*memory.Pattern, error) {
		q.Page.Limit = limit
		return read(ctx, s.backend, s.patternQuery(q, false), decodePattern)
	})
}

// CountPatterns counts patterns; see store.HistoryReader.
func (s *tenantStore) CountPatterns(ctx context.Context, q store.PatternQuery) (int, error) {
	q.Page = store.Page{}
	return s.count(ctx, s.patternQuery(q, true))
}
