package e2e

import (
	"database/sql"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/gqlhttp"
	"mneme/memory/access"
	"mneme/service"
	"mneme/store/sqlite"
)

type healthAnswer struct {
	Health struct {
		Faults   int
		Findings []struct {
			Part, Found string
			Fault       *string
		}
	}
}

// patience is for how long an examination may take beside all that the other tests do to a store.
const patience = 10 * time.Minute

const healthQuery = `{ health { faults findings { part found fault } } }`

// testHealth has a memory examined that is whole.
func testHealth(t *testing.T, w *world) {
	w.episode(t, "a", "A refund", nil)
	patient := &suite{
		handler: gqlhttp.NewHandler(w.service, gqlhttp.Options{Timeout: patience, Budget: service.Limits{Records: 1}}), // an examination reads all
		service: w.service, backend: w.backend, sent: w.sent, seen: w.seen, name: w.name,
	}
	w = &world{suite: patient, tenant: w.tenant}
	var answer healthAnswer
	w.ask(t, healthQuery, nil, &answer)
	assert.Zero(t, answer.Health.Faults)
	parts := map[string]bool{}
	for _, f := range answer.Health.Findings {
		parts[f.Part] = true
		assert.Nil(t, f.Fault, f.Part)
		assert.NotContains(t, f.Found, "tenants", "what there is of all is nobody's to know")
	}
	for _, part := range []string{"links", "owners", "counters", "profiles", "waiting"} {
		assert.True(t, parts[part], part)
	}

	var viewer struct{ Viewer access.Caller }
	w.ask(t, `{ viewer { tenant role name } }`, nil, &viewer)
	assert.Equal(t, access.Caller{Tenant: w.tenant, Role: access.Admin}, viewer.Viewer)

	asWriter := func(query string) string {
		sent := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(`{"query": "`+query+`"}`))
		sent.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		w.handler.ServeHTTP(answer, sent.WithContext(access.With(t.Context(), access.Caller{Tenant: w.tenant, Role: access.Writer, Name: "mneme_aaaaaaaa"})))
		return answer.Body.String()
	}
	assert.Contains(t, asWriter(`{ health { faults } }`), "health needs the role admin")
	assert.Contains(t, asWriter(`{ viewer { tenant role name } }`), `{"tenant":"`+w.tenant+`","role":"WRITER","name":"mneme_aaaaaaaa"}`)
}

// TestHealthTellsOfOnesOwnFaults: those of another tenant are nobody's to know.
func TestHealthTellsOfOnesOwnFaults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir})
	require.NoError(t, err)
	s := newSuite(t, backend, nil)
	broken, whole := s.world(), s.world()
	for _, w := range []*world{broken, whole} {
		w.episode(t, "a", "A refund", vars{"metadata": vars{"a": 1}})
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, broken.tenant+".db"))
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), `UPDATE contents SET metadata = '{'`)
	require.NoError(t, err)
	require.NoError(t, db.Close())

	var answer healthAnswer
	whole.ask(t, healthQuery, nil, &answer)
	assert.Zero(t, answer.Health.Faults)
	broken.ask(t, healthQuery, nil, &answer)
	require.Equal(t, 1, answer.Health.Faults)
	first := answer.Health.Findings[0]
	assert.Equal(t, "records", first.Part)
	require.NotNil(t, first.Fault)
	assert.Contains(t, *first.Fault, "episode:a")
}
