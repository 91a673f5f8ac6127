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

// addAfterName goes on behind a name, in the order of names that are unique.
func (w *conditions) addAfterName(column string, after *store.Position) {
	if after != nil {
		w.add(column+` > :after_key`, arg("after_key", after.Key))
	}
}

// recordsByKey reads records in the order of the keys, nil where there is none.
func recordsByKey[T any](
	ctx context.Context, t *Tenant, find string, keys []string, read func(*row) *T, key func(*T) string,
) ([]*T, error) {
	list, err := jsonOf(keys)
	if err != nil {
		return nil, err
	}
	found := make([]*T, 0, len(keys))
	err = t.read(ctx, func(c *conn) error {
		return c.query(find, func(r *row) error {
			found = append(found, read(r))
			return nil
		}, arg("keys", list))
	})
	if err != nil {
		return nil, err
	}
	return inOrder(keys, found, key), nil
}

// listPage reads one record more than a page holds, which says whether more follow.
func listPage[T any](
	ctx context.Context, t *Tenant, find string, w conditions, limit int, read func(*row) *T,
) ([]*T, bool, error) {
	var found []*T
	err := t.read(ctx, func(c *conn) error {
		return c.search(ctx, find, func(r *row) error {
			found = append(found, read(r))
			return nil
		}, append(w.args, arg("limit", limit+1))...)
	})
	if err != nil {
		return nil, false, err
	}
	page, more := cut(found, limit)
	return page, more, nil
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
