package sqlite

import (
	"cmp"
	"math"
	"slices"

	"mneme/memory"
	"mneme/store"
)

// isLifted is the condition of the index of episodes that a boost lifts, by time.
const isLifted = `(e.canvas_action_count > 0 OR e.feedback_sum > 0)`

// lifted are those episodes.
const lifted = `episodes e INDEXED BY episodes_lifted WHERE ` + isLifted

// onlyLifted says whether the filter lets no others pass.
func (r *recall) onlyLifted() bool {
	f := &r.query.Filter
	indexed := f.Agent != nil || f.Session != nil || f.TaskType != nil
	return !indexed && (f.CanvasType != nil || f.CanvasAction != nil || r.query.AsOf == nil && f.MinFeedback != nil && *f.MinFeedback > 0)
}

// newest reads, where nothing matches, the newest that pass the filter, and of those that a boost lifts.
func (r *recall) newest(byVector []match) ([]seen, error) {
	source, boosts := `episodes e WHERE 1`, r.weights.CanvasBoost+r.weights.PositiveBoost
	if r.onlyLifted() {
		source = lifted
	}
	found, cut, err := r.newestOf(source, r.bounds.passed)
	if err != nil {
		return nil, err
	}
	if len(found) > r.query.Limit {
		boosted, boostedCut, err := r.newestOf(lifted, r.bounds.passedLifted)
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

// mostOf is the most that an older one can total, with a boost at most.
func (r *recall) mostOf(found []seen, boost float64) float64 {
	if len(found) <= r.query.Limit {
		return math.Inf(-1)
	}
	return r.weights.Score(memory.Candidate{StartedAt: found[len(found)-1].StartedAt}, r.query.Now).Total + boost
}

func eachOnce(found []seen) []seen {
	slices.SortFunc(found, func(a, b seen) int { return cmp.Compare(a.id, b.id) })
	return slices.CompactFunc(found, func(a, b seen) bool { return a.id == b.id })
}

// newestOf goes back in time and keeps what passes the filter, one more than the pool may hold. It reads by what an
// index is ordered by first, and no further than so many; cut says that it found too few in these.
func (r *recall) newestOf(source string, passed int) (found []seen, cut bool, err error) {
	f := &r.query.Filter
	within := filtered(&store.EpisodeFilter{Agent: f.Agent, Session: f.Session, TaskType: f.TaskType, Since: f.Since, Until: f.Until}, nil)
	w := filtered(f, r.query.AsOf)
	w.addKnown(r.query.AsOf)
	if r.query.AsOf != nil {
		within.add(`e.started_at <= :as_of`, arg("as_of", r.query.AsOf))
	}
	late := `SELECT e.id FROM ` + source + ` AND ` + within.sql() + ` ORDER BY e.started_at DESC LIMIT :passed`
	find := `SELECT e.id, e.started_at, ` + r.aggregates() + ` FROM (` + late + `) late
		CROSS JOIN episodes e ON e.id = late.id WHERE ` + w.sql() + ` LIMIT :limit`
	err = r.conn.search(r.ctx, find, func(row *row) error {
		found = append(found, seenOf(row))
		return nil
	}, append(w.args, arg("passed", passed), arg("limit", r.query.Limit+1))...)
	if err == nil && len(found) <= r.query.Limit {
		cut, err = r.conn.one(late+` OFFSET :passed`, func(*row) {}, append(within.args, arg("passed", passed))...)
	}
	return found, cut, err
}
