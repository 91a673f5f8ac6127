package service

import (
	"slices"
	"strings"

	"mneme/memory"
	"mneme/memory/ranking"
)

// standing is what a recall chose of the candidates.
type standing struct {
	hits, cautions []ranking.Ranked
	others         []ranking.Candidate // what succeeded where cautions went wrong
	more           bool
}

// keys are those of all, each once.
func (s *standing) keys() (keys []string) {
	for _, r := range slices.Concat(s.hits, s.cautions) {
		keys = append(keys, r.Key)
	}
	for _, c := range s.others {
		keys = append(keys, c.Key)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// caution adds the cautions to a recall that has its hits. What was deleted since is left out.
func (r *Recall) caution(chosen standing, episodes map[string]*memory.Episode, hitOf func(ranked ranking.Ranked, rank int) RecallHit) {
	r.Cautions = []RecallHit{}
	for _, other := range chosen.others {
		if episode := episodes[other.Key]; episode != nil {
			r.others = append(r.others, episode)
		}
	}
	for _, ranked := range chosen.cautions {
		if episodes[ranked.Key] != nil {
			r.Cautions = append(r.Cautions, hitOf(ranked, len(r.Cautions)+1))
		}
	}
	told := r.told()
	for i, caution := range r.Cautions {
		r.Cautions[i].Reasons = append(caution.Reasons, told.Trouble(caution.Episode)...)
	}
}

// told is the recall as its lessons tell it.
func (r *Recall) told() ranking.Recalled {
	told := ranking.Recalled{
		Hits: episodesOf(r.Hits), Cautions: episodesOf(r.Cautions), Others: r.others, Likeness: r.Likeness(),
		Wrong: map[string]bool{}, Moments: map[string]string{},
	}
	for _, hit := range slices.Concat(r.Hits, r.Cautions) {
		told.Wrong[hit.Episode.Key] = hit.WentWrong
		if len(hit.Moments) > 0 && hit.Moments[0].Inside() {
			told.Moments[hit.Episode.Key] = hit.Moments[0].Where + ": " + strings.ReplaceAll(hit.Moments[0].Snippet, "**", "")
		}
	}
	return told
}

// Lessons writes the hits and the cautions as a block for a prompt, within a token budget; one below 1 is INVALID_INPUT. Only what the
// recall was asked to include of canvases and feedback is in it.
func (r *Recall) Lessons(maxTokens int) (string, error) {
	return ranking.Lessons(r.told(), r.canvasRules, maxTokens), memory.CheckTokens("maxTokens", maxTokens)
}

func episodesOf(hits []RecallHit) []*memory.Episode {
	episodes := make([]*memory.Episode, len(hits))
	for i, hit := range hits {
		episodes[i] = hit.Episode
	}
	return episodes
}
