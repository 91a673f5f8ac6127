package neo4j

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

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
	Named []string // the types of links whose ends are exported with the record
	Waits bool
}

// Label is that of the nodes.
func (s exportShape) Label() string { return graph.LabelOf(s.Kind) }

// exported is a record of an export.
type exported struct {
	*bolt.Fields
	named map[string][]string // global ids by the type of link
	waits []linking.PendingRef
	// beside is what cannot be read of the record, which is handed over without it.
	beside []*bolt.LeftOut
}

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
	of := func(kind memory.Kind, item func(r *exported) store.Item) exporter {
		return s.exportKind(exportShape{Kind: kind}, item)
	}
	annotations := func(kind memory.Kind, item func(r *exported) store.Item) exporter {
		return s.exportKind(exportShape{kind, []string{"ABOUT"}, true}, item)
	}
	for _, export := range []exporter{
		of(memory.KindAgent, (*exported).agent),
		of(memory.KindMemoir, (*exported).memoir),
		of(memory.KindConcept, (*exported).conceptRecord),
		s.exportRelations,
		s.exportKind(exportShape{memory.KindEpisode, []string{"CAUSED_BY", "INFORMED_BY", "MENTIONS"}, true}, func(r *exported) store.Item { return r.episodeRecord(length) }),
		s.exportPages(cypher.Named("export_events"), cypher.Parameters{"afterEpisode": "", "afterSequence": -1}, readEvent),
		of(memory.KindCanvas, (*exported).canvasItem),
		s.exportKind(exportShape{Kind: memory.KindFeedback, Waits: true}, func(r *exported) store.Item { return r.feedbackItem() }),
		s.exportPages(cypher.Rendered("export_executions", "NOT"), cypher.Parameters{"after": ""}, readExecution),
		of(memory.KindRun, (*exported).runItem),
		of(memory.KindVerdict, (*exported).verdictRecord),
		s.exportKind(exportShape{Kind: memory.KindPattern, Named: []string{"LEARNED_FROM"}}, (*exported).patternItem),
		of(store.KindSectionType, (*exported).sectionType),
		of(store.KindJudgeThreshold, (*exported).judgeThreshold),
		annotations(memory.KindObservation, (*exported).observation),
		annotations(memory.KindCorrection, (*exported).correction),
		s.exportPages(cypher.Named("export_spans"), firstSpan, readSpan),
		of(store.KindTombstone, (*exported).tombstone),
	} {
		if err := export(ctx, each); err != nil {
			return err
		}
	}
	return nil
}

// exporter hands over the items of one kind.
type exporter func(ctx context.Context, each func(store.Item) error) error

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

