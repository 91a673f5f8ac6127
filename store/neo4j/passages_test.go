package neo4j

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
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
	counts, err := bolt.One(t.Context(), s.Connection, q, bolt.Column[[]any]("counts"))
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

func TestRaritiesAreAboutTheCounted(t *testing.T) {
	s := storeOf(freshStore(t, mustConnect(t)))
	var records []store.ObservationRecord
	for i := range 300 {
		o := observation(fmt.Sprint("o", i))
		text := "zebu" + strings.Repeat(" filler", i%7)
		for n, word := range []string{"zebra", "zephyr", "zenith"} {
			if i%(5*(n+1)) == 0 {
				text += strings.Repeat(" "+word, 1+i%3)
			}
		}
		o.Observation.Content = text
		records = append(records, o)
	}
	created(t)(s.RecordObservations(t.Context(), records))
	q := s.Query(cypher.Statement{Name: "count", Text: "MATCH (p:Passage) RETURN count(p) AS n"}, nil)
	passages, err := s.Count(t.Context(), q)
	require.NoError(t, err)
	got, err := s.Rarities(t.Context(), []string{"zebu", "zebra", "zephyr", "zenith", "nowhere"})
	require.NoError(t, err)
	for i, n := range []int{300, 60, 30, 20} {
		require.InEpsilon(t, math.Log(1+(float64(passages-n)+0.5)/(float64(n)+0.5)), got[i], 0.05)
	}
	require.Zero(t, got[4])
}
