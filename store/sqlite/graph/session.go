package graph

import (
	"database/sql/driver"
	"time"

	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
)

// The links of a session, in the order of time; of episodes, and of canvases and feedback, each as its index has it.
const (
	ofSession    = ` FROM edges WHERE target = (SELECT id FROM nodes WHERE kind = 'session' AND key = :session) AND type = 'IN_SESSION'`
	episodesIn   = ofSession + ` AND source_ref >= 'episode:' AND source_ref < 'episode;'`
	reactionsIn  = ofSession + ` AND source_ref < 'feedback;' AND (source_ref < 'episode:' OR source_ref >= 'feedback:')`
	spanColumns  = `e.id, e.started_at, e.ended_at, e.created_at, e.concluded, e.concluded_later`
	lastStarted  = `SELECT source, source_ref` + episodesIn + ` AND at <= :at ORDER BY at DESC, source_ref DESC LIMIT :window`
	firstStarted = `SELECT source, source_ref` + episodesIn + ` AND at = (SELECT max(at)` + episodesIn + ` AND at <= :at) ORDER BY source_ref LIMIT 1`
	nextStarted  = `SELECT source, source_ref` + episodesIn + ` AND at > :at ORDER BY at, source_ref LIMIT 1`

	lastShown = `SELECT c.at FROM (SELECT source, at` + reactionsIn + ` AND at <= :at ORDER BY at DESC) c JOIN canvases v ON v.id = c.source
		WHERE v.named_episode IS NULL OR v.named_episode = n.key ORDER BY c.at DESC LIMIT 1`
	nearest = `SELECT n.key, ` + spanColumns + `, iif(e.started_at > :at, (` + lastShown + `), NULL) FROM (
			SELECT source FROM (` + lastStarted + `) CROSS JOIN episodes h ON h.id = source WHERE h.ended_at >= :at
			UNION SELECT source FROM (` + firstStarted + `)
			UNION SELECT source FROM (` + nextStarted + `)
		) o CROSS JOIN episodes e ON e.id = o.source JOIN nodes n ON n.id = e.id`
	neighbours = `SELECT (SELECT max(at)` + episodesIn + ` AND at < :at),
			(SELECT source` + episodesIn + ` AND at = :at ORDER BY source_ref LIMIT 1) <> :id, n.key, ` + spanColumns + `
		FROM (SELECT 1) LEFT JOIN episodes e ON e.id = (SELECT source FROM (` + nextStarted + `)) LEFT JOIN nodes n ON n.id = e.id`
	anyReaction      = `SELECT 1` + reactionsIn + ` AND at >= :since LIMIT 1`
	reactionsBetween = `SELECT r.source, n.kind, r.at, o.source FROM (SELECT source, source_ref, at` + reactionsIn + ` AND at >= :from AND at < :until) r
		JOIN nodes n ON n.id = r.source LEFT JOIN canvases v ON v.id = r.source LEFT JOIN feedback f ON f.id = r.source
		LEFT JOIN edges o ON o.target = r.source AND o.type = iif(v.id IS NULL, 'RECEIVED', 'PRESENTED')
		WHERE v.id IS NOT NULL AND v.named_episode IS NULL OR f.leads_by = 'session'
		ORDER BY r.at, r.source_ref LIMIT :most`
)

func spanOf(r *db.Row, key string) linking.Span {
	return linking.Span{
		Key: key, ID: r.Integer(), StartedAt: r.AnyTime(), EndedAt: r.OptionalTime(), CreatedAt: r.AnyTime(), Concluded: r.Bool(), Later: r.Bool(),
	}
}

// PickIn is the episode of a session that a rule picks for a record of a kind and time, 0 for none.
func PickIn(tx *db.Tx, rule func(memory.Kind, time.Time, []linking.Span) *linking.Span, session string, kind memory.Kind, at time.Time) int64 {
	var near []linking.Span
	tx.Each(nearest, func(r *db.Row) {
		e := spanOf(r, r.Text())
		e.Shown = r.OptionalTime()
		near = append(near, e)
	}, db.Arg("session", session), db.Arg("at", at), db.Arg("window", linking.Window))
	if picked := rule(kind, at, near); picked != nil {
		return picked.ID
	}
	return 0
}

// Redecide changes an episode, and where its start or its end becomes another gives it what of its session linking.Pick says is
// its own then, and others what that says is theirs.
func Redecide(tx *db.Tx, episode int64, change func()) {
	session, was := spanIn(tx, episode)
	if session == "" {
		change()
		return
	}
	before := neighboursOf(tx, session, &was)
	change()
	_, is := spanIn(tx, episode)
	for _, stretch := range linking.Changed(&was, &is, before, neighboursOf(tx, session, &is)) {
		decideAnew(tx, session, stretch)
	}
}

