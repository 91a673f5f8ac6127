package neo4j

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// ruling is a verdict with a key, that approves a section of its own.
func ruling(key, run string, at time.Time) store.VerdictRecord {
	return store.VerdictRecord{InputHash: []byte(key), Verdict: memory.Verdict{Judgement: memory.Judgement{
		Key: key, RunKey: run, SectionKey: memory.SectionKey(run, key), SectionType: "verse", JudgeID: new("judge"),
		Status: memory.VerdictApprove, At: at,
	}}}
}

func mustRule(t testing.TB, s *tenantStore, records ...store.VerdictRecord) {
	t.Helper()
	for part := range slices.Chunk(records, 500) {
		recorded, err := store.Record(t.Context(), s, part)
		require.NoError(t, err)
		requireCreated(t, recorded)
	}
}

// judgedCrowd is a run of many verdicts, half of which are on one section, and as many patterns of either
// kind, no two of which are equally good.
func judgedCrowd(t *testing.T) *tenantStore {
	t.Helper()
	s := storeOf(freshStore(t, mustConnect(t)))
	records := make([]store.VerdictRecord, crowd)
	for i := range records {
		records[i] = ruling(fmt.Sprintf("v%04d", i), "r", minute(i))
		if i%2 == 1 {
			records[i].Verdict.SectionKey = memory.SectionKey("r", "s")
		}
	}
	mustRule(t, s, records...)
	const fill = `UNWIND range(1, $crowd) AS i UNWIND ['DO', 'DONT'] AS kind
CREATE (:Pattern {tenant: $tenant, key: kind + i, kind: kind, sectionType: 'verse', contextKey: '', rate: toFloat(i) / $crowd, total: $crowd})`
	require.NoError(t, s.backend.connection.Command(t.Context(), bolt.Query{
		Statement: cypher.Statement{Name: "fill", Text: fill}, Write: true, Parameters: cypher.Parameters{"tenant": s.TenantID, "crowd": crowd},
	}))
	return s
}

// requirePage checks that a page costs what it holds: an index gives its order.
func requirePage(t *testing.T, s *tenantStore, q bolt.Query, what ...any) {
	t.Helper()
	rows, steps := most(profile(t, s, q))
	require.LessOrEqual(t, rows, int64(20), "%v: %v", what, steps)
	require.NotContains(t, steps, "Sort", what...)
	require.NotContains(t, steps, "NodeByLabelScan", what...)
}

func TestListsOfJudgedWorkFollowAnIndex(t *testing.T) {
	s := judgedCrowd(t)
	for _, after := range []*store.Position{nil, {At: minute(crowd / 2), Key: "v0750", Value: new(0.5), Sequence: crowd}} {
		page := store.Page{Limit: 10, After: after}
		for _, listing := range []store.VerdictQuery{
			{}, {Section: new(memory.SectionKey("r", "s"))}, {Judge: new("judge"), Run: new("r"), SectionType: new("verse")},
			{Judge: new("judge")}, {SectionType: new("verse")},
		} {
			requirePage(t, s, s.listing(listing).ask(page, false), listing)
		}
		for _, listing := range []store.PatternQuery{
			{}, {SectionType: new("verse")}, {SectionType: new("verse"), Kind: new(memory.PatternDont)},
			{SectionType: new("verse"), Kind: new(memory.PatternDo), Context: new(""), MinRate: 0.4, MinTotal: 3},
			{Context: new("")}, {SectionType: new("verse"), Context: new("")},
		} {
			requirePage(t, s, s.listing(listing).ask(page, false), listing)
		}
		requirePage(t, s, s.listing(store.AllRuns{}).ask(page, false), "runs", after)
	}
	for _, after := range []*store.Position{nil, {At: minute(9), Key: "v0009"}} {
		for _, judge := range []*string{nil, new("judge")} {
			q := s.listing(store.JudgementQuery{Judge: judge}).ask(store.Page{Limit: 9, After: after}, false)
			requirePage(t, s, q, "judgements", judge, after)
		}
	}
}
