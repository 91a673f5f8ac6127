package graph

import (
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
)

// Old notices are looked for once in trimEvery, and at most trimmedAtOnce go then, so that no write has much to do with them.
const (
	trimEvery     = 256
	trimmedAtOnce = 4 * trimEvery
)

// Notice tells that a record was written; see store.NoticeReader. Writers wait for one another until they have committed,
// so the order of numbers is that of commits.
func Notice(c *db.Conn, kind memory.Kind, node int64) error {
	const add = `INSERT INTO notices (kind, node, at) VALUES (:kind, :node, :at)`
	return notice(c, add, kind, node)
}

// NoticeAlert tells that an alert rose.
func NoticeAlert(c *db.Conn, alert int64) error {
	const add = `INSERT INTO notices (kind, alert, at) VALUES (:kind, :node, :at)`
	return notice(c, add, store.KindAlert, alert)
}

func notice(c *db.Conn, add string, kind memory.Kind, of int64) error {
	now := time.Now()
	number, err := c.Insert(add, db.Arg("kind", string(kind)), db.Arg("node", of), db.Arg("at", now))
	if err != nil || number%trimEvery != 0 {
		return err
	}
	_, err = TrimNotices(c, now.Add(-store.NoticesKept))
	return err
}

// TrimNotices forgets some of the oldest notices of before an instant, and says whether there were any. The last of them
// stays as the mark of how far that went.
func TrimNotices(c *db.Conn, before time.Time) (trimmed bool, err error) {
	last := int64(0)
	const oldest = `SELECT coalesce(max(number), 0) FROM (SELECT number, node, alert, at FROM notices ORDER BY number LIMIT :most) WHERE at < :before AND (node IS NOT NULL OR alert IS NOT NULL)`
	_, err = c.One(oldest, func(r *db.Row) { last = r.Integer() }, db.Arg("most", trimmedAtOnce), db.Arg("before", before))
	if err != nil || last == 0 {
		return false, err
	}
	if err := c.Exec(`DELETE FROM notices WHERE number < :last`, db.Arg("last", last)); err != nil {
		return false, err
	}
	return true, c.Exec(`UPDATE notices SET node = NULL, alert = NULL WHERE number = :last`, db.Arg("last", last))
}
