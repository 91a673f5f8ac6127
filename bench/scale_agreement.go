package main

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/memory/passages"
	"mneme/memory/ranking"
	"mneme/memory/retrieval"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/recalling"
	"mneme/store"
	"mneme/store/async"
	"mneme/store/lexical"
	"mneme/store/meaning"
	"mneme/store/storetest"
	"mneme/store/vectors"
)

// everything is a situation that each passage of each episode is matched with.
type everything struct {
	situation string
	question  retrieval.Question
	code      []int8
	matched   []retrieval.Record // the best of what was looked at
}

const (
	// leastAlike is the cosine below which a passage without the words counts for nothing.
	leastAlike = 0.3
	// maxMatched is how many of the best matches are ranked: recency and boosts lift none from behind into the first five.
	maxMatched = 400
	// ranked is for how many situations everything is ranked; one takes a second or two of CPU for each 20,000 episodes.
	ranked = 40
	// together is how many episodes are matched between two looks at the best.
	together = 1000
)

// agreement is the share of the first five of recalls that are also the first five where every passage of every episode
// is matched, by the same rules, and the share that the scores of the first are of those of the second.
func (s *scaled) agreement(ctx context.Context, situations int) (same, score float64, err error) {
	tenant, err := s.backend.Tenant(ctx, service.DefaultTenant)
	if err != nil {
		return 0, 0, err
	}
	all := make([]everything, situations)
	for i := range all {
		text, _ := s.crowd().Situation(i, 8)
		words, err := s.words(ctx, text)
		if err != nil {
			return 0, 0, err
		}
		vector, _ := meaning.Question(text)
		all[i] = everything{situation: text, question: retrieval.Ask(text, words, vector[:], nil), code: vectors.Code(vector[:])}
	}
	for from := 0; from < s.size; from += together {
		episodes := s.split(from, min(from+together, s.size))
		async.InParts(len(all), 1, func(first, until int) struct{} {
			for i := range all[first:until] {
				all[first+i].match(episodes)
			}
			return struct{}{}
		})
	}
	agreed, first, got, possible := 0, 0, 0.0, 0.0
	for i := range all {
		best, err := all[i].first(ctx, tenant)
		if err != nil {
			return 0, 0, err
		}
		recall, err := s.tenant.Retrieval.Recall(ctx, boundary.RecallInput{Situation: all[i].situation}, boundary.Include{})
		if err != nil {
			return 0, 0, err
		}
		for place, wanted := range best[:min(len(best), recalling.DefaultTopK)] {
			first++
			possible += wanted.Score.Total
			if place < len(recall.Hits) {
				got += scoreOf(best, recall.Hits[place].Episode.Key)
			}
			if slices.ContainsFunc(recall.Hits, func(h recalling.RecallHit) bool { return h.Episode.Key == wanted.Key }) {
				agreed++
			}
		}
	}
	return float64(agreed) / float64(max(1, first)), got / possible, nil
}

func scoreOf(ranked []ranking.Ranked, key string) float64 {
	if at := slices.IndexFunc(ranked, func(r ranking.Ranked) bool { return r.Key == key }); at >= 0 {
		return ranked[at].Score.Total
	}
	return 0
}

// said is a passage with its stems and its code.
type said struct {
	retrieval.Passage
	stems string
	code  []int8
}

// split are the passages of some episodes of the crowd.
func (s *scaled) split(from, until int) [][]said {
	parts := async.InParts(until-from, 64, func(first, last int) [][]said {
		var episodes [][]said
		for i := from + first; i < from+last; i++ {
			e := s.crowd().Episode(i).Episode
			all, _ := passages.OfEpisode(&e, nil)
			var episode []said
			for number, p := range all {
				one := said{Passage: retrieval.Passage{Passage: p, Kind: memory.KindEpisode, Key: e.Key, Number: number}, stems: lexical.Stems(p.Text)}
				if vector, known := meaning.Encode(p.Text); known {
					one.code = vectors.Code(vector[:])
					one.Vector, one.BuiltIn = vectors.Unit(one.code), true
				}
				episode = append(episode, one)
			}
			episodes = append(episodes, episode)
		}
		return episodes
	})
	return slices.Concat(parts...)
}

// match keeps the best of what was matched before and of some episodes.
func (e *everything) match(episodes [][]said) {
	for _, episode := range episodes {
		all, some := make([]retrieval.Passage, len(episode)), false
		for i, p := range episode {
			all[i] = p.Passage
			stems := strings.Fields(p.stems)
			all[i].Counts, all[i].Length = retrieval.Count(stems, e.question.Words.Stems), len(stems)
			some = some || all[i].Counts != nil || p.code != nil && vectors.Cosine(e.code, p.code) >= leastAlike
		}
		if some {
			for _, r := range e.question.Records(e.question.Moments(all, nil)) {
				r.Moments = nil // what is not kept needs no room
				e.matched = append(e.matched, r)
			}
		}
	}
	slices.SortFunc(e.matched, func(a, b retrieval.Record) int { return cmp.Compare(b.Score, a.Score) })
	e.matched = e.matched[:min(len(e.matched), maxMatched)]
}

// first ranks what matches best.
func (e *everything) first(ctx context.Context, tenant store.Store) ([]ranking.Ranked, error) {
	scores, keys := map[string]float64{}, []string{}
	for _, r := range retrieval.Clear(e.matched) {
		scores[r.Key], keys = r.Score, append(keys, r.Key)
	}
	episodes, err := tenant.Episodes(ctx, store.EpisodesByKey{Keys: keys, Parts: store.HeadOnly})
	candidates := memory.Mapped(episodes, func(e *memory.Episode) (c ranking.Candidate) {
		c.Key, c.StartedAt, c.Match, c.Outcome = e.Key, e.StartedAt, scores[e.Key], e.Outcome
		c.CanvasActionCount, c.FeedbackSum, c.FeedbackCount = e.CanvasActionCount, e.FeedbackSum, e.FeedbackCount
		return c
	})
	return ranking.Rank(candidates, ranking.DefaultWeights, storetest.CrowdNow, len(candidates)), err
}
