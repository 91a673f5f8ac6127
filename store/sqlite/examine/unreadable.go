package examine

import (
	"context"
	"fmt"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/file"
)

// unreadable looks for records that cannot be read, by reading all there are as an export does.
func (e *examiner) unreadable() (diagnosis, error) {
	found, count, err := e.records.Unreadable(e.ctx, e.conn)
	if err != nil {
		return diagnosis{}, err
	}
	d := diagnosis{found: fmt.Sprintf("%d can be read", count)}
	if len(found) > 0 {
		d.fault, d.remedy = store.DamageText(found)
		d.mendFile = func(ctx context.Context, f *file.File) error { return e.records.discardLasting(ctx, f, found) }
	}
	return d, nil
}

// discardLasting removes what was found and cannot be read now either: others may have put it right.
func (r Records) discardLasting(ctx context.Context, f *file.File, found []*store.Damaged) error {
	var now []*store.Damaged
	err := f.Snapshot(ctx, func(c *db.Conn) (err error) {
		now, _, err = r.Unreadable(ctx, c)
		return err
	})
	if err != nil {
		return err
	}
	return f.Write(ctx, func(c *db.Conn) error {
		for _, damaged := range store.StillDamaged(found, now) {
			if err := r.Discard(ctx, c, damaged); err != nil {
				return err
			}
		}
		return nil
	})
}
