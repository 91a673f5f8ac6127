package graph

import (
	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// awaitedRows are what records wait for as a parameter.
func awaitedRows(all []linking.PendingRef) []cypher.Parameters {
	rows := make([]cypher.Parameters, len(all))
	for i, a := range all {
		rows[i] = cypher.Parameters{"kind": string(a.Kind), "key": a.Key}
	}
	return rows
}

// Waiting finds what waits for the given, and what names sessions only and came in the intervals.
func (t Links) Waiting(refs []linking.PendingRef, intervals map[string][]linking.Interval) ([]linking.Waiter, error) {
	rows := []cypher.Parameters{}
	for _, session := range SortedKeys(intervals) {
		for _, s := range linking.Join(intervals[session]) {
			rows = append(rows, cypher.Parameters{"session": session, "from": bolt.Instant(s.From), "until": bolt.Instant(s.Until)})
		}
	}
	asked, values := cypher.Named("waiting"), cypher.Parameters{"awaited": awaitedRows(refs)}
	if len(rows) > 0 {
		asked, values["intervals"], values["most"] = cypher.Named("arrivals"), rows, linking.MaxDecided
	} else if len(refs) == 0 {
		return nil, nil
	}
	return bolt.RowsOf(t.Transaction, asked, values, decodeWaiter)
}

// WaitingInSessions finds the canvases and feedback that wait for an episode of any session, or of the given one, and
// come after one of them. Until the sessions are locked, some may cease to wait.
func (t Links) WaitingInSessions(session *string, after linking.Waiter) ([]linking.Waiter, error) {
	return bolt.RowsOf(t.Transaction, cypher.Named("waiting_in_sessions"), cypher.Parameters{
		"only": session, "session": after.Awaited.Key, "id": Labels[after.Kind] + " " + after.Key, "most": linking.LinkedTogether,
	}, decodeWaiter)
}

var decodeWaiter = bolt.Decoded(func(f *bolt.Fields) linking.Waiter {
	return linking.Waiter{
		Kind: KindOf[f.Text("label")], Key: f.Text("key"), Awaited: linking.PendingRef{Kind: memory.Kind(f.Text("kind")), Key: f.Text("awaited")},
		At: f.Instant("at"), Episode: linking.OrNone(f.OptionalText("episode")), User: linking.OrNone(f.OptionalText("user")),
	}
})
