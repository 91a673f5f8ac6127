package service

import (
	"context"
	"strings"

	"mneme/memory"
	"mneme/store"
)

// CreateMemoir makes a named graph of concepts.
func (k *Knowledge) CreateMemoir(ctx context.Context, input CreateMemoirInput) (*memory.Memoir, error) {
	record, err := k.memoirRecord(ctx, input)
	if err != nil {
		return nil, err
	}
	recorded, err := k.createMemoirs(ctx, []store.MemoirRecord{record})
	if err := itemFault("the memoir", recorded, err); err != nil {
		return nil, err
	}
	return only(k.store.Memoirs(ctx, []string{record.Memoir.Key}))("the memoir")
}

func (k *Knowledge) memoirRecord(ctx context.Context, input CreateMemoirInput) (store.MemoirRecord, error) {
	record, hash, err := identified(ctx, k.tenant, func(b *boundary) (store.MemoirRecord, any) { return k.memoirOf(b, input) })
	record.InputHash = hash
	return record, err
}

func (k *Knowledge) memoirOf(b *boundary, input CreateMemoirInput) (store.MemoirRecord, any) {
	clean := CreateMemoirInput{
		ID: b.optionalKey(memory.KindMemoir, "id", input.ID), Name: b.name("name", input.Name),
		Description: b.optional("description", input.Description),
	}
	return store.MemoirRecord{
		Memoir: memory.Memoir{Key: keyOr(clean.ID), Name: clean.Name, Description: clean.Description, CreatedAt: k.clock()},
	}, clean
}

// AddConcept adds a concept to a memoir.
func (k *Knowledge) AddConcept(ctx context.Context, input AddConceptInput) (*memory.Concept, error) {
	record, err := k.conceptRecord(ctx, input)
	if err != nil {
		return nil, err
	}
	recorded, err := k.addConcepts(ctx, []store.ConceptRecord{record})
	if err := itemFault("the concept", recorded, err); err != nil {
		return nil, err
	}
	return only(k.store.Concepts(ctx, []string{record.Concept.Key}))("the concept")
}

func (k *Knowledge) conceptRecord(ctx context.Context, input AddConceptInput) (store.ConceptRecord, error) {
	if err := k.memoirIsThere(ctx, input.MemoirID); err != nil {
		return store.ConceptRecord{}, err
	}
	record, hash, err := identified(ctx, k.tenant, func(b *boundary) (store.ConceptRecord, any) { return k.conceptOf(b, input) })
	record.InputHash = hash
	return record, err
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
	known, err := k.shared.Exist(ctx, []string{memory.NodeID(memory.KindMemoir, key)})
	if err == nil && !known[0] {
		return k.NotFound(ctx, "memoirId", "the memoir", id)
	}
	return fault("the memoir", err)
}

func (k *Knowledge) conceptOf(b *boundary, input AddConceptInput) (store.ConceptRecord, any) {
	clean := AddConceptInput{
		ID: b.optionalKey(memory.KindConcept, "id", input.ID), MemoirID: b.key(memory.KindMemoir, "memoirId", input.MemoirID),
		Name: b.name("name", input.Name), Labels: b.labels("labels", input.Labels), Content: "", // below
	}
	content, compact := b.requiredProse("content", input.Content)
	clean.Content = content
	now := k.clock()
	return store.ConceptRecord{Concept: memory.Concept{
		Key: keyOr(clean.ID), MemoirKey: clean.MemoirID, Name: clean.Name, Content: compact, Labels: clean.Labels,
		Revisions: nil, Receipt: b.redactor.Receipt(), CreatedAt: now, UpdatedAt: now,
	}}, clean
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
	before, err := only(k.store.Concepts(store.Unmetered(ctx), []string{refinement.Key}))("the concept") // for its receipt
	if err == nil {
		refinement.Receipt = before.Receipt.Plus(b.redactor.Receipt())
		err = k.store.RefineConcept(ctx, refinement)
	}
	if err != nil {
		return nil, k.faultAt(ctx, "id", "the concept", input.ID, err)
	}
	return only(k.store.Concepts(ctx, []string{refinement.Key}))("the concept")
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
	tally(ctx, []store.Recorded{{Created: linked.CreatedAt.Equal(relation.CreatedAt)}}) // one that was there is older
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
	b := k.question(ctx)
	if name != nil {
		memoir, err := k.store.MemoirByName(ctx, b.formed("name", b.redactor.Name(*name)))
		return memoir, fault("the memoir", err)
	}
	key := b.key(memory.KindMemoir, "id", *id)
	if b.err != nil {
		return nil, b.err
	}
	memoirs, err := k.store.Memoirs(ctx, []string{key})
	if err != nil {
		return nil, fault("the memoir", err)
	}
	return memoirs[0], nil
}

