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
	Key         string
	Name        string // unique in the tenant
	Description *string
	CreatedAt   time.Time
}

// ID is the global id, memoir:key.
func (m *Memoir) ID() string { return NodeID(KindMemoir, m.Key) }

// Concept is one thing an agent knows. Its name is unique within its memoir; the same name in another
// memoir is another concept.
type Concept struct {
	Key       string
	MemoirKey string
	Name      string
	Content   string
	Labels    []string
	Revisions []ConceptRevision // what it was before each refinement, oldest first
	Receipt   Receipt
	CreatedAt time.Time
	UpdatedAt time.Time
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
	Type      RelationType
	SourceKey string
	TargetKey string
	CreatedAt time.Time
}

// ID names the relation by its ends and type. It is readable, and not a Node.
func (r *Relation) ID() string {
	return "relation:" + EscapeKey(r.SourceKey) + "/" + string(r.Type) + "/" + EscapeKey(r.TargetKey)
}
