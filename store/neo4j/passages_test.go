package neo4j

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/retrieval"
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/meaning"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// passagesOf are the passages that a record has, in their order, as "number part: text".
func passagesOf(t *testing.T, s *tenantStore, label, key string) []string {
	t.Helper()
	q := s.Query(cypher.Statement{Name: "passages of", Text: "MATCH (n:" + label + ` {tenant: $tenant, key: $key})-[:HAS_PASSAGE]->(p)
RETURN toString(p.number) + ' ' + p.part + ': ' + p.text AS told ORDER BY p.number, p.text`}, cypher.Parameters{"key": key})
	told, err := bolt.Read(t.Context(), s.Connection, q, bolt.Column[string]("told"))
	require.NoError(t, err)
	return told
}

// lost counts the tenant's passages that are of no record.
func lost(t *testing.T, s *tenantStore) (all, lost int64) {
	t.Helper()
	q := s.Query(cypher.Statement{Name: "passages of", Text: `MATCH (p:Passage {tenant: $tenant})
RETURN [count(p), count(CASE WHEN NOT EXISTS { (p)<-[:HAS_PASSAGE]-() } THEN 1 END)] AS counts`}, nil)
	counts, err := bolt.One(t.Context(), s.Connection, q, func(f *bolt.Fields) []any { return bolt.List[any](f, "counts") })
	require.NoError(t, err)
	return counts[0].(int64), counts[1].(int64) //nolint:forcetypeassert // counted
}

func byWords(t *testing.T, s *tenantStore, among store.Among, stems ...string) (texts []string) {
	t.Helper()
	if among.Limit == 0 {
		among.Limit = 10
	}
	if among.Kinds == nil {
		among.Kinds = memory.Kinds
	}
	found, _, err := s.PassagesByWords(t.Context(), stems, among)
	require.NoError(t, err)
	for _, p := range found {
		texts = append(texts, p.Text)
	}
	return texts
}

func byMeaning(t *testing.T, s *tenantStore, among store.Among, text string) (texts []string) {
	t.Helper()
	v, ok := meaning.Question(text)
	require.True(t, ok)
	among.Limit, among.Kinds = 10, memory.Kinds
	found, _, err := s.PassagesByMeaning(t.Context(), store.Question{BuiltIn: &v}, among)
	require.NoError(t, err)
	for _, p := range found {
		texts = append(texts, p.Text)
	}
	return texts
}

func TestPassagesComeAndGoWithTheirRecords(t *testing.T) {
	s := storeOf(freshStore(t, mustConnect(t)))
	mustRecord(t, s, draft("e", func(r *store.EpisodeRecord) {
		r.Episode.Title, r.Episode.Observation, r.Episode.Thoughts = "A refund", "A refund for a lost bag", []string{"ask for the tag"}
		r.Episode.Actions = []memory.Action{{StepName: "find_bag", Result: memory.JSON(`{"found":"in Oslo"}`)}}
		r.Episode.Concluded, r.Episode.Outcome, r.Episode.Insight, r.Episode.Result = false, memory.OutcomeUnknown, "none yet", nil
	}))
	before := []string{"0 OBSERVATION: A refund for a lost bag", "1 THOUGHT: ask for the tag", "2 ACTION: find_bag\nfound: in Oslo", "3 INSIGHT: none yet"}
	require.Equal(t, before, passagesOf(t, s, "Episode", "e"))
	require.Equal(t, []string{"A refund for a lost bag"}, byWords(t, s, store.Among{}, "refund"))
	require.Contains(t, byMeaning(t, s, store.Among{}, "the luggage was mislaid"), "A refund for a lost bag")

	require.NoError(t, s.ConcludeEpisode(t.Context(), store.EpisodeConclusion{
		Key: "e", Outcome: memory.OutcomeSuccess, Insight: new("Oslo keeps them"), Result: new("refund paid"),
	}))
	after := append(slices.Clone(before[:3]), "3 RESULT: refund paid", "4 INSIGHT: Oslo keeps them")
	require.Equal(t, after, passagesOf(t, s, "Episode", "e"))
	require.Equal(t, []string{"refund paid", "A refund for a lost bag"}, byWords(t, s, store.Among{}, "refund"))
	require.Contains(t, byMeaning(t, s, store.Among{}, "money was returned"), "refund paid")

	_, err := s.Delete(t.Context(), memory.KindEpisode, []string{"e"})
	require.NoError(t, err)
	all, none := lost(t, s)
	require.Zero(t, all)
	require.Zero(t, none)
	require.Empty(t, byWords(t, s, store.Among{}, "refund"))
	require.Empty(t, byMeaning(t, s, store.Among{}, "the luggage was mislaid"))
}

