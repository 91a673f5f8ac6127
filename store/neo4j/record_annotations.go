package neo4j

import (
	"context"
	"fmt"

	"mneme/memory"
	"mneme/store"
)

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
