package sqlite

import (
	"cmp"
	"math"
	"slices"

	"mneme/memory/ranking"
	"mneme/store"
)

// isLifted is the condition of the index of episodes that a boost lifts, by time.
const isLifted = `(e.canvas_action_count > 0 OR e.feedback_sum > 0)`

// The episodes that are gone through: all, or those.
const (
	everyone = `episodes e WHERE 1`
	lifted   = `episodes e INDEXED BY episodes_lifted WHERE ` + isLifted
)

// onlyLifted says whether the filter lets no others pass.
func (r *recall) onlyLifted() bool {
	f := &r.query.Filter
	indexed := f.Agent != nil || f.Session != nil || f.TaskType != nil
	return !indexed && (f.CanvasType != nil || f.CanvasAction != nil || r.query.AsOf == nil && f.MinFeedback != nil && *f.MinFeedback > 0)
}

// newest reads, where nothing matches, the newest that pass the filter, and of those that a boost lifts.
func (r *recall) newest(byVector []match) ([]seen, error) {
	source, boosts := everyone, r.weights.CanvasBoost+r.weights.PositiveBoost
	if r.onlyLifted() {
		source = lifted
	}
	found, cut, err := r.newestOf(source, ``, r.bounds.passed)
	if err != nil {
		return nil, err
	}
	if len(found) > r.query.Limit {
		boosted, boostedCut, err := r.newestLifted()
		if err != nil {
			return nil, err
		}
		bound := max(r.mostOf(found, 0), r.mostOf(boosted, boosts))
		if source == lifted {
			bound = r.mostOf(found, boosts)
		}
		found = eachOnce(append(found, boosted...))
		cut = boostedCut || r.rank(found)[min(r.top(), len(found))-1].total <= bound
	}
	r.approximate = r.approximate || cut
	for i := range found {
		at, compared := slices.BinarySearchFunc(byVector, found[i].id, func(m match, id int64) int { return cmp.Compare(m.id, id) })
		if compared {
			found[i].Cosine = byVector[at].cosine
		}
	}
	return found, nil
}

// newestLifted reads those that a boost lifts: of an agent, a session or a task type by the index of these.
func (r *recall) newestLifted() ([]seen, bool, error) {
	if f := &r.query.Filter; f.Agent != nil || f.Session != nil || f.TaskType != nil {
		return r.newestOf(everyone, ` AND `+isLifted, r.bounds.passedLifted)
	}
	return r.newestOf(lifted, ``, r.bounds.passedLifted)
}

// mostOf is the most that an older one can total, with a boost at most.
func (r *recall) mostOf(found []seen, boost float64) float64 {
	if len(found) <= r.query.Limit {
		return math.Inf(-1)
	}
	return r.weights.Score(ranking.Candidate{StartedAt: found[len(found)-1].StartedAt}, r.query.Now).Total + boost
}

func eachOnce(found []seen) []seen {
	slices.SortFunc(found, func(a, b seen) int { return cmp.Compare(a.id, b.id) })
	return slices.CompactFunc(found, func(a, b seen) bool { return a.id == b.id })
}

// within is the part of the filter by which an index goes back in time: one condition, so that nothing is passed
// over uncounted.
func (r *recall) within(source string) conditions {
	f := &r.query.Filter
	part := store.EpisodeFilter{Since: f.Since, Until: f.Until}
	switch {
	case source == lifted:
	case f.Session != nil:
		part.Session = f.Session
	case f.TaskType != nil:
		part.TaskType = f.TaskType
	case f.Agent != nil:
		part.Agent = f.Agent
	}
	w := filtered(&part, nil)
	if r.query.AsOf != nil {
		w.add(`e.started_at <= :as_of`, arg("as_of", r.query.AsOf))
	}
	return w
}

// newestOf goes back in time and keeps what passes the filter, one more than the pool may hold, through no more than
// so many; cut says that it found too few in these.
func (r *recall) newestOf(source, also string, passed int) (found []seen, cut bool, err error) {
	within, w := r.within(source), filtered(&r.query.Filter, r.query.AsOf)
	w.addKnown(r.query.AsOf)
	late := `SELECT e.id FROM ` + source + ` AND ` + within.sql() + ` ORDER BY e.started_at DESC LIMIT :passed`
	find := `SELECT e.id, e.started_at, ` + r.aggregates() + ` FROM (` + late + `) late
		CROSS JOIN episodes e ON e.id = late.id WHERE ` + w.sql() + also + ` LIMIT :limit`
	err = r.conn.search(r.ctx, find, func(row *row) error {
		found = append(found, seenOf(row))
		return nil
	}, append(w.args, arg("passed", passed), arg("limit", r.query.Limit+1))...)
	if err == nil && len(found) <= r.query.Limit {
		cut, err = r.conn.one(late+` OFFSET :passed`, func(*row) {}, append(within.args, arg("passed", passed))...)
	}
	return found, cut, err
}
