package sqlite

import (
	"fmt"

	"mneme/store"
)

// traces looks for traces that cannot be made episodes.
func (e *examiner) traces() (diagnosis, error) {
	held, err := e.count(`SELECT count(DISTINCT trace) FROM spans`)
	if err != nil {
		return diagnosis{}, err
	}
	var failing store.FailingTraces
	const find = `SELECT trace, failures, reason FROM failing_traces WHERE failures >= :many ORDER BY trace`
	err = e.conn.search(e.ctx, find, func(r *row) error {
		failing.Add(r.text(), r.int(), r.text())
		return nil
	}, arg("many", store.ManyFailures))
	d := diagnosis{found: fmt.Sprintf("%d traces are held", held)}
	if d.fault, d.remedy = failing.Fault(); d.fault != "" {
		d.mend = scripts(`DELETE FROM failing_traces`)
	}
	return d, err
}
