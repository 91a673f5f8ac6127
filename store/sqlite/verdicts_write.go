package sqlite

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/store"
)

// RecordVerdicts writes a batch in one transaction.
func (t *Tenant) RecordVerdicts(ctx context.Context, records []store.VerdictRecord) ([]store.Recorded, error) {
	return recordAll(ctx, t, records, recordVerdict, func(r *store.VerdictRecord) string { return r.Verdict.Key })
}

const hashOfVerdict = `SELECT k.input_hash FROM nodes n LEFT JOIN verdicts k ON k.id = n.id WHERE n.kind = :kind AND n.key = :key`

func recordVerdict(c *conn, record *store.VerdictRecord) (created bool, err error) {
	v := &record.Verdict
	if known, err := sameAsRecorded(c, memory.KindVerdict, v.Key, hashOfVerdict, record.InputHash, &record.Former); known || err != nil {
		return false, err
	}
	run, err := ensureRun(c, v.RunKey, v.At)
	if err != nil {
		return false, err
	}
	section, err := ensureSection(c, run, &v.Judgement)
	if err != nil {
		return false, err
	}
	id, err := addNode(c, memory.KindVerdict, v.Key)
	if err != nil {
		return false, err
	}
	if err := insertVerdict(c, id, run, section, record); err != nil {
		return false, err
	}
	return true, addEdge(c, id, edgeOn, section, v.At)
}

// ensureRun answers a run's id. It started at the earliest of the times at which this is asked.
func ensureRun(c *conn, key string, at time.Time) (int64, error) {
	id, err := nodeID(c, memory.KindRun, key)
	if err != nil {
		return 0, err
	}
	if id != 0 {
		const earlier = `UPDATE runs SET started_at = :at WHERE id = :id AND started_at > :at`
		return id, c.exec(earlier, arg("id", id), arg("at", at))
	}
	if id, err = addNode(c, memory.KindRun, key); err != nil {
		return 0, err
	}
	return id, c.put(insertingRun, runFields(&memory.Run{StartedAt: at}), arg("id", id), arg("key", key))
}

// ensureSection answers the id of the section that a judgement is of.
func ensureSection(c *conn, run int64, j *memory.Judgement) (int64, error) {
	id, err := nodeID(c, memory.KindSection, j.SectionKey)
	if err != nil || id != 0 {
		return id, err
	}
	if id, err = addNode(c, memory.KindSection, j.SectionKey); err != nil {
		return 0, err
	}
	return id, addEdge(c, id, edgeInRun, run, j.At)
}

func insertVerdict(c *conn, id, run, section int64, record *store.VerdictRecord) error {
	v := &record.Verdict
	err := c.put(insertingJudgement, judgementFields(&v.Judgement), arg("id", id), arg("key", v.Key), arg("run", run),
		arg("section", section), arg("input_hash", blob(record.InputHash)))
	if err != nil {
		return err
	}
	return c.put(insertingVerdict, verdictFields(v), arg("verdict", id))
}

// LabelVerdict says whether a person would have approved.
func (t *Tenant) LabelVerdict(ctx context.Context, label store.VerdictLabel) error {
	return t.write(ctx, func(c *conn) error { return labelVerdict(c, &label) })
}

func labelVerdict(c *conn, label *store.VerdictLabel) error {
	id, err := nodeID(c, memory.KindVerdict, label.Verdict)
	if err != nil {
		return err
	}
	if id == 0 {
		return store.ErrNotFound
	}
	const set = `UPDATE verdicts SET label = :label, labelled_by = :labelled_by WHERE id = :id`
	return c.exec(set, arg("id", id), arg("label", label.Approve), arg("labelled_by", label.LabelledBy))
}
