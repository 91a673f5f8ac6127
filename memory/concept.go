package memory

import "time"

// RelationType is how one concept relates to another. The set is closed, because rules depend on it.
type RelationType string

// The typed relations between concepts, from source to target.
const (
	RelationPartOf        RelationType = "PART_OF"
	RelationDependsOn     RelationType = "DEPENDS_ON"
	RelationRelatedTo     RelationType = "RELATED_TO"
	RelationContradicts   RelationType = "CONTRADICTS"
	RelationRefines       RelationType = "REFINES"
	RelationAlternativeTo RelationType = "ALTERNATIVE_TO"
	RelationCausedBy      RelationType = "CAUSED_BY"
	RelationInstanceOf    RelationType = "INSTANCE_OF"
	RelationSupersededBy  RelationType = "SUPERSEDED_BY"
)

// RelationTypes lists them all.
var RelationTypes = []RelationType{
	RelationPartOf, RelationDependsOn, RelationRelatedTo, RelationContradicts, RelationRefines,
	RelationAlternativeTo, RelationCausedBy, RelationInstanceOf, RelationSupersededBy,
}

// Memoir is a named graph of concepts.
type Memoir struct {
	Key         string    `json:"key"`
	Name        string    `json:"name"` // unique in the tenant
	Description *string   `json:"description,omitempty"`
	CreatedAt   time.Time `json:"createdAt"`
}

// ID is the global id, memoir:key.
func (m *Memoir) ID() string { return NodeID(KindMemoir, m.Key) }

// Concept is one thing an agent knows. Its name is unique within its memoir; the same name in another
// memoir is another concept.
type Concept struct {
	Key       string            `json:"key"`
	MemoirKey string            `json:"memoir"`
	Name      string            `json:"name"`
	Content   string            `json:"content"`
	Labels    []string          `json:"labels,omitempty"`
	Revisions []ConceptRevision `json:"revisions,omitempty"` // what it was before each refinement, oldest first
	Receipt   Receipt           `json:"receipt"`
	CreatedAt time.Time         `json:"createdAt"`
	UpdatedAt time.Time         `json:"updatedAt"`
}

// ID is the global id, concept:key.
func (c *Concept) ID() string { return NodeID(KindConcept, c.Key) }

// ConceptRevision is what a concept said until a refinement, and since when.
type ConceptRevision struct {
	Content string    `json:"content"`
	Labels  []string  `json:"labels"`
	At      time.Time `json:"at"`
}

// Relation is a typed link between two concepts. (Source, Target, Type) is unique.
type Relation struct {
	Type      RelationType `json:"type"`
	SourceKey string       `json:"source"`
	TargetKey string       `json:"target"`
	CreatedAt time.Time    `json:"createdAt"`
}

// ID names the relation by its ends and type. It is readable, and not a Node.
func (r *Relation) ID() string {
	return "relation:" + EscapeKey(r.SourceKey) + "/" + string(r.Type) + "/" + EscapeKey(r.TargetKey)
}
