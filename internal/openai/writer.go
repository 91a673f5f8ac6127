package openai

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

const (
	// maxAnswerBytes bounds an answer, whose text is at most maxTokens long.
	maxAnswerBytes = 1 << 20
	// maxTokens is how much a model may write: the texts of mneme are some sentences.
	maxTokens = 400
)

// Writer has a chat model write short texts. It is safe for concurrent use.
type Writer struct{ *endpoint }

// NewWriter makes a writer, or says which option is at fault. It does not connect.
func NewWriter(options Options) (*Writer, error) {
	endpoint, err := newEndpoint("chat", "chat/completions", options)
	return &Writer{endpoint}, err
}

type (
	chatRequest struct {
		Model       string    `json:"model"`
		Messages    []message `json:"messages"`
		Temperature float64   `json:"temperature"` // 0: the same text where a model can
		MaxTokens   int       `json:"max_tokens"`
	}
	message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	chatResponse struct {
		Choices []struct {
			Message      message `json:"message"`
			FinishReason string  `json:"finish_reason"`
		} `json:"choices"`
	}
)

// Write answers what a model writes on a text as an instruction tells it to; never an empty text, nor one
// that breaks off.
func (w *Writer) Write(ctx context.Context, instruction, text string) (written string, err error) {
	asked := chatRequest{
		Model: w.options.Model, MaxTokens: maxTokens,
		Messages: []message{{Role: "system", Content: instruction}, {Role: "user", Content: text}},
	}
	err = w.call(ctx, func(ctx context.Context) error {
		return post(ctx, w.endpoint, asked, maxAnswerBytes, func(answer chatResponse) error {
			switch {
			case len(answer.Choices) == 0:
				return errors.New("the chat endpoint answered nothing")
			case answer.Choices[0].FinishReason == "length":
				return errors.New("the chat endpoint's text breaks off")
			}
			if written = strings.TrimSpace(answer.Choices[0].Message.Content); written == "" {
				return errors.New("the chat endpoint answered an empty text")
			}
			return nil
		})
	})
	if err != nil {
		return "", fmt.Errorf("writing a text: %w", err)
	}
	return written, nil
}
