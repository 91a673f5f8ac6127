package sqlite

import (
	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
)

// The links of a session, in the order of time; of episodes, and of canvases and feedback, each as its index has it.
const (
	ofSession  = ` FROM edges WHERE target = (SELECT id FROM nodes WHERE kind = 'session' AND key = :session) AND type = 'IN_SESSION'`
	episodesIn = ofSession + ` AND source_ref >= 'episode:' AND source_ref < 'episode;' AND (:users IS NULL OR EXISTS (
		SELECT 1 FROM episodes x WHERE x.id = source AND (x.user_id IS NULL OR x.user_id IN (SELECT value FROM json_each(:users)))))`
	reactionsIn  = ofSession + ` AND source_ref < 'feedback;' AND (source_ref < 'episode:' OR source_ref >= 'feedback:')`
	spanColumns  = `e.user_id, e.started_at, e.ended_at, e.created_at, e.concluded, e.concluded_later`
	lastStarted  = `SELECT source, source_ref` + episodesIn + ` AND at <= :at ORDER BY at DESC, source_ref DESC LIMIT :window`
	firstStarted = `SELECT source, source_ref` + episodesIn + ` AND at = (SELECT max(at)` + episodesIn + ` AND at <= :at) ORDER BY source_ref LIMIT 1`
	nextStarted  = `SELECT source, source_ref` + episodesIn + ` AND at > :at ORDER BY at, source_ref LIMIT 1`

	lastShown = `SELECT c.at FROM (SELECT source, at` + reactionsIn + ` AND at <= :at ORDER BY at DESC) c JOIN canvases v ON v.id = c.source
		WHERE (v.named_episode IS NULL OR v.named_episode = n.key) AND (:users IS NULL OR v.user_id IS NULL OR v.user_id IN (SELECT value FROM json_each(:users))) ORDER BY c.at DESC LIMIT 1`
	nearest = `SELECT n.key, ` + spanColumns + `, iif(e.started_at > :at, (` + lastShown + `), NULL) FROM (
			SELECT source FROM (` + lastStarted + `) CROSS JOIN episodes h ON h.id = source WHERE h.ended_at >= :at
			UNION SELECT source FROM (` + firstStarted + `)
			UNION SELECT source FROM (` + nextStarted + `)
		) o CROSS JOIN episodes e ON e.id = o.source JOIN nodes n ON n.id = e.id`
	neighbours       = `SELECT (SELECT max(at)` + episodesIn + ` AND at < :at), (SELECT min(at)` + episodesIn + ` AND at > :at)`
	anyReaction      = `SELECT 1` + reactionsIn + ` AND at >= :since LIMIT 1`
	reactionsBetween = `SELECT n.kind, n.key, r.at, k.key, coalesce(v.user_id, f.user_id, e.user_id) FROM (SELECT source, source_ref, at` + reactionsIn + ` AND at >= :from AND at < :until) r
		JOIN nodes n ON n.id = r.source LEFT JOIN canvases v ON v.id = r.source LEFT JOIN feedback f ON f.id = r.source
		LEFT JOIN edges o ON o.target = r.source AND o.type = iif(v.id IS NULL, 'RECEIVED', 'PRESENTED') LEFT JOIN nodes k ON k.id = o.source LEFT JOIN episodes e ON e.id = o.source
		WHERE v.id IS NOT NULL AND v.named_episode IS NULL OR f.leads_by = 'session'
		ORDER BY r.at, r.source_ref LIMIT :most`
)

func spanOf(r *db.Row, key string) linking.Span {
	return linking.Span{
		Key: key, User: linking.OrNone(r.OptionalText()), StartedAt: r.AnyTime(), EndedAt: r.OptionalTime(), CreatedAt: r.AnyTime(), Concluded: r.Bool(), Later: r.Bool(),
	}
}

// Near reads the episodes that records of sessions may belong to.
func (l *linker) Near(times map[string]linking.SessionTime) (map[string][]linking.Span, error) {
	near := map[string][]linking.Span{}
	for record, of := range times {
		l.Each(nearest, func(r *db.Row) {
			e := spanOf(r, r.Text())
			e.Shown = r.OptionalTime()
			near[record] = append(near[record], e)
		}, db.Arg("session", of.Session), db.Arg("at", of.At), db.Arg("window", linking.Window), db.List("users", of.Users))
	}
	return near, l.Err()
}

