package sqlite

import (
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/passages"
)

// linker is a write as package linking has it. Nobody else writes meanwhile, so nothing needs a lock.
type linker struct {
	*db.Tx
	ids  map[string]int64 // of nodes, by global id
	next map[string]int   // the number of a canvas's next action
}

func linkerOf(tx *db.Tx) *linker { return &linker{tx, map[string]int64{}, map[string]int{}} }

// id is the node of a record, 0 where that is not there.
func (l *linker) id(kind memory.Kind, key string) int64 {
	global := memory.NodeID(kind, key)
	if id := l.ids[global]; id != 0 {
		return id
	}
	id := graph.NodeID(l.Tx, kind, key)
	if id != 0 {
		l.ids[global] = id
	}
	return id
}

// Lock reads what is known of a scope.
func (l *linker) Lock(scope linking.Scope) (*linking.Known, error) {
	known := &linking.Known{
		Executions: map[string]string{}, Canvases: map[string]*linking.CanvasState{},
		Episodes: linking.KeySet{}, Starts: map[string]time.Time{}, Users: map[string]string{}, Hashes: map[string][]byte{},
	}
	for key := range scope.Executions {
		if episode, user := graph.ExecutedBy(l.Tx, key); episode != "" {
			known.Executions[key], known.Users[episode] = episode, memory.OrZero(user)
		}
	}
	l.readCanvases(scope, known.Canvases)
	const episodes = `SELECT n.key, n.id, e.started_at, e.user_id FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = 'episode' AND n.key = w.value
		LEFT JOIN episodes e ON e.id = n.id`
	if len(scope.Episodes) > 0 {
		l.Each(episodes, func(r *db.Row) {
			key := r.Text()
			l.ids[memory.NodeID(memory.KindEpisode, key)] = r.Integer()
			known.Episodes.Add(key)
			known.Starts[key], known.Users[key] = r.AnyTime(), r.Text()
		}, db.List("keys", scope.Episodes.Sorted()))
	}
	const hashes = `SELECT n.key, f.input_hash FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = 'feedback' AND n.key = w.value
		LEFT JOIN feedback f ON f.id = n.id`
	if len(scope.NewFeedback) > 0 {
		l.Each(hashes, func(r *db.Row) { known.Hashes[r.Text()] = r.Blob() }, db.List("keys", scope.NewFeedback))
	}
	return known, l.Err()
}

// readCanvases reads the canvases of a scope that are there, and the hashes of their actions that are in it.
func (l *linker) readCanvases(scope linking.Scope, found map[string]*linking.CanvasState) {
	const read = `SELECT n.key, n.id, v.canvas_type, v.component_type, v.named_episode, v.user_id, v.created_at,
			(SELECT s.key FROM edges e JOIN nodes s ON s.id = e.target WHERE e.source = v.id AND e.type = 'IN_SESSION'),
			o.key, w.user_id, (SELECT coalesce(max(seq) + 1, 0) FROM canvas_actions WHERE canvas = v.id), (SELECT count(*) FROM canvas_actions WHERE canvas = v.id),
			(SELECT coalesce(sum(octet_length(metadata)), 0) FROM canvas_actions WHERE canvas = v.id)
		FROM json_each(:keys) k CROSS JOIN nodes n ON n.kind = 'canvas' AND n.key = k.value LEFT JOIN canvases v ON v.id = n.id
		LEFT JOIN edges p ON p.target = v.id AND p.type = 'PRESENTED' LEFT JOIN nodes o ON o.id = p.source LEFT JOIN episodes w ON w.id = p.source`
	const hash = `SELECT input_hash FROM canvas_actions WHERE canvas = :canvas AND id = :id AND id <> ''`
	if len(scope.Canvases) == 0 {
		return
	}
	l.Each(read, func(r *db.Row) {
		c := &linking.CanvasState{Hashes: map[string][]byte{}}
		c.Key = r.Text()
		l.ids[memory.NodeID(memory.KindCanvas, c.Key)] = r.Integer()
		c.CanvasType, c.ComponentType, c.Named, c.UserID = r.Text(), r.OptionalText(), r.OptionalText(), r.OptionalText()
		c.ShownAt, c.SessionKey, c.EpisodeKey, c.EpisodeUser = r.AnyTime(), r.OptionalText(), r.OptionalText(), r.Text()
		l.next[c.Key], c.Count, c.Bytes = r.Int(), r.Int(), r.Int()
		found[c.Key] = c
	}, db.List("keys", scope.Canvases.Sorted()))
	for key, c := range found {
		for _, action := range scope.Actions[key] {
			l.One(hash, func(r *db.Row) { c.Hashes[action] = r.Blob() }, db.Arg("canvas", l.id(memory.KindCanvas, key)), db.Arg("id", action))
		}
	}
}

