package service

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

// embeddingText is what an episode's vector stands for: observation, result and insight, one a line.
func embeddingText(e *memory.Episode) string {
	text := e.Observation + "\n"
	if e.Result != nil {
		text += *e.Result
	}
	return text + "\n" + e.Insight
}

// embedRecords gives a vector to those records that brought none.
func (t *tenant) embedRecords(ctx context.Context, records []store.EpisodeRecord) {
	var texts []string
	var wanting []int
	for i := range records {
		if records[i].Episode.Embedding == nil {
			texts, wanting = append(texts, embeddingText(&records[i].Episode)), append(wanting, i)
		}
	}
	for i, vector := range t.embed(ctx, texts) {
		records[wanting[i]].Episode.Embedding = vector
	}
}

// embed asks the configured embedder, if there is one. A model only makes things better: where it fails,
// or answers vectors nobody can use (of another length than the tenant's, say, because the model was
// changed), that is logged and the call goes on without.
func (t *tenant) embed(ctx context.Context, texts []string) [][]float32 {
	if t.embedder == nil || len(texts) == 0 {
		return nil
	}
	vectors, err := t.embedder.Embed(ctx, texts)
	if err != nil {
		t.log.WarnContext(ctx, "embedding failed; going on without a vector", "error", err)
		return nil
	}
	if len(vectors) != len(texts) {
		t.log.WarnContext(ctx, "the embedder answered another number of vectors", "texts", len(texts), "vectors", len(vectors))
		return nil
	}
	wanted, err := t.lengthOfVectors(ctx)
	if err != nil {
		t.log.WarnContext(ctx, "the length of the tenant's vectors is not known; going on without a vector", "error", err)
		return nil
	}
	for i, vector := range vectors {
		if wanted == 0 {
			wanted = len(vector)
		}
		if len(vector) != wanted || isZero(vector) {
			t.log.WarnContext(ctx, "the embedder answered an unusable vector", "length", len(vector), "wanted", wanted)
			vectors[i] = nil
		}
	}
	return vectors
}

// lengthOfVectors is what every vector must have: as configured, else that of the tenant's first; 0 where
// there is none so far.
func (t *tenant) lengthOfVectors(ctx context.Context) (int, error) {
	if t.vectorLength > 0 {
		return t.vectorLength, nil
	}
	return t.shared.VectorLength(ctx)
}

func isZero(vector []float32) bool {
	for _, value := range vector {
		if value != 0 {
			return false
		}
	}
	return true
}
