package find

import (
	"context"
	"sync"
	"time"

	"mneme/memory/ranking"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// mostLifts is how many are in memory at most, the newest, in some 50 bytes each, and up to a share more: one in spareOf.
const mostLifts, spareOf = 400_000, 8

// lifts are the episodes of a file that a boost lifts, in memory.
type lifts struct {
	mutex sync.RWMutex
	by    map[int64]lift // nil where nothing was read yet
	last  int64          // the latest change that was read
}

// lift is when an episode began, and what lifts it.
type lift struct {
	startedAt   int64
	actions     int32
	feedback    int32
	feedbackSum float64
}

// of is what is known of an episode that is lifted. Whoever asks holds the mutex.
func (l *lifts) of(id int64) (ranking.Candidate, bool) {
	is, known := l.by[id]
	if !known {
		return ranking.Candidate{}, false
	}
	return ranking.Candidate{
		StartedAt: time.UnixMilli(is.startedAt).UTC(), CanvasActionCount: int(is.actions), FeedbackSum: is.feedbackSum, FeedbackCount: int(is.feedback),
	}, true
}

// take takes in what was read of an episode that may be lifted.
func (l *lifts) take(s seen) {
	if s.CanvasActionCount <= 0 && s.FeedbackSum <= 0 {
		delete(l.by, s.id)
		return
	}
	l.by[s.id] = lift{s.StartedAt.UnixMilli(), int32(min(s.CanvasActionCount, 1<<30)), int32(min(s.FeedbackCount, 1<<30)), s.FeedbackSum}
}

// liftsOf reads what changed of a file's since the last time, or all where that is the first.
func liftsOf(ctx context.Context, c *db.Conn) (*lifts, error) {
	l := db.Kept[lifts](c)
	var last int64
	if _, err := c.One(`SELECT coalesce(max(revision), 0) FROM lift_changes`, func(row *db.Row) { last = row.Integer() }); err != nil {
		return nil, err
	}
	l.mutex.RLock()
	current := l.by != nil && l.last >= last
	l.mutex.RUnlock()
	if current {
		return l, nil
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.by == nil || len(l.by) > mostLifts+mostLifts/spareOf {
		return l, l.load(c, last)
	}
	const changed = `SELECT x.episode, coalesce(e.started_at, 0), ` + graph.AggregatesNow + ` FROM lift_changes x LEFT JOIN episodes e ON e.id = x.episode
		WHERE x.revision > :last`
	err := c.Search(ctx, changed, func(row *db.Row) error {
		l.take(seenOf(row))
		return nil
	}, db.Arg("last", l.last))
	if err == nil {
		l.last = max(l.last, last)
	}
	return l, err
}

// load reads all. It goes on where the caller gives up, or whoever asks next would begin anew.
func (l *lifts) load(c *db.Conn, last int64) error {
	read := lifts{by: map[int64]lift{}}
	const all = `SELECT e.id, e.started_at, ` + graph.AggregatesNow + ` FROM episodes e INDEXED BY episodes_lifted
		WHERE ` + graph.IsLifted + ` ORDER BY e.started_at DESC LIMIT :most`
	err := c.Query(all, func(row *db.Row) error {
		read.take(seenOf(row))
		return nil
	}, db.Arg("most", mostLifts))
	if err == nil {
		l.by, l.last = read.by, last
	}
	return err
}