// Beside many that words found only the best of the nearest are read, and never what words found.
func TestMeaningLeavesOutWhatWordsFind(t *testing.T) {
	s := storeOf(freshStore(t, mustConnect(t)))
	var records []store.ObservationRecord
	for i := range 60 {
		o := observation(fmt.Sprint("o", i))
		o.Observation.Content = fmt.Sprintf("the luggage of passenger %d was mislaid", i)
		if i%2 == 0 {
			o.Observation.Content = fmt.Sprintf("a bag of passenger %d was lost", i)
		}
		records = append(records, o)
	}
	created(t)(store.Record(t.Context(), s, records))
	among := store.Among{Kinds: []memory.Kind{memory.KindObservation}, Limit: 40}
	by := store.ByWords{Words: retrieval.Choose([]string{"bag"}, []float64{1})}
	var err error
	by.Passages, _, err = s.PassagesByWords(t.Context(), by.Words.Stems, among)
	require.NoError(t, err)
	require.Len(t, by.Passages, 30)
	v, _ := meaning.Question("a lost bag")
	ask := func(limit int) []store.FoundPassage {
		among.Limit = limit
		found, more, err := s.PassagesByMeaning(t.Context(), store.Question{BuiltIn: &v, ByWords: func() store.ByWords { return by }}, among)
		require.NoError(t, err)
		require.False(t, more)
		for _, p := range found {
			require.False(t, slices.ContainsFunc(by.Passages, func(known store.FoundPassage) bool { return known.ID == p.ID }), p.Text)
		}
		return found
	}
	require.Len(t, ask(100), 30, "few words leave room")
	require.Len(t, ask(40), 15, "many do not")
	by.Passages = ask(100)
	best := ask(10)
	require.Len(t, best, 10)
	require.Contains(t, best[0].Text, "bag", "by words and meaning together")
	by.Passages = append(by.Passages, ask(100)...)
	require.Empty(t, ask(100), "nothing is left")
}

func TestRaritiesAreOfTheTenant(t *testing.T) {
	s := storeOf(freshStore(t, mustConnect(t)))
	words := []string{"walrus", "penguin", "giraffe", "zebra", "otter"}
	var records []store.ObservationRecord
	for i := range 300 {
		o := observation(fmt.Sprint("o", i))
		text := words[0] + strings.Repeat(" filler", i%7)
		for n := range 3 {
			if i%(5*(n+1)) == 0 {
				text += strings.Repeat(" "+words[n+1], 1+i%3)
			}
		}
		o.Observation.Content = text
		records = append(records, o)
	}
	created(t)(store.Record(t.Context(), s, records))
	got, err := s.Rarities(t.Context(), strings.Fields(lexical.Stems(strings.Join(words, " "))))
	require.NoError(t, err)
	for i, n := range []int{300, 60, 30, 20, 0} {
		require.InDelta(t, retrieval.Rarity(n, 300), got[i], 1e-9)
	}
}

