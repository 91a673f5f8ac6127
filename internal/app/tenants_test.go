package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"mneme/internal/testneo4j"
	"mneme/service"
	"mneme/service/reading"
	"mneme/store"
	"mneme/store/neo4j"
	"mneme/store/sqlite"
)

// However many tenants ask, those that nobody uses do not stay in memory.
func TestTenantsInMemoryAreBounded(t *testing.T) {
	for name, open := range map[string]func(t *testing.T) (store.Backend, error){
		"sqlite": func(t *testing.T) (store.Backend, error) {
			return sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir(), MaxOpen: 16})
		},
		"neo4j": func(t *testing.T) (store.Backend, error) {
			server := testneo4j.Reach(t)
			return neo4j.Open(t.Context(), neo4j.Options{URL: server.URL, User: server.User, Password: server.Password})
		},
	} {
		t.Run(name, func(t *testing.T) {
			backend, err := open(t)
			require.NoError(t, err)
			goThroughTenants(t, backend)
		})
	}
}

func goThroughTenants(t *testing.T, backend store.Backend) {
	const all, together = 300, 8 // with 5,000 it takes minutes
	svc := service.New(backend, func(s *service.Settings) { s.TenantIdle = 0 }, service.WithLogger(slog.New(slog.NewTextHandler(io.Discard, nil))))
	defer func() {
		require.NoError(t, errors.Join(svc.Close(context.Background()), backend.Close(context.Background())))
	}()
	series := strings.ToLower(rand.Text())
	ask := func(ctx context.Context, id string) (*service.Tenant, error) {
		tenant, err := svc.Tenant(service.WithTenant(ctx, id))
		if err != nil {
			return nil, err
		}
		_, err = tenant.Agents.List(ctx, reading.PageInput{})
		return tenant, err
	}
	held, err := ask(t.Context(), series+"-held")
	require.NoError(t, err)

	bound := make([]weak.Pointer[service.Tenant], all)
	var asking errgroup.Group
	asking.SetLimit(together)
	for i := range all {
		asking.Go(func() error {
			ctx, done := context.WithCancel(t.Context())
			defer done()
			tenant, err := ask(ctx, fmt.Sprintf("%s-%d", series, i))
			bound[i] = weak.Make(tenant)
			return err
		})
	}
	require.NoError(t, asking.Wait())
	kept := 0
	require.Eventually(t, func() bool {
		svc.CloseIdle(t.Context()) // again for those whose last context had not been seen to end
		runtime.GC()
		kept = 0
		for i := range bound {
			if bound[i].Value() != nil {
				kept++
			}
		}
		return kept == 0
	}, time.Minute, 10*time.Millisecond, "of %d", all)
	t.Logf("%d of %d tenants are in memory", kept, all)
	again, err := ask(t.Context(), series+"-held")
	require.NoError(t, err)
	assert.Same(t, held, again, "it is in use")
	_, err = ask(t.Context(), series+"-0")
	require.NoError(t, err, "who was closed is bound anew")
}
