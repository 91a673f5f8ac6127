package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// The neighbours of given nodes along links out of them and into them, in the order of their ids.
var (
	neighboursOut = merged("source", "target_ref")
	neighboursIn  = merged("target", "source_ref")
)

// merged reads links lazily, as there may be hubs. Each pair of a node and a type of its links is a sorted stream in
// the index; the recursion is a queue that yields the first of what it holds and puts in the one that follows it in its
// stream. It ends when enough have come out, so that a page costs one look-up for each neighbour on it, however many
// there are.
func merged(node, ref string) string {
	first := `(SELECT min(` + ref + `) FROM edges WHERE ` + node + ` = s.id AND type = s.type AND ` + ref + ` > :after)`
	next := `(SELECT min(` + ref + `) FROM edges WHERE ` + node + ` = q.id AND type = q.type AND ` + ref + ` > q.ref)`
	return `WITH RECURSIVE
		types (id, type) AS (
			SELECT n.id, (SELECT min(type) FROM edges WHERE ` + node + ` = n.id)` + fromIDs + `
			UNION ALL
			SELECT t.id, (SELECT min(type) FROM edges WHERE ` + node + ` = t.id AND type > t.type) FROM types t WHERE t.type IS NOT NULL
		),
		streams (id, type) AS (
			SELECT id, type FROM types WHERE type IS NOT NULL
				AND (:relations IS NULL OR type IN (SELECT value FROM json_each(:relations)))
		),
		queue (ref, id, type) AS (
			SELECT ` + first + `, s.id, s.type FROM streams s
			UNION ALL
			SELECT ` + next + `, q.id, q.type FROM queue q WHERE q.ref IS NOT NULL
			ORDER BY 1
		)
		SELECT DISTINCT ref FROM queue WHERE ref IS NOT NULL LIMIT :limit`
}

// Neighbours reads the records that are linked with any of the given ones.
func (t *Tenant) Neighbours(ctx context.Context, query store.AdjacencyQuery) ([]string, error) {
	limit, found := max(query.Limit, 0), []string{}
	err := t.file.Snapshot(ctx, func(c *db.Conn) (err error) {
		for _, find := range inDirection(query.Direction, neighboursOut, neighboursIn) {
			err = errors.Join(err, c.Search(ctx, find, func(r *db.Row) { found = append(found, r.Text()) },
				splitIDs(query.Of), db.List("relations", query.Relations), db.Arg("after", query.After), db.Arg("limit", limit)))
		}
		return err
	})
	ids := db.Distinct(found)
	return ids[:min(len(ids), limit)], err
}

// fewLinks is how many links a node may have in each direction for all of them to be read at once.
const fewLinks = 256

// byDegree finds the nodes of global ids, those that have few links and those that have many.
func byDegree(ctx context.Context, c *db.Conn, ids []string) (few, many []int64, err error) {
	const find = `SELECT n.id,
			(SELECT 1 FROM edges WHERE source = n.id LIMIT 1 OFFSET :few) IS NULL AND
			(SELECT 1 FROM edges WHERE target = n.id LIMIT 1 OFFSET :few) IS NULL` + fromIDs
	err = c.Search(ctx, find, func(r *db.Row) {
		if id := r.Integer(); r.Bool() {
			few = append(few, id)
		} else {
			many = append(many, id)
		}
	}, splitIDs(ids), db.Arg("few", fewLinks))
	return few, many, err
}

// Exist says which global ids are records.
func (t *Tenant) Exist(ctx context.Context, ids []string) ([]bool, error) {
	there := map[string]bool{}
	err := t.each(ctx, `SELECT n.ref`+fromIDs, func(r *db.Row) { there[r.Text()] = true }, splitIDs(ids))
	exist := make([]bool, len(ids))
	for i, id := range ids {
		exist[i] = there[id]
	}
	return exist, err
}

// fromIDs are the nodes of what splitIDs gives.
const fromIDs = ` FROM json_each(:ids) w CROSS JOIN nodes n ON n.kind = w.value ->> 0 AND n.key = w.value ->> 1`

// splitIDs is global ids, each once, as a parameter of pairs of a kind and a key; what cannot be one is left out.
func splitIDs(ids []string) driver.NamedValue {
	pairs := make([][2]string, 0, len(ids))
	for _, id := range db.Distinct(ids) {
		if kind, key, ok := memory.SplitID(id); ok {
			pairs = append(pairs, [2]string{string(kind), key})
		}
	}
	return db.List("ids", pairs)
}

// The links with one end among the near nodes and one among the far. The first two read all links of the
// near ones; the third looks each pair up.
var (
	scanOut = scannedLinks("source", "target")
	scanIn  = scannedLinks("target", "source")
)

