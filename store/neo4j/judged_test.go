package neo4j

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/cypher"
)

// Judgements of one time go on from page to page in the order of their keys' bytes, which is not that of UTF-16.
func TestJudgementsOfOneTimeAreReadOnce(t *testing.T) {
	s := storeOf(freshStore(t, mustConnect(t)))
	want := []string{}
	const page = 100
	for i := range page - 2 {
		want = append(want, fmt.Sprintf("v%04d", i))
	}
	want = append(want, "v\ue000", "v\ufffd", "v😀", "v😀 later", "v\U0010fffd") // the page ends in the middle of these
	records := make([]store.VerdictRecord, len(want))
	for i, key := range want {
		records[len(want)-1-i] = ruling(key, "r", day)
	}
	mustRule(t, s, records...)
	for _, query := range []store.JudgementQuery{{}, {Judge: new("judge")}, {Since: &day}} {
		read := []string{}
		for p, more := (store.Page{Limit: page}), true; more; {
			var found []*memory.Judgement
			var err error
			found, more, err = store.List(t.Context(), s, query, p)
			require.NoError(t, err)
			for _, j := range found {
				read, p.After = append(read, j.Key), new(query.Place(j))
			}
		}
		require.Equal(t, want, read)
	}
}

// faultsOfJudgedWork are what must not be in a graph, each as a query that counts it in a tenant.
var faultsOfJudgedWork = map[string]string{
	"a run without sections":               "MATCH (n:Run {tenant: $tenant}) WHERE NOT EXISTS { (n)<-[:IN_RUN]-() } RETURN count(n)",
	"a run that began at another time":     "MATCH (n:Run {tenant: $tenant}) WHERE COLLECT { MATCH (n)<-[:IN_RUN]-()<-[:ON]-(v:Verdict) RETURN v.at ORDER BY v.at LIMIT 1 } <> [n.startedAt] RETURN count(n)",
	"a section that is not in its run":     "MATCH (n:Section {tenant: $tenant}) WHERE COLLECT { MATCH (n)-[:IN_RUN]->(r) RETURN r.key } <> [n.run] RETURN count(n)",
	"a section without verdicts":           "MATCH (n:Section {tenant: $tenant}) WHERE NOT EXISTS { (n)<-[:ON]-() } RETURN count(n)",
	"a verdict that is not on its section": "MATCH (n:Verdict {tenant: $tenant}) WHERE COLLECT { MATCH (n)-[:ON]->(s:Section) RETURN [s.key, s.run] } <> [[n.section, n.run]] RETURN count(n)",
	"a pattern from too few sections":      "MATCH (n:Pattern {tenant: $tenant}) WHERE n.context IS NULL AND n.hits > COUNT { (n)-[:LEARNED_FROM]->() } RETURN count(n)",
	"a rate that is none of the total":     "MATCH (n:Pattern {tenant: $tenant}) WHERE n.rate <> toFloat(n.hits) / n.total RETURN count(n)",
	"an issue with another total":          "MATCH (n:Pattern {tenant: $tenant, kind: 'DONT'}), (t:SectionType {tenant: $tenant}) WHERE n.sectionType = t.sectionType AND coalesce(n.context, '') = coalesce(t.context, '') AND n.total <> t.sections RETURN count(n)",
	"an annotation that waits for what is there": "MATCH (n:Waiting {tenant: $tenant}) " +
		"WHERE EXISTS { (r:Run|Section|Verdict|Pattern) WHERE r.tenant = n.tenant AND r.key = n.key } RETURN count(n)",
}

// Writers of verdicts, completions and annotations at once, on few runs: whatever comes first, the graph is sound
// and every run is folded in once.
func TestJudgedWorkStaysSoundUnderConcurrency(t *testing.T) {
	s := storeOf(freshStore(t, mustConnect(t)))
	const writers, rounds = 6, 8
	var group sync.WaitGroup
	faults := make([]error, writers)
	for w := range writers {
		group.Go(func() {
			for i := range rounds {
				faults[w] = errors.Join(faults[w], judgeSomething(t.Context(), s, w, i))
			}
		})
	}
	group.Wait()
	require.NoError(t, errors.Join(faults...))
	for i := range 3 {
		_, err := s.CompleteRun(t.Context(), store.RunCompletion{Run: fmt.Sprint("r", i), At: day})
		require.NoError(t, err)
	}
	requireSound(t, s)
	for name, text := range faultsOfJudgedWork {
		require.Equal(t, []int64{0}, runCypher[int64](t, s.backend, text, cypher.Parameters{"tenant": s.TenantID}), name)
	}
}

// judgeSomething does one of the writes there are, on runs that others write to.
func judgeSomething(ctx context.Context, s *tenantStore, writer, i int) error {
	run := fmt.Sprint("r", (writer+i)%3)
	switch (writer*5 + i) % 4 {
	case 0, 1:
		record := ruling(fmt.Sprintf("v%d-%d", writer, i), run, minute(writer*i%7))
		v := &record.Verdict
		v.SectionKey, v.Patterns = memory.SectionKey(run, fmt.Sprint(i%3)), []string{"glow", run}
		v.Issues = []memory.Issue{{Code: "LATE"}, {Code: run}}
		_, err := store.Record(ctx, s, []store.VerdictRecord{record})
		return err
	case 2:
		_, err := s.CompleteRun(ctx, store.RunCompletion{Run: run, At: day})
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		return err
	}
	_, err := store.Record(ctx, s, []store.ObservationRecord{observation(
		fmt.Sprintf("o%d-%d", writer, i), "run:"+run, "section:"+memory.SectionKey(run, "0"), fmt.Sprintf("verdict:v%d-%d", writer, i+1),
		"pattern:"+memory.PatternKey(memory.PatternDo, "verse", nil, "glow"),
	)})
	return err
}