// Waiting finds what waits, and what came within intervals of sessions.
func (l *linker) Waiting(refs []linking.PendingRef, intervals map[string][]linking.Interval) (found []linking.Waiter, err error) {
	for _, a := range refs {
		found = append(found, graph.WaitersFor(l.Tx, a)...)
	}
	for session, all := range intervals {
		for _, s := range linking.Join(all) {
			found = append(found, l.reactionsOf(session, s)...)
		}
	}
	return found, l.Err()
}

// feedbackLinks reads the links of feedback f by the keys in w.
func (l *linker) feedbackLinks(from string, keys []string) ([]linking.FeedbackLink, error) {
	const find = `SELECT n.key, v.key, f.user_id, o.key, f.score, f.replaced_at IS NOT NULL, f.leads_by FROM json_each(:keys) w `
	const ends = feedbackEdge + ` JOIN nodes n ON n.id = f.id LEFT JOIN nodes o ON o.id = p.source ORDER BY n.key`
	return db.Rows(l.Tx, find+from+ends, func(r *db.Row) linking.FeedbackLink {
		return linking.FeedbackLink{
			Key: r.Text(), Canvas: r.Text(), User: r.Text(), Episode: r.OptionalText(), Score: r.Sum(), Ended: r.Bool(), By: memory.Kind(r.Text()),
		}
	}, db.List("keys", keys)), l.Err()
}

// Followers reads the feedback that goes where its canvas goes.
func (l *linker) Followers(canvases []string) ([]linking.FeedbackLink, error) {
	return l.feedbackLinks(`CROSS JOIN nodes v ON v.kind = 'canvas' AND v.key = w.value CROSS JOIN edges d ON d.target = v.id AND d.type = 'ON'
		CROSS JOIN feedback f ON f.id = d.source AND f.leads_by = 'canvas'`, canvases)
}

// FeedbackLinks reads the links of feedback.
func (l *linker) FeedbackLinks(keys []string) ([]linking.FeedbackLink, error) {
	return l.feedbackLinks(`CROSS JOIN nodes k ON k.kind = 'feedback' AND k.key = w.value JOIN feedback f ON f.id = k.id
		LEFT JOIN edges d ON d.source = f.id AND d.type = 'ON' LEFT JOIN nodes v ON v.id = d.target`, keys)
}

// FeedbackItem reads feedback with what it named.
func (l *linker) FeedbackItem(key string) (item *store.FeedbackItem, err error) {
	l.One(exportedFeedback+` WHERE n.kind = 'feedback' AND n.key = :key`, func(r *db.Row) { item = readFeedbackItem(r) }, db.Arg("key", key))
	return item, l.Err()
}

// WriteCanvases writes canvases and ties them to their sessions.
func (l *linker) WriteCanvases(changes []*linking.CanvasChange) (map[string][]linking.Interval, error) {
	intervals := map[string][]linking.Interval{}
	for _, c := range changes {
		l.Fail(l.Context.Err())
		l.writeCanvas(c)
		if c.Was == nil {
			continue
		}
		if s := l.shownAgain(c); s.From.Before(s.Until) {
			intervals[*c.SessionKey] = append(intervals[*c.SessionKey], s)
		}
	}
	return intervals, l.Err()
}

func (l *linker) writeCanvas(c *linking.CanvasChange) {
	const say = `UPDATE canvases SET component_type = :component_type, named_episode = :named_episode, user_id = :user_id, created_at = :created_at WHERE id = :id`
	if c.New {
		id := graph.AddNode(l.Tx, memory.KindCanvas, c.Key)
		l.ids[memory.NodeID(memory.KindCanvas, c.Key)] = id
		l.Put(insertingCanvas, fields.Canvas(&c.Canvas), db.Arg("id", id), db.Arg("named_episode", c.Named), db.Arg("created_at", c.ShownAt))
	} else if !c.AsBefore() {
		l.Exec(say, db.Arg("id", l.id(memory.KindCanvas, c.Key)), db.Arg("component_type", c.ComponentType), db.Arg("named_episode", c.Named),
			db.Arg("user_id", c.UserID), db.Arg("created_at", c.ShownAt))
		const dated = `UPDATE edges SET at = :at WHERE target = :id AND type = 'PRESENTED' OR source = :id AND type = 'IN_SESSION'`
		l.Exec(dated, db.Arg("id", l.id(memory.KindCanvas, c.Key)), db.Arg("at", c.ShownAt))
	}
	id := l.id(memory.KindCanvas, c.Key)
	for i := range c.Added {
		a := &c.Added[i]
		l.Put(insertingAction, fields.CanvasAction(a), db.Arg("canvas", id), db.Arg("seq", l.next[c.Key]), db.Arg("input_hash", c.Hashes[a.ID]))
		l.next[c.Key]++
	}
	if c.Joins != nil {
		graph.JoinSession(l.Tx, id, graph.EnsureSession(l.Tx, c.Joins), c.ShownAt)
	}
}

