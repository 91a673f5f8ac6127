package neo4j

import (
	"context"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// RecordCanvasActions adds actions to canvases and links them; see store.CanvasStore.
func (s *tenantStore) RecordCanvasActions(ctx context.Context, records []store.CanvasActionRecord) ([]store.Recorded, error) {
	if len(records) == 0 {
		return []store.Recorded{}, nil
	}
	return s.actions.Record(ctx, records)
}

func (t *transaction) recordCanvasActions(records []store.CanvasActionRecord) ([]store.Recorded, error) {
	known, err := graph.Lock(t.Transaction, canvasScope(records))
	if err != nil {
		return nil, err
	}
	if err := t.lockFoundSessions(known, records); err != nil {
		return nil, err
	}
	// Which records ask for an episode of their session shows when they are applied, so they are
	// applied twice: first to copies, to collect the questions, then with the answers.
	asked := map[string]graph.SessionTime{}
	rehearsal := newCanvasBatch(known, func(c *graph.CanvasState) *string {
		asked[c.Key] = graph.SessionTime{Session: *c.SessionKey, Kind: memory.KindCanvas, At: c.CreatedAt()}
		return nil
	})
	rehearsal.applyAll(records)
	picked, err := graph.Pick(t.Transaction, asked, linking.Pick)
	if err != nil {
		return nil, err
	}
	batch := newCanvasBatch(known, func(c *graph.CanvasState) *string { return graph.LookUp(picked, c.Key) })
	return batch.applyAll(records), t.writeCanvases(batch)
}

func canvasScope(records []store.CanvasActionRecord) graph.Scope {
	s := graph.NewScope()
	for i := range records {
		s.Canvases.Add(records[i].Canvas)
		s.Sessions.AddOptional(records[i].Session)
		s.Episodes.AddOptional(records[i].Episode)
	}
	return s
}

// lockFoundSessions locks the sessions that known canvases are in, where the records do not name them:
// a canvas without an episode may get one of its session's, one that gets an earlier action another, and feedback after it, too.
func (t *transaction) lockFoundSessions(known *graph.Locked, records []store.CanvasActionRecord) error {
	named, found := canvasScope(records).Sessions, graph.NewScope()
	for i := range records {
		c := known.Canvases[records[i].Canvas]
		if c == nil || c.SessionKey == nil || c.EpisodeKey != nil && (c.Named != nil || records[i].Episode == nil) && !records[i].Action.At.Before(c.CreatedAt()) {
			continue
		}
		if !named.Has(*c.SessionKey) {
			found.Sessions.Add(*c.SessionKey)
		}
	}
	if len(found.Sessions) == 0 {
		return nil
	}
	_, err := graph.Lock(t.Transaction, found)
	return err
}

// canvasBatch applies canvas actions to copies of canvases.
type canvasBatch struct {
	before   *graph.Locked
	canvases map[string]*graph.CanvasState
	pick     func(c *graph.CanvasState) *string // an episode of the canvas's session
}

func newCanvasBatch(before *graph.Locked, pick func(c *graph.CanvasState) *string) *canvasBatch {
	return &canvasBatch{before: before, canvases: map[string]*graph.CanvasState{}, pick: pick}
}

func (b *canvasBatch) applyAll(records []store.CanvasActionRecord) []store.Recorded {
	recorded := make([]store.Recorded, len(records))
	for i := range records {
		recorded[i] = b.apply(&records[i])
	}
	return recorded
}

// apply adds one action, or says why not.
func (b *canvasBatch) apply(record *store.CanvasActionRecord) store.Recorded {
	c := b.canvas(record)
	hash := ""
	if record.Action.ID != "" {
		hash = graph.HashText(record.InputHash)
		if known, same := c.Has(record); same {
			return store.Recorded{Key: record.Canvas}
		} else if known {
			return store.Recorded{Key: record.Canvas, Err: &store.Differs{Field: "id"}}
		}
	}
	if err := c.Admit(record); err != nil {
		return store.Recorded{Key: record.Canvas, Err: err}
	}
	if err := record.Action.Fits(len(c.Actions), c.Shown()); err != nil {
		return store.Recorded{Key: record.Canvas, Err: err}
	}
	settled := c.EpisodeKey != nil && !record.Action.At.Before(c.CreatedAt())
	c.Add(record.Action, hash)
	switch by := c.Learn(record, settled); by.Kind {
	case memory.KindEpisode:
		c.EpisodeKey = b.before.LeadTo(by)
	case linking.Session:
		c.EpisodeKey = b.pick(c)
	}
	return store.Recorded{Key: record.Canvas, Created: true}
}

// canvas gives the copy of a canvas, which is empty for one that is not there yet.
func (b *canvasBatch) canvas(record *store.CanvasActionRecord) *graph.CanvasState {
	if c := b.canvases[record.Canvas]; c != nil {
		return c
	}
	c := &graph.CanvasState{Canvas: linking.Canvas{Canvas: memory.Canvas{Key: record.Canvas, CanvasType: record.CanvasType}}}
	if before := b.before.Canvases[record.Canvas]; before != nil {
		copied := *before
		copied.Actions, copied.Hashes = slices.Clone(before.Actions), slices.Clone(before.Hashes)
		c = &copied
	}
	b.canvases[record.Canvas] = c
	return c
}

// writeCanvases writes the canvases of a batch that changed, with their links and the feedback on them.
func (t *transaction) writeCanvases(b *canvasBatch) error {
	var rows []cypher.Parameters
	stretches := map[string][]linking.Stretch{}
	var moved []string
	c := graph.NewChanges()
	for key, after := range b.canvases {
		before, was := b.before.Canvases[key], after.CreatedAt()
		if before == nil {
			c.Arrive(memory.KindCanvas, key)
			before = &graph.CanvasState{}
		} else {
			was = before.CreatedAt()
		}
		if len(after.Actions) == len(before.Actions) {
			continue // nothing was added
		}
		row := cypher.Parameters{"key": key, "properties": after.Properties()}
		if before.SessionKey == nil {
			row["joins"] = after.SessionKey
			c.ArriveOptional(memory.KindSession, after.SessionKey)
		}
		if b.pick != nil && after.Moved(&before.Canvas, was, after.CreatedAt()) {
			row["was"] = bolt.Instant(was)
		}
		rows = append(rows, row)
		c.Moves.Canvas(graph.OrNone(before.EpisodeKey), len(before.Actions), graph.OrNone(after.EpisodeKey), len(after.Actions))
		if c.RelinkCanvas(before, after) {
			moved = append(moved, key)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	if err := t.Rows(cypher.Named("write_canvases"), cypher.Parameters{"rows": rows}, func(f *bolt.Fields) {
		session := f.Text("session")
		stretches[session] = append(stretches[session], linking.Stretch{From: f.Instant("from"), Until: f.Instant("until")})
	}); err != nil {
		return err
	}
	if err := c.LinkArrived(t.Transaction, b.canvases); err != nil {
		return err
	}
	if err := graph.Follow(t.Transaction, c, moved, b.canvases); err != nil {
		return err
	}
	if err := c.Apply(t.Transaction); err != nil || len(stretches) == 0 {
		return err
	}
	return t.linkArriving(nil, stretches)
}
