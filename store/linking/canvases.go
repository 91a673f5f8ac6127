package linking

import (
	"cmp"
	"fmt"
	"maps"
	"time"

	"mneme/memory"
	"mneme/store"
)

// CanvasState is a canvas as far as its links and bounds go. Its Actions are not read.
type CanvasState struct {
	memory.Canvas
	Named       *string           // the episode that its actions name
	ShownAt     time.Time         // of its first action
	Count       int               // of its actions
	Bytes       int               // of their metadata
	Hashes      map[string][]byte // of the inputs of its actions, by their ids
	EpisodeUser string            // the user of its episode, "" for nobody
}

// Admit is *store.Differs where an action cannot be this canvas's, because it calls it something else.
func (c *CanvasState) Admit(record *store.CanvasActionRecord) error {
	for _, fact := range []struct {
		field      string
		has, given *string
	}{
		{"canvasType", &c.CanvasType, &record.CanvasType}, {"componentType", c.ComponentType, record.ComponentType},
		{"episodeId", c.Named, record.Episode}, {"sessionId", c.SessionKey, record.Session},
		{"userId", c.UserID, record.User},
	} {
		if fact.has != nil && fact.given != nil && *fact.has != *fact.given {
			return &store.Differs{Field: fact.field, Has: *fact.has}
		}
	}
	return nil
}

// Learn takes over what an action says of the canvas that it did not say of itself so far.
func (c *CanvasState) Learn(record *store.CanvasActionRecord) {
	for _, said := range []struct{ has, given **string }{
		{&c.ComponentType, &record.ComponentType}, {&c.SessionKey, &record.Session}, {&c.Named, &record.Episode}, {&c.UserID, &record.User},
	} {
		if *said.has == nil {
			*said.has = *said.given
		}
	}
}

// EpisodeRef is by what the canvas finds its episode: the one that it names, else its session.
func (c *CanvasState) EpisodeRef() PendingRef {
	switch {
	case c.Named != nil:
		return PendingRef{memory.KindEpisode, *c.Named}
	case c.SessionKey != nil:
		return PendingRef{Session, *c.SessionKey}
	}
	return PendingRef{}
}

// episodeFor is the episode to which what a user says of the canvas belongs.
func (c *CanvasState) episodeFor(user string) *string {
	if !Fits(user, c.EpisodeUser) {
		return nil
	}
	return c.EpisodeKey
}

// waitsFor is what a canvas without an episode waits for; the zero value where it has one, or neither names one nor is
// in a session.
func (c *CanvasState) waitsFor() PendingRef {
	if c.EpisodeKey != nil {
		return PendingRef{}
	}
	return c.EpisodeRef()
}

// CanvasChange is what a write does to a canvas.
type CanvasChange struct {
	*CanvasState
	Added     []memory.CanvasAction
	New       bool
	Joins     *string    // the session that it was not in before
	Was       *time.Time // when it was first shown, where feedback of its session may now belong to another episode
	ByUserKey bool       // as of store.CanvasActionRecord
	last      *CanvasState
}

// AsBefore says whether the canvas says of itself what it said before.
func (c *CanvasChange) AsBefore() bool {
	last := c.last
	return same(c.ComponentType, last.ComponentType) && same(c.Named, last.Named) && same(c.UserID, last.UserID) && c.ShownAt.Equal(last.ShownAt)
}

// canvases are those that a batch changes.
type canvases struct {
	known   *Known
	changes map[string]*CanvasChange
}

// RecordCanvasActions adds actions to canvases and links them; see store.CanvasActionRecord.
func RecordCanvasActions(tx Tx, records []store.CanvasActionRecord) ([]store.Recorded, error) {
	scope := NewScope()
	for _, record := range records {
		scope.Canvases.Add(record.Canvas)
		if id := record.Action.ID; id != "" {
			scope.Actions[record.Canvas] = append(scope.Actions[record.Canvas], id)
		}
		scope.Sessions.AddOptional(record.Session)
		scope.Episodes.AddOptional(record.Episode)
	}
	known, err := tx.Lock(scope)
	if err != nil {
		return nil, err
	}
	batch := canvases{known, map[string]*CanvasChange{}}
	recorded := make([]store.Recorded, len(records))
	for i := range records {
		created, err := batch.add(&records[i])
		recorded[i] = store.Recorded{Key: records[i].Canvas, Created: created, Err: err}
	}
	maps.DeleteFunc(batch.changes, func(_ string, c *CanvasChange) bool { return len(c.Added) == 0 })
	if err := batch.place(tx, scope.Sessions); err != nil {
		return nil, err
	}
	return recorded, batch.write(tx)
}

