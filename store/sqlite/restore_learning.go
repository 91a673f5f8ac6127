package sqlite

import (
	"errors"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/store"
)

// restoreRun writes a run with the times that it had.
func restoreRun(c *conn, item *store.RunItem) (created bool, err error) {
	known, err := nodeID(c, memory.KindRun, item.Key)
	if err != nil || known != 0 {
		return false, err
	}
	id, err := ensureRun(c, item.Key, item.StartedAt)
	if err != nil {
		return false, err
	}
	return true, c.exec(`UPDATE runs SET completed_at = :at WHERE id = :id`, arg("id", id), arg("at", item.CompletedAt))
}

// restoreVerdict writes a verdict with its label, unless that is by a person with a tombstone.
func restoreVerdict(c *conn, record *store.VerdictRecord, force bool) (created bool, err error) {
	v := &record.Verdict
	if created, err = recordVerdict(c, record); err != nil || !created || v.Label == nil {
		return created, err
	}
	if v.LabelledBy != nil {
		err := admit(c, []string{memory.NodeID(memory.KindPerson, *v.LabelledBy)}, force)
		if err != nil {
			return true, ignore(err, store.ErrForgotten)
		}
	}
	return true, labelVerdict(c, &store.VerdictLabel{Verdict: v.Key, Approve: *v.Label, LabelledBy: v.LabelledBy})
}

// ignore makes nothing of an error of a kind.
func ignore(err, kind error) error {
	if errors.Is(err, kind) {
		return nil
	}
	return err
}

func restorePattern(c *conn, item *store.PatternItem) (created bool, err error) {
	known, err := nodeID(c, memory.KindPattern, item.Key)
	if err != nil || known != 0 {
		return false, err
	}
	var sections []string
	for _, key := range item.Sections {
		section, err := nodeID(c, memory.KindSection, key)
		if err != nil {
			return false, err
		}
		if section != 0 {
			sections = append(sections, key)
		}
	}
	return true, createPattern(c, &judging.LearnedPattern{Pattern: item.Pattern, Sections: sections}, item.LastSeen)
}

func restoreSectionType(c *conn, item *store.SectionTypeItem) error {
	const add = `INSERT INTO section_types (section_type, sections) VALUES (:type, :sections) ON CONFLICT DO NOTHING`
	return c.exec(add, arg("type", item.SectionType), arg("sections", item.Sections))
}

func restoreSpan(c *conn, item *store.SpanItem) error {
	return holdSpan(c, &item.HeldSpan, item.ArrivedAt)
}
