package neo4j

import (
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// cost is what a row takes of the budget of the request that it is read for: as one record, or as many as
// there are nodes in it.
type cost struct {
	records int64
	texts   store.Texts
}

func costOf(row []any) cost {
	var c cost
	c.add(row)
	c.records = max(c.records, 1)
	return c
}

func (c *cost) add(value any) {
	switch v := value.(type) {
	case string:
		c.texts.Add(v)
	case []any:
		for _, element := range v {
			c.add(element)
		}
	case map[string]any:
		for _, element := range v {
			c.add(element)
		}
	case neo4j.Node:
		c.records++
		c.add(v.Props)
	}
}

// charge counts a row where it is read for a request.
func charge(budget *store.Budget, row []any) error {
	if budget == nil {
		return nil
	}
	c := costOf(row)
	return budget.Read(c.records, c.texts)
}

// gathered is an episode that was read together with what others asked for, each of whom pays for their own.
type gathered struct {
	key     string
	episode *memory.Episode // nil where it cannot be read
	cost    cost
	left    []*leftOut // what cannot be read of it, of which each hears
}

// fault is what cannot be read of it, if it is there.
func (g *gathered) fault() error {
	if g == nil {
		return nil
	}
	return leftOutError(g.left)
}

func gatheredDecoder(parts store.Parts) decoder[*gathered] {
	return func(row *neo4j.Record) (*gathered, error) {
		episode, err := decodeEpisode(row, parts, nil)
		var left []*leftOut
		if err = collectLeftOut(err, &left); err == nil {
			return &gathered{episode.Key, episode, costOf(row.Values), left}, nil
		}
		if fault := faultIn(err); fault != nil {
			return &gathered{fault.Key, nil, costOf(row.Values), append(left, fault)}, nil
		}
		return nil, err
	}
}
