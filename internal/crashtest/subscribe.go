package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// longestStay is how long a subscriber stays with a server before it goes on at the next.
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
	{"episode", `subscription ($after: String) { episodeRecorded(after: $after) { cursor episode { id observation } } }`, (*client).beaconEpisode},
	{"feedback", `subscription ($after: String) { feedbackSubmitted(after: $after) { cursor feedback { id createdBy } } }`, (*client).beaconFeedback},
	{"verdict", `subscription ($after: String) { verdictRecorded(after: $after) { cursor verdict { id judgeId } } }`, (*client).beaconVerdict},
	{ranking, `subscription ($after: String) { agentRankingChanged(taskType: "sprint", after: $after) { cursor ranking { agent { id } profile { executionsTotal } } } }`, (*client).beaconExecution},
}

// ranking is the topic of which several events at once are told as one, with how much is counted of each agent.
const ranking = "ranking"

func (c *client) beaconEpisode(ctx context.Context, key string) {
	c.insist(ctx, "beacon "+key, func() error {
		return c.throughGraphQL(ctx, values{"id": key, "agentId": "lighthouse", "observation": "A light of " + c.name, "outcome": "UNKNOWN"})
	})
}

func (c *client) beaconFeedback(ctx context.Context, key string) {
	const mutation = `mutation ($input: SubmitFeedbackInput!) { submitFeedback(input: $input) { feedback { id } } }`
	c.insist(ctx, "beacon "+key, func() error {
		return c.ask(ctx, mutation, values{"input": values{"id": key, "sessionId": "lights", "type": "THUMBS_UP", "createdBy": c.name, "at": time.Now().UTC().Format(time.RFC3339)}}, nil)
	})
}

func (c *client) beaconVerdict(ctx context.Context, key string) {
	c.insist(ctx, "beacon "+key, func() error { return c.verdict(ctx, key, "lights", key) })
}

func (c *client) beaconExecution(ctx context.Context, key string) { c.execution(ctx, key, key) }

// event is what a subscriber was told: a record's key, or a ranking's cursor and how much is counted of each agent.
type event struct {
	key    string
	counts map[string]int
}

func (e event) tellsOf(key string) bool { return e.key == key || e.counts[key] > 0 }

// subscriber keeps what it was told, in order.
type subscriber struct {
	*client
	topic
	listens http.Client // without an end in time, which the others' has
	socket  bool        // by WebSocket, and not by server-sent events
	cursor  *string
	began   *string  // the cursor of the first event
	told    []string // keys
	last    event
}

// subscribers are two of each topic and way in. Each was told of a first event, and must be told of all from there on.
func (t *tenant) subscribers(ctx context.Context) (all []*subscriber, err error) {
	for i := range 2 * len(topics) {
		sub := &subscriber{client: t.client(600 + i), topic: topics[i%len(topics)], listens: http.Client{Transport: t}, socket: i >= len(topics)}
		listening, enough := context.WithTimeout(ctx, settling)
		var lit sync.WaitGroup
		lit.Go(func() { sub.light(ctx, listening, i) })
		for sub.cursor == nil && listening.Err() == nil {
			sub.listen(listening, func(event) bool { return false })
			pause(listening, patience)
		}
		enough()
		if lit.Wait(); sub.cursor == nil {
			return nil, fmt.Errorf("a subscriber to %s was told of nothing", sub.topic.name)
		}
		sub.began = sub.cursor
		all = append(all, sub)
	}
	return all, nil
}

// light writes a first event until a subscriber was told, as nobody says from when on a subscription hears.
func (s *subscriber) light(ctx, listening context.Context, number int) {
	c := s.tenant.client(700 + number)
	for round := 0; ; round++ {
		if pause(listening, time.Second/2); listening.Err() != nil {
			return
		}
		s.beacon(c, ctx, fmt.Sprintf("first-%d-%d", number, round))
	}
}

// follow listens at one server after the other, until it is told of the last key. Where it is told nothing and cannot
// stay, it waits longer each time.
func (s *subscriber) follow(ctx context.Context, last string) {
	waits := backoff.NewExponentialBackOff()
	waits.InitialInterval, waits.MaxInterval = patience, longestWait
	for ctx.Err() == nil {
		staying, enough := context.WithTimeout(ctx, time.Duration(s.dice.Int64N(int64(longestStay))))
		done, told := false, len(s.told)
		s.listen(staying, func(e event) bool {
			done = last != "" && e.tellsOf(last)
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
func (s *subscriber) listen(ctx context.Context, more func(event) bool) {
	if s.socket {
		s.listenBySocket(ctx, more)
		return
	}
	s.listenByEvents(ctx, more)
}

// listenBySocket is listen by the protocol graphql-transport-ws.
func (s *subscriber) listenBySocket(ctx context.Context, more func(event) bool) {
	//nolint:bodyclose // which the connection is
	conn, _, err := websocket.Dial(ctx, s.url+"/graphql", &websocket.DialOptions{HTTPClient: &s.listens, Subprotocols: []string{"graphql-transport-ws"}})
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
			if e, told := s.take(message.Payload); !told || !more(e) {
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
func (s *subscriber) listenByEvents(ctx context.Context, more func(event) bool) {
	body, err := json.Marshal(values{"query": s.query, "variables": values{"after": s.cursor}})
	if err != nil {
		s.fault("subscribe: %v", err)
		return
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/graphql", bytes.NewReader(body))
	if err != nil {
		s.fault("subscribe: %v", err)
		return
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	answer, err := s.listens.Do(request)
	if err != nil {
		return // it was killed
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data:")
		if data = strings.TrimSpace(data); !ok || data == "" {
			continue
		}
		e, told := s.take([]byte(data))
		if !told || !more(e) {
			return
		}
	}
}

// take notes an event; false where it tells why the subscription ends.
func (s *subscriber) take(data []byte) (e event, told bool) {
	var message struct {
		Data map[string]struct {
			Cursor                     string
			Episode, Feedback, Verdict struct{ ID string }
			Ranking                    []struct {
				Agent   struct{ ID string }
				Profile struct{ ExecutionsTotal int }
			}
		}
		Errors []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	if err := json.Unmarshal(data, &message); err != nil {
		return e, false // it was cut off
	}
	if len(message.Errors) > 0 {
		if refused := message.Errors[0]; !away[refused.Extensions.Code] && refused.Extensions.Code != "UNAUTHENTICATED" { // its key ended
			s.fault("subscription to %s: %s %s", s.topic.name, refused.Extensions.Code, refused.Message)
		}
		return e, false
	}
	s.lookFor("a subscription", data)
	for _, of := range message.Data {
		_, e.key, _ = strings.Cut(of.Episode.ID+of.Feedback.ID+of.Verdict.ID, ":")
		if s.topic.name == ranking {
			e.key, e.counts = of.Cursor, map[string]int{}
		}
		for _, ranked := range of.Ranking {
			_, agent, _ := strings.Cut(ranked.Agent.ID, ":")
			e.counts[agent] = ranked.Profile.ExecutionsTotal
		}
		for agent, before := range s.last.counts {
			if e.counts[agent] < before {
				s.fault("a ranking counts %d executions of %s, and an earlier one %d", e.counts[agent], agent, before)
			}
		}
		s.cursor, s.told, s.last = &of.Cursor, append(s.told, e.key), e
	}
	return e, true
}
