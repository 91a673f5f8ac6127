package service

import (
	"context"
	"strings"

	"mneme/memory"
	"mneme/store"
)

// CreateMemoir makes a named graph of concepts.
func (k *Knowledge) CreateMemoir(ctx context.Context, input CreateMemoirInput) (*memory.Memoir, error) {
	return recordOne[memory.Memoir](ctx, k.tenant, memory.KindMemoir, input, k.memoirRecord, k.createMemoirs)
}

func (k *Knowledge) memoirRecord(ctx context.Context, input CreateMemoirInput) (store.MemoirRecord, error) {
	b := k.boundary(ctx)
	clean := CreateMemoirInput{
		ID: b.optionalKey(memory.KindMemoir, "id", input.ID), Name: b.name("name", input.Name),
		Description: b.optional("description", input.Description),
	}
	record := store.MemoirRecord{
		InputHash: k.inputHash(ctx, b, clean),
		Memoir:    memory.Memoir{Key: keyOr(clean.ID), Name: clean.Name, Description: clean.Description, CreatedAt: k.clock()},
	}
	return record, b.err
}

// AddConcept adds a concept to a memoir.
func (k *Knowledge) AddConcept(ctx context.Context, input AddConceptInput) (*memory.Concept, error) {
	return recordOne[memory.Concept](ctx, k.tenant, memory.KindConcept, input, k.conceptRecord, k.addConcepts)
}

func (k *Knowledge) conceptRecord(ctx context.Context, input AddConceptInput) (store.ConceptRecord, error) {
	if err := k.memoirIsThere(ctx, input.MemoirID); err != nil {
		return store.ConceptRecord{}, err
	}
	b := k.boundary(ctx)
	clean := AddConceptInput{
		ID: b.optionalKey(memory.KindConcept, "id", input.ID), MemoirID: b.key(memory.KindMemoir, "memoirId", input.MemoirID),
		Name: b.name("name", input.Name), Labels: b.labels("labels", input.Labels), Content: "", // below
	}
	content, compact := b.requiredProse("content", input.Content)
	clean.Content = content
	now := k.clock()
	record := store.ConceptRecord{InputHash: k.inputHash(ctx, b, clean), Concept: memory.Concept{
		Key: keyOr(clean.ID), MemoirKey: clean.MemoirID, Name: clean.Name, Content: compact, Labels: clean.Labels,
		Revisions: nil, Receipt: b.redactor.Receipt(), CreatedAt: now, UpdatedAt: now,
	}}
	return record, b.err
}

// memoirIsThere refuses a memoir that is not there, where nothing was recorded yet by this process: the store finds that only once
// the concept is hashed, and the key for that makes the tenant.
func (k *Knowledge) memoirIsThere(ctx context.Context, id string) error {
	if k.key.Load() != nil {
		return nil
	}
	b := k.question(ctx)
	key := b.key(memory.KindMemoir, "memoirId", id)
	if b.err != nil {
		return b.err
	}
	known, err := k.store.Exist(ctx, []string{memory.NodeID(memory.KindMemoir, key)})
	if err == nil && !known[0] {
		return k.NotFound(ctx, "memoirId", "the memoir", id)
	}
	return fault("the memoir", err)
}

// CreateMemoirs makes memoirs in order and reports each.
func (k *Knowledge) CreateMemoirs(ctx context.Context, inputs []CreateMemoirInput) (*BatchResult, error) {
	return recordBatch(ctx, k.tenant, memory.KindMemoir, "memoirs", inputs, k.memoirRecord, k.createMemoirs)
}

// AddConcepts adds concepts to their memoirs in order and reports each.
func (k *Knowledge) AddConcepts(ctx context.Context, inputs []AddConceptInput) (*BatchResult, error) {
	return recordBatch(ctx, k.tenant, memory.KindConcept, "concepts", inputs, k.conceptRecord, k.addConcepts)
}

// RefineConcept changes what a concept says and keeps what it said as a revision, or with purge drops all that it said
// before, for good.
func (k *Knowledge) RefineConcept(ctx context.Context, input RefineConceptInput) (*memory.Concept, error) {
	b := k.boundary(ctx)
	b.fail(forReal(ctx, "to drop for good what a concept said before", valueOr(input.Purge, false)))
	refinement := store.ConceptRefinement{Key: b.key(memory.KindConcept, "id", input.ID), At: k.clock()}
	if input.Content != nil {
		_, compact := b.requiredProse("content", *input.Content)
		refinement.Content = &compact
	}
	if input.Labels != nil {
		labels := b.labels("labels", *input.Labels)
		refinement.Labels = &labels
	}
	refinement.Purge = valueOr(input.Purge, false)
	if b.err != nil {
		return nil, b.err
	}
	refinement.Receipt = b.redactor.Receipt()
	if err := k.store.RefineConcept(ctx, refinement); err != nil {
		return nil, k.faultAt(ctx, "id", "the concept", input.ID, err)
	}
	return mustRead(ctx, "the concept", refinement.Key, reading[memory.Concept](k.store))
}

