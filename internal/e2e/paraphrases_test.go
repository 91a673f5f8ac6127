package e2e

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/demo"
	"mneme/internal/testneo4j"
	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/neo4j"
	"mneme/store/sqlite"
)

func TestParaphrasesOnSQLite(t *testing.T) {
	t.Parallel()
	testParaphrases(t, func(without bool) store.Backend {
		backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir(), WithoutVectors: without})
		require.NoError(t, err)
		return backend
	})
}

func TestParaphrasesOnNeo4j(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("recording 580 episodes twice takes Neo4j two minutes, and what it finds by meaning is found by what SQLite has, too")
	}
	server := testneo4j.Reach(t)
	testParaphrases(t, func(without bool) store.Backend {
		backend, err := neo4j.Open(t.Context(), neo4j.Options{URL: server.URL, User: server.User, Password: server.Password, WithoutVectors: without})
		require.NoError(t, err)
		return backend
	})
}

// paraphrase is a question in other words than the episodes have that it asks for.
type paraphrase struct {
	says     []string // any of them
	question string
}

func paraphrases(t *testing.T) (all []paraphrase) {
	t.Helper()
	text, err := os.ReadFile("testdata/paraphrases.tsv")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		says, question, cut := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		require.True(t, cut, line)
		all = append(all, paraphrase{strings.Split(says, "|"), question})
	}
	require.Len(t, all, 100)
	return all
}

// said is all that an episode is found by.
func said(e *memory.Episode) string {
	text := e.Title + "\n" + e.Observation + "\n" + e.Insight
	if e.Result != nil {
		text += "\n" + *e.Result
	}
	return text
}

func (p paraphrase) asksFor(e *memory.Episode) bool {
	text := said(e)
	return slices.ContainsFunc(p.says, func(part string) bool { return strings.Contains(text, part) })
}

// shared is how many of the stems of a question the first episode has that it asks for, as a share; ok is false where
// none has what it should.
func (p paraphrase) shared(episodes []*memory.Episode) (share float64, ok bool) {
	asked := strings.Fields(lexical.Stems(p.question))
	for _, e := range episodes {
		if !p.asksFor(e) {
			continue
		}
		has := strings.Fields(lexical.Stems(said(e)))
		n := 0
		for _, stem := range asked {
			if slices.Contains(has, stem) {
				n++
			}
		}
		return float64(n) / float64(max(1, len(asked))), true
	}
	return 0, false
}

// fewStems is up to which share of its stems a question shares few with what it asks for.
const fewStems = 0.25

// testParaphrases asks for the episodes of the sample, and for the airline runs among them, in other words: a hundred
// questions, of a store with vectors and of one without.
func testParaphrases(t *testing.T, open func(without bool) store.Backend) {
	path := airlineFile(t)
	questions := paraphrases(t)
	bind := func(without bool) *service.Tenant {
		a := newAirline(t, open(without))
		_, err := demo.Load(t.Context(), a.tenant, now)
		require.NoError(t, err)
		require.Equal(t, 200, importAirline(t.Context(), t, a.tenant, path))
		return a.tenant
	}
	with, without := bind(false), bind(true)
	episodes := allEpisodes(t, with)
	first := func(tenant *service.Tenant, p paraphrase) bool {
		page, err := tenant.Retrieval.Search(t.Context(), p.question, []string{"episode"}, boundary.UserFilter{}, reading.PageInput{First: new(1)}, boundary.Include{})
		require.NoError(t, err)
		if len(page.Items) == 0 {
			return false
		}
		found, ok := page.Items[0].Node.(*memory.Episode)
		return ok && p.asksFor(found)
	}
	asked, byWords, byMeaning := map[bool]int{}, map[bool]int{}, map[bool]int{}
	for _, p := range questions {
		share, there := p.shared(episodes)
		require.True(t, there, "nobody says %q", p.says)
		few := share <= fewStems
		asked[few]++
		words, meant := first(without, p), first(with, p)
		if words {
			byWords[few]++
		}
		if meant {
			byMeaning[few]++
		}
		if words != meant {
			t.Logf("shares %.2f: by words %v, with what is meant %v: %s", share, words, meant, p.question)
		}
	}
	for few, what := range map[bool]string{true: "few stems", false: "many stems"} {
		t.Logf("a right one first where %s are shared, of %d: %d by words, %d with what is meant", what, asked[few], byWords[few], byMeaning[few])
	}
	require.GreaterOrEqual(t, asked[true], 30)
	require.GreaterOrEqual(t, asked[false], 30)
	assert.Positive(t, byWords[true], "or nothing is compared")
	assert.GreaterOrEqual(t, byMeaning[true], 2*byWords[true])
	worst := 0.01 * float64(asked[false])
	assert.GreaterOrEqual(t, float64(byMeaning[false]), float64(byWords[false])-worst)
}

func allEpisodes(t *testing.T, tenant *service.Tenant) (all []*memory.Episode) {
	t.Helper()
	for after := (*string)(nil); ; {
		page, err := tenant.Episodes.List(t.Context(), boundary.EpisodeFilter{}, "", reading.PageInput{First: new(100), After: after}, boundary.Include{})
		require.NoError(t, err)
		all = append(all, page.Items...)
		if !page.HasNext {
			return all
		}
		after = &page.Cursors[len(page.Cursors)-1]
	}
}
