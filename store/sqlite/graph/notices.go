package graph

import (
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
)

// Old notices are looked for every trimEvery, and at most trimmedAtOnce go then, so that no write has much to do.
const (
	trimEvery     = 256
	trimmedAtOnce = 4 * trimEvery
)

// Notice tells that a record was written, or an alert rose; see store.NoticeReader. Writers wait for one another until
// they have committed, so the order of numbers is that of commits.
func Notice(tx *db.Tx, kind memory.Kind, of int64) {
	add, now := `INSERT INTO notices (kind, node, at) VALUES (:kind, :of, :at)`, time.Now()
	if kind == store.KindAlert {
		add = `INSERT INTO notices (kind, alert, at) VALUES (:kind, :of, :at)`
	}
	if tx.Insert(add, db.Arg("kind", string(kind)), db.Arg("of", of), db.Arg("at", now))%trimEvery == 0 {
		TrimNotices(tx, now.Add(-store.NoticesKept))
	}
}

// TrimNotices forgets some of the oldest notices of before an instant, and says whether there were any. The last of
// them stays as the mark of how far that went.
func TrimNotices(tx *db.Tx, before time.Time) (trimmed bool) {
	const oldest = `SELECT coalesce(max(number), 0) FROM (SELECT number, node, alert, at FROM notices ORDER BY number LIMIT :most) WHERE at < :before AND (node IS NOT NULL OR alert IS NOT NULL)`
	last := db.Ask(tx, func(c *db.Conn) (int64, error) {
		return c.Number(tx.Context, oldest, db.Arg("most", trimmedAtOnce), db.Arg("before", before))
	})
	if last == 0 {
		return false
	}
	tx.Exec(`DELETE FROM notices WHERE number < :last`, db.Arg("last", last))
	tx.Exec(`UPDATE notices SET node = NULL, alert = NULL WHERE number = :last`, db.Arg("last", last))
	return true
}