const probeOut = `SELECT e.source_ref, e.target_ref, e.type
	FROM json_each(:far) v CROSS JOIN nodes n ON n.id = v.value CROSS JOIN json_each(:near) w CROSS JOIN json_each(:types) t
	CROSS JOIN edges e ON e.source = w.value AND e.type = t.value AND e.target_ref = n.ref
	ORDER BY e.source_ref, e.target_ref, e.type LIMIT :limit`

func scannedLinks(near, far string) string {
	return `SELECT e.source_ref, e.target_ref, e.type FROM json_each(:near) w CROSS JOIN edges e ON e.` + near + ` = w.value
		WHERE e.` + far + ` IN (SELECT value FROM json_each(:far)) AND e.type IN (SELECT value FROM json_each(:types))
		ORDER BY e.source_ref, e.target_ref, e.type LIMIT :limit`
}

// LinksBetween reads the links between two sets. Where one end has few links all of them are read; where
// both have many they are looked up in pairs.
func (t *Tenant) LinksBetween(ctx context.Context, a, b []string, relations []string, limit int) ([]store.Link, error) {
	if relations == nil {
		relations = store.EdgeTypes
	}
	links := []store.Link{}
	err := t.file.Snapshot(ctx, func(c *db.Conn) error {
		fewA, manyA, err := byDegree(ctx, c, a)
		if err != nil {
			return err
		}
		fewB, manyB, err := byDegree(ctx, c, b)
		for _, step := range []struct {
			find      string
			near, far []int64
		}{
			{scanOut, fewA, slices.Concat(fewB, manyB)},
			{scanIn, fewA, slices.Concat(fewB, manyB)},
			{scanOut, fewB, manyA},
			{scanIn, fewB, manyA},
			{probeOut, manyA, manyB},
			{probeOut, manyB, manyA},
		} {
			if err == nil && len(step.near) > 0 && len(step.far) > 0 {
				err = c.Search(ctx, step.find, func(r *db.Row) {
					links = append(links, store.Link{Source: r.Text(), Target: r.Text(), Type: r.Text()})
				}, db.List("near", step.near), db.List("far", step.far), db.List("types", relations), db.Arg("limit", max(limit, 0)))
			}
		}
		return err
	})
	return store.FirstLinks(links, limit), err
}

// The ways from the episodes whose nodes are q, and rows h, to others, whose ids are e's. Causes and effects sort after
// a reference, up to the first too many for the page; a blob sorts after all texts. The neighbours b in a session are
// those known at the instant, by default ever.
var ways = map[memory.EpisodeLink]string{
	memory.LinkCausedBy:   pageOfLinks(memory.LinkCausedBy),
	memory.LinkCauses:     pageOfLinks(memory.LinkCauses),
	memory.LinkInformedBy: pageOfLinks(memory.LinkInformedBy),
	memory.LinkInformed:   pageOfLinks(memory.LinkInformed),
	memory.LinkPrevious: ` JOIN episodes e ON e.id = (
		SELECT b.id FROM episodes b JOIN nodes k ON k.id = b.id
		WHERE b.session = h.session AND b.started_at <= h.started_at AND (b.started_at < h.started_at OR k.key < q.key)
		AND b.known_at <= :as_of AND {b} ORDER BY b.started_at DESC, k.key DESC LIMIT 1)`,
	memory.LinkNext: ` JOIN episodes e ON e.id = (
		SELECT b.id FROM episodes b JOIN nodes k ON k.id = b.id
		WHERE b.session = h.session AND b.started_at >= h.started_at AND (b.started_at > h.started_at OR k.key > q.key)
		AND b.known_at <= :as_of AND {b} ORDER BY b.started_at, k.key LIMIT 1)`,
}

// ofUsers are whether episodes are of the user who is asked for.
var ofUsers = func() *strings.Replacer {
	var texts []string
	for _, e := range []string{"b", "e", "k"} {
		texts = append(texts, "{"+e+"}", strings.ReplaceAll(`(:user IS NULL OR e.user_id = :user OR :shared AND e.user_id IS NULL)`, "e.", e+"."))
	}
	return strings.NewReplacer(texts...)
}()

// followed are the type of the links that are followed, and their columns of the near end and of the far.
func followed(link memory.EpisodeLink) *strings.Replacer {
	edge, forward := link.Edge()
	near, far := "source", "target"
	if !forward {
		near, far = far, near
	}
	return strings.NewReplacer("{edge}", edge, "{near}", near, "{far}", far)
}

