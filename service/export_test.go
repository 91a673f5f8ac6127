package service

import (
	"context"
	"time"

	"mneme/memory"
)

// ProfilesByKey is what node and nodes read profiles with.
func ProfilesByKey(ctx context.Context, t *Tenant, keys []string) ([]*memory.LearningProfile, error) {
	return t.tenant.ProfilesByKey(ctx, keys)
}

// WithModelTime sets what a call spends on models.
func WithModelTime(d time.Duration) Option { return func(s *Settings) { s.ModelTime = d } }

// WithSeeds sets how the draws between agents that are equally worth exploring are seeded.
func WithSeeds(seed func() uint64) Option { return func(s *Settings) { s.Seed = seed } }