// add adds one action, or says why not.
func (b *canvases) add(record *store.CanvasActionRecord) (added bool, err error) {
	c := b.change(record.Canvas, record.CanvasType)
	if record.ByUserKey && c.Count > 0 && cmp.Or(memory.OrZero(c.UserID), c.EpisodeUser) != memory.OrZero(record.User) {
		return false, &store.Differs{Field: "canvasId"}
	}
	if hash, known := c.Hashes[record.Action.ID]; known && record.Action.ID != "" {
		if string(hash) != string(record.InputHash) {
			return false, &store.Differs{Field: "id"}
		}
		return false, nil
	}
	if err := c.Admit(record); err != nil {
		return false, err
	}
	if err := record.Action.Fits(c.Count, c.Bytes); err != nil {
		return false, err
	}
	c.Learn(record)
	c.ByUserKey = c.ByUserKey || record.ByUserKey
	c.append(record.Action, record.InputHash)
	return true, nil
}

func (c *CanvasChange) append(action memory.CanvasAction, hash []byte) {
	if c.Count == 0 || action.At.Before(c.ShownAt) {
		c.ShownAt = action.At
	}
	c.Added = append(c.Added, action)
	c.Count, c.Bytes = c.Count+1, c.Bytes+len(action.Metadata)
	if action.ID != "" {
		c.Hashes[action.ID] = hash
	}
}

// change gives what is done to a canvas, nothing so far; one that is not there yet is empty.
func (b *canvases) change(key, canvasType string) *CanvasChange {
	if c := b.changes[key]; c != nil {
		return c
	}
	last := b.known.Canvases[key]
	c := &CanvasChange{New: last == nil, last: last}
	if c.New {
		c.last = &CanvasState{Canvas: memory.Canvas{Key: key, CanvasType: canvasType}, Hashes: map[string][]byte{}}
	}
	c.CanvasState = new(*c.last)
	b.changes[key] = c
	return c
}

// isOthers says whether its episode is another's, as it was nobody's when it got that.
func (c *CanvasChange) isOthers() bool { return !Fits(memory.OrZero(c.UserID), c.EpisodeUser) }

// earlier says whether its time may give it another episode than it has, if any.
func (c *CanvasChange) earlier() bool {
	return c.EpisodeKey == nil || c.isOthers() || c.ShownAt.Before(c.last.ShownAt)
}

// place gives canvases their episodes: those that they name now, or that their session gives to when they were first
// shown. What is linked by its time stays unless it was shown earlier. locked are the sessions that are.
func (b *canvases) place(tx Tx, locked KeySet) error {
	times, more := map[string]SessionTime{}, NewScope()
	for key, c := range b.changes {
		by, last := c.EpisodeRef(), c.last
		c.noteMoved()
		earlier := c.earlier()
		switch {
		case by.Kind == memory.KindEpisode && (c.isOthers() || !same(c.Named, last.Named)):
			c.EpisodeKey = b.known.EpisodeFor(by, c.UserID)
			c.EpisodeUser = b.known.Users[memory.OrZero(c.EpisodeKey)]
		case by.Kind == Session && earlier:
			times[key] = SessionTime{Session: by.Key, Kind: memory.KindCanvas, At: c.ShownAt, Users: UsersFor(memory.OrZero(c.UserID))}
		case !earlier:
			continue
		}
		if c.SessionKey != nil && !locked.Has(*c.SessionKey) {
			more.Sessions.Add(*c.SessionKey)
		}
	}
	if len(more.Sessions) > 0 {
		if _, err := tx.Lock(more); err != nil {
			return err
		}
	}
	picked, err := pickAll(tx, times, Pick)
	for key := range times {
		c := b.changes[key]
		c.EpisodeKey, c.EpisodeUser = nil, ""
		if episode := picked[key]; episode != nil {
			c.EpisodeKey, c.EpisodeUser = &episode.Key, episode.User
		}
	}
	return err
}

