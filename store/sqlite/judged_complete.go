package sqlite

import (
	"context"
	"maps"
	"slices"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/store"
)

// CompleteRun ends a run and adds what it teaches to history, both once.
func (t *Tenant) CompleteRun(ctx context.Context, completion store.RunCompletion) (completed store.CompletedRun, err error) {
	err = t.write(ctx, func(c *conn) error {
		completed, err = completeRun(ctx, c, &completion)
		return err
	})
	if err != nil {
		return store.CompletedRun{}, err
	}
	return completed, nil
}

func completeRun(ctx context.Context, c *conn, completion *store.RunCompletion) (store.CompletedRun, error) {
	var run int64
	before, whole := false, false
	const find = `SELECT n.id, k.completed_at IS NOT NULL, k.id IS NOT NULL FROM nodes n LEFT JOIN runs k ON k.id = n.id WHERE n.kind = 'run' AND n.key = :key`
	known, err := c.one(find, func(r *row) { run, before, whole = r.integer(), r.bool(), r.bool() }, arg("key", completion.Run))
	switch {
	case err != nil:
		return store.CompletedRun{}, err
	case !known:
		return store.CompletedRun{}, store.ErrNotFound
	case !whole:
		return store.CompletedRun{}, gone(memory.KindRun, completion.Run)
	}
	sections, err := sectionsIn(ctx, c, judgementsOfRun, arg("run", run))
	if err != nil || before {
		return store.CompletedRun{Sections: len(sections)}, err
	}
	if err := c.exec(`UPDATE runs SET completed_at = :at WHERE id = :id`, arg("id", run), arg("at", completion.At)); err != nil {
		return store.CompletedRun{}, err
	}
	learning := judging.LearnFrom(sections)
	for i := range learning.Patterns {
		if err := learn(ctx, c, &learning.Patterns[i], completion.At); err != nil {
			return store.CompletedRun{}, err
		}
	}
	return store.CompletedRun{Sections: len(sections), Patterns: len(learning.Patterns)}, countSections(c, learning.SectionTypes)
}

var addSections = `INSERT INTO section_types (section_type, sections) VALUES (:type, :more) ON CONFLICT DO UPDATE SET ` + added("sections", "more")

const setTotals = `UPDATE patterns SET total = max(hits, (SELECT sections FROM section_types WHERE section_type = :type))
	WHERE section_type = :type AND kind = 'DONT'`

// countSections counts the sections of types, and with them the total of each issue of these types.
func countSections(c *conn, more map[string]int) error {
	for _, sectionType := range slices.Sorted(maps.Keys(more)) {
		if err := c.exec(addSections, arg("type", sectionType), arg("more", more[sectionType])); err != nil {
			return err
		}
		if err := c.exec(setTotals, arg("type", sectionType)); err != nil {
			return err
		}
	}
	return nil
}
