package neo4j

import (
	"context"
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// observationProperties are what an observation's node holds from the start. UsedAt is when it was last
// read, or else when it was made.
func observationProperties(tenant string, record *store.ObservationRecord) parameters {
	o := &record.Observation
	properties := parameters{
		"tenant": tenant, "key": o.Key, "session": o.SessionKey, "content": o.Content,
		"importance": string(o.Importance), "accessCount": 0, "usedAt": instant(o.CreatedAt),
		"createdAt": instant(o.CreatedAt), "inputHash": hashText(record.InputHash),
	}
	giveWords(memory.KindObservation, properties)
	encodeReceipt(properties, o.Receipt)
	return properties
}

func decodeObservation(row *neo4j.Record) (*memory.Observation, error) {
	f := annotationOf(row)
	return f.observation(f.about(row)), f.err
}

func (f *fields) observation(about []string) *memory.Observation {
	return &memory.Observation{
		Key: f.key(memory.KindObservation), SessionKey: f.optionalText("session"), Content: f.text("content"),
		Importance: word[memory.Importance](f, "importance"), AccessCount: f.count("accessCount"),
		LastAccessedAt: f.optionalInstant("lastAccessedAt"), About: about, Receipt: f.receipt(),
		CreatedAt: f.instant("createdAt"),
	}
}

// correctionProperties are what a correction's node holds.
func correctionProperties(tenant string, record *store.CorrectionRecord) parameters {
	c := &record.Correction
	properties := parameters{
		"tenant": tenant, "key": c.Key, "topic": c.Topic, "prediction": c.Prediction, "correction": c.Correction,
		"context": c.Context, "importance": string(c.Importance), "createdBy": c.CreatedBy,
		"createdAt": instant(c.CreatedAt), "inputHash": hashText(record.InputHash),
	}
	giveWords(memory.KindCorrection, properties)
	encodeReceipt(properties, c.Receipt)
	return properties
}

func decodeCorrection(row *neo4j.Record) (*memory.Correction, error) {
	f := annotationOf(row)
	return f.correction(f.about(row)), f.err
}

func (f *fields) correction(about []string) *memory.Correction {
	return &memory.Correction{
		Key: f.key(memory.KindCorrection), Topic: f.text("topic"), Prediction: f.text("prediction"), Correction: f.text("correction"),
		Context: f.optionalText("context"), Importance: word[memory.Importance](f, "importance"),
		CreatedBy: f.optionalText("createdBy"), About: about, Receipt: f.receipt(), CreatedAt: f.instant("createdAt"),
	}
}

// annotationOf reads the node of an annotation, which is an observation or a correction.
func annotationOf(row *neo4j.Record) *fields {
	node, err := column[neo4j.Node]("n")(row)
	return &fields{node: node, err: err}
}

// about reads the ids that an annotation is linked to, a column beside its node.
func (f *fields) about(row *neo4j.Record) []string {
	beside := fieldsOf(row.AsMap())
	ids := list[string](beside, "about")
	if beside.err != nil {
		f.fail("about", beside.err)
	}
	return ids
}

// RecordObservations writes observations; see store.ObservationStore.
func (s *tenantStore) RecordObservations(ctx context.Context, records []store.ObservationRecord) ([]store.Recorded, error) {
	return s.recordAnnotations(ctx, memory.KindObservation, s.observationDrafts(records))
}

func (s *tenantStore) observationDrafts(records []store.ObservationRecord) []annotationDraft {
	drafts := make([]annotationDraft, len(records))
	for i := range records {
		o := &records[i].Observation
		drafts[i] = annotationDraft{
			key: o.Key, session: o.SessionKey, about: o.About, inputHash: records[i].InputHash, former: &records[i].Former,
			properties: observationProperties(s.tenant, &records[i]),
		}
	}
	return drafts
}

// RecordCorrections writes corrections; see store.CorrectionStore.
func (s *tenantStore) RecordCorrections(ctx context.Context, records []store.CorrectionRecord) ([]store.Recorded, error) {
	return s.recordAnnotations(ctx, memory.KindCorrection, s.correctionDrafts(records))
}

func (s *tenantStore) correctionDrafts(records []store.CorrectionRecord) []annotationDraft {
	drafts := make([]annotationDraft, len(records))
	for i := range records {
		c := &records[i].Correction
		drafts[i] = annotationDraft{
			key: c.Key, about: c.About, inputHash: records[i].InputHash, former: &records[i].Former, properties: correctionProperties(s.tenant, &records[i]),
		}
	}
	return drafts
}

// annotationDraft is an annotation to be written.
type annotationDraft struct {
	key        string
	session    *string
	about      []string
	inputHash  []byte
	former     *store.Former
	properties parameters
}

func (s *tenantStore) recordAnnotations(ctx context.Context, kind memory.Kind, drafts []annotationDraft) ([]store.Recorded, error) {
	var recorded []store.Recorded
	if len(drafts) == 0 {
		return []store.Recorded{}, nil
	}
	return recorded, s.write(ctx, func(t *transaction) (err error) {
		recorded, err = t.recordAnnotations(kind, drafts)
		return err
	})
}

func (t *transaction) recordAnnotations(kind memory.Kind, drafts []annotationDraft) ([]store.Recorded, error) {
	known, err := t.lockEnds(annotationScope(kind, drafts))
	if err != nil {
		return nil, err
	}
	recorded, hashes := make([]store.Recorded, len(drafts)), known.hashes(kind)
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
func annotationScope(kind memory.Kind, drafts []annotationDraft) map[memory.Kind]keySet {
	ids := []string{}
	for i := range drafts {
		ids = append(append(ids, drafts[i].about...), memory.NodeID(kind, drafts[i].key))
		if session := drafts[i].session; session != nil {
			ids = append(ids, memory.NodeID(memory.KindSession, *session))
		}
	}
	return keysByKind(ids)
}

// admit says what becomes of an annotation.
func (d *annotationDraft) admit(hashes map[string]string) store.Recorded {
	for i, id := range d.about {
		if _, _, ok := memory.SplitID(id); !ok {
			return store.Recorded{Key: d.key, Err: fmt.Errorf("%w: about %d is no id of a record", store.ErrInvalid, i)}
		}
	}
	return compare(hashes, d.key, d.inputHash, d.former)
}

// createAnnotations creates annotations and links them to what they are about, or lets them wait for it.
func (t *transaction) createAnnotations(kind memory.Kind, drafts []*annotationDraft, known ends) error {
	rows, arrived, c := make([]parameters, len(drafts)), arrivals{}, newChanges()
	for i, draft := range drafts {
		rows[i] = draft.properties
		arrived.add(kind, draft.key)
		arrived.addOptional(memory.KindSession, draft.session)
		known.add(kind, draft.key)
		if draft.session != nil {
			known.add(memory.KindSession, *draft.session)
		}
	}
	for _, draft := range drafts {
		c.placeAnnotation(kind, draft, known)
	}
	if err := t.create(c, rendered("create_annotations", annotationShape{Label: labels[kind], Kind: kind}), parameters{"rows": rows}, arrived); err != nil {
		return err
	}
	return c.apply(t)
}

// annotationShape is a query about annotations of one kind.
type annotationShape struct {
	Label string
	Kind  memory.Kind
}

// placeAnnotation links an annotation to those of the records it is about that are there.
func (c *changes) placeAnnotation(kind memory.Kind, draft *annotationDraft, known ends) {
	for _, id := range setOf(draft.about...).sorted() {
		target, key, _ := memory.SplitID(id)
		if known.has(id) {
			c.linkAbout(kind, draft.key, target, key)
		} else {
			c.wait(labels[kind], draft.key, awaitedRecord(target, key))
		}
	}
}
