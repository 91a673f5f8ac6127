// Package servicetest is for tests that work on a tenant without a door that binds it.
package servicetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/service"
)

// Bind gives the tenant that a context names, else the default one.
func Bind(ctx context.Context, t testing.TB, svc *service.Service) *service.Tenant {
	t.Helper()
	tenant, err := svc.Tenant(ctx)
	require.NoError(t, err)
	return tenant
}
