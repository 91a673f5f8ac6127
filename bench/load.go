package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

// load is a closed loop of connections that each send a request, read the whole answer and send the next.
type load struct {
	url         string
	key         string // sent with each request; empty for none
	connections int
	duration    time.Duration
	// request writes the i-th request's body.
	request func(i int) []byte
	// check says what is wrong with an answer; a fast wrong answer is no result.
	check func(status int, body []byte) error
	// tolerant goes on after a fault, and counts it.
	tolerant bool
}

// measure is what a load saw.
type measure struct {
	perSecond float64
	percentiles
	faults []error
}

func (l load) run(ctx context.Context) (measure, error) {
	client := &http.Client{Transport: &http.Transport{
		MaxIdleConnsPerHost: l.connections, MaxConnsPerHost: l.connections, DisableCompression: true,
	}}
	defer client.CloseIdleConnections()
	start := time.Now()
	took := make([][]time.Duration, l.connections)
	faults := make([][]error, l.connections)
	var group sync.WaitGroup
	for c := range l.connections {
		group.Go(func() {
			// Strides keep the connections on different records.
			for i := c; time.Since(start) < l.duration && ctx.Err() == nil; i += l.connections {
				began := time.Now()
				if err := l.once(ctx, client, i); err != nil {
					if faults[c] = append(faults[c], err); !l.tolerant {
						return
					}
				}
				took[c] = append(took[c], time.Since(began))
			}
		})
	}
	group.Wait()
	elapsed := time.Since(start)
	all, wrong := slices.Concat(took...), slices.Concat(faults...)
	switch {
	case len(wrong) > 0 && !l.tolerant:
		return measure{}, wrong[0]
	case len(all) == 0:
		return measure{}, fmt.Errorf("%s answered nothing in %s", l.url, l.duration)
	}
	return measure{perSecond: float64(len(all)) / elapsed.Seconds(), percentiles: percentilesOf(all), faults: wrong}, nil
}

func (l load) once(ctx context.Context, client *http.Client, i int) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url, bytes.NewReader(l.request(i)))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	if l.key != "" {
		request.Header.Set("Authorization", "Bearer "+l.key)
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if err := l.check(response.StatusCode, body); err != nil {
		return fmt.Errorf("%s: %w", l.url, err)
	}
	return nil
}
