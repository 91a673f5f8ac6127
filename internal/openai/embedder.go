package openai

import (
	"context"
	"fmt"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"
)

// The limits of an embedder. They are wide for the models in use and narrow for a mistake.
const (
	// maxBatch is the number of texts in one request; servers commonly take 128 and more.
	maxBatch = 64
	// maxAhead is the number of batches of a call that are prepared at a time.
	maxAhead = 4
	// maxTextBytes is what is sent of a text. Models read about 8,000 tokens and refuse more; a vector
	// of the beginning is better than none.
	maxTextBytes = 24_000
	// maxVectorBytes bounds the JSON of one vector in an answer: 4,096 numbers of 24 digits.
	maxVectorBytes = 100_000
)

// Embedder turns texts into vectors. It is safe for concurrent use.
type Embedder struct{ *endpoint }

// NewEmbedder makes an embedder, or says which option is at fault. It does not connect.
func NewEmbedder(options Options) (*Embedder, error) {
	if options.Dimensions < 0 {
		return nil, fmt.Errorf("%d is not a vector length", options.Dimensions)
	}
	endpoint, err := newEndpoint("embeddings", "embeddings", options)
	return &Embedder{endpoint}, err
}

type (
	embedRequest struct {
		Model      string   `json:"model"`
		Input      []string `json:"input"`
		Dimensions int      `json:"dimensions,omitempty"`
	}
	embedResponse struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
)

// Embed returns a vector for each text, in order. It sends texts in batches, and tries again where the
// endpoint is busy or failing, as long as the call's time lasts.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	err := e.call(ctx, func(ctx context.Context) error {
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(maxAhead)
		for from := 0; from < len(texts); from += maxBatch {
			to := min(from+maxBatch, len(texts))
			group.Go(func() error { return e.embedBatch(ctx, texts[from:to], vectors[from:to]) })
		}
		return group.Wait()
	})
	if err != nil {
		return nil, fmt.Errorf("embedding %d texts: %w", len(texts), err)
	}
	return vectors, nil
}

func (e *Embedder) embedBatch(ctx context.Context, texts []string, vectors [][]float32) error {
	input := make([]string, len(texts))
	for i, text := range texts {
		input[i] = beginning(text)
	}
	asked := embedRequest{Model: e.options.Model, Input: input, Dimensions: e.options.Dimensions}
	limit := int64(len(vectors)+1) * maxVectorBytes
	return post(ctx, e.endpoint, asked, limit, func(answer embedResponse) error { return e.place(answer, vectors) })
}

// place puts each vector where its index says, and checks that all are there and of one length.
func (e *Embedder) place(parsed embedResponse, vectors [][]float32) error {
	clear(vectors) // an earlier attempt may have filled some
	if len(parsed.Data) != len(vectors) {
		return fmt.Errorf("the embeddings endpoint answered %d vectors for %d texts", len(parsed.Data), len(vectors))
	}
	length := e.options.Dimensions
	for _, item := range parsed.Data {
		if item.Index < 0 || item.Index >= len(vectors) || vectors[item.Index] != nil {
			return fmt.Errorf("the embeddings endpoint answered index %d out of turn", item.Index)
		}
		if length == 0 {
			length = len(item.Embedding)
		}
		if len(item.Embedding) == 0 || len(item.Embedding) != length {
			return fmt.Errorf("the embeddings endpoint answered a vector of length %d instead of %d", len(item.Embedding), length)
		}
		vectors[item.Index] = item.Embedding
	}
	return nil
}

// beginning cuts a text to what a model reads, between characters.
func beginning(text string) string {
	if len(text) <= maxTextBytes {
		return text
	}
	end := maxTextBytes
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}
