package neo4j_test

import (
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
	"mneme/memory"
	"mneme/store"
	"mneme/store/storetest"
)

// alone makes the test thorough: some minutes instead of seconds.
var alone = flag.Bool("damage.alone", false, "spoil one property of a tenant at a time, with each value")

// structure are the properties by which records are found. What is wrong with those the other parts
// of the examination find.
var structure = map[string]bool{
	"tenant": true, "key": true, "taskType": true, "trace": true, "named": true, "namedCanvas": true, "way": true, "contextKey": true, "inputKey": true,
	"executionIds": true, "leftOut": true, "boosted": true,
}

// ownerKeys are the properties by which records hang together. Where these are no keys, deleting awaits the rebuilding.
var ownerKeys = map[string]bool{
	"episode": true, "agent": true, "session": true, "canvas": true, "memoir": true, "run": true, "section": true, "profile": true,
}

// notRecords are the labels of nodes that only link others or are settings.
var notRecords = []string{"Tenant", "Waiting", "ExecutionID", "Session", "Section", "FailingTrace", "PassageChange"}

// garbage is what is put into properties, in turns; nil removes it. Texts that may be JSON get a text, too.
var (
	garbage = []any{int64(math.MaxInt64), nil, int64(-7), []string{"garbage"}, true}
	noJSON  = []any{"{", strings.Repeat("[", 2000) + strings.Repeat("]", 2000)}
)

// property is one of a label's that holds something that is decoded, and a value that does not belong there.
type property struct {
	label, name string
	value       any
}

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

// properties are all that a tenant has, each with garbage.
func (s *spoiler) properties() (all []property) {
	const text = `MATCH (n {tenant: $tenant}) UNWIND keys(n) AS name
		RETURN labels(n)[0] AS label, name, count(CASE WHEN n[name] IS :: STRING NOT NULL THEN 1 END) AS texts ORDER BY label, name`
	for n, row := range s.run(text, map[string]any{}) {
		values := row.AsMap()
		label, name := values["label"].(string), values["name"].(string) //nolint:forcetypeassert // the query's own
		if structure[name] || slices.Contains(notRecords, label) {
			continue
		}
		chosen := []any{garbage[n%len(garbage)]}
		if *alone {
			chosen = garbage
		}
		if values["texts"] != int64(0) {
			chosen = slices.Concat(chosen, []any{noJSON[n%len(noJSON)]})
		}
		for _, value := range chosen {
			all = append(all, property{label, name, value})
		}
	}
	return all
}

// spoil puts garbage into properties, each of another record of its label where there are as many.
func (s *spoiler) spoil(all []property) {
	places := map[string]int{}
	rows := make([]map[string]any, len(all))
	for i, p := range all {
		rows[i] = map[string]any{"label": p.label, "place": places[p.label], "change": map[string]any{p.name: p.value}, "name": p.name}
		places[p.label]++
	}
	s.run(`MATCH (n {tenant: $tenant}) WITH n ORDER BY n.key WITH collect(n) AS nodes UNWIND $rows AS row
		WITH row, [n IN nodes WHERE row.label IN labels(n) AND n[row.name] IS NOT NULL] AS having
		WITH row, having[row.place % size(having)] AS n SET n += row.change`, map[string]any{"rows": rows})
}

