package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// forget makes agents with some episodes and spans, and forgets them: nothing that was recorded before may come back.
func (t *tenant) forget(ctx context.Context) {
	c := t.client(200)
	for round := 0; ctx.Err() == nil; round++ {
		agent := fmt.Sprintf("doomed-%d", round)
		for i := range 20 {
			input := values{"id": fmt.Sprintf("%s-%d", agent, i), "agentId": agent, "observation": "Soon to be forgotten, a refund of " + c.name, "outcome": "FAILURE", "taskType": "refund"}
			c.insist(ctx, "record for "+agent, func() error { return c.throughGraphQL(ctx, input) })
		}
		if round == 0 {
			c.export(ctx) // holds the first of them, and is imported again and again
		}
		if ctx.Err() != nil {
			return
		}
		const mutation = `mutation ($id: ID!) { deleteAgent(input: {id: $id}) { episodes } }`
		if c.insist(ctx, "forget "+agent, func() error {
			err := c.ask(ctx, mutation, values{"id": agent}, nil)
			if refused, ok := err.(refusal); ok && refused.code == "NOT_FOUND" { //nolint:errorlint // as above
				return nil // an earlier try did it, and was not answered
			}
			return err
		}) {
			c.ledger.note(func(l *ledger) { l.forgotten[agent] = true })
		}
	}
}

// exported is the file of the tenant's last export.
func (t *tenant) exported() string { return t.path(t.name + ".jsonl") }

// export writes what there is to a file, with a process of its own.
func (c *client) export(ctx context.Context) {
	fresh := fmt.Sprintf("%s.%d", c.exported(), c.number) // others may be at it, too
	if output, err := c.mneme(ctx, "export", "--tenant", c.name, fresh).CombinedOutput(); err != nil {
		c.ledger.count("exports broken off: " + firstWords(output))
		return
	}
	c.check("rename the export", os.Rename(fresh, c.exported()))
	c.ledger.count("exports")
}

// transfer imports an old export again and again beside it all, and now and then makes another.
func (t *tenant) transfer(ctx context.Context) {
	c := t.client(300)
	for round := 1; ctx.Err() == nil; round++ {
		if round%5 == 0 {
			c.export(ctx)
		}
		if _, err := os.Stat(t.exported()); err == nil {
			output, err := t.mneme(ctx, "import", "--tenant", t.name, "--format", "jsonl", t.exported()).CombinedOutput()
			if _, exited := err.(*exec.ExitError); exited && ctx.Err() == nil { //nolint:errorlint // as exec gives it
				c.ledger.count("imports broken off: " + firstWords(output))
			} else if err == nil {
				c.ledger.count("imports")
			}
		}
		pause(ctx, time.Second)
	}
}

func firstWords(output []byte) string {
	text := strings.TrimSpace(string(output))
	if i := strings.LastIndex(text, "mneme: "); i >= 0 {
		text = text[i:]
	}
	text, _, _ = strings.Cut(text, "\n")
	return text[:min(len(text), 120)]
}

// consolidate sums up and links what waits, over and over.
func (t *tenant) consolidate(ctx context.Context) {
	c := t.client(400)
	for ctx.Err() == nil {
		c.insist(ctx, "consolidate", func() error {
			return c.ask(ctx, `mutation { consolidate(input: {dryRun: false}) { observationsCreated } }`, nil, nil)
		})
		c.insist(ctx, "backfill", func() error { return c.ask(ctx, `mutation { backfill(input: {}) { episodes } }`, nil, nil) })
		pause(ctx, 2*time.Second)
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