// CreateFeedback writes feedback and ties it to its sessions.
func (l *linker) CreateFeedback(records []*store.FeedbackRecord, arrived []linking.PendingRef) ([]linking.Waiter, error) {
	for _, record := range records {
		l.Fail(l.Context.Err())
		f := &record.Feedback
		id := graph.AddNode(l.Tx, memory.KindFeedback, f.Key)
		l.ids[memory.NodeID(memory.KindFeedback, f.Key)] = id
		l.Put(insertingFeedback, fields.Feedback(f), db.Arg("id", id), db.Arg("leads_by", string(linking.Feedback(f).Kind)),
			db.Arg("input_hash", record.InputHash))
		passages.Index(l.Tx, memory.KindFeedback, id)
		graph.JoinSession(l.Tx, id, graph.EnsureSession(l.Tx, f.SessionKey), f.CreatedAt)
		graph.Notice(l.Tx, memory.KindFeedback, id)
	}
	return l.Waiting(arrived, nil)
}

// EndFeedback lets feedback count until an instant only.
func (l *linker) EndFeedback(ends map[string]time.Time) ([]linking.FeedbackLink, error) {
	const end = `UPDATE feedback SET replaced_at = :at WHERE id = :id AND replaced_at IS NULL`
	var ended []linking.FeedbackLink
	for key, at := range ends {
		found, err := l.FeedbackLinks([]string{key})
		if err == nil && len(found) > 0 && !found[0].Ended {
			id := l.id(memory.KindFeedback, key)
			l.Exec(end, db.Arg("id", id), db.Arg("at", at))
			passages.Index(l.Tx, memory.KindFeedback, id)
			ended = append(ended, found...)
		}
	}
	return ended, l.Err()
}

// Apply writes links, waits and sums.
func (l *linker) Apply(c *linking.Changes) error {
	l.assign(graph.EdgePresented, memory.KindCanvas, c.Canvases)
	l.assign(graph.EdgeReceived, memory.KindFeedback, c.Feedback)
	for shape, links := range c.Links {
		for _, link := range links {
			l.link(shape, link)
		}
	}
	for _, w := range c.Waits {
		graph.Wait(l.Tx, w.For, l.id(w.Kind, w.Key))
	}
	for episode, sums := range c.Moves.Sums() {
		graph.AddSums(l.Tx, l.id(memory.KindEpisode, episode), sums)
	}
	return l.Err()
}

// assigned are the statements that tell of canvases or feedback whose they are.
var assigned = map[memory.Kind]string{
	memory.KindCanvas:   `UPDATE canvases SET agent = (SELECT agent FROM episodes WHERE id = :episode) WHERE id IN (SELECT value FROM json_each(:nodes))`,
	memory.KindFeedback: `UPDATE feedback SET waiting = :episode IS NULL WHERE id IN (SELECT value FROM json_each(:nodes))`,
}

// assign gives canvases or feedback their episodes, or none, in place of those that they had.
func (l *linker) assign(edge string, kind memory.Kind, all []linking.Assignment) {
	nodes := map[int64][]int64{} // by episode
	for _, a := range all {
		id, episode := l.id(kind, a.Key), int64(0)
		if a.Had {
			graph.RemoveSource(l.Tx, edge, id)
		}
		if a.Episode != nil {
			episode = l.id(memory.KindEpisode, *a.Episode)
			graph.AddEdgeAt(l.Tx, episode, edge, id, kind, id)
		}
		nodes[episode] = append(nodes[episode], id)
	}
	for episode, some := range nodes {
		graph.EndEpisodeWaits(l.Tx, some)
		l.Exec(assigned[kind], db.List("nodes", some), db.Arg("episode", graph.IDOrNull(episode)))
	}
}

// link ties a record to one that it names, for which it may have been waiting.
func (l *linker) link(shape linking.LinkShape, link linking.Link) {
	id, target := l.id(shape.Kind, link.Key), l.id(shape.Target(), link.Target)
	graph.AddEdgeAt(l.Tx, id, shape.Type, target, shape.Kind, id)
	graph.EndWait(l.Tx, linking.PendingRef{Kind: shape.Awaited, Key: link.Target}, id)
}

