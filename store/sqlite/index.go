package sqlite

import (
	"database/sql/driver"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store/lexical"
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

// textsOf reads the texts by which a record is found; none where its kind has none.
func textsOf(c *conn, kind memory.Kind, id int64) (found []string, err error) {
	find, known := texts[kind]
	if !known {
		return nil, nil
	}
	_, err = c.one(find, func(r *row) {
		found = make([]string, len(r.values))
		for i := range found {
			found[i], _ = read[string](r)
		}
	}, arg("id", id))
	return found, err
}

// wordIndex is a table of words: those of episodes, or those of all other records.
type wordIndex struct {
	columns     []string
	add, remove string
	// match reads the raw score of every record that one word matches, from a record on, and latest the record
	// that so many come after.
	match, latest string
}

// The weights are those of the columns. What a record says counts more than what it is called.
var (
	episodeWords = newWordIndex("words", []string{"title", "observation", "result", "insight"}, "2.0, 4.0, 1.0, 1.0")
	noteWords    = newWordIndex("notes", []string{"name", "content", "rest"}, "2.0, 4.0, 1.0")
)

func newWordIndex(table string, columns []string, weights string) *wordIndex {
	names, parameters := strings.Join(columns, ", "), ":"+strings.Join(columns, ", :")
	return &wordIndex{
		columns: columns,
		add:     fmt.Sprintf(`INSERT INTO %s (rowid, %s) VALUES (:id, %s)`, table, names, parameters),
		remove:  fmt.Sprintf(`INSERT INTO %[1]s (%[1]s, rowid, %[2]s) VALUES ('delete', :id, %[3]s)`, table, names, parameters),
		match:   fmt.Sprintf(`SELECT rowid, -bm25(%[1]s, %[2]s) FROM %[1]s WHERE %[1]s MATCH :words AND rowid >= :least`, table, weights),
		latest:  fmt.Sprintf(`SELECT rowid FROM %[1]s WHERE %[1]s MATCH :words ORDER BY rowid DESC LIMIT 1 OFFSET :beyond`, table),
	}
}

func wordsOf(kind memory.Kind) *wordIndex {
	if kind == memory.KindEpisode {
		return episodeWords
	}
	return noteWords
}

// entry is how a stem of a kind of record is written in its index.
func entry(kind memory.Kind, stem string) string {
	if kind == memory.KindEpisode {
		return stem
	}
	return string(kind) + "/" + stem
}

// indexed are the stems of a record's texts, joined by spaces.
type indexed struct {
	kind  memory.Kind
	stems [4]string
}

func analyse(kind memory.Kind, texts ...string) indexed {
	words := indexed{kind: kind}
	for i, text := range texts {
		words.stems[i] = lexical.Stems(text)
	}
	return words
}

// none says whether there is nothing to be found by.
func (w *indexed) none() bool { return w.stems == [4]string{} }

// once are the stems, each once, and the empty one, under which the records are counted.
func (w *indexed) once() []string {
	seen := map[string]bool{"": true}
	list := []string{""}
	for _, text := range w.stems {
		for stem := range strings.FieldsSeq(text) {
			if !seen[stem] {
				seen[stem] = true
				list = append(list, stem)
			}
		}
	}
	return list
}

// addWords puts a record into its word index.
func addWords(c *conn, id int64, words indexed) error {
	if words.none() {
		return nil
	}
	if err := changeWords(c, wordsOf(words.kind).add, id, words); err != nil {
		return err
	}
	return addStems(c, &words)
}

// removeWords takes a record out of its word index. The words must be those that were put in.
func removeWords(c *conn, id int64, words indexed) error {
	if words.none() {
		return nil
	}
	if err := changeWords(c, wordsOf(words.kind).remove, id, words); err != nil {
		return err
	}
	counts := stemCounts{}
	counts.add(&words)
	return counts.subtract(c)
}

func changeWords(c *conn, sql string, id int64, words indexed) error {
	columns := wordsOf(words.kind).columns
	args := append(make([]driver.NamedValue, 0, 1+len(columns)), arg("id", id))
	for i, column := range columns {
		args = append(args, arg(column, words.entries(i)))
	}
	return c.exec(sql, args...)
}

// entries are the stems of a column as they are written in the index.
func (w *indexed) entries(column int) string {
	stems := w.stems[column]
	if prefix := entry(w.kind, ""); prefix != "" && stems != "" {
		return prefix + strings.ReplaceAll(stems, " ", " "+prefix)
	}
	return stems
}

// indexedWords are the words of a recorded record.
func indexedWords(c *conn, kind memory.Kind, id int64) (indexed, error) {
	texts, err := textsOf(c, kind, id)
	return analyse(kind, texts...), err
}

// index puts a recorded record into its word index.
func index(c *conn, kind memory.Kind, id int64) error {
	words, err := indexedWords(c, kind, id)
	if err != nil {
		return err
	}
	return addWords(c, id, words)
}

// reword brings the index to what a record says now, if that differs from what it said before.
func reword(c *conn, id int64, before indexed) error {
	after, err := indexedWords(c, before.kind, id)
	if err != nil || after == before {
		return err
	}
	if err := removeWords(c, id, before); err != nil {
		return err
	}
	return addWords(c, id, after)
}

// analysisVersion is the version of package lexical that the word index was made with, 0 before there
// was one and where it cannot be read: then the index is made anew.
func analysisVersion(c *conn) (version int, err error) {
	_, err = setting(c, settingAnalysis, func(r *row) { version = r.int() })
	return version, err
}

// reindex makes the word index anew where another version of the analysis made it: what was put in
// with one version could not be taken out with another.
func reindex(c *conn) error {
	if version, err := analysisVersion(c); err != nil || version == lexical.Version {
		return err
	}
	if err := c.script(`INSERT INTO words (words) VALUES ('delete-all'); INSERT INTO notes (notes) VALUES ('delete-all'); DELETE FROM stems`); err != nil {
		return err
	}
	if err := indexAll(c); err != nil {
		return err
	}
	return setSetting(c, settingAnalysis, lexical.Version)
}

// rebuildWords makes the word index anew of what the records say, with its tables.
func rebuildWords(c *conn) error {
	if err := emptyWords(c); err != nil {
		return err
	}
	return indexAll(c)
}

// indexAll puts all records into an empty word index.
func indexAll(c *conn) error {
	nodes, err := allNodes(c)
	if err != nil {
		return err
	}
	for _, n := range nodes {
		if err := index(c, n.kind, n.id); err != nil {
			return err
		}
	}
	return nil
}

// ofWords says whether a table is one of the word index.
func ofWords(table string) bool {
	return table == "words" || table == "notes" || table == "stems" || isShadow(table)
}

// isShadow says whether FTS5 keeps an index in a table.
func isShadow(table string) bool {
	return strings.HasPrefix(table, "words_") || strings.HasPrefix(table, "notes_")
}

// emptyWords makes the tables of the word index anew, whatever is damaged in them or missing.
func emptyWords(c *conn) error {
	objects, err := latestObjects()
	if err != nil {
		return err
	}
	there, err := objectsOf(c)
	if err != nil {
		return err
	}
	var repair, drop, create []string
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		_, found := there[name]
		switch {
		case !ofWords(name):
		case isShadow(name):
			if !found {
				repair = append(repair, objects[name].sql)
			}
			if strings.HasSuffix(name, "_config") {
				repair = append(repair, `REPLACE INTO `+name+` (k, v) VALUES ('version', 4)`)
			}
			drop = append(drop, `DROP TABLE IF EXISTS `+name) // else they go with theirs
		default:
			create = append(create, objects[name].sql)
		}
	}
	// An index can only be dropped where FTS5 can open it.
	drop = append([]string{`DROP TABLE IF EXISTS words`, `DROP TABLE IF EXISTS notes`, `DROP TABLE IF EXISTS stems`}, drop...)
	create = append(create, `INSERT INTO words (words, rank) VALUES ('secure-delete', 1)`, `INSERT INTO notes (notes, rank) VALUES ('secure-delete', 1)`)
	return scripts(slices.Concat(repair, drop, create)...)(c)
}

// node is a record of any kind.
type node struct {
	id   int64
	kind memory.Kind
}

func allNodes(c *conn) (nodes []node, err error) {
	err = c.query(`SELECT id, kind FROM nodes ORDER BY id`, func(r *row) error {
		nodes = append(nodes, node{r.integer(), memory.Kind(r.text())})
		return nil
	})
	return nodes, err
}
