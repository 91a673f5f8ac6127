package embed

import (
	"context"
	"fmt"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"mneme/internal/openai"
)

// The limits of a client. They are wide for the models in use and narrow for a mistake.
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

// Client asks an endpoint for embeddings. It is safe for concurrent use, and neither its errors nor
// its logs hold a key or a text.
type Client struct{ endpoint *openai.Endpoint }

// New makes a client, or says which option is at fault. It does not connect.
func New(options openai.Options) (*Client, error) {
	if options.Dimensions < 0 {
		return nil, fmt.Errorf("%d is not a vector length", options.Dimensions)
	}
	endpoint, err := openai.NewEndpoint("embeddings", "embeddings", options)
	return &Client{endpoint}, err
}

// Embed returns a vector for each text, in order. It sends texts in batches, and tries again where the
// endpoint is busy or failing, as long as the call's time lasts.
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, c.endpoint.Options.Timeout)
	defer cancel()
	vectors := make([][]float32, len(texts))
	err := c.endpoint.Options.Around(ctx, func(ctx context.Context) error {
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(maxAhead)
		for from := 0; from < len(texts); from += maxBatch {
			to := min(from+maxBatch, len(texts))
			group.Go(func() error { return c.embedBatch(ctx, texts[from:to], vectors[from:to]) })
		}
		return group.Wait()
	})
	if err != nil {
		return nil, fmt.Errorf("embedding %d texts: %w", len(texts), err)
	}
	return vectors, nil
}

func (c *Client) embedBatch(ctx context.Context, texts []string, vectors [][]float32) error {
	input := make([]string, len(texts))
	for i, text := range texts {
		input[i] = beginning(text)
	}
	asked := request{Model: c.endpoint.Options.Model, Input: input, Dimensions: c.endpoint.Options.Dimensions}
	limit := int64(len(vectors)+1) * maxVectorBytes
	return openai.Post(ctx, c.endpoint, asked, limit, func(answer response) error { return c.place(answer, vectors) })
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
