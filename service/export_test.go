package service

import (
	"context"

	"mneme/memory"
)

// ProfilesByKey is what node and nodes read profiles with.
func ProfilesByKey(ctx context.Context, s *Service, keys []string) ([]*memory.LearningProfile, error) {
	t, err := s.tenant(ctx)
	if err != nil {
		return nil, err
	}
	return t.profilesByKey(ctx, keys)
}
