package service

import (
	"context"

	"mneme/memory"
)

// ProfilesByKey is what node and nodes read profiles with.
func ProfilesByKey(ctx context.Context, t *Tenant, keys []string) ([]*memory.LearningProfile, error) {
	return profilesByKey(ctx, t.Learning.store, keys)
}
