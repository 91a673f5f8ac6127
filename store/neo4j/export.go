package neo4j

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/learning"
	"mneme/store/neo4j/settings"
)

// exportPage is how many records are in memory at a time.
const exportPage = 50

// exportShape is the query of an export for one kind.
type exportShape struct {
	Kind  memory.Kind
	Named []named
}

// named are records that are exported with one that names them: those at the other ends of links of a type, and those
// that it waits for under a kind, all of which are of a kind; of any for "".
type named struct {
	Link       string
	Waits, Are memory.Kind
}

// ids are the global ids of these, sorted.
func (n named) ids(row *bolt.Fields) []string {
	ids := slices.Clone(bolt.List[string](row, n.Link))
	slices.Sort(ids)
	return ids
}

// keys are their keys, sorted.
func (n named) keys(row *bolt.Fields) []string {
	keys := n.ids(row)
	for i, id := range keys {
		keys[i] = memory.KeyOf(n.Are, id)
	}
	return keys
}

var (
	causedBy    = named{"CAUSED_BY", memory.KindEpisode, memory.KindEpisode}
	informedBy  = named{"INFORMED_BY", linking.Informed, memory.KindEpisode}
	mentions    = named{"MENTIONS", memory.KindConcept, memory.KindConcept}
	learnedFrom = named{"LEARNED_FROM", memory.KindSection, memory.KindSection}
	about       = named{"ABOUT", "", ""}
)

// Export hands over all that the tenant keeps, page by page; see store.Transfer. Neo4j has no view of one
// instant, so what is written meanwhile may be in it or not.
func (s *tenantStore) Export(ctx context.Context, each func(store.Item) error) error {
	length, err := s.exportTenant(ctx, each)
	if err != nil {
		return err
	}
	return s.exportRecords(ctx, length, each)
}

