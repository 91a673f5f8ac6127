package sqlite

import (
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store/lexical"
)

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
	for _, name := range sortedKeys(objects) {
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
