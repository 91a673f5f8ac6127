package sqlite

import (
	"context"
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
	const insert = `INSERT INTO patterns (id, key, kind, description, said_at, issue_code, section_type, context, context_key,
			hits, total, scored, score_sum, recovered, recovery_sum, last_seen) VALUES
		(:id, :key, :kind, :description, :said_at, :issue_code, :section_type, :context, :context_key,
			:hits, :total, :scored, :score_sum, :recovered, :recovery_sum, :last_seen)`
	return c.exec(insert, arg("id", id), arg("key", p.Key), arg("kind", string(p.Kind)), arg("description", p.Description),
		arg("said_at", p.SaidAt), arg("issue_code", p.IssueCode), arg("section_type", p.SectionType), arg("context", p.Context),
		arg("context_key", memory.ContextKey(p.Context)), arg("hits", p.Hits), arg("total", p.Total), arg("scored", p.Scored),
		arg("score_sum", p.ScoreSum), arg("recovered", p.Recovered), arg("recovery_sum", p.RecoverySum), arg("last_seen", p.LastSeen))
}

// addToPattern adds what a run gained to a pattern. One that cannot be read, or of which only the node is left, begins anew with it.
func addToPattern(ctx context.Context, c *conn, id int64, gain *memory.Pattern) error {
	var p *memory.Pattern
	const find = `SELECT ` + patternColumns + ` FROM patterns k WHERE k.id = :id`
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
	const update = `UPDATE patterns SET description = :description, said_at = :said_at, hits = :hits, total = :total,
		scored = :scored, score_sum = :score_sum, recovered = :recovered, recovery_sum = :recovery_sum, last_seen = :last_seen
		WHERE id = :id`
	return c.exec(update, arg("id", id), arg("description", p.Description), arg("said_at", p.SaidAt), arg("hits", p.Hits),
		arg("total", p.Total), arg("scored", p.Scored), arg("score_sum", p.ScoreSum), arg("recovered", p.Recovered),
		arg("recovery_sum", p.RecoverySum), arg("last_seen", p.LastSeen))
}