// exportRecords hands over all but the settings.
func (s *tenantStore) exportRecords(ctx context.Context, length int, each func(store.Item) error) error {
	for _, export := range []exporter{
		s.exportKind(memory.KindAgent, func(n, _ *bolt.Fields) store.Item { return &store.AgentItem{Agent: *agentOf(n)} }),
		s.exportKind(memory.KindMemoir, func(n, _ *bolt.Fields) store.Item {
			return &store.MemoirRecord{Memoir: *memoirOf(n), InputHash: hashOf(n, "inputHash")}
		}),
		s.exportKind(memory.KindConcept, func(n, _ *bolt.Fields) store.Item {
			return &store.ConceptRecord{Concept: *conceptOf(n), InputHash: hashOf(n, "inputHash")}
		}),
		s.exportRelations,
		s.exportKind(memory.KindEpisode, func(n, row *bolt.Fields) store.Item {
			record := &store.EpisodeRecord{
				Episode: *episodeOf(n), InputHash: hashOf(n, "inputHash"), Events: eventsOf(n, 0),
				CausedBy: causedBy.keys(row), InformedBy: informedBy.keys(row), Mentions: mentions.keys(row),
			}
			record.Episode.Embedding = embeddingOf(n, length)
			return record
		}, causedBy, informedBy, mentions),
		s.exportPages(cypher.Named("export_events"), cypher.Parameters{"afterEpisode": "", "afterSequence": -1}, readEvent),
		s.exportKind(memory.KindCanvas, func(n, _ *bolt.Fields) store.Item {
			item := &store.CanvasItem{Canvas: *graph.CanvasOf(n), Named: n.OptionalText("named")}
			for _, hash := range bolt.Parallel[string](n, "actionHashes", len(item.Actions)) {
				item.Hashes = append(item.Hashes, decodeHash(n, hash))
			}
			return item
		}),
		s.exportPages(cypher.Named("export_feedback"), firstKey, func(row *bolt.Fields) store.Item { return feedbackItemOf(row) }),
		s.exportPages(cypher.Rendered("export_executions", "NOT"), firstKey, func(row *bolt.Fields) store.Item {
			return bolt.In(row, "n", func(n *bolt.Fields) store.Item {
				return &store.ExecutionRecord{Execution: *learning.ExecutionOf(n), InputHash: hashOf(n, "inputHash")}
			})
		}),
		s.exportKind(memory.KindRun, func(n, _ *bolt.Fields) store.Item { return &store.RunItem{Run: *runOf(n)} }),
		s.exportKind(memory.KindVerdict, func(n, _ *bolt.Fields) store.Item {
			return &store.VerdictRecord{Verdict: *verdictOf(n), InputHash: hashOf(n, "inputHash")}
		}),
		s.exportKind(memory.KindPattern, func(n, row *bolt.Fields) store.Item {
			return &store.PatternItem{Pattern: *patternOf(n), Sections: learnedFrom.keys(row)}
		}, learnedFrom),
		s.exportKind(store.KindSectionType, func(n, _ *bolt.Fields) store.Item { return sectionTypeOf(n) }),
		s.exportKind(store.KindJudgeThreshold, func(n, _ *bolt.Fields) store.Item { return judgeThresholdOf(n) }),
		s.exportKind(memory.KindObservation, func(n, row *bolt.Fields) store.Item {
			record := &store.ObservationRecord{Observation: *observationOf(n), InputHash: hashOf(n, "inputHash")}
			record.About = about.ids(row)
			return record
		}, about),
		s.exportKind(memory.KindCorrection, func(n, row *bolt.Fields) store.Item {
			record := &store.CorrectionRecord{Correction: *correctionOf(n), InputHash: hashOf(n, "inputHash")}
			record.About = about.ids(row)
			return record
		}, about),
		s.exportPages(cypher.Named("export_spans"), firstSpan, func(row *bolt.Fields) store.Item {
			return &store.SpanItem{HeldSpan: heldSpanOf(row, row.Text("afterTrace"), row.Text("afterKey")), ArrivedAt: row.Instant("arrivedAt")}
		}),
		s.exportKind(store.KindTombstone, func(n, _ *bolt.Fields) store.Item {
			hash, err := hex.DecodeString(n.Text("key"))
			n.Check("key", err)
			return store.Tombstone(hash)
		}),
	} {
		if err := export(ctx, each); err != nil {
			return err
		}
	}
	return nil
}

// exporter hands over the items of one kind.
type exporter func(ctx context.Context, each func(store.Item) error) error

// firstKey and firstSpan are the positions before all records, and before all held spans.
var firstKey, firstSpan = cypher.Parameters{"after": ""}, cypher.Parameters{"afterTrace": "", "afterKey": ""}

func (s *tenantStore) exportTenant(ctx context.Context, each func(store.Item) error) (length int, err error) {
	key, err := s.InputKey(ctx)
	var lost *store.Damaged
	if errors.As(err, &lost) {
		store.NoteDamage(ctx, lost)
		key, err = store.NewInputKey(), nil
	}
	if err != nil {
		return 0, err
	}
	if length, err = s.LengthOfMost(ctx); err != nil {
		return 0, err
	}
	return length, each(&store.TenantItem{InputKey: key, VectorLength: length})
}

// exportPages hands over the items that a statement finds, as paged does, if nothing is wrong with their values.
func (s *tenantStore) exportPages(asked cypher.Statement, position cypher.Parameters, read bolt.Decoder[store.Item]) exporter {
	return paged(s, asked, position, func(row *bolt.Fields) store.Item {
		item := read(row)
		sound(row, item)
		return item
	})
}

