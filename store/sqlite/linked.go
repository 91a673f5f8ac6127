package sqlite

import (
	"context"
	"database/sql/driver"
	"strings"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

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
		args = append(args, db.Arg("after", afterRef(query.Page.After)))
	}
	linked, err := t.linkedUpTo(ctx, find, args, query.Page.Limit, paged)
	if err != nil || !paged {
		return linked, err
	}
	store.CutLinked(linked, query.Page.Limit)
	return linked, nil
}

// linkedUpTo reads one more than a page for each. Where some cannot be read it reads further, as wholePage does.
func (t *Tenant) linkedUpTo(ctx context.Context, find string, args []driver.NamedValue, limit int, paged bool) (map[string]store.LinkedPage, error) {
	for most := limit; ; most = 2*most + 1 {
		all := args
		if paged {
			all = append(args[:len(args):len(args)], db.Arg("limit", most))
		}
		linked, short := map[string]store.LinkedPage{}, false
		left := map[string]int{}
		err := t.file.Read(ctx, func(c *db.Conn) error {
			return c.Search(ctx, find, func(r *db.Row) {
				key, before := r.Text(), c.Left
				linked[key] = store.LinkedPage{Episodes: db.Keep(r, linked[key].Episodes, readEpisode(r, 0))}
				left[key] += c.Left - before
			}, all...)
		})
		if err != nil {
			return nil, err
		}
		for key, left := range left {
			kept := len(linked[key].Episodes)
			short = short || paged && left > 0 && kept <= limit && kept+left > most
		}
		if !short {
			return linked, nil
		}
	}
}

// afterRef is where a page of episodes by key begins, as a reference.
func afterRef(after *store.Position) string {
	if after == nil {
		return ""
	}
	return memory.NodeID(memory.KindEpisode, after.Key)
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
