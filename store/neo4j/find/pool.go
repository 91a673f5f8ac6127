package find

import (
	"cmp"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/graph"
)

// recalled is an episode that may matter.
type recalled struct {
	ranking.Candidate
	bag, codes any
}

// recallFound is what a recall reads.
type recallFound struct {
	episodes []recalled
	more     bool // others than those that were answered match
	// unmatched is how many of the newest there are, up to one more than were answered, where none matched by words or a vector that the
	// caller gave.
	unmatched int
	near      bool // there are some that are near by what they mean
}

// with adds those that are near by what they mean: instead of the newest, where none matched.
func (r recallFound) with(near []recalled) recallFound {
	if len(near) == 0 {
		return r
	}
	r.near = true
	if r.unmatched > 0 {
		r.episodes, r.unmatched = nil, 0
	}
	has := make(map[string]bool, len(r.episodes))
	for i := range r.episodes {
		has[r.episodes[i].Key] = true
	}
	for i := range near {
		if !has[near[i].Key] {
			r.episodes = append(r.episodes, near[i])
		}
	}
	return r
}

func decodeFound(row *neo4j.Record) (found recallFound, err error) {
	f := bolt.FieldsOf(row.AsMap())
	found.more, found.unmatched = bolt.Required[bool](f, "more"), f.Integer("unmatched")
	if f.Err != nil {
		return found, f.Err
	}
	found.episodes, err = decodeRecalled(row)
	return found, err
}

// decodeRecalled reads all episodes from one row: lists cost a fraction of a row each, on either side.
func decodeRecalled(row *neo4j.Record) (episodes []recalled, err error) {
	f := bolt.FieldsOf(row.AsMap())
	keys := bolt.List[any](f, "keys")
	times, aggregates := bolt.Parallel[int64](f, "times", len(keys)), bolt.Parallel[any](f, "aggregates", len(keys))
	bags, codes, similarities := bolt.Parallel[any](f, "bags", len(keys)), bolt.List[any](f, "codes"), bolt.List[float64](f, "similarities")
	if f.Err != nil {
		return nil, f.Err
	}
	for i := range keys {
		key, is := keys[i].(string)
		if !is {
			continue
		}
		r := recalled{bag: bags[i]}
		r.Key, r.StartedAt = key, time.UnixMilli(times[i]).UTC()
		if i < len(codes) {
			r.codes = codes[i]
		}
		if i < len(similarities) && similarities[i] >= 0 {
			r.Match.Meaning, r.Match.Compared = cosine(similarities[i]), true
		}
		r.CanvasActionCount, r.FeedbackSum, r.FeedbackCount = graph.Aggregates(aggregates[i])
		episodes = append(episodes, r)
	}
	return episodes, nil
}

// cosine undoes what Neo4j makes of it to have no number below 0.
func cosine(similarity float64) float64 { return 2*similarity - 1 }

// pool scores what was found, and keeps what matches, where anything does; of more than the pool may hold those that will be
// answered and those that tie with the last of them.
func (p *recallPlan) pool(found recallFound, q *store.RecallQuery) store.Candidates {
	all := found.episodes
	pool := store.Candidates{Items: make([]ranking.Candidate, 0, len(all)), Approximate: p.beyond || found.more || found.unmatched > q.Limit}
	matches := false
	for i := range all {
		r := &all[i]
		own := p.asked.Alone(p.asked.document(r.bag, memory.KindEpisode))
		r.Match.Words, r.Match.Own, r.Match.Wordless = own, own, p.asked.Possible == 0
		matches = matches || isMatch(&r.Candidate)
	}
	matches = matches || found.near
	for i := range all {
		r := &all[i]
		if matches {
			r.Match.Date = matching.Near(p.asked.dates, r.StartedAt)
		}
		if matches && p.form.Meant {
			if meaning, compared := p.text.means.Best(r.codes); compared {
				r.Match.Meaning, r.Match.Compared = meaning, true
			}
		}
		pool.Items = append(pool.Items, r.Candidate)
	}
	if matches {
		pool.Items = slices.DeleteFunc(pool.Items, func(c ranking.Candidate) bool { return !isMatch(&c) })
	}
	if len(pool.Items) > q.Limit {
		pool.Items = p.first(pool.Items, cmp.Or(q.Top, q.Limit), q.Faint(slices.Values(pool.Items)))
	}
	return pool
}

func isMatch(c *ranking.Candidate) bool { return c.Match.Words > 0 || c.Match.Meaning > 0 }

// first are those that rank first, and those that tie with the last of them; what is faint is only answered where too few others are.
func (p *recallPlan) first(items []ranking.Candidate, top int, isFaint func(ranking.Candidate) bool) []ranking.Candidate {
	type place struct {
		matches bool
		total   float64
		at      int64
	}
	places := make(map[string]place, len(items))
	for i := range items {
		places[items[i].Key] = place{items[i].Semantic() > 0 && !isFaint(items[i]), p.weights.Score(items[i], p.now).Total, items[i].StartedAt.UnixMilli()}
	}
	compare := func(a, b ranking.Candidate) int {
		x, y := places[a.Key], places[b.Key]
		if x.matches != y.matches {
			if x.matches {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(y.total, x.total), cmp.Compare(y.at, x.at))
	}
	slices.SortFunc(items, compare)
	for top < len(items) && compare(items[top], items[top-1]) == 0 {
		top++
	}
	return items[:min(top, len(items))]
}
