package neo4j_test

import (
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
	"mneme/store/storetest"
)

// everyValue makes the test thorough: some minutes instead of seconds.
var everyValue = flag.Bool("damage.every", false, "spoil each property alone")

// structure are the properties by which records are found and hang together. What is wrong with those the other parts
// of the examination find.
var structure = map[string]bool{
	"tenant": true, "key": true, "episode": true, "agent": true, "taskType": true, "session": true, "canvas": true, "memoir": true, "run": true, "section": true,
	"profile": true, "trace": true, "named": true, "namedCanvas": true, "way": true, "contextKey": true, "inputKey": true,
	"executionIds": true, "words": true, "wordId": true, "boosted": true,
}

// notRecords are the labels of nodes that only link others or are settings.
var notRecords = []string{"Tenant", "Waiting", "ExecutionID", "Session", "Section", "FailingTrace"}

// garbage is what is put into properties, in turns; nil removes it.
var garbage = []any{"{", int64(1) << 60, strings.Repeat("[", 2000) + strings.Repeat("]", 2000), nil, []string{"garbage"}, true}

// property is one of a label's that holds something that is decoded.
type property struct{ label, name string }

// spoiler changes what is stored behind the store's back.
type spoiler struct {
	t      *testing.T
	server driver.DriverWithContext
	tenant string
}

func (s *spoiler) run(text string, values map[string]any) []*driver.Record {
	s.t.Helper()
	values["tenant"] = s.tenant
	result, err := driver.ExecuteQuery(context.WithoutCancel(s.t.Context()), s.server, text, values, driver.EagerResultTransformer)
	require.NoError(s.t, err)
	return result.Records
}

// properties are all that a tenant has.
func (s *spoiler) properties() (all []property) {
	for _, row := range s.run("MATCH (n {tenant: $tenant}) UNWIND keys(n) AS name RETURN DISTINCT labels(n)[0] AS label, name ORDER BY label, name", map[string]any{}) {
		values := row.AsMap()
		p := property{values["label"].(string), values["name"].(string)} //nolint:forcetypeassert // the query's own
		if !structure[p.name] && !slices.Contains(notRecords, p.label) {
			all = append(all, p)
		}
	}
	return all
}

// spoil puts garbage into properties, each of another record of its label where there are as many.
func (s *spoiler) spoil(all []property, turn int) {
	places := map[string]int{}
	rows := []map[string]any{}
	for i, p := range all {
		value := garbage[(i+turn)%len(garbage)]
		rows = append(rows, map[string]any{"label": p.label, "place": places[p.label], "change": map[string]any{p.name: value}, "name": p.name})
		places[p.label]++
	}
	s.run(`UNWIND $rows AS row
		CALL (row) { MATCH (n {tenant: $tenant}) WHERE row.label IN labels(n) AND n[row.name] IS NOT NULL RETURN collect(n) AS having }
		WITH row, having[row.place % size(having)] AS n SET n += row.change`, map[string]any{"rows": rows})
}

// Whatever another program writes into properties, what was stored beside it is answered, the doctor finds what
// cannot be read, and mending removes it.
func TestDamagedValuesTakeNothingElseAlong(t *testing.T) {
	server := testneo4j.Reach(t)
	backend := open(t, nil)
	connection, err := driver.NewDriverWithContext(server.URL, driver.BasicAuth(server.User, server.Password, ""))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, connection.Close(context.WithoutCancel(t.Context()))) })
	fresh := func(t *testing.T) *spoiler {
		t.Helper()
		s := &spoiler{t, connection, "damaged-" + strings.ToLower(rand.Text())}
		t.Cleanup(func() { s.run("MATCH (n {tenant: $tenant}) DETACH DELETE n", map[string]any{}) })
		storetest.Fill(t, backend, s.tenant)
		return s
	}
	rounds := 3
	all := fresh(t).properties()
	if *everyValue {
		rounds = len(all)
	}
	unread := map[string]bool{}
	for round := range rounds {
		var some []property
		for i, p := range all {
			if i%rounds == round {
				some = append(some, p)
			}
		}
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			s := fresh(t)
			for _, id := range storetest.CheckDamage(t, backend, s.tenant, func() { s.spoil(some, round) }) {
				kind, _, _ := strings.Cut(id, ":")
				unread[kind] = true
			}
		})
		t.Run(fmt.Sprint(round, ", forgotten"), func(t *testing.T) {
			s := fresh(t)
			storetest.CheckForgettingDamage(t, backend, s.tenant, func() { s.spoil(some, round) })
		})
	}
	assert.Subset(t, slices.Collect(maps.Keys(unread)), []string{"agent", "episode", "canvas", "feedback", "concept", "memoir", "observation",
		"correction", "run", "verdict", "pattern", "learningProfile", "execution", "span"}, "kinds whose damage is noticed")
}
