package tenancy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"mneme/memory"
	"mneme/store"
)

// Embed asks the configured embedder, if there is one, for the vector of a question. A model only makes things better:
// where it fails, or answers what nobody can use, that is logged and the call goes on without.
func (t *Tenant) Embed(ctx context.Context, text string) []float32 {
	if t.Embedder == nil {
		return nil
	}
	vectors, err := t.tryEmbed(ctx, []string{text})
	if err != nil {
		t.WithoutModel(ctx, "embedding failed; going on without a vector", err)
		return nil
	}
	if memory.CheckVector(vectors[0]) != nil {
		return nil
	}
	return vectors[0]
}

// tryEmbed gives a vector for each text, all of one length.
func (t *Tenant) tryEmbed(ctx context.Context, texts []string) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, t.ModelTime/2)
	defer cancel()
	vectors, err := t.Embedder.Embed(ctx, texts)
	if err == nil && len(vectors) != len(texts) {
		err = fmt.Errorf("the embedder answered %d vectors for %d texts", len(vectors), len(texts))
	}
	if err != nil {
		return nil, err
	}
	length := cmp.Or(t.VectorLength, len(vectors[0]))
	t.Embedded.Store(int64(length))
	for _, vector := range vectors {
		if len(vector) != length {
			return nil, fmt.Errorf("the embedder answered a vector of %d numbers, not %d", len(vector), length)
		}
	}
	return vectors, nil
}

// Endpoint is the embedder as a store asks it; nil where there is none. The length of its vectors is asked for once.
func (t *Tenant) Endpoint(ctx context.Context) (*store.Embedder, error) {
	if t.Embedder == nil {
		return nil, nil
	}
	if t.Embedded.Load() == 0 {
		if _, err := t.tryEmbed(ctx, []string{"length"}); err != nil {
			return nil, err
		}
	}
	length := int(t.Embedded.Load())
	return &store.Embedder{Length: length, Embed: func(ctx context.Context, texts []string) ([][]float32, error) {
		vectors, err := t.tryEmbed(ctx, texts)
		if err == nil && int(t.Embedded.Load()) != length {
			err = errors.New("the embedder answers vectors of another length than before")
		}
		return vectors, err
	}}, nil
}

// Writer is a model that writes short texts.
type Writer interface {
	// Write answers what it writes on a text as an instruction tells it to, never an empty text.
	Write(ctx context.Context, instruction, text string) (string, error)
}

// ErrModelAway is that of an Embedder or a Writer that did not answer lately and is not asked for a while. It is logged
// by who says so.
var ErrModelAway = errors.New("the model does not answer, and is left alone for a while")

// WithoutModel logs why a call goes on without what a model makes.
func (t *Tenant) WithoutModel(ctx context.Context, message string, err error) {
	if !errors.Is(err, ErrModelAway) {
		t.Log.WarnContext(ctx, message, "error", err)
	}
}

// maxWriting is how many texts of a call are asked for at a time.
const maxWriting = 4

// Write asks the configured model for a text on each of several, and hands over those that came. A model
// only makes things better: where it fails, that is logged and the call goes on.
func (t *Tenant) Write(ctx context.Context, instruction string, texts []string, accept func(i int, text string)) {
	if len(texts) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, t.ModelTime*3/4)
	defer cancel()
	written := make([]string, len(texts))
	var group errgroup.Group
	group.SetLimit(maxWriting)
	for i, text := range texts {
		group.Go(func() error {
			answer, err := t.tryWrite(ctx, instruction, text)
			if err != nil {
				t.WithoutModel(ctx, "the model wrote nothing; going on with the text that the rule wrote", err)
			}
			written[i] = answer
			return nil
		})
	}
	_ = group.Wait() // it has no errors
	for i, text := range written {
		if text != "" {
			accept(i, text)
		}
	}
}

// tryWrite is empty where what the model says cannot be kept. It comes from redacted texts, and is redacted too.
func (t *Tenant) tryWrite(ctx context.Context, instruction, text string) (string, error) {
	answer, err := t.Writer.Write(ctx, instruction, text)
	b := t.Boundary(ctx)
	if answer = b.Text("text", answer); err != nil || b.Err() != nil {
		return "", err
	}
	return strings.TrimSpace(answer), nil
}
