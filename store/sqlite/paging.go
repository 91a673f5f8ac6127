package sqlite

import (
	"context"
	"database/sql/driver"

	"mneme/store"
)

// addAfter goes on behind a position in the order newest first, then by the key of k.
func (w *conditions) addAfter(column string, after *store.Position) {
	if after == nil {
		return
	}
	w.add(column+` <= :after_at AND (`+column+` < :after_at OR k.key > :after_key)`,
		arg("after_at", after.At), arg("after_key", after.Key))
}

// cut takes away the record that was read only to know whether more follow.
func cut[T any](records []T, limit int) (page []T, more bool) {
	if records == nil {
		records = []T{}
	}
	if len(records) <= limit {
		return records, false
	}
	return records[:limit], true
}

// count runs a query for one number.
func (t *Tenant) count(ctx context.Context, sql string, args []driver.NamedValue) (count int, err error) {
	err = t.read(ctx, func(c *conn) error {
		return c.search(ctx, sql, func(r *row) error {
			count = r.int()
			return nil
		}, args...)
	})
	return count, err
}
