package neo4j

import (
	"cmp"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/passages"
)

// observationProperties are what an observation's node holds from the start. usedAt is when it was last
// read, or else when it was made.
func observationProperties(tenant string, record *store.ObservationRecord) cypher.Parameters {
	o := &record.Observation
	properties := graph.Properties(tenant, o.Key, record.InputHash, fields.Observation(o), fields.ObservationUse(o))
	properties["usedAt"] = cmp.Or(properties["lastAccessedAt"], properties["createdAt"])
	return properties
}

var (
	decodeObservation = annotationDecoder(observationOf)
	decodeCorrection  = annotationDecoder(correctionOf)
)

func observationOf(f *bolt.Fields, about []string) *memory.Observation {
	o := &memory.Observation{}
	o.About = about
	f.Scan(fields.Observation(o), fields.ObservationUse(o))
	return o
}

func correctionOf(f *bolt.Fields, about []string) *memory.Correction {
	c := &memory.Correction{}
	c.About = about
	f.Scan(fields.Correction(c))
	return c
}

// annotationDecoder reads the node of an observation or a correction, and from a column beside it what that is about.
func annotationDecoder[T any](of func(f *bolt.Fields, about []string) T) bolt.Decoder[T] {
	return func(row *neo4j.Record) (T, error) {
		beside := bolt.FieldsOf(row.AsMap())
		about := bolt.List[string](beside, "about")
		return bolt.NodeIn("n", func(f *bolt.Fields) T {
			annotation := of(f, about)
			f.Check("about", beside.Err)
			return annotation
		})(row)
	}
}

func (t *transaction) recordObservations(records []store.ObservationRecord) ([]store.Recorded, error) {
	drafts := make([]newRecord, len(records))
	for i := range records {
		o := &records[i].Observation
		drafts[i] = newRecord{
			key: o.Key, session: o.SessionKey, about: o.About, inputHash: records[i].InputHash,
			properties: observationProperties(t.TenantID, &records[i]), said: passages.Of(o),
		}
	}
	return t.recordAnnotations(memory.KindObservation, drafts)
}

func (t *transaction) recordCorrections(records []store.CorrectionRecord) ([]store.Recorded, error) {
	drafts := make([]newRecord, len(records))
	for i := range records {
		c := &records[i].Correction
		drafts[i] = newRecord{
			key: c.Key, about: c.About, inputHash: records[i].InputHash, properties: graph.Properties(t.TenantID, c.Key, records[i].InputHash, fields.Correction(c)),
			said: passages.Of(c),
		}
	}
	return t.recordAnnotations(memory.KindCorrection, drafts)
}

// recordAnnotations writes observations or corrections.
func (t *transaction) recordAnnotations(kind memory.Kind, drafts []newRecord) ([]store.Recorded, error) {
	ids := []string{}
	for i := range drafts {
		ids = append(ids, drafts[i].about...)
		if session := drafts[i].session; session != nil {
			ids = append(ids, memory.NodeID(memory.KindSession, *session))
		}
	}
	creating := cypher.Rendered("create_annotations", annotationShape{Label: graph.Labels[kind], Kind: kind})
	return t.record(kind, drafts, graph.KeysByKind(ids), creating, func(i int, _ graph.Ends) error { return store.CheckAbout(drafts[i].about) })
}

// annotationShape is a query about annotations of one kind.
type annotationShape struct {
	Label string
	Kind  memory.Kind
}