// Place reads an episode with what lies around it in its session, nil where it is in none.
func (l *linker) Place(key string) (*linking.Place, error) {
	const read = `SELECT s.key, n.key, ` + spanColumns + ` FROM episodes e JOIN nodes n ON n.id = e.id JOIN nodes s ON s.id = e.session WHERE e.id = :id`
	var place linking.Place
	episode := l.id(memory.KindEpisode, key)
	if !l.One(read, func(r *db.Row) { place.Session, place.Span = r.Text(), spanOf(r, r.Text()) }, db.Arg("id", episode)) {
		return nil, l.Err()
	}
	place.Around = neighboursOf(l.Tx, &place)
	return &place, l.Err()
}

// reactionsOf are the canvases and feedback that name a session only, of an interval of its time.
func (l *linker) reactionsOf(session string, s linking.Interval) (found []linking.Waiter) {
	l.Each(reactionsBetween, func(r *db.Row) {
		w := linking.Waiter{Kind: memory.Kind(r.Text()), Key: r.Text(), At: r.AnyTime(), Awaited: linking.PendingRef{Kind: linking.Session, Key: session}}
		w.Episode, w.User = linking.OrNone(r.OptionalText()), linking.OrNone(r.OptionalText())
		found = append(found, w)
	}, db.Arg("session", session), db.Arg("from", s.From), db.Arg("until", s.Until), db.Arg("most", linking.MaxDecided))
	return found
}

// shownAgain is what may have come after a canvas and before an episode, where the canvas is first shown in a session
// at another time than it was.
func (l *linker) shownAgain(c *linking.CanvasChange) linking.Interval {
	interval := linking.Interval{From: c.ShownAt, Until: *c.Was}
	l.One(`SELECT min(at)`+episodesIn+` AND at > :at`, func(r *db.Row) {
		if next := r.OptionalTime(); next != nil {
			interval.Until = *next
		}
	}, db.Arg("session", *c.SessionKey), db.Arg("at", *c.Was), db.List("users", linking.UsersFor(linking.OrNone(c.UserID))))
	return interval
}

// decidedBy is the interval that an arriving episode decides anew, by its key; none where nothing is in its reach.
func decidedBy(tx *db.Tx, e *memory.Episode) map[string]linking.Interval {
	if e.SessionKey == nil || !tx.Has(anyReaction, db.Arg("session", *e.SessionKey), db.Arg("since", linking.Since(e.StartedAt))) {
		return nil
	}
	place := linking.Place{Session: *e.SessionKey, Span: linking.SpanOf(e)}
	return map[string]linking.Interval{e.Key: linking.Decided(&place.Span, neighboursOf(tx, &place))}
}

// neighboursOf are the episodes around the start of one that is there.
func neighboursOf(tx *db.Tx, place *linking.Place) (n linking.Neighbours) {
	tx.One(neighbours, func(r *db.Row) {
		n.Before, n.Next = r.OptionalTime(), r.OptionalTime()
	}, db.Arg("session", place.Session), db.Arg("at", place.StartedAt), db.List("users", linking.UsersFor(place.User)))
	return n
}

// WaitingInSessions finds the canvases and feedback that wait for episodes of sessions.
func (l *linker) WaitingInSessions(session *string, after linking.Waiter) (found []linking.Waiter, err error) {
	const find = `SELECT n.kind, n.key, w.key, coalesce(v.created_at, f.created_at), coalesce(v.user_id, f.user_id) FROM waiting w JOIN nodes n ON n.id = w.node
		LEFT JOIN canvases v ON v.id = w.node LEFT JOIN feedback f ON f.id = w.node
		WHERE w.kind = 'session' AND (w.key, w.node) > (:session, :node) AND (:only IS NULL OR w.key = :only) ORDER BY w.key, w.node LIMIT :most`
	l.Each(find, func(r *db.Row) {
		w := linking.Waiter{Kind: memory.Kind(r.Text()), Key: r.Text(), Awaited: linking.PendingRef{Kind: linking.Session, Key: r.Text()}}
		w.At, w.User = r.AnyTime(), linking.OrNone(r.OptionalText())
		found = append(found, w)
	}, db.Arg("only", session), db.Arg("session", after.Awaited.Key), db.Arg("node", l.id(after.Kind, after.Key)), db.Arg("most", linking.LinkedTogether))
	return found, l.Err()
}