// A tenant's passages are found by nobody else, whatever their names have in common.
func TestTenantsFindTheirOwnPassages(t *testing.T) {
	b := mustConnect(t)
	suffix := "-" + strings.ToLower(rand.Text())
	tenants := []string{"acme", "acme-prod", "run", "runs", "it"}
	stores := make([]*tenantStore, len(tenants))
	for i, name := range tenants {
		stores[i] = b.bind(name + suffix)
		clearAfter(t, stores[i])
		mustRecord(t, stores[i], draft("e", func(r *store.EpisodeRecord) { r.Episode.Observation = "The luggage of " + name + " is it that runs" }))
	}
	for i, name := range tenants {
		require.Equal(t, []string{"The luggage of " + name + " is it that runs"}, byWords(t, stores[i], store.Among{}, "luggag", "run", "acme"))
		require.Equal(t, "The luggage of "+name+" is it that runs", byMeaning(t, stores[i], store.Among{}, "a suitcase")[0])
	}
}

// What another server wrote is found by its words at once, and by what it means when the log of changes was read.
func TestChangesOfOtherServersAreTakenIn(t *testing.T) {
	one, other := mustConnect(t), mustConnect(t)
	s := storeOf(freshStore(t, one))
	there := other.bind(s.TenantID)
	mustRecord(t, s, draft("a", func(r *store.EpisodeRecord) { r.Episode.Observation = "The car failed its ignition" }))
	require.Equal(t, "The car failed its ignition", byMeaning(t, there, store.Among{}, "the vehicle would not start")[0])
	mustRecord(t, s, draft("b", func(r *store.EpisodeRecord) { r.Episode.Observation = "The truck failed its ignition" }))
	_, err := s.Delete(t.Context(), memory.KindEpisode, []string{"a"})
	require.NoError(t, err)
	require.Equal(t, []string{"The truck failed its ignition"}, byWords(t, there, store.Among{}, "ignit"))
	require.Eventually(t, func() bool {
		found := byMeaning(t, there, store.Among{}, "the vehicle would not start")
		return len(found) > 0 && found[0] == "The truck failed its ignition" && !slices.Contains(found, "The car failed its ignition")
	}, 10*time.Second, 100*time.Millisecond)
}

// A log that comes in parts is found by what is new in each, up to as many passages as a record may have.
func TestPassagesOfLogsInParts(t *testing.T) {
	s := storeOf(freshStore(t, mustConnect(t)))
	mustRecord(t, s, draft("e", func(r *store.EpisodeRecord) {
		r.Episode.Title, r.Episode.Observation, r.Episode.Insight = "A refund", "A refund", "none"
		r.Episode.Concluded, r.Episode.Outcome, r.Episode.Result = false, memory.OutcomeUnknown, nil
	}))
	part := func(from, to int) {
		t.Helper()
		p := store.LogPart{Episode: "e", InputHash: []byte("e")}
		for i := from; i < to; i++ {
			p.Events = append(p.Events, store.LoggedEvent{Event: memory.Event{
				Sequence: i, Type: "message", Data: memory.JSON(fmt.Sprintf(`{"content":"message %d"}`, i/2)), At: day,
			}})
		}
		_, err := s.AppendEvents(t.Context(), p)
		require.NoError(t, err)
	}
	part(0, 3)
	part(3, 5)
	require.Equal(t, []string{"0 OBSERVATION: A refund", "1 INSIGHT: none", "2 EVENT: message 0", "3 EVENT: message 1", "4 EVENT: message 2"}, passagesOf(t, s, "Episode", "e"))
	for from := 6; from < 4100; from += 500 {
		part(from, from+500)
	}
	all, none := lost(t, s)
	require.EqualValues(t, 2000, all)
	require.Zero(t, none)
	ranked, _, err := s.PassagesByWords(t.Context(), []string{"refund"}, store.Among{Kinds: []memory.Kind{memory.KindEpisode}, Limit: 1, ToRank: true})
	require.NoError(t, err)
	require.Equal(t, 5+2250-2000, ranked[0].Episode.LeftOut)
	require.Empty(t, examinedPart(t, s.backend, "passages", s.TenantID).Fault)
	require.NoError(t, s.ConcludeEpisode(t.Context(), store.EpisodeConclusion{Key: "e", Outcome: memory.OutcomeSuccess, Result: new("message 1")}))
	require.Equal(t, []string{"0 OBSERVATION: A refund", "1 RESULT: message 1", "2 INSIGHT: none", "3 EVENT: message 0", "4 EVENT: message 2"}, passagesOf(t, s, "Episode", "e")[:5])
	require.Empty(t, examinedPart(t, s.backend, "passages", s.TenantID).Fault)
	alter(t, s, "MATCH (:Episode {tenant: $tenant, key: 'e'})-[:HAS_PASSAGE]->(p {number: 3}) SET p.words = 'walrus'")
	require.Equal(t, "1 records have other passages than they say", examinedPart(t, s.backend, "passages", s.TenantID).Fault)
	require.NoError(t, s.Rebuild(t.Context(), nil))
	require.Empty(t, examinedPart(t, s.backend, "passages", s.TenantID).Fault)
}

