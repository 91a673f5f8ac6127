package neo4j

import (
	"context"
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/passages"
)

// observationProperties are what an observation's node holds from the start. usedAt is when it was last
// read, or else when it was made.
func observationProperties(tenant string, record *store.ObservationRecord) cypher.Parameters {
	o := &record.Observation
	properties := cypher.Parameters{
		"tenant": tenant, "key": o.Key, "session": o.SessionKey, "content": o.Content,
		"importance": string(o.Importance), "accessCount": 0, "usedAt": bolt.Instant(o.CreatedAt),
		"createdAt": bolt.Instant(o.CreatedAt), "inputHash": graph.HashText(record.InputHash),
	}
	encodeReceipt(properties, o.Receipt)
	return properties
}

func decodeObservation(row *neo4j.Record) (*memory.Observation, error) {
	f := annotationOf(row)
	return observationOf(f, aboutOf(f, row)), f.Err
}

func observationOf(f *bolt.Fields, about []string) *memory.Observation {
	return &memory.Observation{
		Key: f.Key(memory.KindObservation), SessionKey: f.OptionalText("session"), Content: f.Text("content"),
		Importance: bolt.Word[memory.Importance](f, "importance"), AccessCount: f.Count("accessCount"),
		LastAccessedAt: f.OptionalInstant("lastAccessedAt"), About: about, Receipt: receiptOf(f),
		CreatedAt: f.Instant("createdAt"),
	}
}

// correctionProperties are what a correction's node holds.
func correctionProperties(tenant string, record *store.CorrectionRecord) cypher.Parameters {
	c := &record.Correction
	properties := cypher.Parameters{
		"tenant": tenant, "key": c.Key, "topic": c.Topic, "prediction": c.Prediction, "correction": c.Correction,
		"context": c.Context, "importance": string(c.Importance), "createdBy": c.CreatedBy,
		"createdAt": bolt.Instant(c.CreatedAt), "inputHash": graph.HashText(record.InputHash),
	}
	encodeReceipt(properties, c.Receipt)
	return properties
}

func decodeCorrection(row *neo4j.Record) (*memory.Correction, error) {
	f := annotationOf(row)
	return correctionOf(f, aboutOf(f, row)), f.Err
}

func correctionOf(f *bolt.Fields, about []string) *memory.Correction {
	return &memory.Correction{
		Key: f.Key(memory.KindCorrection), Topic: f.Text("topic"), Prediction: f.Text("prediction"), Correction: f.Text("correction"),
		Context: f.OptionalText("context"), Importance: bolt.Word[memory.Importance](f, "importance"),
		CreatedBy: f.OptionalText("createdBy"), About: about, Receipt: receiptOf(f), CreatedAt: f.Instant("createdAt"),
	}
}

// annotationOf reads the node of an annotation, which is an observation or a correction.
func annotationOf(row *neo4j.Record) *bolt.Fields {
	node, err := bolt.Column[neo4j.Node]("n")(row)
	return &bolt.Fields{Node: node, Err: err}
}

// aboutOf reads the ids that an annotation is linked to, a column beside its node.
func aboutOf(f *bolt.Fields, row *neo4j.Record) []string {
	beside := bolt.FieldsOf(row.AsMap())
	ids := bolt.List[string](beside, "about")
	if beside.Err != nil {
		f.Fail("about", beside.Err)
	}
	return ids
}

// RecordObservations writes observations; see store.ObservationStore.
func (s *tenantStore) RecordObservations(ctx context.Context, records []store.ObservationRecord) ([]store.Recorded, error) {
	return recording(s, (*transaction).recordObservations)(ctx, records)
}

func (t *transaction) recordObservations(records []store.ObservationRecord) ([]store.Recorded, error) {
	return t.recordAnnotations(memory.KindObservation, t.store.observationDrafts(records))
}

func (s *tenantStore) observationDrafts(records []store.ObservationRecord) []annotationDraft {
	drafts := make([]annotationDraft, len(records))
	for i := range records {
		o := &records[i].Observation
		drafts[i] = annotationDraft{
			key: o.Key, session: o.SessionKey, about: o.About, inputHash: records[i].InputHash,
			properties: observationProperties(s.TenantID, &records[i]), said: passages.OfObservation(o),
		}
	}
	return drafts
}