// spanIn reads an episode and its session, "" where it is in none.
func spanIn(tx *db.Tx, episode int64) (session string, e linking.Span) {
	const read = `SELECT s.key, n.key, ` + spanColumns + ` FROM episodes e JOIN nodes n ON n.id = e.id JOIN nodes s ON s.id = e.session WHERE e.id = :id`
	tx.One(read, func(r *db.Row) { session, e = r.Text(), spanOf(r, r.Text()) }, db.Arg("id", episode))
	return session, e
}

// decideAnew gives the episodes of a session what linking.Pick says is theirs of a stretch of its time: of the canvases and
// feedback that name a session only.
func decideAnew(tx *db.Tx, session string, s linking.Stretch) {
	if !s.From.Before(s.Until) {
		return
	}
	var records []Placed
	var owners []int64 // the episodes that they have, 0 for none
	tx.Each(reactionsBetween, func(r *db.Row) {
		records = append(records, Placed{Waiter: Waiter{Node: r.Integer(), Kind: memory.Kind(r.Text())}, At: r.AnyTime()})
		owners = append(owners, r.Integer())
	}, db.Arg("session", session), db.Arg("from", s.From), db.Arg("until", s.Until), db.Arg("most", linking.MostDecided))
	for i, r := range records {
		if episode := PickIn(tx, linking.Pick, session, r.Kind, r.At); episode != 0 && episode != owners[i] {
			AssignEpisode(tx, r.Waiter, episode)
		}
	}
}

// DecideShown decides anew on what may have come after a canvas and before an episode, where the canvas is first shown in a
// session at another time than it was.
func DecideShown(tx *db.Tx, session string, was, is time.Time) {
	stretch := linking.Stretch{From: is, Until: was}
	tx.One(`SELECT min(at)`+episodesIn+` AND at > :at`, func(r *db.Row) {
		if next := r.OptionalTime(); next != nil {
			stretch.Until = *next
		}
	}, db.Arg("session", session), db.Arg("at", was))
	decideAnew(tx, session, stretch)
}

// decidedBy is the stretch in which an episode that arrived decides anew; it is empty where nothing is in its reach.
func decidedBy(tx *db.Tx, session string, e *linking.Span) linking.Stretch {
	if !tx.Has(anyReaction, db.Arg("session", session), db.Arg("since", linking.Since(e.StartedAt))) {
		return linking.Stretch{}
	}
	return linking.Decided(e, neighboursOf(tx, session, e))
}

// neighboursOf are the episodes around the start of one that is there.
func neighboursOf(tx *db.Tx, session string, e *linking.Span) (n linking.Neighbours) {
	tx.One(neighbours, func(r *db.Row) {
		n.Before, n.Twin = r.OptionalTime(), r.Bool()
		if key := r.OptionalText(); key != nil {
			n.Next = new(spanOf(r, *key))
		}
	}, db.Arg("session", session), db.Arg("at", e.StartedAt), db.Arg("id", e.ID))
	return n
}

// Placed is a canvas or a feedback that names a session only, with its time.
type Placed struct {
	Waiter
	Session string
	At      time.Time
}

const waitingInSessions = `SELECT w.node, n.kind, w.key, coalesce(v.created_at, f.created_at)
	FROM waiting w
	JOIN nodes n ON n.id = w.node
	LEFT JOIN canvases v ON v.id = w.node
	LEFT JOIN feedback f ON f.id = w.node
	WHERE w.kind = 'session' AND (w.key, w.node) > (:session, :node)`

// InSessions are the canvases and feedback that wait for an episode of any session, or of the given one, and come after
// one of them: at most so many, by session.
func InSessions(tx *db.Tx, session *string, after Placed, most int) (found []Placed) {
	if !anyWaits(tx) {
		return nil
	}
	only, args := "", []driver.NamedValue{db.Arg("session", after.Session), db.Arg("node", after.Node), db.Arg("most", most)}
	if session != nil {
		only, args = ` AND w.key = :only`, append(args, db.Arg("only", *session))
	}
	tx.Each(waitingInSessions+only+` ORDER BY w.key, w.node LIMIT :most`, func(r *db.Row) {
		found = append(found, Placed{
			Waiter: Waiter{Node: r.Integer(), Kind: memory.Kind(r.Text())}, Session: r.Text(), At: r.AnyTime(),
		})
	}, args...)
	return found
}

// AssignEpisode gives an episode to a node that names a session only, or none where that is 0.
func AssignEpisode(tx *db.Tx, w Waiter, episode int64) {
	leaveSession(tx, w.Node)
	if w.Kind == memory.KindCanvas {
		MoveCanvas(tx, w.Node, episode)
	} else {
		MoveFeedback(tx, w.Node, episode)
	}
}
