package neo4j

import (
	"context"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// patternProperties are what a pattern's node holds. Rate and contextKey follow from the others, for the
// order of lists and for what they ask for.
func patternProperties(tenant string, p *memory.Pattern) cypher.Parameters {
	return bolt.Encode(cypher.Parameters{
		"tenant": tenant, "key": p.Key, "contextKey": memory.ContextKey(p.Context), "rate": p.Rate(),
	}, fields.Pattern(p), fields.PatternGains(p))
}

var (
	patternOf     = bolt.Reading(fields.Pattern, fields.PatternGains)
	decodePattern = bolt.NodeIn("p", patternOf)
)

// patternList is a query for patterns, best first.
type patternList struct {
	Fixed        []string // the properties that the query fixes and an index begins with
	After, Count bool
}

func (s *tenantStore) patternQuery(q store.PatternQuery, p store.Page, count bool) bolt.Query {
	form := patternList{After: p.After != nil, Count: count}
	switch {
	case q.SectionType != nil && q.Kind != nil && q.Context != nil:
		form.Fixed = []string{"kind", "sectionType", "contextKey"}
	case q.SectionType != nil && q.Kind != nil:
		form.Fixed = []string{"kind", "sectionType"}
	case q.Context != nil:
		form.Fixed = []string{"contextKey"}
	case q.SectionType != nil:
		form.Fixed = []string{"sectionType"}
	}
	values := cypher.Parameters{
		"kind": nil, "sectionType": q.SectionType, "contextKey": q.Context, "minRate": q.MinRate, "minTotal": q.MinTotal,
		"bestRate": bestRate, "limit": p.Limit + 1,
	}
	if q.Kind != nil {
		values["kind"] = string(*q.Kind)
	}
	if after := p.After; after != nil {
		values["bestRate"], values["afterTotal"], values["afterKey"] = after.Value, after.Sequence, after.Key
	}
	return s.Query(cypher.Rendered("list_patterns", form), values)
}

// bestRate is the highest rate there is.
const bestRate = 1.0

// candidates reads the best patterns of each kind in each context, at most so many.
func (s *tenantStore) candidates(ctx context.Context, q *store.CandidateQuery, most int) ([]*memory.Pattern, error) {
	bounds := make([]cypher.Parameters, len(q.Bounds))
	for i, bound := range q.Bounds {
		bounds[i] = cypher.Parameters{"kind": string(bound.Kind), "minRate": bound.MinRate, "minTotal": bound.MinTotal}
	}
	return bolt.Read(ctx, s.Connection, s.Query(cypher.Named("candidate_patterns"), cypher.Parameters{
		"bounds": bounds, "contexts": linking.SetOf(q.Contexts...).Sorted(), "sectionType": q.SectionType, "limit": most,
	}), decodePattern)
}

var decodeSectionType = bolt.Decoded(func(f *bolt.Fields) *store.SectionTypeItem {
	f.Key(store.KindSectionType)
	return sectionTypeOf(f)
})

func sectionTypeOf(f *bolt.Fields) *store.SectionTypeItem {
	return &store.SectionTypeItem{SectionType: f.Text("sectionType"), Context: f.JSON("context"), Sections: f.Count("sections")}
}
