package sqlite

import (
	"context"
	"database/sql/driver"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// The columns of an episode, without its aggregates; n is its node, e its row of episodes. Of an owner that is gone
// the column's own number comes, here and with other records, which is no text: the record cannot be read.
var (
	episodeColumns = `n.key, g.name, coalesce(a.key, e.agent) AS agent, coalesce(s.key, e.session) AS session, ` +
		db.Selected("e", fields.Episode(&memory.Episode{}), fields.Ending(&memory.Episode{})) + `, ` + wholeContents + `, `
	wholeContents = db.Selected("c", fields.Contents(&memory.Episode{}))

	episodeScanner    = db.ScannerOf(fields.Episode, fields.Ending, fields.Contents)
	insertingEpisode  = db.Inserting("episodes", slices.Concat(fields.Episode(&memory.Episode{}), fields.Ending(&memory.Episode{})), "id", "agent", "session", "input_hash")
	insertingContents = db.Inserting("contents", fields.Contents(&memory.Episode{}), "episode")
)

// headContents and briefContents stand for wholeContents where no more of an episode is read.
const (
	headContents = `c.title AS title, '' AS observation, '[]' AS thoughts, '[]' AS actions, NULL AS result, '' AS insight, '[]' AS executionIds,
		'[]' AS segments, NULL AS metadata, 0 AS tokensBefore, 0 AS tokensAfter, '[]' AS redactions`
	briefContents = `c.title AS title, substr(c.observation, 1, 4096) AS observation, '[]' AS thoughts, '[]' AS actions,
		substr(c.result, 1, 4096) AS result, substr(c.insight, 1, 4096) AS insight, '[]' AS executionIds, '[]' AS segments, NULL AS metadata,
		c.tokens_before AS tokensBefore, c.tokens_after AS tokensAfter, c.redactions AS redactions`
)

// heading is a query of episodes that reads as much of their contents as the parts say.
func heading(query string, parts store.Parts) string {
	switch {
	case parts.Has(store.HeadOnly):
		return strings.Replace(query, wholeContents, headContents, 1)
	case parts.Has(store.Brief):
		return strings.Replace(query, wholeContents, briefContents, 1)
	}
	return query
}

// episodeTables are those that the columns come from.
const episodeTables = ` LEFT JOIN contents c ON c.episode = e.id
	LEFT JOIN nodes a ON a.id = e.agent AND a.kind = 'agent'
	LEFT JOIN agents g ON g.id = e.agent
	LEFT JOIN nodes s ON s.id = e.session AND s.kind = 'session'`

// readEpisode reads episodeColumns and the aggregates. The agent comes along where it is asked for.
func readEpisode(r *db.Row, parts store.Parts) *memory.Episode {
	e := episodeScanner.Read(r)
	name, _ := r.Named("name").(string) // the agent's, and no fault of the episode
	e.CanvasActionCount, e.FeedbackSum, e.FeedbackCount = max(r.Int(), 0), r.Sum(), max(r.Int(), 0)
	if parts&store.Context != 0 {
		e.Context = &memory.EpisodeContext{}
	}
	if parts.Has(store.WithAgent) {
		e.Context.Agent = &memory.Agent{Key: e.AgentKey, Name: strings.ToValidUTF8(name, "\uFFFD")}
	}
	return e
}

// Most reads are of one key.
const (
	fromOneKey   = ` FROM nodes n JOIN episodes e ON e.id = n.id` + episodeTables + ` WHERE n.kind = 'episode' AND n.key = :keys`
	fromManyKeys = ` FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = 'episode' AND n.key = w.value
		JOIN episodes e ON e.id = n.id` + episodeTables + ` WHERE 1`
)

// Episodes reads episodes by key, with their context.
func (t *Tenant) Episodes(ctx context.Context, query store.EpisodesByKey) ([]*memory.Episode, error) {
	if len(query.Keys) == 0 {
		return []*memory.Episode{}, nil
	}
	return answer(ctx, t.file.Snapshot, func(c *db.Conn) ([]*memory.Episode, error) {
		found, err := queryEpisodes(c, &query)
		if err != nil {
			return nil, err
		}
		ordered := store.InOrder(query.Keys, found, store.KeyOf)
		if query.AsOf == nil { // else it may not be known yet
			if err := tellGone(c, memory.KindEpisode, query.Keys, ordered); err != nil {
				return nil, err
			}
		}
		return ordered, loadContext(c, found, query.Parts, query.AsOf)
	})
}

func queryEpisodes(c *db.Conn, query *store.EpisodesByKey) ([]*memory.Episode, error) {
	from, keys := fromOneKey, db.Arg("keys", query.Keys[0])
	if len(query.Keys) > 1 {
		from, keys = fromManyKeys, db.List("keys", db.Distinct(query.Keys))
	}
	find := `SELECT ` + episodeColumns + graph.Aggregates(query.AsOf) + from + ` AND e.known_at <= :as_of`
	read := func(r *db.Row) *memory.Episode { return readEpisode(r, query.Parts) }
	return db.All(c, heading(find, query.Parts), read, keys, db.Arg("as_of", graph.AsOfOrEver(query.AsOf)))
}

// loadContext reads what comes along with episodes. The aggregates say what there is to read.
func loadContext(c *db.Conn, episodes []*memory.Episode, parts store.Parts, asOf *time.Time) error {
	if parts.Has(store.WithCanvases) {
		if err := loadCanvases(c, episodes, asOf); err != nil {
			return err
		}
	}
	if parts.Has(store.WithFeedback) {
		return loadFeedback(c, episodes, asOf)
	}
	return nil
}

// owned reads what episodes own, by an edge of a type, a bounded number of each episode.
type owned struct {
	one, all, newest string // for one episode, for several, and for such that own more than come along
}

// ownedBy builds the queries around the columns and tables that a kind of record is read from, where the edge is p, and
// the order of its rows.
func ownedBy(edge, selected, counting, order string) owned {
	const (
		one  = ` WHERE p.source = (SELECT id FROM nodes WHERE kind = 'episode' AND key = :episode)`
		many = ` WHERE p.source IN (SELECT id FROM nodes WHERE kind = 'episode' AND key IN (SELECT value FROM json_each(:episodes)))`
	)
	// The condition on time has no effect now, and keeps what came later out of an earlier view.
	known := ` AND p.type = '` + edge + `' AND p.at <= :as_of` + counting
	return owned{selected + one + known + order, selected + many + known + order, selected + ` WHERE p.type = '` + edge + `' AND (p.source, p.target) IN (
		SELECT source, target FROM (
			SELECT p.source, p.target, row_number() OVER (PARTITION BY p.source ORDER BY p.at DESC, k.key) AS place
			FROM edges p JOIN nodes k ON k.id = p.target` + many + known + `)
		WHERE place <= :most)` + order}
}

// read runs the query that fits, and answers the contexts of the owners by key. Count says how much an episode owns at
// most; those without anything are not asked for.
func (o *owned) read(
	c *db.Conn, episodes []*memory.Episode, asOf *time.Time, count func(*memory.Episode) int, each func(*db.Row),
) (owners map[string]*memory.EpisodeContext, err error) {
	keys, most := make([]string, 0, len(episodes)), 0
	owners = make(map[string]*memory.EpisodeContext, len(episodes))
	for _, e := range episodes {
		if n := count(e); n > 0 {
			keys, owners[e.Key] = append(keys, e.Key), e.Context
			most = max(most, n)
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	args := append(make([]driver.NamedValue, 0, 3), db.Arg("as_of", graph.AsOfOrEver(asOf)), db.List("episodes", keys))
	if most > memory.ContextLimit {
		return owners, c.Query(o.newest, each, append(args, db.Arg("most", memory.ContextLimit))...)
	}
	if len(keys) == 1 { // by itself as it is read most often
		return owners, c.Query(o.one, each, args[0], db.Arg("episode", keys[0]))
	}
	return owners, c.Query(o.all, each, args...)
}

// episodesOf says where the episodes of a query are.
func episodesOf(query *store.EpisodeQuery) (from string, w db.Conditions) {
	return ` FROM episodes e`, graph.Filtered(&query.Filter, nil)
}

// listEpisodes reads a page of episodes, with their context. It finds the page by the narrow rows
// first, then reads what the episodes hold.
func (t *Tenant) listEpisodes(ctx context.Context, query *store.EpisodeQuery, page store.Page) ([]*memory.Episode, bool, error) {
	find, w := episodesPage(query, &page)
	return wholePage(ctx, t.file.Snapshot, page.Limit, func(c *db.Conn, most int) (listed []*memory.Episode, err error) {
		read := func(r *db.Row) *memory.Episode { return readEpisode(r, query.Parts) }
		listed, err = db.AllWithin(ctx, c, find, read, append(w.Args[:len(w.Args):len(w.Args)], db.Arg("limit", most))...)
		if err != nil {
			return nil, err
		}
		left := c.Left
		err = loadContext(c, listed[:min(len(listed), page.Limit)], query.Parts, nil)
		c.Left = left // of what comes along, each was told of
		return listed, err
	})
}

// episodesPage selects a page; the limit is left to the caller.
func episodesPage(query *store.EpisodeQuery, page *store.Page) (find string, w db.Conditions) {
	w = graph.Filtered(&query.Filter, nil)
	if query.Order == memory.BestFeedbackFirst { // where the index begins and ends, by the parameters of the filter
		bounds := graph.Rated(&query.Filter, nil).Texts
		if page.After != nil { // which is where it begins
			bounds = bounds[:min(len(bounds), 1)]
		}
		w.Texts = append(w.Texts, bounds...)
	}
	order := addOrder(&w, query.Order, page.After)
	find = `SELECT ` + episodeColumns + graph.AggregatesNow + ` FROM (SELECT e.id FROM episodes e` + inOrder(query) +
		` JOIN nodes k ON k.id = e.id WHERE ` + w.SQL() + ` ORDER BY ` + order +
		` LIMIT :limit) w CROSS JOIN episodes e ON e.id = w.id JOIN nodes n ON n.id = e.id` + episodeTables + ` ORDER BY ` + strings.Replace(order, `k.key`, `n.key`, 1)
	return heading(find, query.Parts), w
}

// inOrder names the index that a list goes through until its page is full. SQLite takes a condition without an index
// for one that few meet, and would read and sort all. An index that begins with a condition it finds by itself.
func inOrder(query *store.EpisodeQuery) string {
	f := &query.Filter
	switch {
	case f.Agent != nil || f.Session != nil || f.TaskType != nil || f.User != nil && !f.Shared:
		return ``
	case f.CanvasType != nil || f.CanvasAction != nil: // all of these are in it
		return ` INDEXED BY episodes_boosted`
	case query.Order == memory.BestFeedbackFirst:
		if f.Since != nil || f.Until != nil {
			return ``
		}
		return ` INDEXED BY episodes_by_feedback`
	}
	return ` INDEXED BY episodes_by_time`
}

// addOrder answers an order in SQL, and goes on behind a position in it.
func addOrder(w *db.Conditions, order memory.EpisodeOrder, after *store.Position) string {
	switch order {
	case memory.OldestFirst:
		if after != nil {
			w.Add(`e.started_at >= :after_at AND (e.started_at > :after_at OR k.key > :after_key)`,
				db.Arg("after_at", after.At), db.Arg("after_key", after.Key))
		}
		return `e.started_at, k.key`
	case memory.BestFeedbackFirst:
		addAfterScore(w, after)
		return `e.feedback_order DESC, e.started_at DESC, k.key`
	default:
		w.AddAfter(`e.started_at`, after)
		return `e.started_at DESC, k.key`
	}
}

// addAfterScore goes on behind a score, of which null is the last.
func addAfterScore(w *db.Conditions, after *store.Position) {
	if after == nil {
		return
	}
	// Most have no score, and many the same: what comes before the position among these is passed over by the index.
	w.Add(`(e.feedback_order, e.started_at) <= (:after_score, :after_at)
		AND ((e.feedback_order, e.started_at) < (:after_score, :after_at) OR k.key > :after_key)`,
		db.Arg("after_score", memory.ValueOr(after.Value, noScore)), db.Arg("after_at", after.At), db.Arg("after_key", after.Key))
}

// noScore is the feedback_order of episodes without feedback.
const noScore = -1e308
