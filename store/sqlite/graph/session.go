package graph

import (
	"cmp"
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

// near reads the episodes of a session that linking.Pick chooses from for a time.
func near(c *db.Conn, session string, at time.Time) (episodes []linking.Span, err error) {
	return episodes, c.Query(nearest, func(r *db.Row) error {
		e := spanOf(r, r.Text())
		e.Shown = r.OptionalTime()
		episodes = append(episodes, e)
		return nil
	}, db.Arg("session", session), db.Arg("at", at), db.Arg("window", linking.Window))
}

func spanOf(r *db.Row, key string) linking.Span {
	return linking.Span{
		Key: key, ID: r.Integer(), StartedAt: r.AnyTime(), EndedAt: r.OptionalTime(), CreatedAt: r.AnyTime(), Concluded: r.Bool(), Later: r.Bool(),
	}
}

// PickIn is the episode of a session that a rule picks for a record of a kind and time, 0 for none.
func PickIn(
	c *db.Conn, rule func(memory.Kind, time.Time, []linking.Span) *linking.Span, session string, kind memory.Kind, at time.Time,
) (int64, error) {
	near, err := near(c, session, at)
	if picked := rule(kind, at, near); picked != nil {
		return picked.ID, err
	}
	return 0, err
}

// Redecide changes an episode, and where its start or its end becomes another gives it what of its session linking.Pick says is
// its own then, and others what that says is theirs.
func Redecide(c *db.Conn, episode int64, change func() error) error {
	session, was, err := spanIn(c, episode)
	if err != nil || session == "" {
		return cmp.Or(err, change())
	}
	before, err := neighboursOf(c, session, &was)
	if err == nil {
		err = change()
	}
	if err != nil {
		return err
	}
	_, is, err := spanIn(c, episode)
	if err != nil {
		return err
	}
	after, err := neighboursOf(c, session, &is)
	if err != nil {
		return err
	}
	for _, stretch := range linking.Changed(&was, &is, before, after) {
		if err := decideAnew(c, session, stretch); err != nil {
			return err
		}
	}
	return nil
}

// spanIn reads an episode and its session, "" where it is in none.
func spanIn(c *db.Conn, episode int64) (session string, e linking.Span, err error) {
	const read = `SELECT s.key, n.key, ` + spanColumns + ` FROM episodes e JOIN nodes n ON n.id = e.id JOIN nodes s ON s.id = e.session WHERE e.id = :id`
	_, err = c.One(read, func(r *db.Row) { session, e = r.Text(), spanOf(r, r.Text()) }, db.Arg("id", episode))
	return session, e, err
}

// decideAnew gives the episodes of a session what linking.Pick says is theirs of a stretch of its time.
func decideAnew(c *db.Conn, session string, stretch linking.Stretch) error {
	if !stretch.From.Before(stretch.Until) {
		return nil
	}
	records, err := reactions(c, session, stretch)
	if err != nil {
		return err
	}
	for _, r := range records {
		episode, err := PickIn(c, linking.Pick, session, r.Kind, r.At)
		if err != nil {
			return err
		}
		if episode == 0 || episode == r.episode {
			continue
		}
		if err := AssignEpisode(c, r.Waiter, episode); err != nil {
			return err
		}
	}
	return nil
}

// DecideShown decides anew on what may have come after a canvas and before an episode, where the canvas is first shown in a
// session at another time than it was.
func DecideShown(c *db.Conn, session string, was, is time.Time) error {
	stretch := linking.Stretch{From: is, Until: was}
	_, err := c.One(`SELECT min(at)`+episodesIn+` AND at > :at`, func(r *db.Row) {
		if next := r.OptionalTime(); next != nil {
			stretch.Until = *next
		}
	}, db.Arg("session", session), db.Arg("at", was))
	return cmp.Or(err, decideAnew(c, session, stretch))
}

// decidedBy is the stretch in which an episode that arrived decides anew; it is empty where nothing is in its reach.
func decidedBy(c *db.Conn, session string, e *linking.Span) (linking.Stretch, error) {
	found, err := c.One(anyReaction, func(*db.Row) {}, db.Arg("session", session), db.Arg("since", linking.Since(e.StartedAt)))
	if err != nil || !found {
		return linking.Stretch{}, err
	}
	n, err := neighboursOf(c, session, e)
	return linking.Decided(e, n), err
}

// neighboursOf are the episodes around the start of one that is there.
func neighboursOf(c *db.Conn, session string, e *linking.Span) (n linking.Neighbours, err error) {
	_, err = c.One(neighbours, func(r *db.Row) {
		n.Before, n.Twin = r.OptionalTime(), r.Bool()
		if key := r.OptionalText(); key != nil {
			n.Next = new(spanOf(r, *key))
		}
	}, db.Arg("session", session), db.Arg("at", e.StartedAt), db.Arg("id", e.ID))
	return n, err
}

// reaction is a canvas or a feedback that names a session only, and the episode that it has, 0 for none.
type reaction struct {
	Waiter
	At      time.Time
	episode int64
}

// reactions reads those of a stretch of a session's time.
func reactions(c *db.Conn, session string, s linking.Stretch) (found []reaction, err error) {
	return found, c.Query(reactionsBetween, func(r *db.Row) error {
		found = append(found, reaction{Waiter: Waiter{Node: r.Integer(), Kind: memory.Kind(r.Text())}, At: r.AnyTime(), episode: r.Integer()})
		return nil
	}, db.Arg("session", session), db.Arg("from", s.From), db.Arg("until", s.Until), db.Arg("most", linking.MostDecided))
}

// Placed is a node that waits for an episode of its session, with its time.
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
func InSessions(c *db.Conn, session *string, after Placed, most int) ([]Placed, error) {
	only, args := "", []driver.NamedValue{db.Arg("session", after.Session), db.Arg("node", after.Node), db.Arg("most", most)}
	if session != nil {
		only, args = ` AND w.key = :only`, append(args, db.Arg("only", *session))
	}
	return placedNodes(c, waitingInSessions+only+` ORDER BY w.key, w.node LIMIT :most`, args...)
}

func placedNodes(c *db.Conn, sql string, args ...driver.NamedValue) (found []Placed, err error) {
	if waits, err := anyWaits(c); !waits || err != nil {
		return nil, err
	}
	err = c.Query(sql, func(r *db.Row) error {
		found = append(found, Placed{
			Waiter: Waiter{Node: r.Integer(), Kind: memory.Kind(r.Text())}, Session: r.Text(), At: r.AnyTime(),
		})
		return nil
	}, args...)
	return found, err
}

// AssignEpisode gives an episode to a node that names a session only, or none where that is 0.
func AssignEpisode(c *db.Conn, w Waiter, episode int64) error {
	if err := leaveSession(c, w.Node); err != nil {
		return err
	}
	if w.Kind == memory.KindCanvas {
		return MoveCanvas(c, w.Node, episode)
	}
	return MoveFeedback(c, w.Node, episode)
}
