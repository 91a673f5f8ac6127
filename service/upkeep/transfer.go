package upkeep

import (
	"context"
	"errors"

	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/store"
)

// Kept is one thing that a tenant keeps, as it is kept.
type Kept = store.Item

// Export hands over all that the tenant keeps, in a fixed order, one thing at a time, the reads of
// observations up to now included. An error of each ends it and is returned.
func (u *Upkeep) Export(ctx context.Context, each func(Kept) error) error {
	if err := u.t.Accesses.Flush(ctx); err != nil {
		return faults.Of("the observation", err)
	}
	var stopped error
	err := store.ExportWhole(ctx, u.t.Store, func(item store.Item) error {
		stopped = each(item)
		return stopped
	})
	if stopped != nil {
		return stopped
	}
	return faults.Of("the export", err)
}

// Restore takes back what Export handed over, and may have been changed since, through the write boundary, a batch in
// one transaction; it may change the items. What is there already stays; what was deleted for good is left out, unless
// forced, and faults.WasForgotten says so of its error. It is CONFLICT where the tenant has records whose inputs were
// hashed with another key than the export's.
func (u *Upkeep) Restore(ctx context.Context, items []Kept, force bool) ([]store.Recorded, error) {
	restored := make([]store.Recorded, len(items))
	sound := make([]Kept, 0, len(items))
	places := make([]int, 0, len(items))
	for i, fault := range boundary.CheckRestored(ctx, &u.t.Rules, items) {
		if restored[i].Err = fault; fault == nil {
			sound, places = append(sound, items[i]), append(places, i)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	recorded, err := u.t.Store.Restore(ctx, sound, force)
	if errors.Is(err, store.ErrConflict) {
		return nil, &memory.Error{Code: memory.CodeConflict, Cause: err,
			Message: "the tenant has records of its own, which an export of another cannot be mixed with; import it into an empty one"}
	}
	if err != nil {
		return nil, faults.Of("the export", err)
	}
	u.t.Rekey(sound)
	for i, r := range recorded {
		r.Err = faults.Of("the record", r.Err)
		restored[places[i]] = r
	}
	return restored, nil
}

// Backup writes a copy of the tenant to a file that is not there yet, while it is in use. INVALID_INPUT
// where the store cannot do that, and says what to do instead.
func (u *Upkeep) Backup(ctx context.Context, path string) error {
	backuper, can := u.t.Store.(store.Backuper)
	if !can {
		return memory.Invalid("", "a Neo4j has no copy that is made while it is in use: an export is the backup (mneme export FILE; mneme import --format jsonl FILE brings it back), "+
			"or, while the Neo4j is stopped, neo4j-admin database dump")
	}
	if err := u.t.Accesses.Flush(ctx); err != nil {
		return faults.Of("the observation", err)
	}
	err := backuper.Backup(ctx, path)
	if errors.Is(err, store.ErrDiskFull) {
		return &memory.Error{Code: memory.CodeUnavailable, Message: "the disk of " + path + " is full: make room on it, or name a file on another", Cause: err}
	}
	return err
}
