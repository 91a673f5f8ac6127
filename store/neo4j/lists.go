package neo4j

import (
	"cmp"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// listShape is what the text of a list depends on.
type listShape struct {
	Fixed        string // the property that the query fixes and an index begins with, the most telling one; or ""
	After, Count bool
}

// given is a value that a query may fix, with its property.
type given struct {
	property string
	value    *string
}

// list gives the shape and the values of a list of records, of which some values may be given, the most telling first.
func list(p store.Page, count bool, values cypher.Parameters, all ...given) (listShape, cypher.Parameters) {
	form := listShape{After: p.After != nil, Count: count}
	for _, one := range all {
		if values[one.property] = one.value; one.value != nil {
			form.Fixed = cmp.Or(form.Fixed, one.property)
		}
	}
	return form, values
}

// newestFirst are the values of a list by time. Limit is one more than asked for, to see whether more follow.
func newestFirst(p store.Page) cypher.Parameters {
	values := cypher.Parameters{"since": bolt.Instant(graph.Earliest), "until": bolt.Instant(graph.Latest), "limit": p.Limit + 1}
	if p.After != nil {
		values["until"], values["afterKey"] = bolt.Instant(p.After.At), p.After.Key
	}
	return values
}

// byName are the values of a list by name.
func byName(p store.Page) cypher.Parameters {
	after := ""
	if p.After != nil {
		after = p.After.Key
	}
	return cypher.Parameters{"after": after, "limit": p.Limit + 1}
}

func (s *tenantStore) agentQuery(_ store.AllAgents, p store.Page, count bool) bolt.Query {
	form, values := list(p, count, byName(p))
	return s.Query(cypher.Rendered("list_agents", form), values)
}

func (s *tenantStore) memoirQuery(q store.MemoirsOf, p store.Page, count bool) bolt.Query {
	form, values := list(p, count, byName(p), given{"name", q.Name})
	return s.Query(cypher.Rendered("list_memoirs", form), values)
}

func (s *tenantStore) conceptQuery(q store.ConceptsOf, p store.Page, count bool) bolt.Query {
	form, values := list(p, count, byName(p), given{"memoir", &q.Memoir})
	return s.Query(cypher.Rendered("list_concepts", form), values)
}

func (s *tenantStore) correctionQuery(q store.CorrectionsOf, p store.Page, count bool) bolt.Query {
	form, values := list(p, count, newestFirst(p), given{"topic", q.Topic})
	return s.Query(cypher.Rendered("list_corrections", form), values)
}

func (s *tenantStore) runQuery(_ store.AllRuns, p store.Page, count bool) bolt.Query {
	form, values := list(p, count, newestFirst(p))
	return s.Query(cypher.Rendered("list_runs", form), values)
}

func (s *tenantStore) verdictQuery(q store.VerdictQuery, p store.Page, count bool) bolt.Query {
	form, values := list(p, count, newestFirst(p),
		given{"section", q.Section}, given{"run", q.Run}, given{"judge", q.Judge}, given{"sectionType", q.SectionType})
	values["rejecting"] = q.Rejecting
	return s.Query(cypher.Rendered("list_verdicts", form), values)
}

// judgementQuery asks for judgements after a position, or from the earliest on.
func (s *tenantStore) judgementQuery(q store.JudgementQuery, p store.Page, count bool) bolt.Query {
	values := cypher.Parameters{"at": bolt.Instant(graph.Earliest), "limit": p.Limit + 1, "afterKey": ""}
	if q.Since != nil {
		values["at"] = bolt.Instant(q.Since.Add(-time.Millisecond)) // times are whole milliseconds
	}
	if p.After != nil {
		values["at"], values["afterKey"] = bolt.Instant(p.After.At), p.After.Key
	}
	form, values := list(p, count, values, given{"judge", q.Judge})
	return s.Query(cypher.Rendered("judgements", form), values)
}

// ownedList is a query for the records of the owners that a property names.
type ownedList struct {
	listShape
	Label  string
	ByUser bool
}

// byWaiting are the owners of all records: whether they wait for their episode.
func byWaiting(waiting *bool) []bool {
	if waiting == nil {
		return []bool{false, true}
	}
	return []bool{*waiting}
}

func (s *tenantStore) canvasQuery(of store.CanvasesOf, p store.Page, count bool) bolt.Query {
	form, values := ownedList{listShape{After: p.After != nil, Count: count}, graph.Labels[memory.KindCanvas], of.User != nil}, newestFirst(p)
	values["user"], values["shared"] = of.User, of.Shared
	if of.Since != nil {
		values["since"] = bolt.Instant(*of.Since)
	}
	switch {
	case of.Episode != nil:
		form.Fixed, values["owner"] = "episode", []string{*of.Episode}
	case of.Agent != nil:
		form.Fixed, values["owner"] = "agent", []string{*of.Agent}
	default:
		form.Fixed, values["owner"] = "waiting", byWaiting(of.Waiting)
	}
	return s.Query(cypher.Rendered("list_canvases", form), values)
}

func (s *tenantStore) feedbackQuery(of store.FeedbackOf, p store.Page, count bool) bolt.Query {
	form, values := ownedList{listShape{After: p.After != nil, Count: count}, graph.Labels[memory.KindFeedback], of.User != nil}, newestFirst(p)
	values["user"], values["shared"], values["asOf"] = of.User, of.Shared, bolt.OptionalInstant(of.AsOf)
	switch {
	case of.Episode != nil:
		form.Fixed, values["owner"] = "episode", []string{*of.Episode}
	case of.Canvases != nil:
		form.Fixed, values["owner"] = "canvas", linking.SetOf(of.Canvases...).Sorted()
	default:
		form.Fixed, values["owner"] = "waiting", byWaiting(of.Waiting)
	}
	return s.Query(cypher.Rendered("list_feedback", form), values)
}
