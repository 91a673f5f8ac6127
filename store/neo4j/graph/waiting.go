package graph

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

var waiterLabels = []string{LabelEpisode, labelCanvas, LabelFeedback, labelObservation, labelCorrection}

// Waiter is a record that waits, or that names a session only.
type Waiter struct {
	Label, key string
	Awaited    linking.Awaited
	at         time.Time
	Episode    string // that it has by its session, "" for none
}

// ID tells a waiter from those of other kinds.
func (w Waiter) ID() string { return w.Label + " " + w.key }

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

func decodeWaiter(row *neo4j.Record) (Waiter, error) {
	f := bolt.FieldsOf(row.AsMap())
	return Waiter{
		Label: f.Text("label"), key: f.Text("key"), Awaited: linking.Awaited{Kind: memory.Kind(f.Text("kind")), Key: f.Text("awaited")}, at: f.Instant("at"),
		Episode: OrNone(f.OptionalText("episode")),
	}, f.Err
}

// LinkWaiters links waiters with the records that were found for them: an episode, or a canvas of those shown. One is
// found by its key, "" where none is. Annotations and mentions need nothing found: they wait for the record itself.
func LinkWaiters(t *bolt.Transaction, c *Changes, waiting []Waiter, found func(w Waiter) string, shown map[string]*CanvasState) error {
	c.linkArrived(waiting)
	canvases, feedback, onCanvas := map[string]placing{}, map[string]placing{}, map[string]string{}
	for _, w := range waiting {
		record := found(w)
		switch {
		case record == "":
			continue
		case w.Label == labelCanvas:
			canvases[w.key] = placing{record, w.Awaited.Kind == linking.Session}
		case w.Label == LabelFeedback && w.Awaited.Kind == memory.KindCanvas:
			onCanvas[w.key] = record
			c.putOnCanvas(w.key, record)
		case w.Label == LabelFeedback:
			feedback[w.key] = placing{record, w.Awaited.Kind == linking.Session}
		case w.Label == LabelEpisode && w.Awaited.Kind == memory.KindEpisode:
			c.LinkCause(w.key, record)
		case w.Awaited.Kind == linking.Informed:
			c.LinkInformed(w.key, record)
		}
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
			c.LinkFeedback(r.Reaction, canvas.EpisodeKey)
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
			c.LinkFeedback(r.Reaction, &found.episode)
		}
	}
	return nil
}

// aboutKinds are the kinds that a link from an annotation to what it is about leads from and to.
type aboutKinds struct{ Kind, Target memory.Kind }

// Label and TargetLabel are the labels of the two.
func (k aboutKinds) Label() string { return Labels[k.Kind] }

func (k aboutKinds) TargetLabel() string { return Labels[k.Target] }

// LinkAbout ties an annotation, which is an observation or a correction, to a record.
func (c *Changes) LinkAbout(annotation memory.Kind, key string, target memory.Kind, targetKey string) {
	kinds := aboutKinds{annotation, target}
	c.abouts[kinds] = append(c.abouts[kinds], cypher.Parameters{"key": key, "target": targetKey})
}

// applyAbouts writes those links, in one statement for each pair of kinds there is.
func (c *Changes) applyAbouts(t *bolt.Transaction) error {
	for _, kinds := range slices.SortedFunc(maps.Keys(c.abouts), func(a, b aboutKinds) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Target, b.Target))
	}) {
		if err := t.Run(cypher.Rendered("link_about", kinds), cypher.Parameters{
			"rows": c.abouts[kinds], "kind": string(AwaitedKey(kinds.Target, "").Kind),
		}, nil); err != nil {
			return err
		}
	}
	return nil
}

// linkArrived links what has been waiting for records that are there now: annotations on them, and episodes
// that mention them.
func (c *Changes) linkArrived(waiting []Waiter) {
	for _, w := range waiting {
		switch {
		case w.annotation() != "":
			c.LinkAbout(w.annotation(), w.key, KindOfAwaited(w.Awaited), w.Awaited.Key)
		case w.Label == LabelEpisode && w.Awaited.Kind == memory.KindConcept:
			c.Mention(w.key, w.Awaited.Key)
		default:
			continue // waits for something else of it
		}
		c.markArrived(w.Awaited)
	}
}

// annotation is the kind of a waiter that is an annotation, "" for others.
func (w Waiter) annotation() memory.Kind {
	switch w.Label {
	case labelObservation:
		return memory.KindObservation
	case labelCorrection:
		return memory.KindCorrection
	}
	return ""
}

// Arrivals are records that come into being, or are perhaps there already.
type Arrivals map[linking.Awaited]struct{}

// Add notes a record by its kind and key.
func (a Arrivals) Add(kind memory.Kind, key string) { a[AwaitedKey(kind, key)] = struct{}{} }

// AddOptional notes a record where there is one.
func (a Arrivals) AddOptional(kind memory.Kind, key *string) {
	if key != nil {
		a.Add(kind, *key)
	}
}

// Create runs a statement that creates records and tells, as the part waiting does, what has been waiting for
// those that arrive, and links that.
func Create(t *bolt.Transaction, c *Changes, creating cypher.Statement, values cypher.Parameters, arrived Arrivals) error {
	values["awaited"] = awaitedRows(maps.Keys(arrived))
	waiting, err := bolt.RowsOf(t, creating, values, decodeWaiter)
	c.linkArrived(waiting)
	return err
}
