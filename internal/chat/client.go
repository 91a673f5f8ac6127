// Package chat asks a model for short texts through an endpoint that speaks OpenAI's protocol of chat completions.
package chat

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"mneme/internal/openai"
)

const (
	// maxAnswerBytes bounds an answer, whose text is at most maxTokens long.
	maxAnswerBytes = 1 << 20
	// maxTokens is how much a model may write: the texts of mneme are some sentences.
	maxTokens = 400
)

// Client asks an endpoint for texts. It is safe for concurrent use, and neither its errors nor its logs
// hold a key or a text.
type Client struct{ endpoint *openai.Endpoint }

// New makes a client, or says which option is at fault. It does not connect.
func New(options openai.Options) (*Client, error) {
	endpoint, err := openai.NewEndpoint("chat", "chat/completions", options)
	return &Client{endpoint}, err
}

type request struct {
	Model       string    `json:"model"`
	Messages    []message `json:"messages"`
	Temperature float64   `json:"temperature"` // 0: the same text where a model can
	MaxTokens   int       `json:"max_tokens"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type response struct {
	Choices []struct {
		Message      message `json:"message"`
		FinishReason string  `json:"finish_reason"`
	} `json:"choices"`
}

// Write answers what a model writes on a text as an instruction tells it to; never an empty text, nor one
// that breaks off.
func (c *Client) Write(ctx context.Context, instruction, text string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, c.endpoint.Options.Timeout)
	defer cancel()
	asked := request{
		Model: c.endpoint.Options.Model, MaxTokens: maxTokens,
		Messages: []message{{Role: "system", Content: instruction}, {Role: "user", Content: text}},
	}
	var written string
	accept := func(answer response) error {
		switch {
		case len(answer.Choices) == 0:
			return errors.New("the chat endpoint answered nothing")
		case answer.Choices[0].FinishReason == "length":
			return errors.New("the chat endpoint's text breaks off")
		}
		written = strings.TrimSpace(answer.Choices[0].Message.Content)
		if written == "" {
			return errors.New("the chat endpoint answered an empty text")
		}
		return nil
	}
	err := c.endpoint.Options.Around(ctx, func(ctx context.Context) error {
		return openai.Post(ctx, c.endpoint, asked, maxAnswerBytes, accept)
	})
	if err != nil {
		return "", fmt.Errorf("writing a text: %w", err)
	}
	return written, nil
}
