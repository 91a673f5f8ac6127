package sqlite

import (
	"context"
	"database/sql/driver"

	"mneme/memory"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// DeletePerson deletes what a person said, in parts.
func (t *Tenant) DeletePerson(ctx context.Context, person string) (count int, err error) {
	if t.file.IsNothing() {
		return 0, ctx.Err()
	}
	if _, err := t.InputKey(ctx); err != nil { // tombstones are made with it
		return 0, err
	}
	err = t.file.Write(ctx, func(c *db.Conn) error {
		g, err := tombstonesOf(c)
		if err != nil {
			return err
		}
		return g.add(memory.NodeID(memory.KindPerson, person))
	})
	if err != nil {
		return 0, err
	}
	said, err := t.saidBy(ctx, person)
	if err != nil || len(said) == 0 {
		return 0, err
	}
	err = t.file.InParts(ctx, func(c *db.Conn) (done bool, err error) {
		g, err := tombstonesOf(c)
		if err != nil {
			return false, err
		}
		for _, kind := range []memory.Kind{memory.KindFeedback, memory.KindCorrection, memory.KindVerdict} {
			if len(said[kind]) == 0 {
				continue
			}
			part := said[kind][:min(mostInPart, len(said[kind]))]
			said[kind] = said[kind][len(part):]
			gone, err := g.forgetWords(ctx, person, kind, part)
			count += gone
			return false, err
		}
		return true, nil
	})
	return count, err
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
		return c.Search(ctx, `SELECT n.kind, n.key`+wordsOf, func(r *db.Row) error {
			kind := memory.Kind(r.Text())
			said[kind] = append(said[kind], r.Text())
			return nil
		}, db.Arg("person", person))
	})
}

// forgetWords deletes some of what a person said, or takes the labels from verdicts, and says how much it was.
func (g tombstones) forgetWords(ctx context.Context, person string, kind memory.Kind, keys []string) (count int, err error) {
	list := db.JSONOf(keys)
	var nodes []int64
	nodes, err = db.AllWithin(ctx, g.Conn, wordsBy[kind], (*db.Row).Integer, db.Arg("keys", list), db.Arg("person", person))
	switch {
	case err != nil:
		return 0, err
	case kind == memory.KindFeedback:
		err = g.forgetFeedback(nodes)
	case kind == memory.KindCorrection:
		err = g.forgetNodes(nodes)
	default:
		err = g.unlabel(nodes)
	}
	return len(nodes), err
}

// What of some records is still by a person.
const keyedBy = ` FROM json_each(:keys) w CROSS JOIN nodes n ON n.key = w.value AND n.kind = `

var wordsBy = map[memory.Kind]string{
	memory.KindFeedback:   `SELECT n.id` + keyedBy + `'feedback' JOIN feedback x ON x.id = n.id AND x.created_by = :person`,
	memory.KindCorrection: `SELECT n.id` + keyedBy + `'correction' JOIN corrections x ON x.id = n.id AND x.created_by = :person`,
	memory.KindVerdict:    `SELECT n.id` + keyedBy + `'verdict' JOIN verdicts x ON x.id = n.id AND x.labelled_by = :person`,
}

// unlabel takes the labels from verdicts.
func (g tombstones) unlabel(verdicts []int64) error {
	list := db.JSONOf(verdicts)
	const unlabel = `UPDATE verdicts SET label = NULL, labelled_by = NULL WHERE id IN (SELECT value FROM json_each(:verdicts))`
	return g.Exec(unlabel, db.Arg("verdicts", list))
}

// forgetFeedback takes feedback out of its episodes' aggregates and deletes it.
func (g tombstones) forgetFeedback(feedback []int64) error {
	for _, id := range feedback {
		if err := graph.MoveFeedback(g.Conn, id, 0); err != nil {
			return err
		}
	}
	return g.forgetNodes(feedback)
}

// forgetNodes deletes nodes in order and leaves tombstones.
func (g tombstones) forgetNodes(nodes []int64) error {
	for len(nodes) > 0 {
		part := nodes[:min(mostInPart, len(nodes))]
		nodes = nodes[len(part):]
		list := db.JSONOf(part)
		const find = `SELECT ref FROM nodes WHERE id IN (SELECT value FROM json_each(:nodes))
			AND kind <> 'learningProfile' AND ref NOT GLOB 'execution:episode:*'`
		err := g.Query(find, func(r *db.Row) error { return g.add(r.Text()) }, db.Arg("nodes", list))
		if err != nil {
			return err
		}
		if err := graph.DeleteNodes(g.Conn, part); err != nil {
			return err
		}
	}
	return nil
}