// paged hands over what a statement finds, page by page, from a position whose values each row repeats.
func paged[T any](
	s *tenantStore, asked cypher.Statement, position cypher.Parameters, read bolt.Decoder[T],
) func(ctx context.Context, each func(T) error) error {
	type found struct {
		item     T
		position cypher.Parameters
	}
	decode := func(row *bolt.Fields) found {
		one := found{read(row), cypher.Parameters{}}
		for name := range position {
			one.position[name] = row.Node.Props[name]
		}
		return one
	}
	return func(ctx context.Context, each func(T) error) error {
		for after, more := position, true; more; {
			values := maps.Clone(after)
			values["limit"] = exportPage
			rows, err := bolt.Rows(ctx, s.Connection, s.Query(asked, values), decode)
			if err != nil {
				return err
			}
			for _, row := range rows {
				after = row.Value.position
				if one, ok := row.Take(ctx); ok {
					if err := each(one.item); err != nil {
						return err
					}
				}
			}
			more = len(rows) == exportPage
		}
		return nil
	}
}

// exportKind hands over the records of a kind, each read of its node and of the row that names others with it.
func (s *tenantStore) exportKind(kind memory.Kind, read func(n, row *bolt.Fields) store.Item, names ...named) exporter {
	return s.exportPages(cypher.Rendered("export", exportShape{kind, names}), firstKey, func(row *bolt.Fields) store.Item {
		return bolt.In(row, "n", func(n *bolt.Fields) store.Item {
			n.Key(kind)
			return read(n, row)
		})
	})
}

// sound notes what is wrong with the values of an item that could be read.
func sound(f *bolt.Fields, item store.Item) {
	if f.Err == nil {
		if damaged := store.Validate(item); damaged != nil {
			f.Err = damaged
		}
	}
}

// exportRelations hands over the relations between concepts.
func (s *tenantStore) exportRelations(ctx context.Context, each func(store.Item) error) error {
	for _, kind := range memory.SortedRelationTypes() {
		first := cypher.Parameters{"afterSource": memory.NodeID(memory.KindConcept, ""), "afterTarget": ""}
		export := s.exportPages(cypher.Rendered("export_relations", string(kind)), first, func(f *bolt.Fields) store.Item {
			r := memory.Relation{
				Type: kind, SourceKey: memory.KeyOf(memory.KindConcept, f.Text("afterSource")), TargetKey: memory.KeyOf(memory.KindConcept, f.Text("afterTarget")),
			}
			f.Of(store.KindRelation, memory.JoinKey(string(kind), r.SourceKey, r.TargetKey))
			r.CreatedAt = f.Instant("at")
			return &store.RelationItem{Relation: r}
		})
		if err := export(ctx, each); err != nil {
			return err
		}
	}
	return nil
}

// hashOf reads the hash of an input, nil where there is none.
func hashOf(f *bolt.Fields, name string) []byte {
	return decodeHash(f, memory.OrZero(f.OptionalText(name)))
}

func decodeHash(f *bolt.Fields, text string) []byte {
	if text == "" {
		return nil
	}
	hash, err := base64.RawStdEncoding.DecodeString(text)
	f.Check("hash", err)
	return hash
}

// embeddingOf reads an episode's vector, after all else: what is wrong with it is no fault of the episode.
func embeddingOf(n *bolt.Fields, length int) (vector []float32) {
	if n.Err != nil {
		return nil
	}
	n.Of(store.KindEmbedding, n.Subject)
	name := settings.VectorProperty(length)
	for _, x := range bolt.List[float64](n, name) {
		vector = append(vector, float32(x))
	}
	if len(vector) > 0 && len(vector) != length {
		n.Check(name, fmt.Errorf("has %d numbers", len(vector)))
	}
	n.Check(name, memory.CheckVector(vector))
	if n.LeaveOut() {
		return nil
	}
	return vector
}

// feedbackItemOf reads a feedback with the keys of the episode and the canvas that it waits for.
func feedbackItemOf(row *bolt.Fields) *store.FeedbackItem {
	return bolt.In(row, "n", func(n *bolt.Fields) *store.FeedbackItem {
		return store.NewFeedbackItem(*feedbackOf(n), hashOf(n, "inputHash"), memory.Kind(n.Text("way")), row.OptionalText("episode"), row.OptionalText("canvas"))
	})
}
