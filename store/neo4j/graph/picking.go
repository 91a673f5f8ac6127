package graph

import (
	"cmp"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// TimesOf are the times of those that wait in sessions, by their ids.
func TimesOf(waiting []Waiter) map[string]SessionTime {
	times := map[string]SessionTime{}
	for _, w := range waiting {
		if w.Awaited.Kind == linking.Session {
			times[w.ID()] = SessionTime{Session: w.Awaited.Key, Kind: w.Kind, At: w.at}
		}
	}
	return times
}

// SessionTime is the time of a record in a session, for which an episode is to be picked.
type SessionTime struct {
	Session string
	Kind    memory.Kind
	At      time.Time
}

// SpanOf reads an episode of a session, as the part span gives it.
func SpanOf(f *bolt.Fields) linking.Span {
	return linking.Span{
		Key: f.Text("key"), StartedAt: f.Instant("startedAt"), EndedAt: f.OptionalInstant("endedAt"),
		CreatedAt: f.Instant("createdAt"), Concluded: bolt.Required[bool](f, "concluded"),
		Later: f.Flag("concludedLater"), Shown: f.OptionalInstant("shown"),
	}
}

// NeighboursOf reads what lies around an episode of a session, as the part around gives it.
func NeighboursOf(f *bolt.Fields, row *neo4j.Record) linking.Neighbours {
	around := linking.Neighbours{Before: f.OptionalInstant("before"), Twin: bolt.Required[bool](f, "twin")}
	if next, is := row.AsMap()["next"].(map[string]any); is {
		n := bolt.FieldsOf(next)
		around.Next = new(SpanOf(n))
		f.Err = cmp.Or(f.Err, n.Err)
	}
	return around
}

// Placed is an episode of a session with what lies around it there.
type Placed struct {
	linking.Span
	Around linking.Neighbours
}

// PlaceOf reads an episode of a session that is locked; nil where it is not there.
func PlaceOf(t *bolt.Transaction, episode string) (*Placed, error) {
	found, err := bolt.RowsOf(t, cypher.Named("around_episode"), cypher.Parameters{"key": episode}, func(row *neo4j.Record) (*Placed, error) {
		span, _, err := neo4j.GetRecordValue[map[string]any](row, "span")
		f, e := bolt.FieldsOf(row.AsMap()), bolt.FieldsOf(span)
		placed := &Placed{Span: SpanOf(e), Around: NeighboursOf(f, row)}
		return placed, cmp.Or(err, e.Err, f.Err)
	})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// Pick gives records one of the episodes near them, by a rule; those that get none are missing from the answer.
func Pick(t *bolt.Transaction, times map[string]SessionTime, rule func(memory.Kind, time.Time, []linking.Span) *linking.Span) (map[string]string, error) {
	picked, rows := map[string]string{}, []cypher.Parameters{}
	for record, time := range times {
		rows = append(rows, cypher.Parameters{"record": record, "session": time.Session, "at": bolt.Instant(time.At)})
	}
	if len(rows) == 0 {
		return picked, nil
	}
	return picked, t.Rows(cypher.Named("near"), cypher.Parameters{"times": rows, "window": linking.Window}, func(f *bolt.Fields) {
		record, near := f.Text("record"), []linking.Span{}
		for _, episode := range bolt.List[map[string]any](f, "episodes") {
			e := bolt.FieldsOf(episode)
			near = append(near, SpanOf(e))
			f.Err = cmp.Or(f.Err, e.Err)
		}
		if episode := rule(times[record].Kind, times[record].At, near); f.Err == nil && episode != nil {
			picked[record] = episode.Key
		}
	})
}
