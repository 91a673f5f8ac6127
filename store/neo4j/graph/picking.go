package graph

import (
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// SpanOf reads an episode of a session, as the part span gives it.
func SpanOf(f *bolt.Fields) linking.Span {
	return linking.Span{
		Key: f.Text("key"), User: linking.OrNone(f.OptionalText("user")), StartedAt: f.Instant("startedAt"), EndedAt: f.OptionalInstant("endedAt"),
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
	sessions, err := bolt.RowsOf(t.Transaction, cypher.Named("session_of"), cypher.Parameters{"key": episode}, bolt.Column[string]("session"))
	if err != nil || len(sessions) == 0 {
		return nil, err
	}
	wanted := linking.NewScope()
	wanted.Sessions.Add(sessions...)
	if _, err := t.Lock(wanted); err != nil {
		return nil, err
	}
	var place *linking.Place
	err = t.Run(cypher.Named("around_episode"), cypher.Parameters{"key": episode}, func(row *bolt.Fields) {
		place = &linking.Place{Session: sessions[0], Span: bolt.In(row, "span", SpanOf), Around: NeighboursOf(row)}
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
