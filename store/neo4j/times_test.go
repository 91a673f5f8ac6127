package neo4j_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

// What is of the time that a query names is found among many that have as much of the words.
func TestWhatIsOfANamedTimeIsFoundAmongMany(t *testing.T) {
	tenant := freshTenant(t, open(t, nil))
	named := time.Date(2024, time.July, 7, 12, 0, 0, 0, time.UTC)
	var notes []store.ObservationRecord
	for i := range 1500 {
		at := day.Add(time.Duration(i) * time.Hour)
		if i == 700 {
			at = named
		}
		notes = append(notes, store.ObservationRecord{Observation: memory.Observation{
			Key: fmt.Sprintf("o%04d", i), SessionKey: new(fmt.Sprintf("s%d", i)), Content: "a walrus", Importance: memory.ImportanceLow, CreatedAt: at,
		}})
	}
	_, err := tenant.RecordObservations(t.Context(), notes)
	require.NoError(t, err)
	many := "walrus"
	for year := range 2000 { // more than the index takes
		many += fmt.Sprintf(" May %d", 1000+year)
	}
	for _, neighbours := range []bool{false, true} {
		found, err := tenant.Search(t.Context(), store.SearchQuery{Kinds: []memory.Kind{memory.KindObservation}, Text: many, Limit: 5, Neighbours: neighbours})
		require.NoError(t, err)
		require.NotEmpty(t, found)
		for _, asked := range []string{"walrus on 7 July", "walrus in July 2024", "walrus in 2024"} {
			found, err := tenant.Search(t.Context(), store.SearchQuery{
				Kinds: []memory.Kind{memory.KindObservation}, Text: asked, Limit: 5, Neighbours: neighbours,
			})
			require.NoError(t, err)
			require.Equal(t, "o0700", found[0].Key, "%q, neighbours: %v", asked, neighbours)
		}
	}
}
