package search

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/memory/nextsteps"
	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// ranked reads what the ranking needs to know of episodes e, which are nodes n, with the aggregates of an instant.
func ranked(asked *store.Among) (selected string, w db.Conditions) {
	w = graph.Filtered(&asked.Filter, asked.AsOf)
	graph.AddKnown(&w, asked.AsOf)
	corrected := graph.CorrectedNow
	if asked.AsOf != nil {
		corrected = graph.CorrectedThen
	}
	return `SELECT n.key, e.started_at, e.outcome, ` + corrected + `, ` + graph.Aggregates(asked.AsOf) +
		`, coalesce((SELECT o.left_out FROM passage_owners o WHERE o.node = e.id), 0)
		, coalesce(e.task_type, ''), (SELECT substr(c.observation, 1, ` + strconv.Itoa(ranking.MaxAbout) + `) FROM contents c WHERE c.episode = e.id)`, w
}

func readRanked(r *db.Row) ranking.Candidate {
	return ranking.Candidate{
		Key: r.AnyText(), StartedAt: r.AnyTime(), Outcome: memory.Outcome(r.AnyText()), Corrected: r.Bool(),
		CanvasActionCount: r.Int(), FeedbackSum: r.Sum(), FeedbackCount: r.Int(), LeftOut: r.Int(), TaskType: r.AnyText(), About: r.AnyText(),
	}
}

// rank gives passages what the ranking needs to know of their episodes, where that is asked for.
func rank(ctx context.Context, c *db.Conn, found []store.FoundPassage, asked *store.Among) error {
	if !asked.ToRank || len(found) == 0 {
		return nil
	}
	var keys []string
	for i := range found {
		if found[i].Kind == memory.KindEpisode {
			keys = append(keys, found[i].Key)
		}
	}
	selected, w := ranked(asked)
	find := selected + ` FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = 'episode' AND n.key = w.value CROSS JOIN episodes e ON e.id = n.id WHERE ` + w.SQL()
	candidates, err := db.AllWithin(ctx, c, find, readRanked, append(w.Args, db.List("keys", db.Distinct(keys)))...)
	if err == nil {
		err = inform(ctx, c, candidates, asked.AsOf)
	}
	byKey := make(map[string]*ranking.Candidate, len(candidates))
	for i := range candidates {
		byKey[candidates[i].Key] = &candidates[i]
	}
	for i := range found {
		if found[i].Kind == memory.KindEpisode {
			found[i].Episode = byKey[found[i].Key]
		}
	}
	return err
}

// inform reads what became of what episodes informed.
func inform(ctx context.Context, c *db.Conn, candidates []ranking.Candidate, asOf *time.Time) error {
	if len(candidates) == 0 {
		return nil
	}
	find := `SELECT n.key, e.outcome, ` + graph.Aggregates(asOf) + ` FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = 'episode' AND n.key = w.value
		CROSS JOIN edges l ON l.target = n.id AND l.type = '` + graph.EdgeInformedBy + `' CROSS JOIN episodes e ON e.id = l.source AND e.known_at <= :as_of`
	informed := map[string]ranking.Evidence{}
	err := c.Search(ctx, find, func(r *db.Row) {
		key, outcome := r.Text(), r.AnyText()
		_, sum, count := r.Int(), r.Sum(), r.Int()
		informed[key] = informed[key].With(memory.Outcome(outcome), sum, count)
	}, db.List("keys", ranking.Keys(candidates)), db.Arg("as_of", graph.AsOfOrEver(asOf)))
	for i := range candidates {
		candidates[i].Informed = informed[candidates[i].Key]
	}
	return err
}

// NewestAndBoosted reads the episodes that lead without a situation; see store.Passages.
func (f Finder) NewestAndBoosted(ctx context.Context, asked store.Among) (found []ranking.Candidate, more bool, err error) {
	selected, w := ranked(&asked)
	err = f.read(ctx, func(ctx context.Context, c *db.Conn) error {
		for _, also := range []string{``, ` AND ` + graph.IsBoosted} {
			find := selected + ` FROM episodes e CROSS JOIN nodes n ON n.id = e.id WHERE ` + w.SQL() + also + ` ORDER BY e.started_at DESC LIMIT :most`
			some, err := db.AllWithin(ctx, c, find, readRanked, append(slices.Clone(w.Args), db.Arg("most", asked.Limit+1))...)
			if err != nil {
				return err
			}
			var left bool
			found, left = store.AddCandidates(found, some, asked.Limit)
			more = more || left
		}
		return inform(ctx, c, found, asked.AsOf)
	})
	return found, more, err
}

// Trajectories reads the steps of episodes; see store.TrajectoriesOf.
func (f Finder) Trajectories(ctx context.Context, of *store.TrajectoriesOf, _ store.Page) (found []*nextsteps.Trajectory, more bool, err error) {
	const find = `SELECT n.key, e.outcome, e.feedback_sum,
			(SELECT json_group_array(a.value ->> 'stepName') FROM json_each(c.actions) a),
			(SELECT json_group_array(v.seq) FROM (SELECT seq, type FROM events WHERE episode = e.id ORDER BY seq LIMIT :most) v WHERE :step = v.type),
			(SELECT json_group_array(json(CASE WHEN length(r.result) <= :long THEN r.result END))
				FROM (SELECT c.actions -> ('$[' || p.value || '].result') AS result FROM json_each(w.value, '$.results') p) r)
		FROM json_each(:of) w CROSS JOIN nodes n ON n.kind = 'episode' AND n.key = w.value ->> 'episode' CROSS JOIN episodes e ON e.id = n.id
		CROSS JOIN contents c ON c.episode = n.id AND json_valid(c.actions)`
	asked, _ := json.Marshal(of) // texts and numbers
	return found, false, f.read(ctx, func(ctx context.Context, c *db.Conn) (err error) {
		found, err = db.AllWithin(ctx, c, find, readTrajectory, db.Arg("of", string(asked)), db.Arg("most", store.MaxStepsIn),
			db.Arg("step", capture.EventStepCompleted), db.Arg("long", store.MaxStepResult))
		return err
	})
}

func readTrajectory(r *db.Row) *nextsteps.Trajectory {
	t := &nextsteps.Trajectory{Key: r.Key(memory.KindEpisode), Outcome: memory.Outcome(r.Text()), FeedbackSum: r.Sum()}
	for _, list := range []any{&t.Steps, &t.Logged, &t.Results} {
		r.Check(json.Unmarshal([]byte(r.Text()), list))
	}
	return t
}
