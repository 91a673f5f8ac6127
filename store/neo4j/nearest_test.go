package neo4j

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/meaning"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/meanings"
)

// recordings record texts of a kind, one a record.
var recordings = map[memory.Kind]func(t *testing.T, s *tenantStore, keys, texts []string){
	memory.KindObservation: func(t *testing.T, s *tenantStore, keys, texts []string) {
		records := make([]store.ObservationRecord, len(keys))
		for i, key := range keys {
			records[i] = observation(key)
			records[i].Observation.Content = texts[i]
		}
		created(t)(s.RecordObservations(t.Context(), records))
	},
	memory.KindEpisode: func(t *testing.T, s *tenantStore, keys, texts []string) {
		records := make([]store.EpisodeRecord, len(keys))
		for i, key := range keys {
			records[i] = draft(key, func(r *store.EpisodeRecord) {
				r.Episode.Title, r.Episode.Observation, r.Episode.Insight, r.Episode.Concluded = "", texts[i], "", false
			})
		}
		mustRecord(t, s, records...)
	},
	memory.KindConcept: func(t *testing.T, s *tenantStore, keys, texts []string) {
		if keys[0] == "0000" {
			created(t)(s.CreateMemoirs(t.Context(), []store.MemoirRecord{{Memoir: memory.Memoir{Key: "m", Name: "m", CreatedAt: noon}, InputHash: []byte("m")}}))
		}
		records := make([]store.ConceptRecord, len(keys))
		for i, key := range keys {
			records[i] = store.ConceptRecord{InputHash: []byte(key), Concept: memory.Concept{
				Key: key, MemoirKey: "m", Name: key, Content: texts[i], Labels: []string{}, CreatedAt: noon, UpdatedAt: noon,
			}}
		}
		created(t)(s.AddConcepts(t.Context(), records))
	},
}

// wholes are the codes of what records of a kind mean in all, by key.
func wholes(t *testing.T, s *tenantStore, kind memory.Kind) (keys []string, codes []meaning.Code) {
	t.Helper()
	for last := ""; ; last = keys[len(keys)-1] {
		q := s.Query(cypher.Rendered("said", graph.Labels[kind]), cypher.Parameters{"page": graph.After(last), "limit": 1000})
		records, err := bolt.Read(t.Context(), s.Connection, q, bolt.Column[map[string]any]("said"))
		require.NoError(t, err)
		if len(records) == 0 {
			return keys, codes
		}
		for _, record := range records {
			key, _ := record["key"].(string)
			kept, _ := record["codes"].([]byte)
			require.GreaterOrEqual(t, len(kept), meaning.Dimensions)
			code, err := meaning.CodeOf(kept[:meaning.Dimensions])
			require.NoError(t, err)
			keys, codes = append(keys, key), append(codes, code)
		}
	}
}

// byIndex are the keys of the records of a kind that the index finds, asked as a search does that has the tenant's share of them.
func byIndex(t *testing.T, s *tenantStore, kind memory.Kind, v meaning.Vector, own int) (keys []string) {
	t.Helper()
	everywhere := runCypher[int64](t, s.backend, "MATCH (n:"+graph.Labels[kind]+") WHERE n.meant IS NOT NULL RETURN count(n)", nil)[0]
	neighbours := min(1000, 200*int(everywhere)/own)
	values := cypher.Parameters{"few": []string{}, "indexes": []cypher.Parameters{{"name": meanings.Index(kind), "neighbours": neighbours, "own": []string{}}}, "wanted": 0, "leastScore": 1.0, "mostOwn": 0, "kept": 0, "vector": v[:], "compared": 0,
		"memoir": nil, "labels": []string{}, "session": nil, "topic": nil}
	require.NoError(t, s.Each(t.Context(), s.Query(cypher.Named("search_near"), values), func(f *bolt.Fields) { keys = bolt.List[string](f, "keys") }))
	return keys
}

// Where there are too many to compare, the index of each kind finds the nearest.
func TestTheNearestAreFoundByIndex(t *testing.T) {
	const size, queries, most = 3000, 20, 20
	for kind, record := range recordings {
		t.Run(string(kind), func(t *testing.T) {
			backend := mustConnect(t)
			backend.exactLimit = 40
			s := storeOf(freshStore(t, backend))
			clearAfter(t, s)
			random := rand.New(rand.NewPCG(1, 14))
			byParts(size, func(from, to int) {
				keys, texts := make([]string, to-from), make([]string, to-from)
				for i := range keys {
					keys[i], texts[i] = fmt.Sprintf("%04d", from+i), topicText(random)
				}
				record(t, s, keys, texts)
			})
			keys, codes := wholes(t, s, kind)
			require.Len(t, keys, size)
			found := 0
			for range queries {
				text := topicText(random)
				v, _ := meaning.Encode(text)
				asked := v.Code()
				places := make([]int, size)
				for i := range places {
					places[i] = i
				}
				slices.SortFunc(places, func(a, b int) int { return cmp.Compare(asked.Cosine(&codes[b]), asked.Cosine(&codes[a])) })
				got := byIndex(t, s, kind, v, size)
				for _, place := range places[:most] {
					if slices.Contains(got, keys[place]) {
						found++
					}
				}
				matches, err := s.Search(t.Context(), store.SearchQuery{Text: text, Kinds: []memory.Kind{kind}, Limit: size})
				require.NoError(t, err)
				require.True(t, slices.ContainsFunc(matches, func(m store.SearchMatch) bool { return m.Key == keys[places[0]] && m.Parts.Compared }))
			}
			t.Logf("recall@%d of the index among %d: %.3f", most, size, float64(found)/(queries*most))
			require.GreaterOrEqual(t, float64(found), 0.95*queries*most)
		})
	}
}
