package neo4j

import (
	"context"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
)

// RecordCanvasActions adds actions to canvases and links them; see store.CanvasStore.
func (s *tenantStore) RecordCanvasActions(ctx context.Context, records []store.CanvasActionRecord) ([]store.Recorded, error) {
	if len(records) == 0 {
		return []store.Recorded{}, nil
	}
	return s.actions.record(ctx, records)
}

func (t *transaction) recordCanvasActions(records []store.CanvasActionRecord) ([]store.Recorded, error) {
	known, err := t.lock(canvasScope(records))
	if err != nil {
		return nil, err
	}
	if err := t.lockFoundSessions(known, records); err != nil {
		return nil, err
	}
	// Which records ask for an episode of their session shows when they are applied, so they are
	// applied twice: first to copies, to collect the questions, then with the answers.
	asked := map[string]sessionTime{}
	rehearsal := newCanvasBatch(known, func(c *canvasState) *string {
		if _, before := asked[c.Key]; !before {
			asked[c.Key] = sessionTime{session: *c.SessionKey, at: c.CreatedAt()}
		}
		return nil
	})
	rehearsal.applyAll(records)
	picked, err := t.pick(asked, linking.Pick)
	if err != nil {
		return nil, err
	}
	batch := newCanvasBatch(known, func(c *canvasState) *string { return lookUp(picked, c.Key) })
	return batch.applyAll(records), t.writeCanvases(batch)
}

func canvasScope(records []store.CanvasActionRecord) scope {
	s := newScope()
	for i := range records {
		s.canvases.add(records[i].Canvas)
		s.sessions.addOptional(records[i].Session)
		s.episodes.addOptional(records[i].Episode)
	}
	return s
}

// lockFoundSessions locks the sessions that known canvases are in, where the records do not name them:
// a canvas without an episode may get one of its session's.
func (t *transaction) lockFoundSessions(known *locked, records []store.CanvasActionRecord) error {
	named, found := canvasScope(records).sessions, newScope()
	for _, c := range known.canvases {
		if by := c.waitsFor(); by.Kind == linking.Session && !named.has(by.Key) {
			found.sessions.add(by.Key)
		}
	}
	if len(found.sessions) == 0 {
		return nil
	}
	_, err := t.lock(found)
	return err
}

// canvasBatch applies canvas actions to copies of canvases.
type canvasBatch struct {
	before   *locked
	canvases map[string]*canvasState
	pick     func(c *canvasState) *string // an episode of the canvas's session
}

func newCanvasBatch(before *locked, pick func(c *canvasState) *string) *canvasBatch {
	return &canvasBatch{before: before, canvases: map[string]*canvasState{}, pick: pick}
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
		hash = hashText(record.InputHash)
		if known, same := c.has(record); same {
			return store.Recorded{Key: record.Canvas}
		} else if known {
			return store.Recorded{Key: record.Canvas, Err: store.ErrConflict}
		}
	}
	if !c.Admits(record) {
		return store.Recorded{Key: record.Canvas, Err: store.ErrConflict}
	}
	c.add(record.Action, hash)
	switch by := c.Learn(record, c.EpisodeKey != nil); by.Kind {
	case memory.KindEpisode:
		c.EpisodeKey = b.before.leadTo(by)
	case linking.Session:
		c.EpisodeKey = b.pick(c)
	}
	return store.Recorded{Key: record.Canvas, Created: true}
}

// has says whether the canvas has an action of a record's id already, and whether that is the same.
func (c *canvasState) has(record *store.CanvasActionRecord) (known, same bool) {
	for i, a := range c.Actions {
		if a.ID == record.Action.ID || a.ID != "" && a.ID == record.Former.Action {
			known, same = true, same || sameInput(c.hashes[i], record.InputHash, &record.Former)
		}
	}
	return known, same
}

// canvas gives the copy of a canvas, which is empty for one that is not there yet.
func (b *canvasBatch) canvas(record *store.CanvasActionRecord) *canvasState {
	if c := b.canvases[record.Canvas]; c != nil {
		return c
	}
	c := &canvasState{Canvas: linking.Canvas{Canvas: memory.Canvas{Key: record.Canvas, CanvasType: record.CanvasType}}}
	if before := b.before.canvases[record.Canvas]; before != nil {
		copied := *before
		copied.Actions, copied.hashes = slices.Clone(before.Actions), slices.Clone(before.hashes)
		c = &copied
	}
	b.canvases[record.Canvas] = c
	return c
}

// add puts an action after those of its time and before.
func (c *canvasState) add(action memory.CanvasAction, hash string) {
	i := len(c.Actions)
	for i > 0 && c.Actions[i-1].At.After(action.At) {
		i--
	}
	c.Actions = slices.Insert(c.Actions, i, action)
	c.hashes = slices.Insert(c.hashes, i, hash)
}
