package linking

import (
	"fmt"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
)

// CheckCauses is store.ErrInvalid, with the field, where a new episode names a cause that began after it. One that
// comes later is linked whenever it began, since what another said of it must not keep it out.
func (k *Known) CheckCauses(record *store.EpisodeRecord) error {
	for _, cause := range record.CausedBy {
		startedAt, known := k.Starts[cause]
		if !known || !Fits(memory.OrZero(record.Episode.UserID), k.Users[cause]) {
			continue
		}
		if err := record.Episode.CheckCause(cause, startedAt); err != nil {
			return fmt.Errorf("%w: %w", store.ErrInvalid, err)
		}
	}
	return nil
}

// CheckLogCauses is CheckCauses for an episode that begins with the first event of its log, if that is new to it:
// nothing looks at its causes again. starts are when those causes began that are there.
func CheckLogCauses(part *store.LogPart, fresh []store.LoggedEvent, starts map[string]time.Time) error {
	first := slices.IndexFunc(fresh, func(e store.LoggedEvent) bool { return e.Sequence == 0 })
	if first < 0 || part.Kept {
		return nil
	}
	e := memory.Episode{Key: part.Episode, StartedAt: fresh[first].At}
	for _, cause := range sortedKeys(starts) {
		if err := e.CheckCause(cause, starts[cause]); err != nil {
			return fmt.Errorf("%w: %w", store.ErrInvalid, err)
		}
	}
	return nil
}
