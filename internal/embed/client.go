package embed

import (
	"context"
	"fmt"
	"time"
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

// Options says where the embeddings come from.
type Options struct {
	// URL is the base of the API ("https://api.openai.com/v1") or the whole address, which ends in /embeddings.
	URL string
	// Model is the model's name at the endpoint.
	Model string
	// Key is sent as a bearer token; empty sends none, as local servers need none.
	Key string
	// Dimensions asks the model for vectors of this length, and refuses others; 0 takes what comes.
	Dimensions int
	// Timeout bounds a whole call, retries included; 0 is 20 seconds.
	Timeout time.Duration
	// Backoff is the wait before the first retry, which doubles; 0 is 250 milliseconds.
	Backoff time.Duration
	// OnRetry is told of each request that is sent again, and OnAway when the endpoint is left alone because it does not answer, and
	// when it answers again; nil for nobody. Neither may wait.
	OnRetry func()
	OnAway  func(away bool)
}

// Client asks an endpoint for embeddings. It is safe for concurrent use, and neither its errors nor
// its logs hold a key or a text.
type Client struct {
	options  Options
	endpoint *openai.Endpoint
}

// New makes a client, or says which option is at fault. It does not connect.
func New(options Options) (*Client, error) {
	endpoint, err := openai.NewEndpoint("embeddings", "embeddings", openai.Options{
		URL: options.URL, Model: options.Model, Key: options.Key, Backoff: options.Backoff, OnRetry: options.OnRetry, OnAway: options.OnAway,
	})
	if err != nil {
		return nil, err
	}
	if options.Dimensions < 0 {
		return nil, fmt.Errorf("%d is not a vector length", options.Dimensions)
	}
	if options.Timeout == 0 {
		options.Timeout = 20 * time.Second
	}
	return &Client{options: options, endpoint: endpoint}, nil
}

// Embed returns a vector for each text, in order. It sends texts in batches, and tries again where the
// endpoint is busy or failing, as long as the call's time lasts.
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	vectors := make([][]float32, len(texts))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxAhead)
	for from := 0; from < len(texts); from += maxBatch {
		to := min(from+maxBatch, len(texts))
		group.Go(func() error { return c.embedBatch(ctx, texts[from:to], vectors[from:to]) })
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("embedding %d texts: %w", len(texts), err)
	}
	return vectors, nil
}

func (c *Client) embedBatch(ctx context.Context, texts []string, vectors [][]float32) error {
	input := make([]string, len(texts))
	for i, text := range texts {
		input[i] = beginning(text)
	}
	asked := request{Model: c.options.Model, Input: input, Dimensions: c.options.Dimensions}
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
