package service

import (
	"context"

	"mneme/store"
)

// Backlog is what waits for a server to do it.
type Backlog = store.Backlog

// Backlog sums up what waits, of the tenants that are in use: those that were bound since it was called last, or of which
// something waited then. A tenant that cannot be asked counts for what it said last, and the error tells of one.
func (s *Service) Backlog(ctx context.Context) (all Backlog, failed error) {
	s.tenants.Range(func(_, known any) bool {
		t, is := known.(*Tenant)
		if !is {
			return true
		}
		last := t.backlog.Load()
		if asked := t.asked.Swap(false); asked || last != nil && *last != (Backlog{}) {
			now, err := t.Upkeep.store.Backlog(ctx)
			if err != nil {
				t.asked.Store(asked)
				failed = fault("what waits", err)
			} else {
				t.backlog.Store(&now)
				last = &now
			}
		}
		if last != nil {
			all.Add(*last)
		}
		return ctx.Err() == nil
	})
	return all, failed
}