// Whatever another program writes into properties, what was stored beside it is answered, the doctor names what
// cannot be read, and it can be discarded.
func TestDamagedValuesTakeNothingElseAlong(t *testing.T) {
	server := testneo4j.Reach(t)
	testneo4j.Sweep(t)
	backend := open(t, nil)
	connection, err := driver.NewDriverWithContext(server.URL, driver.BasicAuth(server.User, server.Password, ""))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, connection.Close(context.WithoutCancel(t.Context()))) })

	const atOnce = 4 // tenants, each with damage of its own
	var all []property
	unread := map[string]bool{}
	for first, rounds := 0, atOnce; first < rounds; first += atOnce {
		ids, tenants := make([]string, 2*atOnce), map[string]*spoiler{}
		for i := range ids {
			ids[i] = fmt.Sprintf("damaged-%s-%d", strings.ToLower(rand.Text()), i)
			tenants[ids[i]] = &spoiler{t, connection, ids[i]}
			t.Cleanup(func() { tenants[ids[i]].run("MATCH (n {tenant: $tenant}) DETACH DELETE n", map[string]any{}) })
		}
		storetest.Fill(t, backend, ids...)
		if all == nil {
			all = tenants[ids[0]].properties()
		}
		if *alone {
			rounds = len(all)
		}
		spoil := func(id string) {
			round := first + slices.Index(ids, id)%atOnce
			var some []property
			for i, p := range all {
				if forgets := slices.Index(ids, id) >= atOnce; i%rounds == round && (!forgets || !ownerKeys[p.name]) {
					some = append(some, p)
				}
			}
			tenants[id].spoil(some)
		}
		for _, id := range storetest.CheckDamage(t, backend, ids[:atOnce], spoil) {
			kind, _, _ := strings.Cut(id, ":")
			unread[kind] = true
		}
		storetest.CheckForgettingDamage(t, backend, ids[atOnce:], spoil)
	}
	assert.Subset(t, slices.Collect(maps.Keys(unread)), []string{
		"agent", "episode", "canvas", "feedback", "concept", "memoir", "observation",
		"correction", "run", "verdict", "pattern", "learningProfile", "execution", "span",
	}, "kinds whose damage is noticed")
}

// Whatever kind of record another program deletes, what is left is answered, told of, and rebuilt.
func TestWhatBelongsToWhatIsGone(t *testing.T) {
	server := testneo4j.Reach(t)
	testneo4j.Sweep(t)
	connection, err := driver.NewDriverWithContext(server.URL, driver.BasicAuth(server.User, server.Password, ""))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, connection.Close(context.WithoutCancel(t.Context()))) })
	tenants := map[string][]memory.Kind{}
	for _, kinds := range [][]memory.Kind{
		{memory.KindAgent, memory.KindMemoir, memory.KindCanvas}, {memory.KindSession, memory.KindSection, memory.KindRun, memory.KindLearningProfile}, {memory.KindEpisode},
	} {
		id := strings.ToLower(fmt.Sprintf("gone-%s-%s", kinds[0], rand.Text()))
		s := &spoiler{t, connection, id}
		t.Cleanup(func() { s.run("MATCH (n {tenant: $tenant}) DETACH DELETE n", map[string]any{}) })
		tenants[id] = kinds
	}
	storetest.CheckGone(t, open(t, nil), tenants, func(id string, kind memory.Kind) {
		label := strings.ToUpper(string(kind[:1])) + string(kind[1:]) // which is how kinds are called there
		s := &spoiler{t, connection, id}
		require.NotEmpty(t, s.run("MATCH (n:"+label+" {tenant: $tenant}) DETACH DELETE n RETURN 1", map[string]any{}))
	})
}

func TestLogsAreReadButForWhatIsDamaged(t *testing.T) {
	server := testneo4j.Reach(t)
	connection, err := driver.NewDriverWithContext(server.URL, driver.BasicAuth(server.User, server.Password, ""))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, connection.Close(context.WithoutCancel(t.Context()))) })
	s := &spoiler{t, connection, "damaged-" + strings.ToLower(rand.Text())}
	t.Cleanup(func() { s.run("MATCH (n {tenant: $tenant}) DETACH DELETE n", map[string]any{}) })
	storetest.CheckLogDamage(t, open(t, nil), s.tenant, func(sequence int) {
		const text = `MATCH (v:LogEvent {tenant: $tenant, sequence: $sequence}) SET v.data = '{' RETURN v.sequence`
		require.Len(t, s.run(text, map[string]any{"sequence": sequence}), 1)
	})
}

func TestRunsAreCompletedWithWhatCanBeRead(t *testing.T) {
	server := testneo4j.Reach(t)
	connection, err := driver.NewDriverWithContext(server.URL, driver.BasicAuth(server.User, server.Password, ""))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, connection.Close(context.WithoutCancel(t.Context()))) })
	s := &spoiler{t, connection, "damaged-" + strings.ToLower(rand.Text())}
	t.Cleanup(func() { s.run("MATCH (n {tenant: $tenant}) DETACH DELETE n", map[string]any{}) })
	spoiled := func(text string) func(string) {
		return func(key string) { require.Len(t, s.run(text, map[string]any{"key": key}), 1) }
	}
	storetest.CheckCompletingDamage(t, open(t, nil), s.tenant,
		spoiled("MATCH (v:Verdict {tenant: $tenant, key: $key}) SET v.issues = '{' RETURN v.key"),
		spoiled("MATCH (p:Pattern {tenant: $tenant, key: $key}) SET p.lastSeen = 'soon' RETURN p.key"))
}

