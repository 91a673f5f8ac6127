package linking

import (
	"time"

	"mneme/memory"
	"mneme/store"
)

// Canvas is a canvas and the episode that its actions name. Its EpisodeKey, of the one that it is linked to, is not
// looked at.
type Canvas struct {
	memory.Canvas
	Named *string
}

// Admit is *store.Differs where an action cannot be this canvas's, because it calls it something else.
func (c *Canvas) Admit(record *store.CanvasActionRecord) error {
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
func (c *Canvas) Learn(record *store.CanvasActionRecord) {
	for _, said := range []struct{ has, given **string }{
		{&c.ComponentType, &record.ComponentType}, {&c.SessionKey, &record.Session}, {&c.Named, &record.Episode}, {&c.UserID, &record.User},
	} {
		if *said.has == nil {
			*said.has = *said.given
		}
	}
}

// Moved says whether the canvas has another place in its session than before, which may move feedback.
func (c *Canvas) Moved(before *Canvas, was, is time.Time) bool {
	return c.SessionKey != nil && (before.SessionKey == nil || c.Named != before.Named || !is.Equal(was))
}

// Leads is what leads the canvas to its episode: the one that it names, else its session.
func (c *Canvas) Leads() PendingRef {
	switch {
	case c.Named != nil:
		return PendingRef{memory.KindEpisode, *c.Named}
	case c.SessionKey != nil:
		return PendingRef{Session, *c.SessionKey}
	}
	return PendingRef{}
}
