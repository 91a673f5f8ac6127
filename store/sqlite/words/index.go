package words

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store/lexical"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/meanings"
	"mneme/store/sqlite/schema"
)

// texts reads what each kind of record is found by, in the order of matching.Texts.
var texts = map[memory.Kind]string{
	memory.KindEpisode:     `SELECT title, observation, result, insight FROM contents WHERE episode = :id`,
	memory.KindMemoir:      `SELECT name, description FROM memoirs WHERE id = :id`,
	memory.KindConcept:     `SELECT name, content, (SELECT group_concat(value, char(10)) FROM json_each(iif(json_valid(labels), labels, '[]'))) FROM concepts WHERE id = :id`,
	memory.KindObservation: `SELECT content FROM observations WHERE id = :id`,
	memory.KindCorrection:  `SELECT topic, prediction, correction, context FROM corrections WHERE id = :id`,
	memory.KindFeedback:    `SELECT corrections, comment FROM feedback WHERE id = :id AND replaced_at IS NULL`,
}

// TextsOf reads the texts by which a record is found; none where its kind has none.
func TextsOf(c *db.Conn, kind memory.Kind, id int64) (found []string, err error) {
	find, known := texts[kind]
	if !known {
		return nil, nil
	}
	_, err = c.One(find, func(r *db.Row) {
		found = make([]string, len(r.Values))
		for i := range found {
			found[i], _ = db.Read[string](r)
		}
	}, db.Arg("id", id))
	return found, err
}

// Table is an index of words, which says who has a stem: that of episodes, or that of all other records.
type Table string

// The tables.
const (
	Episodes Table = "words"
	Notes    Table = "notes"
)

// TableOf is the word index that records of a kind are in.
func TableOf(kind memory.Kind) Table {
	if kind == memory.KindEpisode {
		return Episodes
	}
	return Notes
}

// Entry is how a stem of a kind of record is written in its index.
func Entry(kind memory.Kind, stem string) string {
	if kind == memory.KindEpisode {
		return stem
	}
	return string(kind) + "/" + stem
}

// Said is what a record says, as a bag of stems.
type Said struct {
	Kind memory.Kind
	Bag  matching.Bag
}

// Analyse counts the stems of what a record of a kind says, of texts in the order of matching.Texts.
func Analyse(kind memory.Kind, texts ...string) Said {
	said := Said{Kind: kind}
	for i, text := range matching.Texts(kind)[:min(len(texts), len(matching.Texts(kind)))] {
		said.Bag.Add(lexical.Stems(texts[i]), text.Weight)
	}
	return said
}

// None says whether there is nothing to be found by.
func (s *Said) None() bool { return s.Bag.Length == 0 }

// Entries are the stems as they are written in the index, each once.
func (s *Said) Entries() []string {
	entries := slices.Sorted(maps.Keys(s.Bag.Counts))
	for i, stem := range entries {
		entries[i] = Entry(s.Kind, stem)
	}
	return entries
}

// Index puts a recorded record into its word index, and keeps what it means.
func Index(c *db.Conn, kind memory.Kind, id int64) error {
	texts, err := TextsOf(c, kind, id)
	if err != nil || len(texts) == 0 {
		return err
	}
	return IndexTexts(c, kind, id, texts...)
}

// IndexTexts is Index of a record whose texts are at hand, in the order of matching.Texts.
func IndexTexts(c *db.Conn, kind memory.Kind, id int64, texts ...string) error {
	if err := add(c, id, Analyse(kind, texts...)); err != nil {
		return err
	}
	return meanings.Save(c, kind, id, texts)
}

// Reword brings the index, and what is kept of its meaning, to what a record says now.
func Reword(c *db.Conn, kind memory.Kind, id int64) error {
	texts, err := TextsOf(c, kind, id)
	if err != nil {
		return err
	}
	if err := meanings.Save(c, kind, id, texts); err != nil { // also where only words differ that are no stems
		return err
	}
	before, err := kept(c, kind, id)
	if err != nil {
		return err
	}
	after := Analyse(kind, texts...)
	if maps.Equal(after.Bag.Counts, before.Bag.Counts) {
		return nil
	}
	counts := stemCounts{}
	if err := counts.remove(c, id, &before); err != nil {
		return err
	}
	if err := counts.subtract(c); err != nil {
		return err
	}
	return add(c, id, after)
}

// kept is what the index has of a record.
func kept(c *db.Conn, kind memory.Kind, id int64) (said Said, err error) {
	said.Kind = kind
	text := ""
	if _, err = c.One(`SELECT bag FROM bags WHERE id = :id`, func(r *db.Row) { text = r.Text() }, db.Arg("id", id)); err != nil {
		return said, err
	}
	if said.Bag, err = matching.ParseBag(text); err != nil {
		err = fmt.Errorf("the word index of record %d: %w", id, err)
	}
	return said, err
}

