package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// longestStay is how long a subscriber stays with a server before it goes on at any other.
const longestStay = 8 * time.Second

// longestWait is how long a subscriber waits at most until it tries again.
const longestWait = 2 * time.Second

// A topic is what subscribers listen to.
type topic struct {
	name  string
	query string
	// beacon writes what all who listen are told.
	beacon func(c *client, ctx context.Context, key string)
}

var topics = []topic{
	{"episode", `subscription ($after: String) { episodeRecorded(after: $after) { cursor episode { id } } }`, (*client).beaconEpisode},
	{"feedback", `subscription ($after: String) { feedbackSubmitted(after: $after) { cursor feedback { id } } }`, (*client).beaconFeedback},
	{"verdict", `subscription ($after: String) { verdictRecorded(after: $after) { cursor verdict { id } } }`, (*client).beaconVerdict},
}

func (c *client) beaconEpisode(ctx context.Context, key string) {
	c.insist(ctx, "beacon "+key, func() error {
		return c.throughGraphQL(ctx, values{"id": key, "agentId": "lighthouse", "observation": "A light", "outcome": "UNKNOWN"})
	})
}

func (c *client) beaconFeedback(ctx context.Context, key string) {
	const mutation = `mutation ($input: SubmitFeedbackInput!) { submitFeedback(input: $input) { feedback { id } } }`
	c.insist(ctx, "beacon "+key, func() error {
		return c.ask(ctx, mutation, values{"input": values{"id": key, "sessionId": "lights", "type": "THUMBS_UP", "at": time.Now().UTC().Format(time.RFC3339)}}, nil)
	})
}

func (c *client) beaconVerdict(ctx context.Context, key string) {
	c.insist(ctx, "beacon "+key, func() error { return c.verdict(ctx, key, "lights", key) })
}

// subscriber keeps what it was told, in order.
type subscriber struct {
	*client
	topic
	socket bool // by WebSocket, and not by server-sent events
	cursor *string
	told   []string // keys
}

// subscribers are two of each topic, by each way one, who were told of a first event each: from there on they must be told of all.
func (s *session) subscribers(ctx context.Context) (all []*subscriber, err error) {
	for i := range 2 * len(topics) {
		sub := &subscriber{client: s.client(600 + i), topic: topics[i%len(topics)], socket: i >= len(topics)}
		for round := 0; sub.cursor == nil; round++ {
			first := fmt.Sprintf("first-%d-%d", i, round)
			listening, enough := context.WithTimeout(ctx, 2*time.Second)
			go func() {
				pause(listening, time.Second/2)
				sub.beacon(s.client(700+i), ctx, first)
			}()
			sub.listen(listening, func(string) bool { return false })
			enough()
			if ctx.Err() != nil || round == 20 {
				return nil, fmt.Errorf("nobody was told of %s", first)
			}
		}
		all = append(all, sub)
	}
	return all, nil
}

// follow listens at one server after the other, until it is told of the last key. Where it is told nothing and cannot stay, it
// waits longer each time.
func (s *subscriber) follow(ctx context.Context, last string) {
	waits := backoff.NewExponentialBackOff()
	waits.InitialInterval, waits.MaxInterval = patience, longestWait
	for ctx.Err() == nil {
		staying, enough := context.WithTimeout(ctx, time.Duration(s.dice.Int64N(int64(longestStay))))
		done, told := false, len(s.told)
		s.listen(staying, func(key string) bool {
			done = key == last
			return !done
		})
		stayed := staying.Err() != nil
		enough()
		if done {
			return
		}
		s.ledger.count("subscriptions begun again")
		if stayed || len(s.told) > told {
			waits.Reset()
			continue
		}
		pause(ctx, waits.NextBackOff())
	}
}

// listen is one subscription after the last event, until it ends or an event is enough.
func (s *subscriber) listen(ctx context.Context, more func(key string) bool) {
	if s.socket {
		s.listenBySocket(ctx, more)
		return
	}
	s.listenByEvents(ctx, more)
}

// listenBySocket is listen by the protocol graphql-transport-ws.
func (s *subscriber) listenBySocket(ctx context.Context, more func(key string) bool) {
	//nolint:bodyclose // which the connection is
	conn, _, err := websocket.Dial(ctx, s.any()+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		return // it was killed
	}
	defer func() { _ = conn.CloseNow() }() // it may have ended by itself
	conn.SetReadLimit(1 << 20)
	if wsjson.Write(ctx, conn, values{"type": "connection_init"}) != nil {
		return
	}
	for {
		var message struct {
			Type    string
			Payload json.RawMessage
		}
		if wsjson.Read(ctx, conn, &message) != nil {
			return
		}
		switch message.Type {
		case "connection_ack":
			err = wsjson.Write(ctx, conn, values{"type": "subscribe", "id": "1", "payload": values{"query": s.query, "variables": values{"after": s.cursor}}})
		case "ping":
			err = wsjson.Write(ctx, conn, values{"type": "pong"})
		case "next":
			if key, told := s.take(message.Payload); !told || !more(key) {
				return
			}
		case "error":
			s.take([]byte(`{"errors":` + string(message.Payload) + `}`))
			return
		case "complete":
			return
		}
		if err != nil {
			return
		}
	}
}

