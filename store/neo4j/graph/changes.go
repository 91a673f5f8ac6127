package graph

import (
	"cmp"
	"maps"
	"slices"

	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// Apply writes changes, in one statement for each kind there is.
func (t Links) Apply(c *linking.Changes) error {
	type step struct {
		linking cypher.Statement
		rows    []cypher.Parameters
	}
	steps := []step{{cypher.Named("link_canvases"), assigned(c.Canvases)}, {cypher.Named("link_feedback"), assigned(c.Feedback)}}
	for _, shape := range slices.SortedFunc(maps.Keys(c.Links), func(a, b linking.LinkShape) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Awaited, b.Awaited))
	}) {
		steps = append(steps, step{cypher.Rendered("link_named", shape), memory.Mapped(c.Links[shape], func(link linking.Link) cypher.Parameters {
			return cypher.Parameters{"key": link.Key, "target": link.Target}
		})})
	}
	for _, s := range steps {
		if len(s.rows) > 0 {
			if err := t.Run(s.linking, cypher.Parameters{"rows": s.rows}, nil); err != nil {
				return err
			}
		}
	}
	if err := t.applyWaits(c); err != nil {
		return err
	}
	return t.adjust(c.Moves)
}

func assigned(all []linking.Assignment) []cypher.Parameters {
	return memory.Mapped(all, func(one linking.Assignment) cypher.Parameters {
		return cypher.Parameters{"key": one.Key, "episode": one.Episode}
	})
}

var letWait = cypher.Rendered("wait", []memory.Kind{
	memory.KindEpisode, memory.KindCanvas, memory.KindFeedback, memory.KindObservation, memory.KindCorrection,
})

func (t Links) applyWaits(c *linking.Changes) error {
	if len(c.Waits) > 0 {
		byKind := map[string][]cypher.Parameters{}
		for _, w := range c.Waits {
			byKind[string(w.Kind)] = append(byKind[string(w.Kind)], cypher.Parameters{"key": w.Key, "kind": string(w.For.Kind), "awaited": w.For.Key})
		}
		if err := t.Run(letWait, cypher.Parameters{"waits": byKind}, nil); err != nil {
			return err
		}
	}
	if len(c.Arrived) == 0 {
		return nil
	}
	return t.Run(cypher.Named("drop_waiting"), cypher.Parameters{"awaited": awaitedRows(slices.Collect(maps.Keys(c.Arrived)))}, nil)
}

// adjust brings the aggregates up to date, the episodes in the order in which every writer locks them.
func (t Links) adjust(moves linking.Moves) error {
	var rows []cypher.Parameters
	for key, more := range moves.Sums() {
		rows = append(rows, cypher.Parameters{
			"key": key, "canvases": more.Canvases, "actions": more.Actions, "sum": more.Score, "count": more.Feedback,
		})
	}
	if len(rows) == 0 {
		return nil
	}
	adjusted, err := bolt.FirstOf(t.Transaction, cypher.Named("adjust"), cypher.Parameters{"rows": rows, "unrated": UnratedRank}, bolt.Column[int]("adjusted"))
	if err == nil && adjusted != len(rows) {
		return &bolt.Raced{Cause: ErrGone} // an episode was deleted after we read of it
	}
	return err
}

// Create runs a statement that creates records and tells, as the part waiting does, what has been waiting for those
// that arrive, and links that with the changes.
func (t Links) Create(c *linking.Changes, creating cypher.Statement, values cypher.Parameters) error {
	waiting, err := t.Creating(creating, values, c.Created())
	if err != nil {
		return err
	}
	c.LinkNamed(waiting...)
	return t.Apply(c)
}

// Creating runs such a statement, and gives what has been waiting.
func (t Links) Creating(creating cypher.Statement, values cypher.Parameters, arrived []linking.PendingRef) ([]linking.Waiter, error) {
	values["awaited"] = awaitedRows(arrived)
	return bolt.RowsOf(t.Transaction, creating, values, decodeWaiter)
}

// awaitedRows are what records wait for as a parameter.
func awaitedRows(all []linking.PendingRef) []cypher.Parameters {
	return memory.Mapped(all, func(a linking.PendingRef) cypher.Parameters {
		return cypher.Parameters{"kind": string(a.Kind), "key": a.Key}
	})
}

// Waiting finds what waits for the given, and what names sessions only and came in the intervals.
func (t Links) Waiting(refs []linking.PendingRef, intervals map[string][]linking.Interval) ([]linking.Waiter, error) {
	rows := []cypher.Parameters{}
	for _, session := range slices.Sorted(maps.Keys(intervals)) {
		for _, s := range linking.Join(intervals[session]) {
			rows = append(rows, cypher.Parameters{"session": session, "from": bolt.Instant(s.From), "until": bolt.Instant(s.Until)})
		}
	}
	asked, values := cypher.Named("waiting"), cypher.Parameters{"awaited": awaitedRows(refs)}
	if len(rows) > 0 {
		asked, values["intervals"], values["most"] = cypher.Named("arrivals"), rows, linking.MaxReassigned
	} else if len(refs) == 0 {
		return nil, nil
	}
	return bolt.RowsOf(t.Transaction, asked, values, decodeWaiter)
}

// WaitingInSessions finds the canvases and feedback that wait for an episode of any session, or of the given one, and
// come after one of them. Until the sessions are locked, some may cease to wait.
func (t Links) WaitingInSessions(session *string, after linking.Waiter) ([]linking.Waiter, error) {
	return bolt.RowsOf(t.Transaction, cypher.Named("waiting_in_sessions"), cypher.Parameters{
		"only": session, "session": after.Awaited.Key, "id": cypher.Label(after.Kind) + " " + after.Key, "most": linking.LinkedTogether,
	}, decodeWaiter)
}

var decodeWaiter = func(f *bolt.Fields) linking.Waiter {
	return linking.Waiter{
		Kind: KindOf(f.Text("label")), Key: f.Text("key"), Awaited: linking.PendingRef{Kind: memory.Kind(f.Text("kind")), Key: f.Text("awaited")},
		At: f.Instant("at"), Episode: memory.OrZero(f.OptionalText("episode")), User: memory.OrZero(f.OptionalText("user")),
	}
}
