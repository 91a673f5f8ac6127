package neo4j

import (
	"context"

	"mneme/memory"
	split "mneme/memory/passages"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/passages"
)

// toldTogether is of how many records the passages are looked at in one round trip.
const toldTogether = 50

// told is a record with the passages that it has.
type told struct {
	key string
	passages.Record
	has   []map[string]any
	parts bool // its log came in parts
	whole bool // else it cannot be read, and says nothing for sure
}

// right says whether the passages are those that it should have.
func (r *told) right(kind memory.Kind) bool {
	return !r.whole || passages.Right(kind, r.Record, r.has, r.parts)
}

func toldDecoder(kind memory.Kind) bolt.Decoder[*told] {
	return func(row *bolt.Fields) *told {
		return bolt.In(row, "n", func(f *bolt.Fields) *told {
			r := &told{key: f.Text("key"), has: bolt.List[map[string]any](row, "passages")}
			switch kind {
			case memory.KindEpisode:
				events := eventsOf(f, 0)
				parts := bolt.FieldsOf(row.Node.Props) // what is wrong with the log is the episode's fault
				logged := bolt.All(parts, "logged", func(v *bolt.Fields) memory.Event { return loggedEventOf(v, r.key) })
				f.Check("log", parts.Fault())
				if r.parts = len(logged) > 0; r.parts {
					events = logged
				}
				r.Record = passages.OfEpisode(episodeOf(f), events)
			case memory.KindMemoir:
				r.Record = passages.Of(memoirOf(f))
			case memory.KindConcept:
				r.Record = passages.Of(conceptOf(f))
			case memory.KindObservation:
				r.Record = passages.Of(observationOf(f))
			case memory.KindCorrection:
				r.Record = passages.Of(correctionOf(f))
			case memory.KindFeedback:
				r.Record = passages.Of(feedbackOf(f))
			}
			r.Properties, r.whole = f.Node.Props, f.Err == nil
			f.Err = nil
			return r
		})
	}
}

// eachWrong goes through the records by kind and key, and hands over, a page at a time, the keys of those whose
// passages are not what they say.
func (s *tenantStore) eachWrong(ctx context.Context, page func(kind memory.Kind, records int, wrong []string) error) error {
	ctx = store.Unmetered(ctx)
	for _, kind := range split.Kinds {
		for last := ""; ; {
			q := s.Query(cypher.Rendered("told", cypher.Label(kind)), cypher.Parameters{"after": last, "limit": toldTogether})
			all, err := bolt.Read(ctx, s.Connection, q, toldDecoder(kind))
			if err != nil {
				return err
			}
			if len(all) == 0 {
				break
			}
			wrong := []string{}
			for _, r := range all {
				if last = r.key; !r.right(kind) {
					wrong = append(wrong, r.key)
				}
			}
			if err := page(kind, len(all), wrong); err != nil {
				return err
			}
		}
	}
	return nil
}

// retell gives the records the passages that they should have, under a lock, and tells how many it looked at.
func (s *tenantStore) retell(ctx context.Context, tell func(done int)) error {
	done := 0
	return s.eachWrong(ctx, func(kind memory.Kind, records int, wrong []string) error {
		done += records
		if tell(done); len(wrong) == 0 {
			return nil
		}
		return s.write(ctx, func(t *transaction) error {
			locked, err := bolt.RowsOf(t.Transaction, cypher.Rendered("lock_told", cypher.Label(kind)), cypher.Parameters{"keys": wrong}, toldDecoder(kind))
			for _, r := range locked {
				if err == nil && !r.right(kind) {
					err = t.Run(changePassages(kind), passages.Became(kind, r.Record, r.has, false, s.making()), nil)
				}
			}
			return err
		})
	})
}

// countWrong counts the records that are not found by what they say.
func (s *tenantStore) countWrong(ctx context.Context) (wrong int, err error) {
	err = s.eachWrong(ctx, func(_ memory.Kind, _ int, keys []string) error {
		wrong += len(keys)
		return nil
	})
	return wrong, err
}
