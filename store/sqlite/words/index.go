package words

import (
	"database/sql/driver"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store/lexical"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/meanings"
	"mneme/store/sqlite/schema"
)

// texts reads what each kind of record is found by, in the columns of its index.
var texts = map[memory.Kind]string{
	memory.KindEpisode:     `SELECT title, observation, result, insight FROM contents WHERE episode = :id`,
	memory.KindMemoir:      `SELECT name, description, NULL FROM memoirs WHERE id = :id`,
	memory.KindConcept:     `SELECT name, content, (SELECT group_concat(value, char(10)) FROM json_each(iif(json_valid(labels), labels, '[]'))) FROM concepts WHERE id = :id`,
	memory.KindObservation: `SELECT NULL, content, NULL FROM observations WHERE id = :id`,
	memory.KindCorrection:  `SELECT topic, prediction || char(10) || correction, context FROM corrections WHERE id = :id`,
	memory.KindFeedback:    `SELECT NULL, concat_ws(char(10), corrections, comment), NULL FROM feedback WHERE id = :id`,
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

// Table is a table of words: those of episodes, or those of all other records.
type Table struct {
	Columns     []string
	add, remove string
	// Match reads the raw score of every record that one word matches, from a record on, and latest the record
	// that so many come after.
	Match, Latest string
}

// The weights are those of the columns. What a record says counts more than what it is called.
var (
	Episodes = newWordIndex("words", []string{"title", "observation", "result", "insight"}, "2.0, 4.0, 1.0, 1.0")
	Notes    = newWordIndex("notes", []string{"name", "content", "rest"}, "2.0, 4.0, 1.0")
)

func newWordIndex(table string, columns []string, weights string) *Table {
	names, parameters := strings.Join(columns, ", "), ":"+strings.Join(columns, ", :")
	return &Table{
		Columns: columns,
		add:     fmt.Sprintf(`INSERT INTO %s (rowid, %s) VALUES (:id, %s)`, table, names, parameters),
		remove:  fmt.Sprintf(`INSERT INTO %[1]s (%[1]s, rowid, %[2]s) VALUES ('delete', :id, %[3]s)`, table, names, parameters),
		Match:   fmt.Sprintf(`SELECT rowid, -bm25(%[1]s, %[2]s) FROM %[1]s WHERE %[1]s MATCH :words AND rowid >= :least`, table, weights),
		Latest:  fmt.Sprintf(`SELECT rowid FROM %[1]s WHERE %[1]s MATCH :words ORDER BY rowid DESC LIMIT 1 OFFSET :beyond`, table),
	}
}

// TableOf is the word index that records of a kind are in.
func TableOf(kind memory.Kind) *Table {
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

// Indexed are the stems of a record's texts, joined by spaces.
type Indexed struct {
	Kind  memory.Kind
	Stems [4]string
}

// Analyse stems what a record of a kind says, in the order of the columns of its index.
func Analyse(kind memory.Kind, texts ...string) Indexed {
	words := Indexed{Kind: kind}
	for i, text := range texts {
		words.Stems[i] = lexical.Stems(text)
	}
	return words
}

// None says whether there is nothing to be found by.
func (w *Indexed) None() bool { return w.Stems == [4]string{} }

// once are the stems, each once, and the empty one, under which the records are counted.
func (w *Indexed) once() []string {
	seen := map[string]bool{"": true}
	list := []string{""}
	for _, text := range w.Stems {
		for stem := range strings.FieldsSeq(text) {
			if !seen[stem] {
				seen[stem] = true
				list = append(list, stem)
			}
		}
	}
	return list
}

// Add puts a record into its word index.
func Add(c *db.Conn, id int64, words Indexed) error {
	if words.None() {
		return nil
	}
	if err := changeWords(c, TableOf(words.Kind).add, id, words); err != nil {
		return err
	}
	return addStems(c, &words)
}

// remove takes a record out of its word index. The words must be those that were put in.
func remove(c *db.Conn, id int64, words Indexed) error {
	if words.None() {
		return nil
	}
	if err := changeWords(c, TableOf(words.Kind).remove, id, words); err != nil {
		return err
	}
	counts := stemCounts{}
	counts.add(&words)
	return counts.subtract(c)
}

func changeWords(c *db.Conn, sql string, id int64, words Indexed) error {
	columns := TableOf(words.Kind).Columns
	args := append(make([]driver.NamedValue, 0, 1+len(columns)), db.Arg("id", id))
	for i, column := range columns {
		args = append(args, db.Arg(column, words.Entries(i)))
	}
	return c.Exec(sql, args...)
}

// Entries are the stems of a column as they are written in the index.
func (w *Indexed) Entries(column int) string {
	stems := w.Stems[column]
	if prefix := Entry(w.Kind, ""); prefix != "" && stems != "" {
		return prefix + strings.ReplaceAll(stems, " ", " "+prefix)
	}
	return stems
}

// Of are the words of a recorded record.
func Of(c *db.Conn, kind memory.Kind, id int64) (Indexed, error) {
	texts, err := TextsOf(c, kind, id)
	return Analyse(kind, texts...), err
}

// Index puts a recorded record into its word index, and keeps what it means.
func Index(c *db.Conn, kind memory.Kind, id int64) error {
	texts, err := TextsOf(c, kind, id)
	if err != nil || len(texts) == 0 {
		return err
	}
	if err := Add(c, id, Analyse(kind, texts...)); err != nil {
		return err
	}
	return meanings.Save(c, kind, id, texts)
}

// IndexTexts is Index of a record whose texts are at hand, in the order of the columns of its index.
func IndexTexts(c *db.Conn, kind memory.Kind, id int64, texts ...string) error {
	if err := Add(c, id, Analyse(kind, texts...)); err != nil {
		return err
	}
	return meanings.Save(c, kind, id, texts)
}

// Reword brings the index, and what is kept of its meaning, to what a record says now, if that differs from what it
// said before.
func Reword(c *db.Conn, id int64, before Indexed) error {
	texts, err := TextsOf(c, before.Kind, id)
	if err != nil {
		return err
	}
	if err := meanings.Save(c, before.Kind, id, texts); err != nil { // also where only words differ that are no stems
		return err
	}
	after := Analyse(before.Kind, texts...)
	if after == before {
		return nil
	}
	if err := remove(c, id, before); err != nil {
		return err
	}
	return Add(c, id, after)
}

// Reindex makes the word index anew where another version of the analysis made it: what was put in
// with one version could not be taken out with another.
func Reindex(c *db.Conn) error {
	if version, err := schema.AnalysisVersion(c); err != nil || version == lexical.Version {
		return err
	}
	if err := c.Script(`INSERT INTO words (words) VALUES ('delete-all'); INSERT INTO notes (notes) VALUES ('delete-all'); DELETE FROM stems`); err != nil {
		return err
	}
	if err := indexAll(c); err != nil {
		return err
	}
	return schema.SetSetting(c, schema.SettingAnalysis, lexical.Version)
}

// Rebuild makes the word index anew of what the records say, with its tables.
func Rebuild(c *db.Conn) error {
	if err := emptyWords(c); err != nil {
		return err
	}
	return indexAll(c)
}

// indexAll puts all records into an empty word index.
func indexAll(c *db.Conn) error {
	nodes, err := AllNodes(c)
	if err != nil {
		return err
	}
	for _, n := range nodes {
		words, err := Of(c, n.Kind, n.ID)
		if err != nil {
			return err
		}
		if err := Add(c, n.ID, words); err != nil {
			return err
		}
	}
	return nil
}

// Owns says whether a table is one of the word index.
func Owns(table string) bool {
	return table == "words" || table == "notes" || table == "stems" || isShadow(table)
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
	drop = append([]string{`DROP TABLE IF EXISTS words`, `DROP TABLE IF EXISTS notes`, `DROP TABLE IF EXISTS stems`}, drop...)
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
		words, err := Of(c, n.Kind, n.ID)
		if err != nil {
			return err
		}
		if words.None() {
			continue
		}
		if err := changeWords(c, TableOf(words.Kind).remove, n.ID, words); err != nil {
			return err
		}
		counts.add(&words)
	}
	return counts.subtract(c)
}
