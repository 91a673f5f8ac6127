package sqlite

import (
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
	if err := rebuildWords(c); err != nil {
		return err
	}
	return setSetting(c, settingAnalysis, lexical.Version)
}

// rebuildWords makes the word index anew of what the records say.
func rebuildWords(c *conn) error {
	if err := c.script(`INSERT INTO words (words) VALUES ('delete-all'); INSERT INTO notes (notes) VALUES ('delete-all'); DELETE FROM stems`); err != nil {
		return err
	}
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