func TestThresholdsAreReadButForWhatIsDamaged(t *testing.T) {
	server := testneo4j.Reach(t)
	connection, err := driver.NewDriverWithContext(server.URL, driver.BasicAuth(server.User, server.Password, ""))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, connection.Close(context.WithoutCancel(t.Context()))) })
	s := &spoiler{t, connection, "damaged-" + strings.ToLower(rand.Text())}
	t.Cleanup(func() { s.run("MATCH (n {tenant: $tenant}) DETACH DELETE n", map[string]any{}) })
	spoiled := func(value string) func(string) {
		return func(key string) {
			require.Len(t, s.run("MATCH (t:JudgeThreshold {tenant: $tenant, key: $key}) SET t."+value+" RETURN t.key", map[string]any{"key": key}), 1)
		}
	}
	storetest.CheckThresholdDamage(t, open(t, nil), s.tenant, spoiled("threshold = 1e300"), spoiled("threshold = 'high'"), spoiled("at = 'soon'"))
}

// Whatever becomes of a setting, what does not need it goes on, the doctor names it, and a rebuild brings all back.
func TestSettingsAreRebuilt(t *testing.T) {
	server := testneo4j.Reach(t)
	testneo4j.Sweep(t)
	connection, err := driver.NewDriverWithContext(server.URL, driver.BasicAuth(server.User, server.Password, ""))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, connection.Close(context.WithoutCancel(t.Context()))) })
	cases := map[string]storetest.SpoiledSetting{}
	for what, value := range map[string]any{"missing": nil, "text": "x", "garbage": []byte{0, 255}, "huge": int64(math.MaxInt64), "gone": nil} {
		id := strings.ToLower(fmt.Sprintf("settings-%s-%s", what, rand.Text()))
		s := &spoiler{t, connection, id}
		t.Cleanup(func() {
			s.run("MATCH (n {tenant: $tenant}) DETACH DELETE n", map[string]any{})
			s.run("MATCH (t:Tenant {key: $tenant}) DELETE t", map[string]any{})
		})
		cases[id] = storetest.SpoiledSetting{Names: []string{"inputKey", "vectorLength"}, Key: "inputKey", Spoil: func(string) {
			s.run("MATCH (t:Tenant {key: $tenant}) SET t.inputKey = $value, t.vectorLength = $value", map[string]any{"value": value})
		}}
	}
	for id, spoiled := range cases {
		if strings.HasPrefix(id, "settings-gone-") {
			s := &spoiler{t, connection, id}
			spoiled.Spoil = func(string) { s.run("MATCH (t:Tenant {key: $tenant}) DELETE t", map[string]any{}) }
			cases[id] = spoiled
		}
	}
	storetest.FillWith(t, open(t, nil), slices.Collect(maps.Keys(cases))...)
	storetest.CheckSettings(t, func(t *testing.T) store.Backend { return open(t, nil) }, cases)
}

func TestAKeyThatNothingWasHashedWithIsNotLost(t *testing.T) {
	server := testneo4j.Reach(t)
	connection, err := driver.NewDriverWithContext(server.URL, driver.BasicAuth(server.User, server.Password, ""))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, connection.Close(context.WithoutCancel(t.Context()))) })
	s := &spoiler{t, connection, strings.ToLower("unused-" + rand.Text())}
	t.Cleanup(func() {
		s.run("MATCH (n {tenant: $tenant}) DETACH DELETE n", map[string]any{})
		s.run("MATCH (t:Tenant {key: $tenant}) DELETE t", map[string]any{})
	})
	storetest.CheckUnusedKey(t, func(t *testing.T) store.Backend { return open(t, nil) }, s.tenant, func(string) {
		s.run("MATCH (t:Tenant {key: $tenant}) REMOVE t.inputKey", map[string]any{})
	})
}
