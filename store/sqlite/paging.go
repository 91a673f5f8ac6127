package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"

	"mneme/memory"
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

// recordsByKey reads records of a kind in the order of the keys, nil where there is none.
func recordsByKey[T any](
	ctx context.Context, t *Tenant, kind memory.Kind, find string, keys []string, read func(*row) *T, key func(*T) string,
) (ordered []*T, err error) {
	list, err := jsonOf(keys)
	if err != nil {
		return nil, err
	}
	found := make([]*T, 0, len(keys))
	err = t.snapshot(ctx, func(c *conn) error {
		err := c.query(find, func(r *row) error {
			found = keep(r, found, read(r))
			return nil
		}, arg("keys", list))
		if err != nil {
			return err
		}
		ordered = inOrder(keys, found, key)
		return tellGone(c, kind, keys, ordered)
	})
	return ordered, err
}

// tellGone tells of records that are there although reading them by their keys, in the same state, found nothing:
// something of them is gone.
func tellGone[T any](c *conn, kind memory.Kind, keys []string, found []*T) error {
	var missing []string
	for i, record := range found {
		if record == nil {
			missing = append(missing, keys[i])
		}
	}
	if len(missing) == 0 {
		return nil
	}
	list, err := jsonOf(missing)
	if err != nil {
		return err
	}
	const there = `SELECT n.key FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = :kind AND n.key = w.value`
	return c.query(there, func(r *row) error {
		store.NoteDamage(c.reads, gone(kind, r.text()))
		return nil
	}, arg("keys", list), arg("kind", string(kind)))
}

func gone(kind memory.Kind, key string) *store.Damaged {
	return &store.Damaged{Kind: kind, Key: key, Cause: errors.New("something of it is gone")}
}

// listPage reads one record more than a page holds, which says whether more follow.
func listPage[T any](
	ctx context.Context, t *Tenant, find string, w conditions, limit int, read func(*row) *T,
) ([]*T, bool, error) {
	return wholePage(ctx, t.read, limit, func(c *conn, most int) (found []*T, err error) {
		err = c.search(ctx, find, func(r *row) error {
			found = keep(r, found, read(r))
			return nil
		}, append(w.args[:len(w.args):len(w.args)], arg("limit", most))...)
		return found, err
	})
}

// reader is a way to read: Tenant.read, or Tenant.snapshot.
type reader func(context.Context, func(*conn) error) error

// wholePage reads a page, and one record more, which says whether more follow. Where some cannot be read it reads
// further, so that a page is full as long as there are others.
func wholePage[T any](ctx context.Context, in reader, limit int, read func(c *conn, most int) ([]T, error)) ([]T, bool, error) {
	for most := limit + 1; ; most *= 2 {
		var found []T
		left := 0
		err := in(ctx, func(c *conn) (err error) {
			c.left = 0
			found, err = read(c, most)
			left = c.left
			return err
		})
		if err != nil {
			return nil, false, err
		}
		if left == 0 || len(found) > limit || len(found)+left < most {
			page, more := cut(found, limit)
			return page, more, nil
		}
	}
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