// RecordCorrections writes corrections; see store.CorrectionStore.
func (s *tenantStore) RecordCorrections(ctx context.Context, records []store.CorrectionRecord) ([]store.Recorded, error) {
	return recording(s, (*transaction).recordCorrections)(ctx, records)
}

func (t *transaction) recordCorrections(records []store.CorrectionRecord) ([]store.Recorded, error) {
	drafts := make([]annotationDraft, len(records))
	for i := range records {
		c := &records[i].Correction
		drafts[i] = annotationDraft{
			key: c.Key, about: c.About, inputHash: records[i].InputHash, properties: correctionProperties(t.TenantID, &records[i]),
			said: passages.OfCorrection(c),
		}
	}
	return t.recordAnnotations(memory.KindCorrection, drafts)
}

// annotationDraft is an annotation to be written.
type annotationDraft struct {
	key        string
	session    *string
	about      []string
	inputHash  []byte
	properties cypher.Parameters
	said       passages.Record
}

func (t *transaction) recordAnnotations(kind memory.Kind, drafts []annotationDraft) ([]store.Recorded, error) {
	known, err := graph.LockEnds(t.Transaction, annotationScope(kind, drafts))
	if err != nil {
		return nil, err
	}
	recorded, hashes := make([]store.Recorded, len(drafts)), known.Hashes(kind)
	var fresh []*annotationDraft
	for i := range drafts {
		recorded[i] = drafts[i].admit(hashes)
		if recorded[i].Created {
			fresh = append(fresh, &drafts[i])
		}
	}
	if len(fresh) == 0 {
		return recorded, nil
	}
	return recorded, t.createAnnotations(kind, fresh, known)
}

// annotationScope is what annotations are linked to, and themselves.
func annotationScope(kind memory.Kind, drafts []annotationDraft) map[memory.Kind]graph.KeySet {
	ids := []string{}
	for i := range drafts {
		ids = append(append(ids, drafts[i].about...), memory.NodeID(kind, drafts[i].key))
		if session := drafts[i].session; session != nil {
			ids = append(ids, memory.NodeID(memory.KindSession, *session))
		}
	}
	return graph.KeysByKind(ids)
}

// admit says what becomes of an annotation.
func (d *annotationDraft) admit(hashes map[string]string) store.Recorded {
	for i, id := range d.about {
		if _, _, ok := memory.SplitID(id); !ok {
			return store.Recorded{Key: d.key, Err: fmt.Errorf("%w: about %d is no id of a record", store.ErrInvalid, i)}
		}
	}
	return graph.CompareInput(hashes, d.key, d.inputHash)
}

// createAnnotations creates annotations and links them to what they are about, or lets them wait for it.
func (t *transaction) createAnnotations(kind memory.Kind, drafts []*annotationDraft, known graph.Ends) error {
	rows, said, arrived, c := make([]cypher.Parameters, len(drafts)), make([]passages.Record, len(drafts)), graph.Arrivals{}, graph.NewChanges()
	for i, draft := range drafts {
		rows[i], said[i] = draft.properties, draft.said
		arrived.Add(kind, draft.key)
		arrived.AddOptional(memory.KindSession, draft.session)
		known.Add(kind, draft.key)
		if draft.session != nil {
			known.Add(memory.KindSession, *draft.session)
		}
	}
	for _, draft := range drafts {
		placeAnnotation(c, kind, draft, known)
	}
	if err := graph.Create(t.Transaction, c, cypher.Rendered("create_annotations", annotationShape{Label: graph.Labels[kind], Kind: kind}), t.nodes(kind, rows, said), arrived); err != nil {
		return err
	}
	return c.Apply(t.Transaction)
}

// annotationShape is a query about annotations of one kind.
type annotationShape struct {
	Label string
	Kind  memory.Kind
}

// placeAnnotation links an annotation to those of the records it is about that are there.
func placeAnnotation(c *graph.Changes, kind memory.Kind, draft *annotationDraft, known graph.Ends) {
	for _, id := range graph.SetOf(draft.about...).Sorted() {
		target, key, _ := memory.SplitID(id)
		if known.Has(id) {
			c.LinkAbout(kind, draft.key, target, key)
		} else {
			c.Wait(graph.Labels[kind], draft.key, graph.AwaitedKey(target, key))
		}
	}
}
