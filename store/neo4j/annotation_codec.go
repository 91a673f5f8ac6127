package neo4j

import (
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
