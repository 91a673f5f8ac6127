package linking

import (
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

// Leads is what leads the canvas to its episode: the one that it names, else its session.
func (c *CanvasState) Leads() PendingRef {
	switch {
	case c.Named != nil:
		return PendingRef{memory.KindEpisode, *c.Named}
	case c.SessionKey != nil:
		return PendingRef{Session, *c.SessionKey}
	}
	return PendingRef{}
}
