package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// patience is how long a client waits before it tries again what was not answered.
const patience = 50 * time.Millisecond

// errAway is that no server answered, or that the store was away: the client does not know what happened.
var errAway = errors.New("no answer")

// away are the codes of errors by which a client does not know what happened: the store could not be reached, or
// the request ended before it was done.
var away = map[string]bool{"UNAVAILABLE": true, "LIMIT_EXCEEDED": true}

// refusal is an answer that says no.
type refusal struct{ code, message string }

func (r refusal) Error() string { return r.code + ": " + r.message }

// client is one of those that use the servers with a tenant's key.
type client struct {
	*tenant
	number int
	dice   *rand.Rand
	http   http.Client
	tools  *mcp.ClientSession
}

func (t *tenant) client(number int) *client {
	return &client{
		tenant: t, number: number, dice: rand.New(rand.NewPCG(t.seed, uint64(1000*t.place+number))), http: http.Client{Timeout: time.Minute, Transport: t},
	}
}

type values map[string]any

// ask sends a query to the next server and reads its data. It answers errAway or a refusal where it fails.
func (c *client) ask(ctx context.Context, query string, variables values, data any) error {
	body, err := json.Marshal(values{"query": query, "variables": variables})
	if err != nil {
		return err
	}
	text, err := c.post(ctx, "/graphql", body)
	if err != nil {
		return err
	}
	var answer struct {
		Data   json.RawMessage
		Errors []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return fmt.Errorf("%w: %w", errAway, err)
	}
	if len(answer.Errors) > 0 {
		if code := answer.Errors[0].Extensions.Code; !away[code] {
			return refusal{code, answer.Errors[0].Message}
		}
		return errAway
	}
	if data == nil {
		return nil
	}
	return json.Unmarshal(answer.Data, data)
}

// post sends JSON and answers what comes back with status 200.
func (c *client) post(ctx context.Context, path string, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errAway, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errAway, err)
	case answer.StatusCode == http.StatusBadGateway, answer.StatusCode == http.StatusServiceUnavailable, answer.StatusCode == http.StatusTooManyRequests:
		return nil, errAway
	case answer.StatusCode != http.StatusOK:
		return nil, refusal{answer.Status, string(text[:min(len(text), 300)])}
	}
	c.lookFor("the answer", text)
	return text, nil
}

// call uses a tool over MCP; the first request and those after it may be answered by any of the servers.
func (c *client) call(ctx context.Context, tool string, arguments values) error {
	if c.tools == nil {
		opened, err := mcp.NewClient(&mcp.Implementation{Name: "torture", Version: "1"}, nil).
			Connect(ctx, &mcp.StreamableClientTransport{Endpoint: c.url + "/mcp", HTTPClient: &c.http, MaxRetries: -1}, nil)
		if err != nil {
			return fmt.Errorf("%w: %w", errAway, err)
		}
		c.tools = opened
	}
	result, err := c.tools.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil { // the server was killed
		_ = c.tools.Close()
		c.tools = nil
		return fmt.Errorf("%w: %w", errAway, err)
	}
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	c.lookFor("the tool", text)
	if !result.IsError {
		return nil
	}
	for code := range away {
		if bytes.Contains(text, []byte(code)) {
			return errAway
		}
	}
	return refusal{"MCP", string(text)}
}

// insist tries until it is answered, or the context ends, and says whether it was acknowledged. A refusal is a
// fault of the run.
func (c *client) insist(ctx context.Context, what string, try func() error) bool {
	for {
		err := try()
		switch {
		case err == nil:
			return true
		case ctx.Err() != nil:
			return false
		case !errors.Is(err, errAway):
			c.fault("%s: %v", what, err)
			return false
		}
		c.ledger.count("requests sent again")
		select {
		case <-ctx.Done():
			return false
		case <-time.After(patience):
		}
	}
}
