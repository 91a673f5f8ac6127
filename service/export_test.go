package service

import (
	"context"
	"time"

	"mneme/memory"
)

// ProfilesByKey is what node and nodes read profiles with.
func ProfilesByKey(ctx context.Context, t *Tenant, keys []string) ([]*memory.LearningProfile, error) {
	return profilesByKey(ctx, t.Learning.store, keys)
}

// WithModelTime sets what a call spends on models.
func WithModelTime(d time.Duration) Option { return func(s *Service) { s.modelTime = d } }
