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

	"mneme/internal/budget"
	"mneme/internal/gqlhttp"
	"mneme/internal/inbound"
)

// stuck is the answer of a client that takes none of it.
type stuck struct {
	*httptest.ResponseRecorder
	begun chan<- struct{}
	ended <-chan struct{}
}

func (s *stuck) Write([]byte) (int, error) {
	s.begun <- struct{}{}
	<-s.ended
	return 0, os.ErrDeadlineExceeded
}

// Clients that do not take their answers, more than there may be requests at once, shut nobody out.
func TestAnswersThatAreNotTakenShutNobodyOut(t *testing.T) {
	memory := budget.New(0, time.Second)
	handler := inbound.Guard(memory, inbound.DefaultTimes, serve(t, gqlhttp.Options{}))
	begun, ended := make(chan struct{}), make(chan struct{})
	var group sync.WaitGroup
	for range 2 * budget.Default / 4 / budget.Small {
		client := &stuck{ResponseRecorder: httptest.NewRecorder(), begun: begun, ended: ended}
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
	close(ended)
	group.Wait()
}