// MemoirsByKey reads memoirs in the order of the keys, nil where there is none.
func (k *Knowledge) MemoirsByKey(ctx context.Context, keys []string) ([]*memory.Memoir, error) {
	memoirs, err := k.store.Memoirs(ctx, keys)
	return memoirs, fault("the memoir", err)
}

// Memoirs lists all memoirs by name.
func (k *Knowledge) Memoirs(ctx context.Context, input PageInput) (*Page[*memory.Memoir], error) {
	request, err := pageRequest(input, fingerprint("memoirs"), nil)
	if err != nil {
		return nil, err
	}
	memoirs, more, err := k.store.ListMemoirs(ctx, request.page)
	if err != nil {
		return nil, fault("the memoir", err)
	}
	return newPage(request, memoirs, more, counted("the memoir", k.store.CountMemoirs), func(m *memory.Memoir) store.Position {
		return store.Position{Key: m.Name}
	}), nil
}

// Concept reads one concept; nil where there is none.
func (k *Knowledge) Concept(ctx context.Context, id string) (*memory.Concept, error) {
	b := k.question(ctx)
	key := b.key(memory.KindConcept, "id", id)
	if b.err != nil {
		return nil, b.err
	}
	concepts, err := k.ConceptsByKey(ctx, []string{key})
	if err != nil {
		return nil, err
	}
	return concepts[0], nil
}

// ConceptsByKey reads concepts in the order of the keys, nil where there is none.
func (k *Knowledge) ConceptsByKey(ctx context.Context, keys []string) ([]*memory.Concept, error) {
	concepts, err := k.store.Concepts(ctx, keys)
	return concepts, fault("the concept", err)
}

// MemoirConcepts lists a memoir's concepts by name.
func (k *Knowledge) MemoirConcepts(ctx context.Context, memoirKey string, input PageInput) (*Page[*memory.Concept], error) {
	request, err := pageRequest(input, fingerprint("concepts", memoirKey), nil)
	if err != nil {
		return nil, err
	}
	concepts, more, err := k.store.ListConcepts(ctx, memoirKey, request.page)
	if err != nil {
		return nil, fault("the memoir", err)
	}
	count := func(ctx context.Context) (int, error) { return k.store.CountConcepts(ctx, memoirKey) }
	return newPage(request, concepts, more, counted("the memoir", count), func(c *memory.Concept) store.Position {
		return store.Position{Key: c.Name}
	}), nil
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

// only gives the one record that has to be there.
func only[T any](records []*T, err error) func(subject string) (*T, error) {
	return func(subject string) (*T, error) {
		if err == nil && records[0] == nil {
			err = store.ErrNotFound
		}
		if err != nil {
			return nil, fault(subject, err)
		}
		return records[0], nil
	}
}

// counted turns a count of the store into the total of a page.
func counted(subject string, count func(context.Context) (int, error)) func(context.Context) (int, error) {
	return func(ctx context.Context) (int, error) {
		n, err := count(ctx)
		return n, fault(subject, err)
	}
}
