package neo4j

import (
	"context"
	"maps"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

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

// writeCanvases writes the canvases of a batch that changed, with their links and the feedback on them.
func (t *transaction) writeCanvases(b *canvasBatch) error {
	var rows []parameters
	var moved, appeared, joined []string
	c := newChanges()
	for key, after := range b.canvases {
		before := b.before.canvases[key]
		if before == nil {
			appeared = append(appeared, key)
			before = &canvasState{}
		}
		if len(after.Actions) == len(before.Actions) {
			continue // nothing was added
		}
		row := parameters{"key": key, "properties": after.properties()}
		if before.SessionKey == nil {
			row["joins"] = after.SessionKey
			if after.SessionKey != nil {
				joined = append(joined, *after.SessionKey)
			}
		}
		rows = append(rows, row)
		c.moves.Canvas(orNone(before.EpisodeKey), len(before.Actions), orNone(after.EpisodeKey), len(after.Actions))
		if c.relinkCanvas(before, after) {
			moved = append(moved, key)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	if err := t.run(named("write_canvases"), parameters{"rows": rows}, nil); err != nil {
		return err
	}
	if err := t.arrive(c, appeared, joined, b.canvases); err != nil {
		return err
	}
	if err := t.follow(c, moved, b.canvases); err != nil {
		return err
	}
	return c.apply(t)
}

// relinkCanvas notes how a canvas's link or wait changes, and says whether its link does.
func (c *changes) relinkCanvas(before, after *canvasState) bool {
	wait, waited := after.waitsFor(), before.waitsFor()
	moves := !equal(before.EpisodeKey, after.EpisodeKey)
	if !moves && wait == waited {
		return false
	}
	c.canvases = append(c.canvases, parameters{"key": after.Key, "episode": after.EpisodeKey})
	if waited != (linking.Awaited{}) {
		c.markArrived(waited)
	}
	if wait != (linking.Awaited{}) {
		c.wait(labelCanvas, after.Key, wait)
	}
	return moves
}

// waitsFor is what a canvas without an episode waits for; the zero value where it has one, or
// neither names one nor is in a session.
func (c *canvasState) waitsFor() linking.Awaited {
	if c.EpisodeKey != nil {
		return linking.Awaited{}
	}
	return c.Leads()
}

// arrive ties feedback that has been waiting to the canvases that appeared, and what is said about
// those, or about the sessions that canvases joined, to them.
func (t *transaction) arrive(c *changes, appeared, joined []string, canvases map[string]*canvasState) error {
	arrived := arrivals{}
	for _, key := range appeared {
		arrived.add(memory.KindCanvas, key)
	}
	for _, key := range joined {
		arrived.add(memory.KindSession, key)
	}
	waiting, err := t.waitingFor(maps.Keys(arrived))
	if err != nil {
		return err
	}
	return t.linkWaiters(c, waiting, func(w waiter) string {
		if w.label == labelFeedback {
			return w.awaited.Key
		}
		return ""
	}, canvases)
}

// follow takes feedback along with the canvases that moved.
func (t *transaction) follow(c *changes, moved []string, canvases map[string]*canvasState) error {
	if len(moved) == 0 {
		return nil
	}
	return t.run(named("followers"), parameters{"canvases": moved}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		r := f.reaction()
		canvas := f.text("canvas")
		if f.err == nil {
			c.linkFeedback(r, canvases[canvas].EpisodeKey)
		}
		return f.err
	})
}

func (f *fields) reaction() reaction {
	return reaction{key: f.text("key"), episode: f.optionalText("episode"), score: f.sum("score")}
}

// placedReaction is a reaction with the kind of what leads it to its episode.
type placedReaction struct {
	reaction
	by memory.Kind
}

// reactions locks feedback and reads its links, by key.
func (t *transaction) reactions(keys []string) (map[string]placedReaction, error) {
	found, wanted := map[string]placedReaction{}, setOf(keys...).sorted()
	if len(wanted) == 0 {
		return found, nil
	}
	err := t.run(named("feedback_links"), parameters{"keys": wanted}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		r := placedReaction{reaction: f.reaction(), by: memory.Kind(f.text("way"))}
		found[r.key] = r
		return f.err
	})
	if err == nil && len(found) != len(wanted) {
		return nil, &raced{cause: errGone} // some went with its episode after we read of it
	}
	return found, err
}
