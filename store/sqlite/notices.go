package sqlite

import (
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

const noticesAfter = `SELECT t.number, t.kind, coalesce(n.key, a.digest), coalesce(p.task_type, '') FROM notices t
	LEFT JOIN nodes n ON n.id = t.node LEFT JOIN alerts a ON a.id = t.alert
	LEFT JOIN edges o ON t.kind = 'execution' AND o.source = t.node AND o.type = 'OF' LEFT JOIN profiles p ON p.id = o.target
	WHERE t.number > :after AND (t.node IS NOT NULL OR t.alert IS NOT NULL) ORDER BY t.number LIMIT :limit`

// Notices reads on from a number.
func (t *Tenant) Notices(ctx context.Context, after int64, limit int) (page store.NoticePage, err error) {
	there := false
	err = t.file.Snapshot(ctx, func(c *db.Conn) error {
		page, there = store.NoticePage{}, true
		latest, err := latestNotice(c)
		if err != nil {
			return err
		}
		trimmed := int64(0)
		const mark = `SELECT coalesce(max(number), 0) FROM notices WHERE node IS NULL AND alert IS NULL`
		if _, err := c.One(mark, func(r *db.Row) { trimmed = r.Integer() }); err != nil {
			return err
		}
		if after < trimmed || after > latest {
			return store.ErrNoticesGone
		}
		page.UpTo = latest
		err = c.Query(noticesAfter, func(r *db.Row) error {
			page.Notices = append(page.Notices, store.Notice{Number: r.Integer(), Kind: memory.Kind(r.Text()), Key: r.Text(), TaskType: r.Text()})
			return nil
		}, db.Arg("after", after), db.Arg("limit", limit))
		if len(page.Notices) == limit {
			page.UpTo = page.Notices[limit-1].Number
		}
		return err
	})
	if err == nil && !there && after != 0 { // a tenant that has never written
		err = store.ErrNoticesGone
	}
	return page, err
}

// LatestNotice is the number that was given last, also where its record is deleted.
func (t *Tenant) LatestNotice(ctx context.Context) (int64, error) {
	return answer(ctx, t.file.Read, latestNotice)
}

func latestNotice(c *db.Conn) (number int64, err error) {
	_, err = c.One(`SELECT seq FROM sqlite_sequence WHERE name = 'notices'`, func(r *db.Row) { number = r.Integer() })
	return number, err
}

// TrimNotices forgets the oldest of before an instant.
func (t *Tenant) TrimNotices(ctx context.Context, before time.Time) error {
	if latest, err := t.LatestNotice(ctx); err != nil || latest == 0 { // no file is made for it
		return err
	}
	for {
		trimmed, err := answer(ctx, t.file.Write, func(c *db.Conn) (bool, error) { return graph.TrimNotices(c, before) })
		if err != nil || !trimmed {
			return err
		}
	}
}

// BeginAlerts numbers a look for alerts.
func (t *Tenant) BeginAlerts(ctx context.Context) (look int64, err error) {
	err = t.file.Write(ctx, func(c *db.Conn) error {
		const begin = `INSERT INTO alert_looks (id, begun, kept) VALUES (1, 1, 0) ON CONFLICT DO UPDATE SET begun = begun + 1`
		if err := c.Exec(begin); err != nil {
			return err
		}
		_, err := c.One(`SELECT begun FROM alert_looks`, func(r *db.Row) { look = r.Integer() })
		return err
	})
	return look, err
}

// KeepAlerts keeps what a look found.
func (t *Tenant) KeepAlerts(ctx context.Context, look int64, digests []string) error {
	return t.file.Write(ctx, func(c *db.Conn) error {
		late := true
		if _, err := c.One(`SELECT 1 FROM alert_looks WHERE begun >= :look AND kept < :look`, func(*db.Row) { late = false }, db.Arg("look", look)); err != nil || late {
			return err
		}
		if err := c.Exec(`UPDATE alert_looks SET kept = :look`, db.Arg("look", look)); err != nil {
			return err
		}
		known := map[string]int64{}
		err := c.Query(`SELECT digest, id FROM alerts`, func(r *db.Row) error {
			known[r.Text()] = r.Integer()
			return nil
		})
		if err != nil {
			return err
		}
		for digest, id := range known {
			if !slices.Contains(digests, digest) {
				if err := c.Exec(`DELETE FROM alerts WHERE id = :id`, db.Arg("id", id)); err != nil {
					return err
				}
			}
		}
		return raise(c, known, digests)
	})
}

// raise keeps the alerts that are not known, and tells of each.
func raise(c *db.Conn, known map[string]int64, digests []string) error {
	for _, digest := range digests {
		if _, is := known[digest]; is {
			continue
		}
		id, err := c.Insert(`INSERT INTO alerts (digest) VALUES (:digest)`, db.Arg("digest", digest))
		if err != nil {
			return err
		}
		if err := graph.NoticeAlert(c, id); err != nil {
			return err
		}
	}
	return nil
}