// listenByEvents is listen by server-sent events (the distinct connections mode of graphql-sse).
func (s *subscriber) listenByEvents(ctx context.Context, more func(key string) bool) {
	body, err := json.Marshal(values{"query": s.query, "variables": values{"after": s.cursor}})
	if err != nil {
		s.fault("subscribe: %v", err)
		return
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.any()+"/graphql", bytes.NewReader(body))
	if err != nil {
		s.fault("subscribe: %v", err)
		return
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	answer, err := http.DefaultClient.Do(request) // the others' has an end in time
	if err != nil {
		return // it was killed
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		data, is := strings.CutPrefix(lines.Text(), "data:")
		if data = strings.TrimSpace(data); !is || data == "" {
			continue
		}
		key, told := s.take([]byte(data))
		if !told || !more(key) {
			return
		}
	}
}

// take notes an event; false where it tells why the subscription ends.
func (s *subscriber) take(data []byte) (key string, told bool) {
	var event struct {
		Data map[string]struct {
			Cursor                     string
			Episode, Feedback, Verdict struct{ ID string }
		}
		Errors []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	if err := json.Unmarshal(data, &event); err != nil {
		return "", false // it was cut off
	}
	if len(event.Errors) > 0 {
		if refused := event.Errors[0]; !away[refused.Extensions.Code] {
			s.fault("subscription to %s: %s %s", s.name, refused.Extensions.Code, refused.Message)
		}
		return "", false
	}
	for _, of := range event.Data {
		_, key, _ = strings.Cut(of.Episode.ID+of.Feedback.ID+of.Verdict.ID, ":")
		s.cursor, s.told = &of.Cursor, append(s.told, key)
	}
	return key, true
}

// verifyTold writes a last event of each topic, and compares what the subscribers were told until then with the ledger and
// with each other.
func (c *client) verifyTold(ctx context.Context) {
	for _, t := range topics {
		t.beacon(c, ctx, "last-"+t.name)
	}
	for _, sub := range c.listening {
		waiting, enough := context.WithTimeout(ctx, settling)
		sub.follow(waiting, "last-"+sub.name)
		enough()
		if last := sub.told[len(sub.told)-1]; last != "last-"+sub.name {
			c.fault("a subscriber to %s was told of %d events and then of no more after %s", sub.name, len(sub.told), last)
		}
		c.ledger.note(func(l *ledger) { l.counts["events told"] += len(sub.told) })
		sub.verifyComplete()
		for _, other := range c.listening {
			if other != sub && other.name == sub.name {
				sub.verifyOrder(other)
			}
		}
	}
}

// verifyComplete looks that nothing was told twice, and nothing that was acknowledged is missing.
func (s *subscriber) verifyComplete() {
	told := map[string]bool{}
	for _, key := range s.told {
		if told[key] {
			s.fault("a subscriber was told twice of the %s %s", s.name, key)
		}
		told[key] = true
	}
	missing := func(key string) {
		if !told[key] {
			s.fault("a subscriber was not told of the %s %s", s.name, key)
		}
	}
	switch s.name {
	case "episode":
		for key := range s.ledger.episodes {
			missing(key)
		}
		return
	case "verdict":
		for key := range s.ledger.verdicts {
			missing(key)
		}
		return
	}
	for episode, votes := range s.ledger.votes {
		if s.ledger.deleted[episode] != "" {
			continue // feedback that went with it may not have been told before
		}
		for key := range votes {
			missing(key)
		}
	}
}

// verifyOrder looks that two were told of what both were told of in the same order.
func (s *subscriber) verifyOrder(other *subscriber) {
	mine, theirs := common(s.told, other.told), common(other.told, s.told)
	for i := range min(len(mine), len(theirs)) { // where one has something twice, that was found
		if mine[i] != theirs[i] {
			s.fault("two subscribers to %s were told of %s and of %s at the same place among what both know", s.name, mine[i], theirs[i])
			return
		}
	}
}

// common are those keys that others have, too.
func common(keys, others []string) []string {
	have := map[string]bool{}
	for _, key := range others {
		have[key] = true
	}
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !have[key] })
}
