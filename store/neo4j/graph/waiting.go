package graph

import (
	"iter"
	"maps"
	"time"

	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// Waiter is a record that waits, or that names a session only.
type Waiter struct {
	Kind    memory.Kind
	key     string
	Awaited linking.Awaited
	at      time.Time
	Episode string // that it has by its session, "" for none
}

// ID tells a waiter from those of other kinds.
func (w Waiter) ID() string { return Labels[w.Kind] + " " + w.key }

// link is the type of link to what it waits for, where it names that; else it is led to an episode.
func (w Waiter) link() string {
	switch w.Kind {
	case memory.KindObservation, memory.KindCorrection:
		return "ABOUT"
	case memory.KindEpisode:
		return map[memory.Kind]string{memory.KindConcept: "MENTIONS", memory.KindEpisode: "CAUSED_BY", linking.Informed: "INFORMED_BY"}[w.Awaited.Kind]
	case memory.KindFeedback:
		return map[memory.Kind]string{memory.KindCanvas: "ON"}[w.Awaited.Kind]
	}
	return ""
}

// WaitingFor finds what waits for the given.
func WaitingFor(t *bolt.Transaction, awaited iter.Seq[linking.Awaited]) ([]Waiter, error) {
	rows := awaitedRows(awaited)
	if len(rows) == 0 {
		return nil, nil
	}
	return bolt.RowsOf(t, cypher.Named("waiting"), cypher.Parameters{"awaited": rows}, decodeWaiter)
}

// InSessions finds the canvases and feedback that wait for an episode of any session, or of the given one, and come after
// one of them: at most so many, by session. Until the sessions are locked, some may cease to wait.
func InSessions(t *bolt.Transaction, session *string, after Waiter, most int) ([]Waiter, error) {
	return bolt.RowsOf(t, cypher.Named("waiting_in_sessions"), cypher.Parameters{
		"only": session, "session": after.Awaited.Key, "id": after.ID(), "most": most,
	}, decodeWaiter)
}

// Arriving finds what waits for records that arrived, and what names sessions only and came in the stretches.
func Arriving(t *bolt.Transaction, awaited iter.Seq[linking.Awaited], stretches map[string][]linking.Stretch) ([]Waiter, error) {
	rows := []cypher.Parameters{}
	for _, session := range SortedKeys(stretches) {
		for _, s := range linking.Join(stretches[session]) {
			rows = append(rows, cypher.Parameters{"session": session, "from": bolt.Instant(s.From), "until": bolt.Instant(s.Until)})
		}
	}
	return bolt.RowsOf(t, cypher.Named("arrivals"), cypher.Parameters{
		"awaited": awaitedRows(awaited), "stretches": rows, "most": linking.MostDecided,
	}, decodeWaiter)
}

var decodeWaiter = bolt.Decoded(func(f *bolt.Fields) Waiter {
	return Waiter{
		Kind: KindOf[f.Text("label")], key: f.Text("key"), Awaited: linking.Awaited{Kind: memory.Kind(f.Text("kind")), Key: f.Text("awaited")}, at: f.Instant("at"),
		Episode: OrNone(f.OptionalText("episode")),
	}
})

// LinkWaiters links waiters with what they wait for: those that name it, which is there, and those that it leads to an
// episode, "" where none is found. Feedback goes where the canvases shown are that it is on.
func LinkWaiters(t *bolt.Transaction, c *Changes, waiting []Waiter, found func(w Waiter) string, shown map[string]*CanvasState) error {
	canvases, feedback, onCanvas := map[string]placing{}, map[string]placing{}, map[string]string{}
	for _, w := range c.linkNamed(waiting, onCanvas) {
		episode := found(w)
		if episode == "" {
			continue
		}
		led := feedback
		if w.Kind == memory.KindCanvas {
			led = canvases
		}
		led[w.key] = placing{episode, w.Awaited.Kind == linking.Session}
		c.markArrived(w.Awaited)
	}
	if err := linkFound(t, c, canvases, feedback); err != nil {
		return err
	}
	reactions, err := LockFeedback(t, SortedKeys(onCanvas))
	if err != nil {
		return err
	}
	for key, r := range reactions {
		if canvas := shown[onCanvas[key]]; r.by == memory.KindCanvas && canvas != nil {
			c.LinkFeedback(r, canvas.EpisodeKey)
		}
	}
	return nil
}

// placing is an episode that was found for a record, by its session or by what it waited for.
type placing struct {
	episode   string
	bySession bool
}

// linkFound gives canvases and feedback the episodes found for them, once they are locked and still have none, or one by
// their session, and takes the feedback on the canvases along.
func linkFound(t *bolt.Transaction, c *Changes, canvases, feedback map[string]placing) error {
	wanted := NewScope()
	wanted.Canvases.Add(SortedKeys(canvases)...)
	known := &Locked{}
	if len(canvases) > 0 {
		var err error
		if known, err = Lock(t, wanted); err != nil {
			return err
		}
	}
	after := map[string]*CanvasState{}
	for key, before := range known.Canvases {
		found := canvases[key]
		if found.bySession && before.Named != nil || !found.bySession && before.EpisodeKey != nil {
			continue // it was told another since we read of it
		}
		linked := *before
		linked.EpisodeKey = &found.episode
		c.Moves.Canvas(OrNone(before.EpisodeKey), len(linked.Actions), found.episode, len(linked.Actions))
		if c.RelinkCanvas(before, &linked) {
			after[key] = &linked
		}
	}
	if err := Follow(t, c, SortedKeys(after), after); err != nil {
		return err
	}
	reactions, err := LockFeedback(t, SortedKeys(feedback))
	if err != nil {
		return err
	}
	for key, r := range reactions {
		if found := feedback[key]; found.bySession || r.Episode == nil {
			c.LinkFeedback(r, &found.episode)
		}
	}
	return nil
}

// linkNamed links those that name what they wait for, notes the feedback on canvases, and gives the others.
func (c *Changes) linkNamed(waiting []Waiter, onCanvas map[string]string) (led []Waiter) {
	for _, w := range waiting {
		link := w.link()
		if link == "" {
			led = append(led, w)
			continue
		}
		if w.Kind == memory.KindFeedback {
			onCanvas[w.key] = w.Awaited.Key
		}
		c.Link(w.Kind, w.key, link, w.Awaited)
		c.markArrived(w.Awaited)
	}
	return led
}

// LinkArrived links what has been waiting for records that arrive: those that name them, and with canvases the feedback on them.
func (c *Changes) LinkArrived(t *bolt.Transaction, shown map[string]*CanvasState) error {
	waiting, err := WaitingFor(t, maps.Keys(c.created))
	if err != nil {
		return err
	}
	return LinkWaiters(t, c, waiting, func(Waiter) string { return "" }, shown)
}

// Create runs a statement that creates records, links what it tells, as the part waiting does, to have been waiting for those
// that arrive, and applies the changes.
func (c *Changes) Create(t *bolt.Transaction, creating cypher.Statement, values cypher.Parameters) error {
	values["awaited"] = awaitedRows(maps.Keys(c.created))
	waiting, err := bolt.RowsOf(t, creating, values, decodeWaiter)
	if err != nil {
		return err
	}
	c.linkNamed(waiting, map[string]string{})
	return c.Apply(t)
}
