package neo4j

import (
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
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

// pick applies Backfill's rule: to which episode of its session each record belongs by its time.
// Records in sessions without episodes are missing from the answer.
func (t *transaction) pick(times map[string]sessionTime) (map[string]string, error) {
	if len(times) == 0 {
		return nil, nil
	}
	rows := make([]parameters, 0, len(times))
	for record, time := range times {
		rows = append(rows, parameters{"record": record, "session": time.session, "at": instant(time.at)})
	}
	picked := map[string]string{}
	return picked, t.run(named("pick"), parameters{"times": rows, "earliest": instant(earliest)}, func(row *neo4j.Record) error {
		return decodePick(row, picked)
	})
}

func decodePick(row *neo4j.Record, picked map[string]string) error {
	record, err := column[string]("record")(row)
	if err != nil {
		return err
	}
	episode, err := optionalColumn[string]("episode")(row)
	if err == nil && episode != "" {
		picked[record] = episode
	}
	return err
}
