package sqlite

import (
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/judging"
)

// learn adds what a run learned of a pattern, and links it with the sections that it was learned from.
func learn(ctx context.Context, c *conn, gain *judging.LearnedPattern, at time.Time) error {
	id, err := nodeID(c, memory.KindPattern, gain.Key)
	if err != nil {
		return err
	}
	if id == 0 {
		return createPattern(c, gain, at)
	}
	if err := addToPattern(ctx, c, id, &gain.Pattern); err != nil {
		return err
	}
	return learnedFrom(c, id, gain, at)
}

func createPattern(c *conn, gain *judging.LearnedPattern, at time.Time) error {
	id, err := addNode(c, memory.KindPattern, gain.Key)
	if err != nil {
		return err
	}
	if err := insertPattern(c, id, &gain.Pattern); err != nil {
		return err
	}
	return learnedFrom(c, id, gain, at)
}

func learnedFrom(c *conn, id int64, gain *judging.LearnedPattern, at time.Time) error {
	for _, key := range gain.Sections {
		section, err := nodeID(c, memory.KindSection, key)
		if err != nil {
			return err
		}
		if err := addEdge(c, id, edgeLearnedFrom, section, at); err != nil {
			return err
		}
	}
	return nil
}

func insertPattern(c *conn, id int64, p *memory.Pattern) error {
	return c.put(insertingPattern, slices.Concat(patternFields(p), patternGains(p)), arg("id", id), arg("key", p.Key),
		arg("context_key", memory.ContextKey(p.Context)))
}

// addToPattern adds what a run gained to a pattern. One that cannot be read, or of which only the node is left, begins anew with it.
func addToPattern(ctx context.Context, c *conn, id int64, gain *memory.Pattern) error {
	var p *memory.Pattern
	find := `SELECT ` + patternColumns + ` FROM patterns k WHERE k.id = :id`
	damaged := false
	there, err := c.one(find, func(r *row) {
		p = readPattern(r)
		damaged = r.dispensable(ctx)
	}, arg("id", id))
	if err != nil {
		return err
	}
	if damaged || !there {
		if err := c.exec(`DELETE FROM patterns WHERE id = :id`, arg("id", id)); err != nil {
			return err
		}
		return insertPattern(c, id, gain)
	}
	p.Add(gain)
	return c.put(updatingPattern, patternGains(p), arg("id", id))
}
