package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"strings"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
)

// tellGone tells of records that are there although reading them by their keys, in the same state, found nothing:
// something of them is gone.
func tellGone[T any](c *db.Conn, kind memory.Kind, keys []string, found []*T) error {
	var missing []string
	for i, record := range found {
		if record == nil {
			missing = append(missing, keys[i])
		}
	}
	if len(missing) == 0 {
		return nil
	}
	const there = `SELECT n.key FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = :kind AND n.key = w.value`
	return c.Query(there, func(r *db.Row) {
		store.NoteDamage(c.Reads, gone(kind, r.Text()))
	}, db.List("keys", missing), db.Arg("kind", string(kind)))
}

func gone(kind memory.Kind, key string) *store.Damaged {
	return &store.Damaged{Kind: kind, Key: key, Cause: errors.New("something of it is gone")}
}

// listPage reads one record more than a page holds, which says whether more follow.
func listPage[T any](ctx context.Context, t *Tenant, limit int, read func(*db.Row) *T, find string, w db.Conditions) ([]*T, bool, error) {
	return wholePage(ctx, t.file.Read, limit, func(c *db.Conn, most int) (found []*T, err error) {
		return db.AllWithin(ctx, c, find, read, append(w.Args[:len(w.Args):len(w.Args)], db.Arg("limit", most))...)
	})
}

// whole gives all that a function reads.
func whole[T any](ctx context.Context, in reader, read func(*db.Conn) ([]T, error)) (any, bool, error) {
	found, err := answer(ctx, in, read)
	return found, false, err
}

// reader is a way to read: File.Read, or File.Snapshot.
type reader = func(context.Context, func(*db.Conn) error) error

// answer gives what a function reads or writes.
func answer[C, T any](ctx context.Context, in func(context.Context, func(*C) error) error, do func(*C) (T, error)) (found T, err error) {
	err = in(ctx, func(c *C) (err error) {
		found, err = do(c)
		return err
	})
	return found, err
}

// each hands the rows of a query to a function.
func (t *Tenant) each(ctx context.Context, find string, each func(*db.Row), args ...driver.NamedValue) error {
	return t.file.Read(ctx, func(c *db.Conn) error { return c.Search(ctx, find, each, args...) })
}

// wholePage reads a page, and one record more, which says whether more follow. Where some cannot be read it reads
// further, so that a page is full as long as there are others.
func wholePage[T any](ctx context.Context, in reader, limit int, read func(c *db.Conn, most int) ([]T, error)) ([]T, bool, error) {
	for most := limit + 1; ; most *= 2 {
		var found []T
		left := 0
		err := in(ctx, func(c *db.Conn) (err error) {
			c.Left = 0
			found, err = read(c, most)
			left = c.Left
			return err
		})
		if err != nil {
			return nil, false, err
		}
		if left == 0 || len(found) > limit || len(found)+left < most {
			page, more := store.Cut(found, limit)
			return page, more, nil
		}
	}
}

// eachSide are the conditions on a column by which an index begins that is 0 or 1: one of them, or both.
func eachSide(column string, is *bool) []string {
	sides := []string{` AND ` + column + ` = 0`, ` AND ` + column + ` = 1`}
	switch {
	case is == nil:
		return sides
	case *is:
		return sides[1:]
	}
	return sides[:1]
}

// newestOf selects the ids of a page of records by time, then by the key of k, as an index gives them for each of some
// conditions.
func newestOf(record, from string, w db.Conditions, sides []string) string {
	pages := make([]string, len(sides))
	for i, side := range sides {
		pages[i] = `SELECT * FROM (SELECT ` + record + `.id, ` + record + `.created_at, k.key` + from + ` WHERE ` + w.SQL() + side +
			` ORDER BY ` + record + `.created_at DESC, k.key LIMIT :limit)`
	}
	if len(pages) == 1 {
		return pages[0]
	}
	return `SELECT * FROM (` + strings.Join(pages, ` UNION ALL `) + `) ORDER BY created_at DESC, key LIMIT :limit`
}

// count runs a query for one number.
func (t *Tenant) count(ctx context.Context, sql string, args []driver.NamedValue) (int, error) {
	count, err := answer(ctx, t.file.Read, func(c *db.Conn) (int64, error) { return c.Number(ctx, sql, args...) })
	return int(count), err
}
