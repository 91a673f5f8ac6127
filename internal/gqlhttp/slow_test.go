package gqlhttp_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"mneme/internal/gqlhttp"
)

// stuck is the answer of a client that takes none of it.
type stuck struct {
	*httptest.ResponseRecorder
	begun chan<- struct{}
	ended chan struct{}
	once  sync.Once
}

func (s *stuck) Write([]byte) (int, error) {
	s.begun <- struct{}{}
	<-s.ended
	return 0, os.ErrDeadlineExceeded
}

func (s *stuck) SetWriteDeadline(time.Time) error {
	s.once.Do(func() { close(s.ended) })
	return nil
}

// Clients that do not take their answers, as many as there may be requests at once, shut nobody out.
func TestAnswersThatAreNotTakenShutNobodyOut(t *testing.T) {
	handler := serve(t, gqlhttp.Options{})
	const atOnce = 64
	begun := make(chan struct{})
	var group sync.WaitGroup
	var clients []*stuck
	for range atOnce {
		client := &stuck{ResponseRecorder: httptest.NewRecorder(), begun: begun, ended: make(chan struct{})}
		clients = append(clients, client)
		group.Go(func() {
			r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(query(`{__typename}`, nil)))
			r.Header.Set("Content-Type", plainJSON)
			handler.ServeHTTP(client, r)
		})
		<-begun
	}
	for range 2 {
		answer := send(handler, request{contentType: plainJSON, body: query(`{__typename}`, nil)})
		assert.Equal(t, http.StatusOK, answer.Code)
	}
	for _, client := range clients {
		_ = client.SetWriteDeadline(time.Time{})
	}
	group.Wait()
}