// arrive links what has been waiting for a record by its name.
func arrive(tx *db.Tx, kind memory.Kind, key string) {
	l, c := linkerOf(tx), linking.NewChanges()
	c.LinkNamed(graph.WaitersFor(tx, linking.PendingRef{Kind: kind, Key: key})...)
	tx.Fail(l.Apply(c))
}

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
	reactionsBetween = `SELECT n.kind, n.key, r.at, :session, k.key, coalesce(v.user_id, f.user_id, e.user_id) FROM (SELECT source, source_ref, at` + reactionsIn + ` AND at >= :from AND at < :until) r
		JOIN nodes n ON n.id = r.source LEFT JOIN canvases v ON v.id = r.source LEFT JOIN feedback f ON f.id = r.source
		LEFT JOIN edges o ON o.target = r.source AND o.type = iif(v.id IS NULL, 'RECEIVED', 'PRESENTED') LEFT JOIN nodes k ON k.id = o.source LEFT JOIN episodes e ON e.id = o.source
		WHERE v.id IS NOT NULL AND v.named_episode IS NULL OR f.leads_by = 'session'
		ORDER BY r.at, r.source_ref LIMIT :most`
)

func spanOf(r *db.Row, key string) linking.Span {
	return linking.Span{
		Key: key, User: r.Text(), StartedAt: r.AnyTime(), EndedAt: r.OptionalTime(), CreatedAt: r.AnyTime(), Concluded: r.Bool(), Later: r.Bool(),
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
func (l *linker) reactionsOf(session string, s linking.Interval) []linking.Waiter {
	return db.Rows(l.Tx, reactionsBetween, readWaiter,
		db.Arg("session", session), db.Arg("from", s.From), db.Arg("until", s.Until), db.Arg("most", linking.MaxReassigned))
}

// readWaiter reads what names a session.
func readWaiter(r *db.Row) linking.Waiter {
	return linking.Waiter{
		Kind: memory.Kind(r.Text()), Key: r.Text(), At: r.AnyTime(), Awaited: linking.PendingRef{Kind: linking.Session, Key: r.Text()},
		Episode: r.Text(), User: r.Text(),
	}
}

// shownAgain is what may have come after a canvas and before an episode, where the canvas is first shown in a session
// at another time than it was.
func (l *linker) shownAgain(c *linking.CanvasChange) linking.Interval {
	interval := linking.Interval{From: c.ShownAt}
	l.One(`SELECT coalesce(min(at), :at)`+episodesIn+` AND at > :at`, func(r *db.Row) { interval.Until = r.AnyTime() },
		db.Arg("session", *c.SessionKey), db.Arg("at", *c.Was), db.List("users", linking.UsersFor(memory.OrZero(c.UserID))))
	return interval
}

// affectedBy is the interval that an arriving episode decides anew, by its key; none where nothing is in its reach.
func affectedBy(tx *db.Tx, e *memory.Episode) map[string]linking.Interval {
	if e.SessionKey == nil || !tx.Has(anyReaction, db.Arg("session", *e.SessionKey), db.Arg("since", linking.Since(e.StartedAt))) {
		return nil
	}
	place := linking.Place{Session: *e.SessionKey, Span: linking.SpanOf(e)}
	return map[string]linking.Interval{e.Key: linking.Affected(&place.Span, neighboursOf(tx, &place))}
}

// neighboursOf are the episodes around the start of one that is there.
func neighboursOf(tx *db.Tx, place *linking.Place) (n linking.Neighbours) {
	tx.One(neighbours, func(r *db.Row) {
		n.Before, n.Next = r.OptionalTime(), r.OptionalTime()
	}, db.Arg("session", place.Session), db.Arg("at", place.StartedAt), db.List("users", linking.UsersFor(place.User)))
	return n
}

// WaitingInSessions finds the canvases and feedback that wait for episodes of sessions.
func (l *linker) WaitingInSessions(session *string, after linking.Waiter) ([]linking.Waiter, error) {
	const find = `SELECT n.kind, n.key, coalesce(v.created_at, f.created_at), w.key, NULL, coalesce(v.user_id, f.user_id) FROM waiting w JOIN nodes n ON n.id = w.node
		LEFT JOIN canvases v ON v.id = w.node LEFT JOIN feedback f ON f.id = w.node
		WHERE w.kind = 'session' AND (w.key, w.node) > (:session, :node) AND (:only IS NULL OR w.key = :only) ORDER BY w.key, w.node LIMIT :most`
	return db.Rows(l.Tx, find, readWaiter, db.Arg("only", session), db.Arg("session", after.Awaited.Key), db.Arg("node", l.id(after.Kind, after.Key)),
		db.Arg("most", linking.LinkedTogether)), l.Err()
}
