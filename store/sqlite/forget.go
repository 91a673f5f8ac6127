package sqlite

import (
	"context"
	"database/sql/driver"
	"slices"

	"mneme/memory"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// DeletePerson deletes what a person said, in parts.
func (t *Tenant) DeletePerson(ctx context.Context, person string) (int, error) {
	if t.file.IsNothing() {
		return 0, ctx.Err()
	}
	err := t.file.Write(ctx, func(tx *db.Tx) error {
		tombstonesOf(tx).add(memory.NodeID(memory.KindPerson, person))
		return nil
	})
	if err != nil {
		return 0, err
	}
	said, err := t.saidBy(ctx, person)
	if err != nil || len(said) == 0 {
		return 0, err
	}
	return t.file.InParts(ctx, func(tx *db.Tx) (gone int, done bool, err error) {
		for _, kind := range []memory.Kind{memory.KindFeedback, memory.KindCorrection, memory.KindVerdict} {
			if keys := said[kind]; len(keys) > 0 {
				part := next(&keys)
				said[kind] = keys
				return tombstonesOf(tx).forgetWords(person, kind, part), false, nil
			}
		}
		return 0, true, nil
	})
}

// wordsOf are what a person created and the verdicts they labelled.
const wordsOf = ` FROM (SELECT id FROM feedback WHERE created_by = :person UNION ALL SELECT id FROM corrections WHERE created_by = :person
	UNION ALL SELECT id FROM verdicts WHERE labelled_by = :person) w JOIN nodes n ON n.id = w.id`

// CountSaid counts what a person said.
func (t *Tenant) CountSaid(ctx context.Context, person string) (int, error) {
	return t.count(ctx, `SELECT count(*)`+wordsOf, []driver.NamedValue{db.Arg("person", person)})
}

// saidBy finds what a person created and which verdicts they labelled, by key.
func (t *Tenant) saidBy(ctx context.Context, person string) (map[memory.Kind][]string, error) {
	said := map[memory.Kind][]string{}
	return said, t.file.Snapshot(ctx, func(c *db.Conn) error {
		return c.Search(ctx, `SELECT n.kind, n.key`+wordsOf, func(r *db.Row) {
			kind := memory.Kind(r.Text())
			said[kind] = append(said[kind], r.Text())
		}, db.Arg("person", person))
	})
}

// forgetWords deletes some of what a person said, or takes the labels from verdicts, and says how much it was.
func (g tombstones) forgetWords(person string, kind memory.Kind, keys []string) int {
	nodes := g.IDs(wordsBy[kind], db.List("keys", keys), db.Arg("person", person))
	switch kind {
	case memory.KindFeedback:
		g.forgetFeedback(nodes)
	case memory.KindCorrection:
		g.forgetNodes(nodes)
	default:
		const unlabel = `UPDATE verdicts SET label = NULL, labelled_by = NULL WHERE id IN (SELECT value FROM json_each(:verdicts))`
		g.Exec(unlabel, db.List("verdicts", nodes))
	}
	return len(nodes)
}

// What of some records is still by a person.
const keyedBy = ` FROM json_each(:keys) w CROSS JOIN nodes n ON n.key = w.value AND n.kind = `

var wordsBy = map[memory.Kind]string{
	memory.KindFeedback:   `SELECT n.id` + keyedBy + `'feedback' JOIN feedback x ON x.id = n.id AND x.created_by = :person`,
	memory.KindCorrection: `SELECT n.id` + keyedBy + `'correction' JOIN corrections x ON x.id = n.id AND x.created_by = :person`,
	memory.KindVerdict:    `SELECT n.id` + keyedBy + `'verdict' JOIN verdicts x ON x.id = n.id AND x.labelled_by = :person`,
}

// forgetFeedback takes feedback out of its episodes' aggregates and deletes it.
func (g tombstones) forgetFeedback(feedback []int64) {
	graph.Discount(g.Tx, feedback)
	g.forgetNodes(feedback)
}

// forgetNodes deletes nodes in order and leaves tombstones.
func (g tombstones) forgetNodes(nodes []int64) {
	for part := range slices.Chunk(nodes, maxInPart) {
		const find = `SELECT ref FROM nodes WHERE id IN (SELECT value FROM json_each(:nodes))
			AND kind <> 'learningProfile' AND ref NOT GLOB 'execution:episode:*'`
		g.Each(find, func(r *db.Row) { g.add(r.Text()) }, db.List("nodes", part))
		graph.DeleteNodes(g.Tx, part)
	}
}
