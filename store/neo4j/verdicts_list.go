package neo4j

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

// Verdicts reads known verdicts; see store.VerdictReader.
func (s *tenantStore) Verdicts(ctx context.Context, keys []string) ([]*memory.Verdict, error) {
	return readByKey(ctx, s, named("verdicts"), keys, decodeVerdict, func(v *memory.Verdict) string { return v.Key })
}

// verdictList is a query for verdicts, newest first.
type verdictList struct {
	// Fixed is the property that the query fixes and an index begins with, the most telling one; or "".
	Fixed        string
	After, Count bool
}

func (s *tenantStore) verdictQuery(q store.VerdictQuery, count bool) query {
	form := verdictList{After: q.Page.After != nil, Count: count}
	switch {
	case q.Section != nil:
		form.Fixed = "section"
	case q.Run != nil:
		form.Fixed = "run"
	case q.Judge != nil:
		form.Fixed = "judge"
	case q.SectionType != nil:
		form.Fixed = "sectionType"
	}
	values := ownedParameters(nil, q.Page)
	values["section"], values["run"], values["judge"], values["sectionType"] = q.Section, q.Run, q.Judge, q.SectionType
	return s.query(rendered("list_verdicts", form), values)
}

// ListVerdicts reads a page of verdicts; see store.VerdictReader.
func (s *tenantStore) ListVerdicts(ctx context.Context, q store.VerdictQuery) ([]*memory.Verdict, bool, error) {
	list := func(ctx context.Context, p store.Page) ([]*memory.Verdict, error) {
		q.Page = p
		return read(ctx, s.backend, s.verdictQuery(q, false), decodeVerdict)
	}
	return pageInBytes(ctx, q.Page, list, func(v *memory.Verdict) store.Position { return store.Position{At: v.At, Key: v.Key} })
}

// CountVerdicts counts verdicts; see store.VerdictReader.
func (s *tenantStore) CountVerdicts(ctx context.Context, q store.VerdictQuery) (int, error) {
	q.Page = store.Page{}
	return s.count(ctx, s.verdictQuery(q, true))
}

// RejectionsOf reads the last verdicts on a section that do not approve; see store.HistoryReader.
func (s *tenantStore) RejectionsOf(ctx context.Context, section string, limit int) ([]*memory.Verdict, error) {
	return read(ctx, s.backend, s.query(named("rejections"), parameters{
		"section": section, "limit": limit, "earliest": instant(earliest), "approval": string(memory.VerdictApprove),
	}), decodeVerdict)
}
