package neo4j

import (
	"cmp"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/store/linking"
)

// The bounds of time, for queries that ask for no other: an index gives its order only for a range.
var (
	earliest = time.Date(-1, time.January, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(10_000, time.January, 1, 0, 0, 0, 0, time.UTC)
)

// sessionTime is a time in a session, for which an episode is to be picked.
type sessionTime struct {
	session string
	at      time.Time
}

// near gives the episodes of their sessions that linking.Pick chooses from for records, by record.
func (t *transaction) near(times map[string]sessionTime) (map[string][]linking.Span, error) {
	if len(times) == 0 {
		return nil, nil
	}
	rows := make([]parameters, 0, len(times))
	for record, time := range times {
		rows = append(rows, parameters{"record": record, "session": time.session, "at": instant(time.at)})
	}
	episodes := map[string][]linking.Span{}
	return episodes, t.run(named("near"), parameters{"times": rows}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		record := f.text("record")
		for _, episode := range list[map[string]any](f, "episodes") {
			e := fieldsOf(episode)
			episodes[record] = append(episodes[record], linking.Span{
				Key: e.text("key"), StartedAt: e.instant("startedAt"), EndedAt: e.optionalInstant("endedAt"),
			})
			f.err = cmp.Or(f.err, e.err)
		}
		return f.err
	})
}

// pick gives records one of the episodes near them, by a rule; those that get none are missing from the answer.
func (t *transaction) pick(times map[string]sessionTime, rule func(time.Time, []linking.Span) *linking.Span) (map[string]string, error) {
	episodes, err := t.near(times)
	picked := map[string]string{}
	for record, near := range episodes {
		if episode := rule(times[record].at, near); episode != nil {
			picked[record] = episode.Key
		}
	}
	return picked, err
}
