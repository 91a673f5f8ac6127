package sqlite

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// noticesAfter reads notices t with what is known of their records. What these say is not read, only how long it is.
var noticesAfter = `SELECT t.number, t.kind, coalesce(n.key, a.digest), coalesce(g.key, ''),
	coalesce(p.task_type, CASE t.kind WHEN 'episode' THEN e.task_type END, ''), coalesce(q.key, ''), coalesce(v.judge, ''), coalesce(w.key, ''),
	coalesce(v.section_type, ''), ` + db.Lengths("c", fields.Contents(&memory.Episode{})) + ` + ` + db.Lengths("f", fields.Feedback(&memory.Feedback{})) +
	` + ` + db.Lengths("x", fields.Verdict(&memory.Verdict{})) + ` FROM notices t
	LEFT JOIN nodes n ON n.id = t.node LEFT JOIN alerts a ON a.id = t.alert
	LEFT JOIN edges o ON t.kind = 'execution' AND o.source = t.node AND o.type = 'OF' LEFT JOIN profiles p ON p.id = o.target
	LEFT JOIN feedback f ON t.kind = 'feedback' AND f.id = t.node
	LEFT JOIN edges r ON r.target = f.id AND r.type = 'RECEIVED' LEFT JOIN nodes q ON q.id = r.source
	LEFT JOIN episodes e ON e.id = CASE t.kind WHEN 'episode' THEN t.node WHEN 'feedback' THEN r.source END LEFT JOIN nodes g ON g.id = e.agent
	LEFT JOIN contents c ON t.kind = 'episode' AND c.episode = t.node
	LEFT JOIN verdicts v ON t.kind = 'verdict' AND v.id = t.node LEFT JOIN nodes w ON w.id = v.run LEFT JOIN verdict_texts x ON x.verdict = v.id
	WHERE t.number > :after AND (t.node IS NOT NULL OR t.alert IS NOT NULL) ORDER BY t.number LIMIT :limit`

// Notices reads on from a number.
func (t *Tenant) Notices(ctx context.Context, after int64, limit int) (page store.NoticePage, err error) {
	err = t.file.Snapshot(ctx, func(c *db.Conn) error {
		page = store.NoticePage{}
		latest, err := latestNotice(c)
		if err != nil {
			return err
		}
		trimmed, err := c.Number(ctx, `SELECT coalesce(max(number), 0) FROM notices WHERE node IS NULL AND alert IS NULL`)
		if err != nil {
			return err
		}
		if after < trimmed || after > latest {
			return store.ErrNoticesGone
		}
		page.UpTo = latest
		err = c.Query(noticesAfter, func(r *db.Row) {
			page.Notices = append(page.Notices, readNotice(r))
		}, db.Arg("after", after), db.Arg("limit", limit))
		if len(page.Notices) == limit {
			page.UpTo = page.Notices[limit-1].Number
		}
		return err
	})
	return page, err
}

// readNotice leaves it to who reads the record to say what is wrong with that.
func readNotice(r *db.Row) store.Notice {
	n := store.Notice{Number: r.Integer(), Kind: memory.Kind(r.Text()), Key: r.Text()}
	for _, field := range []*string{&n.Agent, &n.TaskType, &n.Episode, &n.Judge, &n.Run, &n.SectionType} {
		*field = r.AnyText()
	}
	n.Bytes = r.Integer()
	return n
}

// LatestNotice is the number that was given last, also where its record is deleted.
func (t *Tenant) LatestNotice(ctx context.Context) (int64, error) {
	return answer(ctx, t.file.Read, latestNotice)
}

func latestNotice(c *db.Conn) (int64, error) {
	return c.Number(context.Background(), `SELECT seq FROM sqlite_sequence WHERE name = 'notices'`)
}

// TrimNotices forgets the oldest of before an instant.
func (t *Tenant) TrimNotices(ctx context.Context, before time.Time) error {
	if latest, err := t.LatestNotice(ctx); err != nil || latest == 0 { // no file is made for it
		return err
	}
	for {
		trimmed, err := answer(ctx, t.file.Write, func(tx *db.Tx) (bool, error) { return graph.TrimNotices(tx, before), nil })
		if err != nil || !trimmed {
			return err
		}
	}
}

// BeginAlerts numbers a look for alerts.
func (t *Tenant) BeginAlerts(ctx context.Context) (look int64, err error) {
	const begin = `INSERT INTO alert_looks (id, begun, kept) VALUES (1, 1, 0) ON CONFLICT DO UPDATE SET begun = begun + 1 RETURNING begun`
	return answer(ctx, t.file.Write, func(tx *db.Tx) (int64, error) { return tx.Number(ctx, begin) })
}

// KeepAlerts keeps what a look found.
func (t *Tenant) KeepAlerts(ctx context.Context, look int64, digests []string) error {
	return t.file.Write(ctx, func(tx *db.Tx) error {
		if !tx.Has(`UPDATE alert_looks SET kept = :look WHERE begun >= :look AND kept < :look RETURNING 1`, db.Arg("look", look)) {
			return nil // it is late
		}
		tx.Exec(`DELETE FROM alerts WHERE digest NOT IN (SELECT value FROM json_each(:digests))`, db.List("digests", digests))
		for _, digest := range digests {
			const rise = `INSERT INTO alerts (digest) VALUES (:digest) ON CONFLICT DO NOTHING RETURNING id`
			for _, id := range tx.IDs(rise, db.Arg("digest", digest)) {
				graph.Notice(tx, store.KindAlert, id)
			}
		}
		return nil
	})
}
