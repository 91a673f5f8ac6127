package neo4j

import (
	"context"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// Get reads known records; see store.Records.
func (s *tenantStore) Get(ctx context.Context, of any, keys []string) (any, error) {
	switch of.(type) {
	case *memory.Agent:
		return readByKey(ctx, s, cypher.Named("agents"), keys, decodeAgent)
	case *memory.Session:
		return readByKey(ctx, s, cypher.Named("sessions"), keys, decodeSession)
	case *memory.Canvas:
		return readByKey(ctx, s, cypher.Named("canvases"), keys, decodeCanvas)
	case *memory.Feedback:
		return readByKey(ctx, s, cypher.Named("feedback"), keys, decodeFeedback)
	case *memory.Memoir:
		return readByKey(ctx, s, cypher.Named("memoirs"), keys, decodeMemoir)
	case *memory.Concept:
		return readByKey(ctx, s, cypher.Named("concepts"), keys, decodeConcept)
	case *memory.Observation:
		return readByKey(ctx, s, cypher.Named("observations"), keys, decodeObservation)
	case *memory.Correction:
		return readByKey(ctx, s, cypher.Named("corrections"), keys, decodeCorrection)
	case *memory.Execution:
		return s.Executions(ctx, keys)
	case *memory.Run:
		return readByKey(ctx, s, cypher.Named("runs"), keys, decodeRun)
	case *memory.Section:
		judgements, err := s.judgementsOf(ctx, "section", keys)
		return store.InOrder(keys, memory.SectionsOf(judgements), store.KeyOf), err
	case *memory.Verdict:
		return readByKey(ctx, s, cypher.Named("verdicts"), keys, decodeVerdict)
	case *memory.Pattern:
		return readByKey(ctx, s, cypher.Named("patterns"), keys, decodePattern)
	}
	return nil, store.NotKept(of)
}

// readByKey runs a query for records by their keys and gives them in the order of the keys.
func readByKey[T any](
	ctx context.Context, s *tenantStore, reading cypher.Statement, keys []string, decode bolt.Decoder[*T],
) ([]*T, error) {
	if len(keys) == 0 {
		return []*T{}, nil
	}
	q := s.Query(reading, cypher.Parameters{"keys": linking.SetOf(keys...).Sorted()})
	found, err := bolt.Read(ctx, s.Connection, q, decode)
	if err != nil {
		return nil, err
	}
	return store.InOrder(keys, found, store.KeyOf), nil
}
