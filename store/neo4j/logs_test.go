package neo4j

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/cypher"
)

// A page of a log and a part of it take as much whatever is there: 4,000 events are not read for twenty.
func TestLongLogsAreNotReadWhole(t *testing.T) {
	s := hub(t, 1)
	start := draft("run", func(r *store.EpisodeRecord) { r.Episode.Outcome, r.Episode.Concluded = memory.OutcomeUnknown, false })
	mustRecord(t, s, start)
	for from := 0; from < some; from += 1000 {
		part := store.LogPart{Episode: "run", InputHash: start.InputHash}
		for i := from; i < from+1000; i++ {
			part.Events = append(part.Events, store.LoggedEvent{
				Event: memory.Event{Sequence: i, Type: fmt.Sprint("type ", i), At: start.Episode.StartedAt}, Receipt: memory.Receipt{Redactions: []memory.Redaction{}},
			})
		}
		log, err := s.AppendEvents(t.Context(), part)
		require.NoError(t, err)
		require.Equal(t, from+1000, log.Events)
	}
	require.Less(t, s.hits(t, cypher.Named("events"), stretch("run", 3000, 20)), int64(400))
	require.Less(t, s.hits(t, cypher.Named("open_log"), cypher.Parameters{"key": "run", "numbers": []int{1, 2, 5000}}), int64(100))
	require.Less(t, s.hits(t, cypher.Named("count_events"), cypher.Parameters{"key": "run"}), int64(20))
}
