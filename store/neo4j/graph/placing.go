package graph

import (
	"slices"

	"mneme/memory"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// Followers is the feedback that goes where its canvas goes, of some canvases.
func (t Links) Followers(canvases []string) ([]linking.FeedbackLink, error) {
	return bolt.RowsOf(t.Transaction, cypher.Named("followers"), cypher.Parameters{"canvases": canvases}, feedbackLinkOf)
}

// feedbackLinkOf reads what the links of a feedback depend on.
func feedbackLinkOf(f *bolt.Fields) linking.FeedbackLink {
	return linking.FeedbackLink{
		Key: f.Text("key"), Canvas: memory.OrZero(f.OptionalText("canvas")), User: memory.OrZero(f.OptionalText("user")), Episode: f.OptionalText("episode"),
		Score: f.Sum("score"), Ended: bolt.Required[bool](f, "ended"), By: memory.Kind(f.Text("way")),
	}
}

// FeedbackLinks locks feedback and reads its links.
func (t Links) FeedbackLinks(keys []string) ([]linking.FeedbackLink, error) {
	found, err := bolt.RowsOf(t.Transaction, cypher.Named("feedback_links"), cypher.Parameters{"keys": keys}, feedbackLinkOf)
	if err == nil && len(found) != len(keys) {
		return nil, &bolt.Raced{Cause: ErrGone} // some went with its episode after we read of it
	}
	return found, err
}

// CanvasProperties are what a canvas's node holds, but for its link to an episode.
func CanvasProperties(c *linking.CanvasChange) cypher.Parameters {
	actions := slices.Concat(c.Actions, c.Added)
	slices.SortStableFunc(actions, func(a, b memory.CanvasAction) int { return a.At.Compare(b.At) })
	return bolt.Encode(cypher.Parameters{
		"session": c.SessionKey, "named": c.Named, "createdAt": bolt.Instant(c.ShownAt),
		"actionHashes": memory.Mapped(actions, func(a memory.CanvasAction) string { return HashText(c.Hashes[a.ID]) }),
	}, fields.Canvas(&c.Canvas).Own(), fields.CanvasActions(&actions))
}

// CanvasOf reads a canvas.
func CanvasOf(f *bolt.Fields) *memory.Canvas {
	c := &memory.Canvas{}
	f.Scan(fields.Canvas(c), fields.CanvasActions(&c.Actions))
	return c
}

// CanvasStateOf reads a canvas with what the store keeps beside it.
func CanvasStateOf(f *bolt.Fields) *linking.CanvasState {
	c := &linking.CanvasState{Canvas: *CanvasOf(f), Named: f.OptionalText("named"), Hashes: map[string][]byte{}}
	c.Count, c.Bytes, c.ShownAt = len(c.Actions), c.Shown(), c.CreatedAt()
	for i, hash := range bolt.Parallel[string](f, "actionHashes", len(c.Actions)) {
		if id := c.Actions[i].ID; id != "" {
			c.Hashes[id] = HashOf(hash)
		}
	}
	return c
}

// SpanOf reads an episode of a session, as the part span gives it.
func SpanOf(f *bolt.Fields) linking.Span {
	return linking.Span{
		Key: f.Text("key"), User: memory.OrZero(f.OptionalText("user")), StartedAt: f.Instant("startedAt"), EndedAt: f.OptionalInstant("endedAt"),
		CreatedAt: f.Instant("createdAt"), Concluded: bolt.Required[bool](f, "concluded"),
		Later: f.Node.Props["concludedLater"] == true, Shown: f.OptionalInstant("shown"),
	}
}

// NeighboursOf reads what lies around an episode of a session, as the part around gives it.
func NeighboursOf(f *bolt.Fields) linking.Neighbours {
	return linking.Neighbours{Before: f.OptionalInstant("before"), Next: f.OptionalInstant("next")}
}

// Place locks the session of an episode, as all linking in it does, and tells where it is there; nil where in none.
func (t Links) Place(episode string) (*linking.Place, error) {
	session, err := bolt.FirstOf(t.Transaction, cypher.Named("session_of"), cypher.Parameters{"key": episode}, bolt.Column[string]("session"))
	if err != nil || session == "" {
		return nil, err
	}
	wanted := linking.NewScope()
	wanted.Sessions.Add(session)
	if _, err := t.Lock(wanted); err != nil {
		return nil, err
	}
	var place *linking.Place
	err = t.Run(cypher.Named("around_episode"), cypher.Parameters{"key": episode}, func(row *bolt.Fields) {
		place = &linking.Place{Session: session, Span: bolt.In(row, "span", SpanOf), Around: NeighboursOf(row)}
	})
	return place, err
}

// Near are the episodes of sessions that records may belong to.
func (t Links) Near(times map[string]linking.SessionTime) (map[string][]linking.Span, error) {
	near, rows := map[string][]linking.Span{}, make([]cypher.Parameters, 0, len(times))
	for record, time := range times {
		row := cypher.Parameters{"record": record, "session": time.Session, "at": bolt.Instant(time.At), "users": nil}
		if time.Users != nil { // the driver makes a list of none
			row["users"] = time.Users
		}
		rows = append(rows, row)
	}
	return near, t.Run(cypher.Named("near"), cypher.Parameters{"times": rows, "window": linking.Window}, func(row *bolt.Fields) {
		near[row.Text("record")] = bolt.All(row, "episodes", SpanOf)
	})
}