// exportPages hands over what a statement finds, page by page, from a position whose values each row repeats.
func (s *tenantStore) exportPages(asked cypher.Statement, position cypher.Parameters, read bolt.Decoder[store.Item]) exporter {
	type found struct {
		item     store.Item
		position cypher.Parameters
	}
	decode := func(row *neo4j.Record) (found, error) {
		one := found{position: cypher.Parameters{}}
		for name := range position {
			one.position[name], _ = row.Get(name)
		}
		item, err := read(row)
		one.item = item
		return one, err
	}
	return func(ctx context.Context, each func(store.Item) error) error {
		for after, more := position, true; more; {
			values := maps.Clone(after)
			values["limit"] = exportPage
			rows, err := bolt.Rows(ctx, s.Connection, s.Query(asked, values), decode)
			if err != nil {
				return err
			}
			for _, row := range rows {
				after = row.Value.position
				if one, ok := row.Take(ctx); ok && one.item != nil {
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

// exportKind hands over the records of a kind.
func (s *tenantStore) exportKind(shape exportShape, item func(r *exported) store.Item) exporter {
	return s.exportPages(cypher.Rendered("export", shape), cypher.Parameters{"after": ""}, func(row *neo4j.Record) (store.Item, error) {
		r, err := shape.decode(row)
		if err != nil {
			return nil, err
		}
		r.Key(shape.Kind)
		read := item(r)
		return read, cmp.Or(sound(read, r.Err), bolt.LeftOutError(r.beside))
	})
}

// sound is the error with which an item was read, else what is wrong with its values.
func sound(item store.Item, err error) error {
	if err == nil {
		if damaged := store.Validate(item); damaged != nil {
			return damaged
		}
	}
	return err
}

func (s exportShape) decode(row *neo4j.Record) (*exported, error) {
	node, err := bolt.Column[neo4j.Node]("n")(row)
	if err != nil {
		return nil, err
	}
	r := &exported{Fields: &bolt.Fields{Node: node}, named: map[string][]string{}}
	beside := bolt.FieldsOf(row.AsMap())
	for _, link := range s.Named {
		r.named[link] = bolt.List[string](beside, link)
	}
	if s.Waits {
		for _, pair := range bolt.List[[]any](beside, "waits") {
			texts := bolt.List[string](bolt.FieldsOf(cypher.Parameters{"wait": pair}), "wait")
			if len(texts) != 2 {
				return nil, fmt.Errorf("a wait is %v", pair)
			}
			r.waits = append(r.waits, linking.PendingRef{Kind: memory.Kind(texts[0]), Key: texts[1]})
		}
	}
	return r, beside.Err
}

// exportRelations hands over the relations between concepts.
func (s *tenantStore) exportRelations(ctx context.Context, each func(store.Item) error) error {
	for _, kind := range memory.SortedRelationTypes() {
		first := cypher.Parameters{"afterSource": memory.NodeID(memory.KindConcept, ""), "afterTarget": ""}
		export := s.exportPages(cypher.Rendered("export_relations", string(kind)), first, func(row *neo4j.Record) (store.Item, error) {
			f := bolt.FieldsOf(row.AsMap())
			r := memory.Relation{
				Type: kind, SourceKey: memory.KeyOf(memory.KindConcept, f.Text("afterSource")), TargetKey: memory.KeyOf(memory.KindConcept, f.Text("afterTarget")),
			}
			f.Of(store.KindRelation, memory.JoinKey(string(kind), r.SourceKey, r.TargetKey))
			r.CreatedAt = f.Instant("at")
			item := &store.RelationItem{Relation: r}
			return item, sound(item, f.Err)
		})
		if err := export(ctx, each); err != nil {
			return err
		}
	}
	return nil
}

// readExecution reads a row of the statement export_executions.
func readExecution(row *neo4j.Record) (store.Item, error) {
	return bolt.NodeIn("x", func(f *bolt.Fields) store.Item {
		e := learning.ExecutionOf(f)
		item := &store.ExecutionRecord{Execution: *e, InputHash: decodeHash(f, f.OptionalText("inputHash"))}
		f.Err = sound(item, f.Err)
		return item
	})(row)
}

func (r *exported) sectionType() store.Item {
	return sectionTypeOf(r.Fields)
}

func (r *exported) judgeThreshold() store.Item {
	return &store.JudgeThresholdItem{JudgeThreshold: judgeThresholdOf(r.Fields)}
}

// firstSpan is the position before all held spans.
var firstSpan = cypher.Parameters{"afterTrace": "", "afterKey": ""}

// readSpan reads a row of the statement export_spans.
func readSpan(row *neo4j.Record) (store.Item, error) {
	f := bolt.FieldsOf(row.AsMap())
	item := &store.SpanItem{HeldSpan: heldSpanOf(f, f.Text("afterTrace"), f.Text("afterKey"))}
	item.ArrivedAt = f.Instant("arrivedAt")
	return item, sound(item, f.Err)
}

// hash reads the hash of an input, nil where there is none.
func (r *exported) hash() []byte { return decodeHash(r.Fields, r.OptionalText("inputHash")) }

func decodeHash(f *bolt.Fields, text *string) []byte {
	if text == nil || *text == "" {
		return nil
	}
	hash, err := base64.RawStdEncoding.DecodeString(*text)
	if err != nil {
		f.Check("hash", err)
	}
	return hash
}

// waited is the key that the record waits for under a kind, nil where there is none.
func (r *exported) waited(kind memory.Kind) *string {
	for _, a := range r.waits {
		if a.Kind == kind {
			return &a.Key
		}
	}
	return nil
}

// names are the keys that the record names by links of a type, or waits for under a kind, sorted.
func (r *exported) names(link string, target, waits memory.Kind) []string {
	keys := make([]string, 0, len(r.named[link]))
	for _, id := range r.named[link] {
		keys = append(keys, strings.TrimPrefix(id, memory.NodeID(target, "")))
	}
	for _, a := range r.waits {
		if a.Kind == waits {
			keys = append(keys, a.Key)
		}
	}
	slices.Sort(keys)
	return keys
}

// about are the global ids that an annotation is about or waits to be about, sorted.
func (r *exported) about() []string {
	ids := append([]string{}, r.named["ABOUT"]...)
	for _, a := range r.waits {
		ids = append(ids, memory.NodeID(a.Of(), a.Key))
	}
	slices.Sort(ids)
	return ids
}

func (r *exported) agent() store.Item {
	return &store.AgentItem{Agent: memory.Agent{Key: r.Text("key"), Name: r.Text("name")}}
}

func (r *exported) memoir() store.Item {
	return &store.MemoirRecord{Memoir: *memoirOf(r.Fields), InputHash: r.hash()}
}

func (r *exported) conceptRecord() store.Item {
	return &store.ConceptRecord{Concept: *conceptOf(r.Fields), InputHash: r.hash()}
}

func (r *exported) episodeRecord(vectorLength int) store.Item {
	record := &store.EpisodeRecord{
		Episode: *episodeOf(r.Fields), InputHash: r.hash(), Events: eventsOf(r.Fields, 0),
		CausedBy:   r.names("CAUSED_BY", memory.KindEpisode, memory.KindEpisode),
		InformedBy: r.names("INFORMED_BY", memory.KindEpisode, linking.Informed), Mentions: r.names("MENTIONS", memory.KindConcept, memory.KindConcept),
	}
	record.Episode.Embedding = r.embedding(vectorLength)
	return record
}

// embedding reads an episode's vector. What is wrong with it is no fault of the episode.
func (r *exported) embedding(length int) (vector []float32) {
	f := &bolt.Fields{Node: r.Node, Kind: store.KindEmbedding, Subject: r.Subject}
	name := settings.VectorProperty(length)
	numbers := bolt.List[float64](f, name)
	for _, x := range numbers {
		vector = append(vector, float32(x))
	}
	if len(vector) > 0 && len(vector) != length {
		f.Check(name, fmt.Errorf("has %d numbers", len(vector)))
	}
	f.Check(name, memory.CheckVector(vector))
	if fault := bolt.FaultIn(f.Err); fault != nil {
		r.beside = append(r.beside, fault)
		return nil
	}
	return vector
}

func (r *exported) canvasItem() store.Item {
	item := &store.CanvasItem{Canvas: *graph.CanvasOf(r.Fields, nil), Named: r.OptionalText("named")}
	for _, hash := range bolt.Parallel[string](r.Fields, "actionHashes", len(item.Actions)) {
		item.Hashes = append(item.Hashes, decodeHash(r.Fields, &hash))
	}
	return item
}

func (r *exported) feedbackItem() *store.FeedbackItem {
	return store.NewFeedbackItem(*feedbackOf(r.Fields), r.hash(), memory.Kind(r.Text("way")), r.waited(memory.KindEpisode), r.waited(memory.KindCanvas))
}

func (r *exported) runItem() store.Item { return &store.RunItem{Run: *runOf(r.Fields)} }

func (r *exported) verdictRecord() store.Item {
	return &store.VerdictRecord{Verdict: *verdictOf(r.Fields), InputHash: r.hash()}
}

func (r *exported) patternItem() store.Item {
	return &store.PatternItem{Pattern: *patternOf(r.Fields), Sections: r.names("LEARNED_FROM", memory.KindSection, "")}
}

func (r *exported) observation() store.Item {
	return &store.ObservationRecord{Observation: *observationOf(r.Fields, r.about()), InputHash: r.hash()}
}

func (r *exported) correction() store.Item {
	return &store.CorrectionRecord{Correction: *correctionOf(r.Fields, r.about()), InputHash: r.hash()}
}

func (r *exported) tombstone() store.Item {
	hash, err := hex.DecodeString(r.Text("key"))
	if err != nil {
		r.Check("key", err)
	}
	return store.Tombstone(hash)
}
