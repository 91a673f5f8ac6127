package linking

import (
	"mneme/memory"
)

// Changes are what a write does to links, so that a store applies each kind of change at once.
type Changes struct {
	// Canvases and Feedback get the episodes, or none.
	Canvases, Feedback []Assignment
	Links              map[LinkShape][]Link
	Waits              []Wait
	// Moves are of what episodes count.
	Moves Moves
	// Arrived is what is perhaps not waited for any more.
	Arrived map[PendingRef]struct{}
	created map[PendingRef]struct{} // what comes into being, or is perhaps there already
}

// Assignment gives a canvas or a feedback an episode, none for nil.
type Assignment struct {
	Key     string
	Episode *string
	Had     bool // one before
}

// LinkShape is a type of links by which records name others, and what waits for those.
type LinkShape struct {
	Type    string
	Kind    memory.Kind // of the record that names
	Awaited memory.Kind
}

// Target is the kind of what is named.
func (s LinkShape) Target() memory.Kind { return PendingRef{Kind: s.Awaited}.Of() }

// Link ties a record to another.
type Link struct{ Key, Target string }

// Wait lets a record wait.
type Wait struct {
	Kind memory.Kind
	Key  string
	For  PendingRef
}

// NewChanges is a collection without any change.
func NewChanges() *Changes {
	return &Changes{Moves: Moves{}, Links: map[LinkShape][]Link{}, Arrived: map[PendingRef]struct{}{}, created: map[PendingRef]struct{}{}}
}

// Arrive notes a record that comes into being, or is perhaps there already.
func (c *Changes) Arrive(kind memory.Kind, key string) { c.created[RecordRef(kind, key)] = struct{}{} }

// ArriveOptional notes a record where there is one.
func (c *Changes) ArriveOptional(kind memory.Kind, key *string) {
	if key != nil {
		c.Arrive(kind, *key)
	}
}

// Created are those that were noted.
func (c *Changes) Created() []PendingRef { return sortedRefs(c.created) }

// Link ties a record to one that it names and that is there.
func (c *Changes) Link(kind memory.Kind, key, link string, to PendingRef) {
	shape := LinkShape{link, kind, to.Kind}
	c.Links[shape] = append(c.Links[shape], Link{key, to.Key})
}

// Wait lets a record wait.
func (c *Changes) Wait(kind memory.Kind, key string, a PendingRef) {
	c.Waits = append(c.Waits, Wait{kind, key, a})
}

// LinkOrWait ties a record to one that it names where that is there, and else lets it wait.
func (c *Changes) LinkOrWait(kind memory.Kind, key, link string, to PendingRef, there bool) {
	if there {
		c.Link(kind, key, link, to)
	} else {
		c.Wait(kind, key, to)
	}
}

// LinkFeedback gives a feedback its episode, or none, and moves its score.
func (c *Changes) LinkFeedback(f FeedbackLink, to *string) {
	if same(f.Episode, to) {
		return
	}
	c.Feedback = append(c.Feedback, Assignment{f.Key, to, f.Episode != nil})
	if !f.Ended {
		c.Moves.Feedback(memory.OrZero(f.Episode), memory.OrZero(to), f.Score)
	}
}

// placeFeedback links new feedback to the episode that was found for it, else by what it names first, or lets it wait.
func (c *Changes) placeFeedback(f *memory.Feedback, known *Known, found map[string]*string) {
	by := Feedback(f)
	episode := found[f.Key]
	if episode == nil {
		episode = known.EpisodeFor(by, f.UserID)
	}
	switch {
	case episode != nil:
		c.LinkFeedback(FeedbackLink{Key: f.Key, Score: f.Score, Ended: f.ReplacedAt != nil}, episode)
	case by.Waits():
		c.Wait(memory.KindFeedback, f.Key, by)
	}
	if f.CanvasKey != nil {
		canvas := PendingRef{memory.KindCanvas, *f.CanvasKey}
		on := known.Canvases[canvas.Key]
		c.LinkOrWait(memory.KindFeedback, f.Key, "ON", canvas, on != nil && Fits(memory.OrZero(f.UserID), memory.OrZero(on.UserID)))
	}
}

// relinkCanvas notes how a canvas's link or wait changes, and says whether its link does.
func (c *Changes) relinkCanvas(before, after *CanvasState) bool {
	wait, waited := after.waitsFor(), before.waitsFor()
	moves := !same(before.EpisodeKey, after.EpisodeKey)
	if !moves && wait == waited {
		return false
	}
	c.Canvases = append(c.Canvases, Assignment{after.Key, after.EpisodeKey, before.EpisodeKey != nil})
	if waited != (PendingRef{}) {
		c.Arrived[waited] = struct{}{}
	}
	if wait != (PendingRef{}) {
		c.Wait(memory.KindCanvas, after.Key, wait)
	}
	return moves
}

// follow takes feedback along with the canvases that moved.
func (c *Changes) follow(tx Tx, canvases map[string]*CanvasState) error {
	if len(canvases) == 0 {
		return nil
	}
	reactions, err := tx.Followers(sortedKeys(canvases))
	for _, r := range reactions {
		c.LinkFeedback(r, canvases[r.Canvas].episodeFor(r.User))
	}
	return err
}
