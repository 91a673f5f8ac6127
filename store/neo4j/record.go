package neo4j

import (
	"context"
	"errors"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/learning"
	"mneme/store/neo4j/passages"
)

// Record writes records; see store.Records. What clients record one by one goes together with what others record then.
func (s *tenantStore) Record(ctx context.Context, records any) ([]store.Recorded, error) {
	switch r := records.(type) {
	case []store.EpisodeRecord:
		return s.episodes.Ask(ctx, r...)
	case []store.CanvasActionRecord:
		return s.actions.Ask(ctx, r...)
	case []store.FeedbackRecord:
		return s.feedback.Ask(ctx, r...)
	case []store.JudgeThresholdItem:
		if _, err := s.InputKey(ctx); err != nil { // so that there is the tenant
			return nil, err
		}
	}
	for _, record := range recorders {
		if recorded, known, err := record(ctx, s, records); known {
			return recorded, err
		}
	}
	return nil, store.NotKept(records)
}

// recorders write records of the other types.
var recorders = []func(ctx context.Context, s *tenantStore, records any) (recorded []store.Recorded, known bool, err error){
	recorder((*transaction).recordMemoirs), recorder((*transaction).recordConcepts), recorder((*transaction).recordObservations),
	recorder((*transaction).recordCorrections), recorder((*transaction).recordExecutions), recorder((*transaction).recordVerdicts),
	recorder((*transaction).addAccesses), recorder(each((*transaction).saveAgent)), recorder(each((*transaction).labelVerdict)),
	recorder(each((*transaction).refine)), recorder(each((*transaction).applyJudgeThreshold)), recorder(each((*transaction).putOffTrace)),
}

func recorder[R any](record func(t *transaction, records []R) ([]store.Recorded, error)) func(context.Context, *tenantStore, any) ([]store.Recorded, bool, error) {
	return func(ctx context.Context, s *tenantStore, records any) (recorded []store.Recorded, known bool, err error) {
		typed, known := records.([]R)
		if known {
			recorded, err = recording(s, record)(ctx, typed)
		}
		return recorded, known, err
	}
}

// each makes a function that records items of one that writes an item. What is at fault with one is found before it
// changes anything.
func each[R any](write func(t *transaction, item *R) error) func(t *transaction, items []R) ([]store.Recorded, error) {
	return func(t *transaction, items []R) ([]store.Recorded, error) {
		recorded := make([]store.Recorded, len(items))
		for i := range items {
			recorded[i] = store.Recorded{Key: store.KeyOf(&items[i]), Err: write(t, &items[i])}
			var refused *memory.Error
			if err := recorded[i].Err; err != nil && !errors.Is(err, store.ErrNotFound) && !errors.As(err, &refused) {
				return nil, err
			}
		}
		return recorded, nil
	}
}

// newRecord is a record to be written, with global ids of others.
type newRecord struct {
	key        string
	inputHash  []byte
	properties cypher.Parameters
	said       passages.Record
	brings     []string // that are made with it where they are not there
	about      []string // that it is about
	within     []string // that it is within, or made of
}

// draft is a record of which the fields are all.
func (t *transaction) draft(key string, inputHash []byte, said passages.Record, lists ...fields.List) newRecord {
	return newRecord{key: key, inputHash: inputHash, said: said, properties: graph.Properties(t.TenantID, key, inputHash, lists...)}
}

// record writes those of some records of a kind that are new and not refused, links them to what they are about, or
// lets them wait for it, and links what has been waiting for them. It locks all ids that they have.
func (t *transaction) record(
	kind memory.Kind, drafts []newRecord, creating cypher.Statement, refuse func(i int, known graph.Ends) error,
) ([]store.Recorded, error) {
	var ids []string
	for i := range drafts {
		d := &drafts[i]
		ids = append(append(ids, memory.NodeID(kind, d.key)), slices.Concat(d.brings, d.about, d.within)...)
	}
	known, err := graph.LockEnds(t.Transaction, ids)
	if err != nil {
		return nil, err
	}
	recorded, hashes := make([]store.Recorded, len(drafts)), known.Hashes(kind)
	var fresh []*newRecord
	rows, said, c := []cypher.Parameters{}, []passages.Record{}, linking.NewChanges()
	for i := range drafts {
		d := &drafts[i]
		if _, there := hashes[d.key]; !there && refuse != nil {
			if err := refuse(i, known); err != nil {
				recorded[i] = store.Recorded{Key: d.key, Err: err}
				continue
			}
		}
		if recorded[i] = hashes.Admit(d.key, d.inputHash); !recorded[i].Created {
			continue
		}
		fresh, rows, said = append(fresh, d), append(rows, d.properties), append(said, d.said)
		for _, id := range append(d.brings, memory.NodeID(kind, d.key)) {
			of, key, _ := memory.SplitID(id)
			c.Arrive(of, key)
			known.Add(of, key)
		}
	}
	if len(fresh) == 0 {
		return recorded, nil
	}
	for _, d := range fresh {
		for _, id := range linking.SetOf(d.about...).Sorted() {
			target, key, _ := memory.SplitID(id)
			c.LinkOrWait(kind, d.key, "ABOUT", linking.RecordRef(target, key), known.Has(id))
		}
	}
	return recorded, t.Create(c, creating, t.nodes(kind, rows, said))
}

func (t *transaction) recordExecutions(records []store.ExecutionRecord) ([]store.Recorded, error) {
	return learning.Write{Links: t.Links}.RecordExecutions(records)
}

func (t *transaction) saveAgent(agent *store.AgentItem) error {
	c := linking.NewChanges()
	c.Arrive(memory.KindAgent, agent.Key)
	return t.Create(c, cypher.Named("save_agent"), cypher.Parameters{"key": agent.Key, "name": agent.Name})
}