// write writes the canvases that changed, with their links and the feedback on them.
func (b *canvases) write(tx Tx) error {
	if len(b.changes) == 0 {
		return nil
	}
	var changed []*CanvasChange
	c, moved, targets := NewChanges(), map[string]*CanvasState{}, map[PendingRef]Target{}
	for _, key := range sortedKeys(b.changes) {
		change := b.changes[key]
		changed = append(changed, change)
		after, last := change.CanvasState, change.last
		if change.New {
			c.Arrive(memory.KindCanvas, key)
			targets[RecordRef(memory.KindCanvas, key)] = Target{key, memory.OrZero(after.UserID), change.ByUserKey, after}
		}
		if last.SessionKey == nil {
			change.Joins = after.SessionKey
			c.ArriveOptional(memory.KindSession, after.SessionKey)
		}
		c.Moves.Canvas(memory.OrZero(last.EpisodeKey), last.Count, memory.OrZero(after.EpisodeKey), after.Count)
		if c.relinkCanvas(last, after) {
			moved[key] = after
		}
	}
	intervals, err := tx.WriteCanvases(changed)
	if err != nil {
		return err
	}
	waiting, err := tx.Waiting(c.Created(), nil)
	if err != nil {
		return err
	}
	if err := c.linkWaiters(tx, waiting, targets, nil); err != nil {
		return err
	}
	if err := c.follow(tx, moved); err != nil {
		return err
	}
	if err := tx.Apply(c); err != nil || len(intervals) == 0 {
		return err
	}
	return Arrived(tx, nil, intervals, nil)
}

// RestoreCanvases writes canvases as they were linked, or lets them wait again.
func RestoreCanvases(tx Tx, items []*store.CanvasItem) ([]store.Recorded, error) {
	scope := NewScope()
	for _, item := range items {
		scope.Canvases.Add(item.Key)
		scope.Sessions.AddOptional(item.SessionKey)
		scope.Episodes.AddOptional(item.EpisodeKey)
		scope.Episodes.AddOptional(item.Named)
	}
	known, err := tx.Lock(scope)
	if err != nil {
		return nil, err
	}
	batch := canvases{known, map[string]*CanvasChange{}}
	recorded := make([]store.Recorded, len(items))
	for i, item := range items {
		switch {
		case known.Canvases[item.Key] != nil || batch.changes[item.Key] != nil:
		case len(item.Actions) == 0 || len(item.Hashes) != len(item.Actions):
			recorded[i].Err = fmt.Errorf("%w: a canvas has actions, and a hash for each", store.ErrInvalid)
		default:
			batch.restore(item)
			recorded[i].Created = true
		}
	}
	return recorded, batch.write(tx)
}

// restore makes a canvas with the episode that it was linked to, else the one that it names, of those that are there.
func (b *canvases) restore(item *store.CanvasItem) {
	c := b.change(item.Key, item.CanvasType)
	c.Canvas, c.Named = item.Canvas, item.Named
	c.Actions, c.EpisodeKey = nil, nil
	for _, episode := range []*string{item.Named, item.EpisodeKey} {
		if episode != nil && b.known.Episodes.Has(*episode) {
			c.EpisodeKey, c.EpisodeUser = episode, b.known.Users[*episode]
		}
	}
	for i, action := range item.Actions {
		c.append(action, item.Hashes[i])
	}
}

// noteMoved notes when a canvas of a session was first shown, where that may change what feedback of it belongs to.
func (c *CanvasChange) noteMoved() {
	was := c.last.ShownAt
	if c.New {
		was = c.ShownAt
	}
	if c.SessionKey != nil && (c.last.SessionKey == nil || c.Named != c.last.Named || !c.ShownAt.Equal(was)) {
		c.Was = &was
	}
}
