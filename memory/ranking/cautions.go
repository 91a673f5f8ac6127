package ranking

import (
	"cmp"
	"math"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/prose"
	"mneme/memory/summary"
)

// MaxCautions is how many cautions a recall brings at most.
const MaxCautions = 2

// WentWrong says whether not to copy an episode: it failed or, if feedback counts, was disliked overall or corrected.
func (w Weights) WentWrong(c Candidate) bool {
	return c.Outcome == memory.OutcomeFailure || w.Feedback != FeedbackOff && (c.FeedbackSum < 0 || c.Corrected)
}

// sameMatch is a difference of matches that says nothing.
const sameMatch = 0.01

// Cautions returns the candidates that went wrong and match as well as the remotest hit, or better, the best match
// first. The match alone decides: recency and reactions say what to copy, not what to avoid.
func Cautions(candidates []Candidate, hits []Ranked, w Weights, now time.Time) []Ranked {
	least := 1.0
	for _, hit := range hits {
		least = min(least, hit.Semantic())
	}
	scored, _ := w.scored(candidates, now)
	cautions := slices.DeleteFunc(scored, func(r Ranked) bool {
		return !w.WentWrong(r.Candidate) || r.Semantic() <= least-sameMatch || r.Semantic() == 0
	})
	slices.SortFunc(cautions, byMatch)
	return cautions
}

// Others returns for each caution the candidate that succeeded, did not go wrong and matches most like it: what it did
// may be what the caution should have done. Hits are left out, as they are there anyway.
func Others(candidates []Candidate, hits, cautions []Ranked, w Weights) (others []Candidate) {
	among := func(ranked []Ranked, c Candidate) bool {
		return slices.ContainsFunc(ranked, func(r Ranked) bool { return r.Key == c.Key })
	}
	fit := slices.DeleteFunc(slices.Clone(candidates), func(c Candidate) bool {
		return c.Outcome != memory.OutcomeSuccess || w.WentWrong(c) || c.Semantic() == 0 || among(hits, c)
	})
	for _, caution := range cautions {
		if len(fit) > 0 {
			others = append(others, slices.MinFunc(fit, func(a, b Candidate) int {
				return cmp.Or(cmp.Compare(math.Abs(a.Match-caution.Match), math.Abs(b.Match-caution.Match)), cmp.Compare(a.Key, b.Key))
			}))
		}
	}
	return others
}

func byMatch(a, b Ranked) int {
	return cmp.Or(cmp.Compare(b.Match, a.Match), b.StartedAt.Compare(a.StartedAt), cmp.Compare(a.Key, b.Key))
}

// longestTrouble is how many characters of each thing that went wrong are told.
const longestTrouble = 400

// Trouble says in words what went wrong: the step that failed, what people put right, and what another run did instead.
func (r Recalled) Trouble(e *memory.Episode) (reasons []string) {
	add := func(label, text string) {
		if text != "" {
			reasons = append(reasons, label+prose.Shorten(text, longestTrouble))
		}
	}
	add("the step that failed: ", summary.FailedStep(e))
	for _, f := range memory.OrZero(e.Context).Feedback {
		add("a person put it right: ", said(f.Corrections))
	}
	add("instead, ", r.instead(e))
	return reasons[:min(len(reasons), remarksShown)]
}

// corrected says whether people put something right in what came along with an episode.
func corrected(e *memory.Episode) bool {
	return slices.ContainsFunc(memory.OrZero(e.Context).Feedback, func(f *memory.Feedback) bool { return said(f.Corrections) != "" })
}

// leastShared is the share of words from which two observations are of one sort of task; airline tasks share 0.1 to
// 0.2.
const leastShared = 0.3

// instead tells what another run did where one went wrong: of those that succeeded at this type of task and did not go
// wrong themselves, the one whose observation is most like. It is empty where there is none.
func (r Recalled) instead(e *memory.Episode) string {
	var nearest *memory.Episode
	most, about := leastShared, wordsOf(e.Observation)
	for _, other := range slices.Concat(r.Hits, r.Others) {
		sameType := e.TaskType == nil && other.TaskType == nil || e.TaskType != nil && other.TaskType != nil && *e.TaskType == *other.TaskType
		if other.Outcome != memory.OutcomeSuccess || r.Wrong[other.Key] || corrected(other) || !sameType {
			continue
		}
		if alike := share(about, wordsOf(other.Observation)); alike >= most {
			nearest, most = other, alike
		}
	}
	if nearest == nil {
		return ""
	}
	contrast := summary.Contrast(e, nearest)
	if contrast == "" {
		return ""
	}
	return nearest.ID() + ", which succeeded, " + contrast
}
