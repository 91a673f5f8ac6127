package neo4j

import (
	"cmp"
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/learning"
)

// listing is a list of records: a query for a page, or for how many there are, and how a page is read.
type listing struct {
	ask  asking
	read func(ctx context.Context, page store.Page) (any, bool, error)
}

// asking makes a query for a page, or for how many there are.
type asking = func(p store.Page, count bool) bolt.Query

// listed is a listing. Place is nil where an index tells all records apart; see bolt.ReadPage.
func listed[T any](s *tenantStore, decode bolt.Decoder[*T], place func(*T) store.Position, ask asking) *listing {
	return &listing{ask: ask, read: func(ctx context.Context, page store.Page) (any, bool, error) {
		return bolt.ReadPage(ctx, s.Connection, page, func(p store.Page) bolt.Query { return ask(p, false) }, decode, place)
	}}
}

// asked is a query as one of pages.
func asked[Q any](query Q, ask func(query Q, p store.Page, count bool) bolt.Query) asking {
	return func(p store.Page, count bool) bolt.Query { return ask(query, p, count) }
}

// listing is that of a query; nil where it is not known.
func (s *tenantStore) listing(query any) *listing {
	switch q := query.(type) {
	case store.EpisodeQuery:
		return listed(s, episodeDecoder(q.Parts, nil), q.Place, asked(q, s.episodeQuery))
	case store.OutcomesOf:
		return listed(s, learning.DecodeOutcome, nil, asked(q, s.OutcomeQuery))
	case store.CanvasesOf:
		return listed(s, bolt.Node(graph.CanvasOf), q.Place, s.owned(memory.KindCanvas, q.Since, nil, &q.UserFilter, q.Waiting,
			owners{"episode", alone(q.Episode)}, owners{"agent", alone(q.Agent)}))
	case store.FeedbackOf:
		return listed(s, bolt.Node(feedbackOf), q.Place, s.owned(memory.KindFeedback, nil, q.AsOf, &q.UserFilter, q.Waiting,
			owners{"episode", alone(q.Episode)}, owners{"canvas", q.Canvases}))
	case store.AllAgents:
		return listed(s, bolt.Node(agentOf), nil, s.byName(cypher.Shaped("list_agents")))
	case store.MemoirsOf:
		return listed(s, bolt.Node(memoirOf), nil, s.byName(cypher.Shaped("list_memoirs"), given{"name", q.Name}))
	case store.ConceptsOf:
		return listed(s, bolt.Node(conceptOf), nil, s.byName(cypher.Shaped("list_concepts"), given{"memoir", &q.Memoir}))
	case store.ObservationQuery:
		return listed(s, bolt.Node(observationOf), q.Place, asked(q, s.observationQuery))
	case store.CorrectionsOf:
		return listed(s, bolt.Node(correctionOf), q.Place, s.newestFirst(cypher.Shaped("list_corrections"), given{"topic", q.Topic}))
	case store.AllRuns:
		return listed(s, bolt.Node(runOf), q.Place, s.newestFirst(cypher.Shaped("list_runs")))
	case store.VerdictQuery:
		return listed(s, bolt.Node(verdictOf), q.Place, asked(q, s.verdictQuery))
	case store.JudgementQuery:
		return listed(s, bolt.Node(judgementOf), nil, asked(q, s.judgementQuery))
	case store.PatternQuery:
		return listed(s, bolt.Node(patternOf), nil, asked(q, s.patternQuery))
	case store.DueTraces:
		return listed(s, dueTraceOf, nil, asked(q, s.dueTraces))
	}
	return nil
}

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

// list asks for a list of records, of which some values may be given, the most telling first.
func (s *tenantStore) list(shaped func(any) cypher.Statement, p store.Page, count bool, values cypher.Parameters, all ...given) bolt.Query {
	form := listShape{After: p.After != nil, Count: count}
	for _, one := range all {
		if values[one.property] = one.value; one.value != nil {
			form.Fixed = cmp.Or(form.Fixed, one.property)
		}
	}
	return s.Query(shaped(form), values)
}

// newest are the values of a list by time. Limit is one more than asked for, to see whether more follow.
func newest(p store.Page) cypher.Parameters {
	values := cypher.Parameters{"since": bolt.Instant(graph.Earliest), "until": bolt.Instant(graph.Latest), "limit": p.Limit + 1}
	if p.After != nil {
		values["until"], values["afterKey"] = bolt.Instant(p.After.At), p.After.Key
	}
	return values
}

// newestFirst asks for a list by time.
func (s *tenantStore) newestFirst(shaped func(any) cypher.Statement, all ...given) asking {
	return func(p store.Page, count bool) bolt.Query { return s.list(shaped, p, count, newest(p), all...) }
}

// byName asks for a list by name.
func (s *tenantStore) byName(shaped func(any) cypher.Statement, all ...given) asking {
	return func(p store.Page, count bool) bolt.Query {
		after := ""
		if p.After != nil {
			after = p.After.Key
		}
		return s.list(shaped, p, count, cypher.Parameters{"after": after, "limit": p.Limit + 1}, all...)
	}
}

func (s *tenantStore) verdictQuery(q store.VerdictQuery, p store.Page, count bool) bolt.Query {
	values := newest(p)
	values["rejecting"] = q.Rejecting
	return s.list(cypher.Shaped("list_verdicts"), p, count, values,
		given{"section", q.Section}, given{"run", q.Run}, given{"judge", q.Judge}, given{"sectionType", q.SectionType})
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
	return s.list(cypher.Shaped("judgements"), p, count, values, given{"judge", q.Judge})
}

// ownedList is a query for the records of the owners that a property names.
type ownedList struct {
	listShape
	Label  string
	ByUser bool
}

// owners are the keys of owners that a query may give, with the property that names them; nil for any.
type owners struct {
	property string
	keys     []string
}

// alone is a key that may be given.
func alone(key *string) []string {
	if key == nil {
		return nil
	}
	return []string{*key}
}

// owned asks for records of a kind, of the first owners that are given, else by whether they wait for their episode.
func (s *tenantStore) owned(kind memory.Kind, since, asOf *time.Time, of *store.UserFilter, waiting *bool, all ...owners) asking {
	return func(p store.Page, count bool) bolt.Query {
		form, values := ownedList{listShape{"waiting", p.After != nil, count}, cypher.Label(kind), of.User != nil}, newest(p)
		values["user"], values["shared"], values["asOf"] = of.User, of.Shared, bolt.OptionalInstant(asOf)
		if since != nil {
			values["since"] = bolt.Instant(*since)
		}
		if values["owner"] = []bool{false, true}; waiting != nil {
			values["owner"] = []bool{*waiting}
		}
		for _, one := range slices.Backward(all) {
			if one.keys != nil {
				form.Fixed, values["owner"] = one.property, linking.SetOf(one.keys...).Sorted()
			}
		}
		return s.Query(cypher.Rendered("list_owned", form), values)
	}
}
