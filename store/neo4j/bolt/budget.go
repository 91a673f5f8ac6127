package bolt

import (
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/store"
)

// Cost is what a row takes of the budget of the request that it is read for: as one record, or as many as
// there are nodes in it.
type Cost struct {
	Records int64
	Texts   store.Texts
}

func (c *Cost) add(value any) {
	switch v := value.(type) {
	case string:
		c.Texts.Add(v)
	case []any:
		for _, element := range v {
			c.add(element)
		}
	case map[string]any:
		for _, element := range v {
			c.add(element)
		}
	case neo4j.Node:
		c.Records++
		c.add(v.Props)
	}
}