// LinkConcepts relates two concepts; the same link again is the same link.
func (k *Knowledge) LinkConcepts(ctx context.Context, input LinkConceptsInput) (*memory.Relation, error) {
	relation, err := k.relation(ctx, input)
	if err != nil {
		return nil, err
	}
	linked, err := k.store.LinkConcepts(ctx, relation)
	if err != nil {
		return nil, k.linkFault(ctx, &relation, err)
	}
	return &linked, nil
}

// UnlinkConcepts removes a relation and says whether there was one.
func (k *Knowledge) UnlinkConcepts(ctx context.Context, input LinkConceptsInput) (bool, error) {
	relation, err := k.relation(ctx, input)
	if err != nil {
		return false, err
	}
	removed, err := k.store.UnlinkConcepts(ctx, relation)
	return removed, fault("the relation", err)
}

func (k *Knowledge) relation(ctx context.Context, input LinkConceptsInput) (memory.Relation, error) {
	b := k.boundary(ctx)
	relation := memory.Relation{
		Type: memory.RelationType(strings.ToUpper(string(input.Type))), CreatedAt: k.clock(),
		SourceKey: b.key(memory.KindConcept, "sourceId", input.SourceID),
		TargetKey: b.key(memory.KindConcept, "targetId", input.TargetID),
	}
	b.fail(relation.Check())
	return relation, b.err
}

// Memoir reads a memoir by id or by name, exactly one of which is given; nil where there is none.
func (k *Knowledge) Memoir(ctx context.Context, id, name *string) (*memory.Memoir, error) {
	if (id == nil) == (name == nil) {
		return nil, memory.Invalid("id", "send either id or name")
	}
	if name != nil {
		b := k.question(ctx)
		named := b.formed("name", b.redactor.Name(*name))
		found, _, err := store.List(ctx, k.store, store.MemoirsOf{Name: &named}, store.Page{Limit: 1})
		if err == nil && len(found) == 0 {
			return nil, k.nothingFor(ctx, 0, calledMemoirName(name))
		}
		if err != nil {
			return nil, fault("the memoir", err)
		}
		return found[0], nil
	}
	memoir, err := readByID(ctx, k.tenant, memory.KindMemoir, *id, reading[memory.Memoir](k.store))
	if err == nil && memoir == nil {
		err = k.nothingFor(ctx, 0, calledMemoir("id", id))
	}
	return memoir, err
}

// MemoirsByKey reads memoirs in the order of the keys, nil where there is none.
func (k *Knowledge) MemoirsByKey(ctx context.Context, keys []string) ([]*memory.Memoir, error) {
	memoirs, err := store.Get[memory.Memoir](ctx, k.store, keys)
	return memoirs, fault("the memoir", err)
}

// Memoirs lists all memoirs by name.
func (k *Knowledge) Memoirs(ctx context.Context, input PageInput) (*Page[*memory.Memoir], error) {
	return listOf(k.store, "the memoir", store.MemoirsOf{}).page(ctx, input, fingerprint("memoirs"))
}

// Concept reads one concept; nil where there is none.
func (k *Knowledge) Concept(ctx context.Context, id string) (*memory.Concept, error) {
	return readByID(ctx, k.tenant, memory.KindConcept, id, reading[memory.Concept](k.store))
}

// ConceptsByKey reads concepts in the order of the keys, nil where there is none.
func (k *Knowledge) ConceptsByKey(ctx context.Context, keys []string) ([]*memory.Concept, error) {
	concepts, err := store.Get[memory.Concept](ctx, k.store, keys)
	return concepts, fault("the concept", err)
}

// MemoirConcepts lists a memoir's concepts by name.
func (k *Knowledge) MemoirConcepts(ctx context.Context, memoirKey string, input PageInput) (*Page[*memory.Concept], error) {
	return listOf(k.store, "the memoir", store.ConceptsOf{Memoir: memoirKey}).page(ctx, input, fingerprint("concepts", memoirKey))
}

// Relations reads the relations of each concept by key, ordered by (type, source, target).
func (k *Knowledge) Relations(ctx context.Context, keys []string, direction Direction, types []memory.RelationType) (map[string][]*memory.Relation, error) {
	found, err := k.store.Relations(ctx, store.RelationsOf{Concepts: keys, Direction: direction.toStore(), Types: types})
	relations := make(map[string][]*memory.Relation, len(found))
	for key, of := range found {
		for i := range of {
			relations[key] = append(relations[key], &of[i])
		}
	}
	return relations, fault("the concept", err)
}

// Mentioned reads the concepts that each episode mentions, by episode key.
func (k *Knowledge) Mentioned(ctx context.Context, episodeKeys []string) (map[string][]*memory.Concept, error) {
	concepts, err := k.store.Mentioned(ctx, episodeKeys)
	return concepts, fault("the episode", err)
}

func (d Direction) toStore() store.Direction {
	switch d {
	case DirectionOut:
		return store.Out
	case DirectionIn:
		return store.In
	default:
		return store.Both
	}
}
