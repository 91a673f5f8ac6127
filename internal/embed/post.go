package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

type request struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Dimensions int      `json:"dimensions,omitempty"`
}

type response struct {
	Data []struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
}

// post makes one attempt. Its errors are *fault where trying again may help.
func (c *Client) post(ctx context.Context, input []string, vectors [][]float32) error {
	body, err := json.Marshal(request{Model: c.options.Model, Input: input, Dimensions: c.options.Dimensions})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if c.options.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.options.Key)
	}
	answer, err := c.http.Do(req)
	if err != nil {
		return transportFault(ctx, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return statusFault(answer)
	}
	return c.read(ctx, answer.Body, vectors)
}

// transportFault leaves the address out of the error, since it may carry a key in its query.
func transportFault(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var inner *url.Error
	if errors.As(err, &inner) {
		err = inner.Err
	}
	return &fault{err: fmt.Errorf("the embeddings endpoint cannot be reached: %w", err)}
}

// read takes an answer apart, of which no more is read than such an answer can be long.
func (c *Client) read(ctx context.Context, body io.Reader, vectors [][]float32) error {
	limited := &io.LimitedReader{R: body, N: int64(len(vectors)+1) * maxVectorBytes}
	var parsed response
	if err := json.NewDecoder(limited).Decode(&parsed); err != nil {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case limited.N <= 0:
			return errors.New("the embeddings endpoint's answer is too large")
		case errors.Is(err, io.ErrUnexpectedEOF):
			return &fault{err: errors.New("the embeddings endpoint's answer breaks off")}
		}
		return errors.New("the embeddings endpoint's answer is not what the protocol says")
	}
	return c.place(parsed, vectors)
}

// place puts each vector where its index says, and checks that all are there and of one length.
func (c *Client) place(parsed response, vectors [][]float32) error {
	clear(vectors) // an earlier attempt may have filled some
	if len(parsed.Data) != len(vectors) {
		return fmt.Errorf("the embeddings endpoint answered %d vectors for %d texts", len(parsed.Data), len(vectors))
	}
	length := c.options.Dimensions
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
