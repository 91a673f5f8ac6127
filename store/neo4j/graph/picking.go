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
			times[w.ID()] = SessionTime{Session: w.Awaited.Key, Kind: kindOf(w.Label), At: w.at}
		}
	}
	return times
}

// kindOf is the kind of those that may wait in a session.
func kindOf(label string) memory.Kind {
	if label == labelCanvas {
		return memory.KindCanvas
	}
	return memory.KindFeedback
}

// SessionTime is the time of a record in a session, for which an episode is to be picked.
type SessionTime struct {
	Session string
	Kind    memory.Kind
	At      time.Time
}

// near gives the episodes of their sessions that linking.Pick chooses from for records, by record.
func near(t *bolt.Transaction, times map[string]SessionTime) (map[string][]linking.Span, error) {
	if len(times) == 0 {
		return nil, nil
	}
	rows := make([]cypher.Parameters, 0, len(times))
	for record, time := range times {
		rows = append(rows, cypher.Parameters{"record": record, "session": time.Session, "at": bolt.Instant(time.At)})
	}
	episodes := map[string][]linking.Span{}
	return episodes, t.Run(cypher.Named("near"), cypher.Parameters{"times": rows, "window": linking.Window}, func(row *neo4j.Record) error {
		f := bolt.FieldsOf(row.AsMap())
		record := f.Text("record")
		for _, episode := range bolt.List[map[string]any](f, "episodes") {
			e := bolt.FieldsOf(episode)
			episodes[record] = append(episodes[record], SpanOf(e))
			f.Err = cmp.Or(f.Err, e.Err)
		}
		return f.Err
	})
}

// SpanOf reads an episode of a session, as the part span gives it.
func SpanOf(f *bolt.Fields) linking.Span {
	return linking.Span{
		Key: f.Text("key"), StartedAt: f.Instant("startedAt"), EndedAt: f.OptionalInstant("endedAt"),
		CreatedAt: f.Instant("createdAt"), Concluded: bolt.Required[bool](f, "concluded"),
		Later: f.Flag("concludedLater"),
	}
}

// Pick gives records one of the episodes near them, by a rule; those that get none are missing from the answer.
func Pick(t *bolt.Transaction, times map[string]SessionTime, rule func(memory.Kind, time.Time, []linking.Span) *linking.Span) (map[string]string, error) {
	episodes, err := near(t, times)
	picked := map[string]string{}
	for record, near := range episodes {
		if episode := rule(times[record].Kind, times[record].At, near); episode != nil {
			picked[record] = episode.Key
		}
	}
	return picked, err
}