// alter changes the store behind its back.
func alter(t *testing.T, s *tenantStore, text string) {
	t.Helper()
	require.NoError(t, s.backend.connection.Command(t.Context(), bolt.Query{
		Statement: cypher.Statement{Name: "alter", Text: text}, Write: true, Parameters: cypher.Parameters{"tenant": s.TenantID},
	}))
}

// A damaged episode does not keep the others from being ranked; the examination tells of it.
func TestEpisodesThatCannotBeRankedAreLeftOut(t *testing.T) {
	s := storeOf(freshStore(t, mustConnect(t)))
	for _, key := range []string{"whole", "damaged"} {
		mustRecord(t, s, draft(key, func(r *store.EpisodeRecord) { r.Episode.Observation = "A refund" }))
	}
	alter(t, s, "MATCH (e:Episode {tenant: $tenant, key: 'damaged'}) SET e.startedAt = 'yesterday'")
	found, _, err := s.PassagesByWords(t.Context(), []string{"refund"}, store.Among{Kinds: []memory.Kind{memory.KindEpisode}, Limit: 10, ToRank: true})
	require.NoError(t, err)
	ranked := map[string]bool{}
	for _, p := range found {
		ranked[p.Key] = p.Episode != nil
	}
	require.Equal(t, map[string]bool{"whole": true, "damaged": false}, ranked)
}

func refine(t *testing.T, s *tenantStore, refinement store.ConceptRefinement) {
	t.Helper()
	recorded, err := store.Record(t.Context(), s, []store.ConceptRefinement{refinement})
	require.NoError(t, err)
	require.NoError(t, recorded[0].Err)
}

// What a record still says keeps the vector of an endpoint, which is dear, when and wherever it says it.
func TestEmbeddingsOfWhatIsStillSaidStay(t *testing.T) {
	s := furnish(t, mustConnect(t))
	long := ""
	for i := range 300 {
		long += fmt.Sprint("rule", i, " ")
	}
	refine(t, s, store.ConceptRefinement{Key: "c1", Content: &long, At: day.Add(time.Hour)})
	alter(t, s, "MATCH (:Concept {tenant: $tenant, key: 'c1'})-[:HAS_PASSAGE]->(p) SET p.embedded = 3, p.embedding = p.code, p.due = null")
	embedded := func() (kept, all int64) {
		q := s.Query(cypher.Statement{Name: "embedded", Text: `MATCH (:Concept {tenant: $tenant, key: 'c1'})-[:HAS_PASSAGE]->(p)
RETURN [count(p.embedded), count(p)] AS counts`}, nil)
		counts, err := bolt.One(t.Context(), s.Connection, q, func(f *bolt.Fields) []any { return bolt.List[any](f, "counts") })
		require.NoError(t, err)
		return counts[0].(int64), counts[1].(int64) //nolint:forcetypeassert // counted
	}
	_, before := embedded()
	require.Greater(t, before, int64(2))
	refine(t, s, store.ConceptRefinement{Key: "c1", Labels: &[]string{"money"}, At: day.Add(2 * time.Hour)})
	kept, all := embedded()
	require.GreaterOrEqual(t, kept, before-1, "the last says something else")
	require.Less(t, kept, all)
	alter(t, s, "MATCH (:Concept {tenant: $tenant, key: 'c1'})-[:HAS_PASSAGE]->(p) SET p.owner = 'walrus'")
	require.NoError(t, s.Rebuild(t.Context(), nil))
	require.Empty(t, examinedPart(t, s.backend, "passages", s.TenantID).Fault)
	still, _ := embedded()
	require.Equal(t, kept, still)
}