func pageOfLinks(link memory.EpisodeLink) string {
	return followed(link).Replace(`
		CROSS JOIN edges l ON l.{near} = q.id AND l.type = '{edge}' AND l.{far}_ref > :after AND l.{far}_ref < ifnull(
			(SELECT b.{far}_ref FROM edges b CROSS JOIN episodes k ON k.id = b.{far} AND k.known_at <= :as_of AND {k}
			 WHERE b.{near} = q.id AND b.type = '{edge}' AND b.{far}_ref > :after
			 ORDER BY b.{far}_ref LIMIT 1 OFFSET :limit + 1), x'')
		JOIN episodes e ON e.id = l.{far}`)
}

// Linked reads the episodes that others have a link to.
func (t *Tenant) Linked(ctx context.Context, query store.LinkedQuery) (map[string]store.LinkedPage, error) {
	find := `SELECT q.key, ` + episodeColumns + graph.Aggregates(query.AsOf) + `
		FROM json_each(:episodes) w CROSS JOIN nodes q ON q.kind = 'episode' AND q.key = w.value
		JOIN episodes h ON h.id = q.id AND h.known_at <= :as_of` + ofUsers.Replace(ways[query.Link]) + ` AND e.known_at <= :as_of AND ` + ofUsers.Replace(`{e}`) + `
		JOIN nodes n ON n.id = e.id` + episodeTables
	if query.HeadOnly {
		find = heading(find, store.HeadOnly)
	}
	args := append(make([]driver.NamedValue, 0, 6), db.List("episodes", db.Distinct(query.Episodes)), db.Arg("as_of", graph.AsOfOrEver(query.AsOf)),
		db.Arg("user", query.User), db.Arg("shared", query.Shared))
	edge, _ := query.Link.Edge()
	paged := edge != ""
	if paged {
		after := ""
		if query.Page.After != nil {
			after = memory.NodeID(memory.KindEpisode, query.Page.After.Key)
		}
		args = append(args, db.Arg("after", after))
	}
	for most, limit := query.Page.Limit, query.Page.Limit; ; most = 2*most + 1 { // where some cannot be read, as wholePage does
		linked, rows, short := map[string]store.LinkedPage{}, map[string]int{}, false
		err := t.each(ctx, find, func(r *db.Row) {
			key := r.Text()
			rows[key]++
			linked[key] = store.LinkedPage{Episodes: db.Keep(r, linked[key].Episodes, readEpisode(r, 0))}
		}, append(args[:len(args):len(args)], db.Arg("limit", most))...)
		if err != nil || !paged {
			return linked, err
		}
		for key, n := range rows {
			short = short || n > most && len(linked[key].Episodes) <= limit
		}
		if !short {
			store.CutLinked(linked, limit)
			return linked, nil
		}
	}
}

// CountLinked counts the causes or effects of episodes.
func (t *Tenant) CountLinked(ctx context.Context, query store.LinkedQuery) (map[string]int, error) {
	find := `SELECT q.key, count(*) FROM json_each(:episodes) w CROSS JOIN nodes q ON q.kind = 'episode' AND q.key = w.value
		CROSS JOIN edges l ON l.{near} = q.id AND l.type = '{edge}'`
	args := append(make([]driver.NamedValue, 0, 4), db.List("episodes", db.Distinct(query.Episodes)))
	if query.AsOf != nil || query.User != nil {
		find += ` JOIN episodes h ON h.id = q.id AND h.known_at <= :as_of JOIN episodes e ON e.id = l.{far} AND e.known_at <= :as_of AND ` + ofUsers.Replace(`{e}`)
		args = append(args, db.Arg("as_of", graph.AsOfOrEver(query.AsOf)), db.Arg("user", query.User), db.Arg("shared", query.Shared))
	}
	counts := make(map[string]int, len(query.Episodes))
	err := t.each(ctx, followed(query.Link).Replace(find+` GROUP BY q.id`), func(r *db.Row) {
		counts[r.Text()] = r.Int()
	}, args...)
	return counts, err
}

// AwaitedEpisodes reads which episodes canvases or feedback wait for by name; see store.EpisodeReader.
func (t *Tenant) AwaitedEpisodes(ctx context.Context, kind memory.Kind, keys []string) (map[string]string, error) {
	const find = `SELECT n.key, w.key FROM json_each(:keys) k CROSS JOIN nodes n ON n.kind = :kind AND n.key = k.value
		CROSS JOIN waiting w ON w.node = n.id AND w.kind = 'episode'`
	awaited := map[string]string{}
	err := t.each(ctx, find, func(r *db.Row) {
		key := r.Text()
		awaited[key] = r.Text()
	}, db.List("keys", keys), db.Arg("kind", string(kind)))
	return awaited, err
}
