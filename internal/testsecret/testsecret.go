// Package testsecret is for tests that put a secret into whatever comes in, and look for it in what is kept.
package testsecret

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/redact"
	"mneme/service"
	"mneme/service/servicetest"
	"mneme/service/upkeep"
	"mneme/store/sqlite"
)

// Planted is a secret that nobody has, put together here so that a scanner of this repository finds none.
const Planted = "ghp" + "_q8Zr5Kd0Xw3Lm7Pv2Nc9Jt4Hs6Gb1Fy8Rk5U"

// Open opens a tenant of a service that takes secrets out, for as long as the test runs.
func Open(t testing.TB, options ...service.Option) *service.Tenant {
	t.Helper()
	return servicetest.Bind(t.Context(), t, OpenService(t, options...))
}

// OpenService opens a service over a new SQLite store that takes secrets out, for as long as the test runs.
func OpenService(t testing.TB, options ...service.Option) *service.Service {
	t.Helper()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	svc := service.New(backend, append(options, service.WithRedaction(redact.Rules()))...)
	t.Cleanup(func() {
		assert.NoError(t, svc.Close(context.Background()))
		assert.NoError(t, backend.Close(context.Background()))
	})
	return svc
}

// KeptWithout counts what is kept, none of which may hold the secret.
func KeptWithout(t testing.TB, tenant *service.Tenant) (items int) {
	t.Helper()
	require.NoError(t, tenant.Upkeep.Export(t.Context(), func(item upkeep.Kept) error {
		items++
		text, err := json.Marshal(item)
		assert.NotContains(t, string(text), Planted)
		return err
	}))
	return items
}

// Planting gives a copy of a JSON value for each text in it, with the secret there.
func Planting(value any) (variants []any) {
	switch value := value.(type) {
	case string:
		return []any{"x " + Planted}
	case []any:
		for i, item := range value {
			for _, variant := range Planting(item) {
				list := append([]any{}, value...)
				list[i] = variant
				variants = append(variants, list)
			}
		}
	case map[string]any:
		for name, item := range value {
			for _, variant := range Planting(item) {
				object := map[string]any{}
				for other, same := range value {
					object[other] = same
				}
				object[name] = variant
				variants = append(variants, object)
			}
		}
	}
	return variants
}