// add puts a record into its word index.
func add(c *db.Conn, id int64, said Said) error {
	if said.None() {
		return nil
	}
	if err := c.Exec(`INSERT INTO bags (id, bag) VALUES (:id, :bag)`, db.Arg("id", id), db.Arg("bag", said.Bag.String())); err != nil {
		return err
	}
	table := TableOf(said.Kind)
	put := `INSERT INTO ` + string(table) + ` (rowid, stems) VALUES (:id, :stems)`
	if err := c.Exec(put, db.Arg("id", id), db.Arg("stems", strings.Join(said.Entries(), " "))); err != nil {
		return err
	}
	return addStems(c, &said)
}

// remove takes a record out of its word index by what that has of it, and counts its stems.
func (s stemCounts) remove(c *db.Conn, id int64, said *Said) error {
	if said.None() {
		return nil
	}
	table := string(TableOf(said.Kind))
	take := `INSERT INTO ` + table + ` (` + table + `, rowid, stems) VALUES ('delete', :id, :stems)`
	if err := c.Exec(take, db.Arg("id", id), db.Arg("stems", strings.Join(said.Entries(), " "))); err != nil {
		return err
	}
	s.add(said)
	return c.Exec(`DELETE FROM bags WHERE id = :id`, db.Arg("id", id))
}

// RemoveAll takes nodes out of the word indexes, in the order of their ids and all of an index together: an
// index keeps in memory what comes in order, and writes it out at anything else.
func RemoveAll(c *db.Conn, nodes string) error {
	var found []Node
	const find = `SELECT id, kind FROM nodes WHERE id IN (SELECT value FROM json_each(:nodes)) ORDER BY kind = 'episode', id`
	err := c.Query(find, func(r *db.Row) error {
		found = append(found, Node{r.Integer(), memory.Kind(r.Text())})
		return nil
	}, db.Arg("nodes", nodes))
	if err != nil {
		return err
	}
	counts := stemCounts{}
	for _, n := range found {
		if len(matching.Texts(n.Kind)) == 0 {
			continue
		}
		said, err := kept(c, n.Kind, n.ID)
		if err != nil {
			return err
		}
		if err := counts.remove(c, n.ID, &said); err != nil {
			return err
		}
	}
	return counts.subtract(c)
}

// Rebuild makes the word index anew of what the records say, with its tables, and tells how many it has.
func Rebuild(ctx context.Context, c *db.Conn, tell func(done int)) error {
	if err := emptyWords(c); err != nil {
		return err
	}
	return indexAll(ctx, c, tell)
}

// indexAll puts all records into an empty word index.
func indexAll(ctx context.Context, c *db.Conn, tell func(done int)) error {
	nodes, err := AllNodes(c)
	if err != nil {
		return err
	}
	for done, n := range nodes {
		if done%db.RowsPerCheck == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			tell(done)
		}
		texts, err := TextsOf(c, n.Kind, n.ID)
		if err != nil {
			return err
		}
		if err := add(c, n.ID, Analyse(n.Kind, texts...)); err != nil {
			return err
		}
	}
	return nil
}

// Owns says whether a table is one of the word index.
func Owns(table string) bool {
	return table == "words" || table == "notes" || table == "stems" || table == "bags" || isShadow(table)
}

// isShadow says whether FTS5 keeps an index in a table.
func isShadow(table string) bool {
	return strings.HasPrefix(table, "words_") || strings.HasPrefix(table, "notes_")
}

// emptyWords makes the tables of the word index anew, whatever is damaged in them or missing.
func emptyWords(c *db.Conn) error {
	objects, err := schema.LatestObjects()
	if err != nil {
		return err
	}
	there, err := schema.ObjectsOf(c)
	if err != nil {
		return err
	}
	var repair, drop, create []string
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		_, found := there[name]
		switch {
		case !Owns(name):
		case isShadow(name):
			if !found {
				repair = append(repair, objects[name].SQL)
			}
			if strings.HasSuffix(name, "_config") {
				repair = append(repair, `REPLACE INTO `+name+` (k, v) VALUES ('version', 4)`)
			}
			drop = append(drop, `DROP TABLE IF EXISTS `+name) // else they go with theirs
		default:
			create = append(create, objects[name].SQL)
		}
	}
	// An index can only be dropped where FTS5 can open it.
	drop = append([]string{`DROP TABLE IF EXISTS words`, `DROP TABLE IF EXISTS notes`, `DROP TABLE IF EXISTS stems`, `DROP TABLE IF EXISTS bags`}, drop...)
	create = append(create, `INSERT INTO words (words, rank) VALUES ('secure-delete', 1)`, `INSERT INTO notes (notes, rank) VALUES ('secure-delete', 1)`)
	return db.Scripts(slices.Concat(repair, drop, create)...)(c)
}

// Node is a record of any kind.
type Node struct {
	ID   int64
	Kind memory.Kind
}

// AllNodes lists all records, in the order in which they came.
func AllNodes(c *db.Conn) (nodes []Node, err error) {
	err = c.Query(`SELECT id, kind FROM nodes ORDER BY id`, func(r *db.Row) error {
		nodes = append(nodes, Node{r.Integer(), memory.Kind(r.Text())})
		return nil
	})
	return nodes, err
}
