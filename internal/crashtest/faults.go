package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// longestGone is how long a tenant's file is away at most.
const longestGone = 2 * time.Second

// moveAway takes the file of a tenant from under the servers, and puts it back: what they acknowledge must be in it.
func (s *session) moveAway(ctx context.Context, dice *rand.Rand) error {
	path := s.path("data/" + tenants[dice.IntN(len(tenants))] + ".db")
	if err := os.Rename(path, path+".away"); err != nil {
		return err
	}
	pause(ctx, time.Duration(dice.Int64N(int64(longestGone))))
	return os.Rename(path+".away", path)
}

// keyTime is how long a tenant has a key.
const keyTime = 15 * time.Second

func (t *tenant) makeKey(ctx context.Context) (string, error) {
	key, err := t.mneme(ctx, "keys", "create", "--tenant", t.name, "--role", "admin").Output()
	return strings.TrimSpace(string(key)), err
}

// rotate gives the tenant's clients one key after the other, and ends those before.
func (t *tenant) rotate(ctx context.Context) {
	for pause(ctx, keyTime); ctx.Err() == nil; pause(ctx, keyTime) {
		key, err := t.makeKey(ctx)
		if err != nil {
			t.ledger.count("keys not made")
			continue
		}
		before := *t.key.Swap(&key)
		for ctx.Err() == nil && t.mneme(ctx, "keys", "revoke", before[:14]).Run() != nil {
			pause(ctx, patience) // Neo4j is away
		}
		t.mustEnd(ctx, before)
		t.ledger.count("keys ended")
	}
}

// mustEnd looks that a key which was revoked opens nothing soon, and nothing again.
func (t *tenant) mustEnd(ctx context.Context, key string) {
	for deadline := time.Now().Add(longestWait); ctx.Err() == nil; pause(ctx, patience) {
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.url+"/graphql", strings.NewReader(`{"query": "{ __typename }"}`))
		if err != nil {
			t.fault("ask by a revoked key: %v", err)
			return
		}
		request.Header = http.Header{"Content-Type": {"application/json"}, "X-Api-Key": {key}}
		answer, err := t.transport.RoundTrip(request)
		if err != nil {
			continue // it was killed
		}
		_ = answer.Body.Close()
		late := time.Now().After(deadline)
		switch {
		case answer.StatusCode == http.StatusOK && late:
			t.fault("a revoked key is good after %s", longestWait)
			return
		case answer.StatusCode == http.StatusUnauthorized && late:
			return
		}
	}
}

// reread hears again and again, and slowly, what happened since the beginning, as who was away for long.
func (t *tenant) reread(ctx context.Context, number int) {
	first := t.listening[number]
	for ; ctx.Err() == nil; pause(ctx, time.Second) {
		late := &subscriber{client: t.client(800 + number), topic: first.topic, listens: http.Client{Transport: t}, socket: first.socket, cursor: first.began}
		hearing, enough := context.WithTimeout(ctx, longestStay)
		late.listen(hearing, func(event) bool {
			pause(hearing, time.Duration(late.dice.Int64N(int64(patience))))
			return true
		})
		enough()
		late.verifyOnce()
		t.ledger.count("subscriptions from the beginning")
	}
}

// silence is how long the models are silent, and how long they speak then.
const silence = 20 * time.Second

// models serves an embedder and a model that writes, which fall silent again and again.
func (s *session) models(ctx context.Context) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	began := time.Now()
	speaking := func(answer func(*json.Decoder) any) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			said := answer(json.NewDecoder(r.Body))
			if time.Since(began)/silence%2 == 1 {
				<-r.Context().Done()
				return
			}
			_ = json.NewEncoder(w).Encode(said) // it may be gone
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/embeddings", speaking(embeddings))
	mux.Handle("/chat/completions", speaking(func(asked *json.Decoder) any {
		_ = asked.Decode(new(any)) // whatever it is
		return values{"choices": []values{{"message": values{"content": "It went as the record says."}, "finish_reason": "stop"}}}
	}))
	served := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	context.AfterFunc(ctx, func() { _ = served.Close() }) // the run is over
	go func() { _ = served.Serve(listener) }()
	url := "http://" + listener.Addr().String()
	s.store.env = append(s.store.env, "MNEME_EMBEDDER_URL="+url, "MNEME_EMBEDDER_MODEL=m", "MNEME_MODEL_URL="+url, "MNEME_MODEL=m")
	return nil
}

// embeddings are some vectors of texts, the same for the same.
func embeddings(asked *json.Decoder) any {
	var request struct{ Input []string }
	_ = asked.Decode(&request)
	data := make([]values, len(request.Input))
	for i, text := range request.Input {
		hash := fnv.New64a()
		_, _ = fmt.Fprint(hash, text)
		vector := make([]float64, 8)
		for n := range vector {
			vector[n] = 1 + float64(hash.Sum64()>>(8*n)&0xff)
		}
		data[i] = values{"index": i, "embedding": vector}
	}
	return values{"data": data}
}