func TestPassagesAreMadeAnew(t *testing.T) {
	s := furnish(t, mustConnect(t))
	require.Empty(t, examinedPart(t, s.backend, "passages", s.TenantID).Fault)
	before := passagesOf(t, s, "Episode", "e1")
	for _, broken := range []string{
		"MATCH (:Episode {tenant: $tenant, key: 'e1'})-[:HAS_PASSAGE]->(p) SET p.text = p.text + '!'",
		"MATCH (:Episode {tenant: $tenant, key: 'e1'})-[:HAS_PASSAGE]->(p {number: 0}) DETACH DELETE p",
		"MATCH (:Episode {tenant: $tenant, key: 'e1'})-[:HAS_PASSAGE]->(p {number: 0}) SET p.words = 'walrus'",
		"MATCH (:Episode {tenant: $tenant, key: 'e1'})-[:HAS_PASSAGE]->(p {number: 0}) SET p.owner = 'walrus'",
		"MATCH (:Episode {tenant: $tenant, key: 'e1'})-[:HAS_PASSAGE]->(p {number: 0}) SET p.code = null",
		"MATCH (:Episode {tenant: $tenant, key: 'e1'})-[h:HAS_PASSAGE]->(p {number: 0}) DELETE h",
		"MATCH (n:Memoir {tenant: $tenant, key: 'm1'}) SET n.leftOut = 3",
	} {
		alter(t, s, broken)
		require.Equal(t, "1 records have other passages than they say", examinedPart(t, s.backend, "passages", s.TenantID).Fault, broken)
		require.NoError(t, s.Rebuild(t.Context(), nil))
		require.Empty(t, examinedPart(t, s.backend, "passages", s.TenantID).Fault, broken)
		require.Equal(t, before, passagesOf(t, s, "Episode", "e1"), broken)
	}
	_, none := lost(t, s)
	require.Zero(t, none)
	discard := func(kind memory.Kind, keys ...string) {
		t.Helper()
		_, err := s.Delete(t.Context(), kind, keys)
		require.NoError(t, err)
	}
	_, err := s.Delete(t.Context(), memory.KindAgent, []string{"agent"})
	require.NoError(t, err)
	_, err = s.Delete(t.Context(), memory.KindMemoir, []string{"m1"})
	require.NoError(t, err)
	discard(memory.KindObservation, "o1")
	discard(memory.KindFeedback, "f1", "f2")
	all, _ := lost(t, s)
	require.Zero(t, all)
}

// User text is words and never query syntax, whatever the analysis leaves of it.
func TestStemsAreNeverQuerySyntax(t *testing.T) {
	s := storeOf(freshStore(t, mustConnect(t)))
	odd := []string{`"`, `\`, `a"b`, "AND", "OR", "NOT", "TO", "*", "~2", "^3", "[a", "a}", "owner:o", "(", "-", "/a/", "&&", "日本", "c++"}
	mustRecord(t, s, draft("e"))
	require.Empty(t, byWords(t, s, store.Among{}, odd...))
	_, err := s.Rarities(t.Context(), odd)
	require.NoError(t, err)
	for _, stem := range odd {
		require.Empty(t, byWords(t, s, store.Among{}, stem), stem)
	}
}
