package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mneme/memory/matching"
	"mneme/memory/ranking"
	"mneme/service"
	"mneme/store/storetest"
)

// measureVectors compares recalls by vector with the store's own query for the nearest, and their answers with
// those of ranking everything.
func measureVectors(ctx context.Context, p scalePlan, s *scaled) (text string, err error) {
	crowd := storetest.Crowd{Size: p.vectors, Dimensions: 384}
	if _, err := s.recorded(ctx, vectorTenant, crowd); err != nil {
		return "", err
	}
	tenant, err := s.svc.Tenant(service.WithTenant(ctx, vectorTenant))
	if err != nil {
		return "", err
	}
	raw, err := s.raw(ctx, vectorTenant)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, raw.close(context.WithoutCancel(ctx))) }()
	v := vectorRun{ctx: ctx, plan: p, scaled: s, tenant: tenant, raw: raw, crowd: crowd}
	return v.measure()
}

// vectorRun is one measurement by vectors.
type vectorRun struct {
	ctx    context.Context // it lives as long as the run
	plan   scalePlan
	scaled *scaled
	tenant *service.Tenant
	raw    rawQueries
	crowd  storetest.Crowd
}

func (v *vectorRun) measure() (string, error) {
	var rows strings.Builder
	fmt.Fprintf(&rows, "Of %d episodes, each with a vector of 384 numbers, in a tenant of their own; against the store's own query\n"+
		"for as many of the nearest, and where there are words also its full-text query.\n\n%s", v.crowd.Size, comparisonHead(false))
	var kinds []comparison
	for _, kind := range []vectorKind{
		{name: "vector, top 5", k: 5}, {name: "vector, top 10", k: 10},
		{name: "vector, a filter that 1 % pass", k: 5, filter: scaleKinds[1].of},
		{name: "vector, a filter that 0.01 % pass", k: 5, filter: scaleKinds[2].of},
		{name: "vector, as of four months ago", k: 5, filter: scaleKinds[3].of},
		{name: "vector and 8 words", k: 5, words: 8}, {name: "vector and 30 words", k: 5, words: 30},
	} {
		d, err := v.against(kind)
		if err != nil {
			return "", err
		}
		kinds = append(kinds, d)
	}
	if err := v.plan.warm(kinds); err != nil {
		return "", err
	}
	for _, d := range kinds {
		row, err := v.scaled.compare(d, v.plan.rounds)
		if err != nil {
			return "", err
		}
		rows.WriteString(row)
	}
	nearest, err := v.agreement(&service.RankingInput{
		TemporalWeight: to(0.0), CanvasBoost: to(0.0), Feedback: to(ranking.FeedbackOff),
	})
	if err != nil {
		return "", err
	}
	ranked, err := v.agreement(nil)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&rows, "\nrecall@10 against ranking everything: %.3f of the nearest alone, %.3f with recency and boosts (target .98).\n", nearest, ranked)
	return rows.String(), nil
}

// vectorKind is a kind of recalls by vector.
type vectorKind struct {
	name     string
	k, words int
	filter   func(*service.RecallInput)
}

func (v *vectorRun) against(kind vectorKind) (comparison, error) {
	var inputs []service.RecallInput
	var vectors [][]float32
	var asked []string
	for i := range 2 * (v.plan.rounds + warmUps) { // the second half to warm up
		text, vector := v.crowd.Situation(i, kind.words)
		input := service.RecallInput{Situation: text, Embedding: doubles(vector), TopK: &kind.k}
		if kind.filter != nil {
			kind.filter(&input)
		}
		inputs, vectors = append(inputs, input), append(vectors, vector)
		if kind.words == 0 {
			continue
		}
		words, err := v.raw.chosen(v.ctx, text)
		if err != nil {
			return comparison{}, err
		}
		asked = append(asked, words)
	}
	return comparison{
		name: kind.name,
		ours: func(i int) (bool, error) {
			found, err := v.tenant.Retrieval.Recall(v.ctx, inputs[i], service.Include{})
			return err == nil && found.Approximate, err
		},
		raw: func(i int) error {
			err := v.raw.byVector(v.ctx, vectors[i], kind.k)
			if err == nil && asked != nil {
				err = v.raw.byWords(v.ctx, asked[i])
			}
			return err
		},
	}, nil
}

// agreement is the share of the first ten of ranking everything that recalls by vector answer.
func (v *vectorRun) agreement(given *service.RankingInput) (float64, error) {
	weights := ranking.DefaultWeights
	if given != nil {
		weights.Temporal, weights.CanvasBoost, weights.Feedback = 0, 0, ranking.FeedbackOff
	}
	all, vectors := v.everything()
	found, wanted := 0, 0
	for i := range v.plan.rounds {
		_, vector := v.crowd.Situation(i, 0)
		for n := range all {
			all[n].Match = matching.Parts{Meaning: matching.Cosine(vectors[n], vector), Compared: true, Wordless: true}
		}
		answer, err := v.tenant.Retrieval.Recall(v.ctx, service.RecallInput{Embedding: doubles(vector), TopK: to(10), Ranking: given}, service.Include{})
		if err != nil {
			return 0, err
		}
		for _, want := range ranking.Rank(all, weights, storetest.CrowdNow, 10) {
			wanted++
			if slices.ContainsFunc(answer.Hits, func(h service.RecallHit) bool { return h.Episode.Key == want.Key }) {
				found++
			}
		}
	}
	return float64(found) / float64(wanted), nil
}

// everything is what is ranked of each episode, and the vectors.
func (v *vectorRun) everything() ([]ranking.Candidate, [][]float32) {
	all, vectors := make([]ranking.Candidate, v.crowd.Size), make([][]float32, v.crowd.Size)
	for i := range all {
		e := v.crowd.Episode(i).Episode
		all[i], vectors[i] = ranking.Candidate{Key: e.Key, StartedAt: e.StartedAt}, e.Embedding
		actions, feedback := v.crowd.Context(i)
		all[i].CanvasActionCount = len(actions)
		for _, f := range feedback {
			all[i].FeedbackSum += f.Feedback.Score
			all[i].FeedbackCount++
		}
	}
	return all, vectors
}

func doubles(vector []float32) []float64 {
	numbers := make([]float64, len(vector))
	for i, number := range vector {
		numbers[i] = float64(number)
	}
	return numbers
}
