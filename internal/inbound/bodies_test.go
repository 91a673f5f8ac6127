package inbound_test

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/budget"
	"mneme/internal/inbound"
)

// reading answers with the length of the body, or with why it cannot be read.
func reading(w http.ResponseWriter, r *http.Request) {
	text, status, fault := inbound.ReadText(w, r, inbound.MaxBody)
	if fault != nil {
		http.Error(w, string(fault.Code), status)
		return
	}
	fmt.Fprint(w, len(text))
}

func start(t *testing.T, times inbound.Times, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	return startWith(t, budget.New(0, 0), times, handler)
}

func startWith(t *testing.T, memory *budget.Budget, times inbound.Times, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	times.Pause, times.Body, times.Rest = cmp.Or(times.Pause, time.Minute), cmp.Or(times.Body, time.Minute), cmp.Or(times.Rest, time.Second)
	server := httptest.NewServer(inbound.Guard(memory, times, handler))
	t.Cleanup(server.Close)
	return server
}

// begun sends the head of a request and a part of its body.
func begun(t *testing.T, server *httptest.Server, length int, part string) net.Conn {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	_, err = fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", length, part)
	require.NoError(t, err)
	return conn
}

// outcome is the status and the body of the answer.
func outcome(t *testing.T, conn net.Conn) (int, string) {
	t.Helper()
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, strings.TrimSpace(string(text))
}

func TestReadText(t *testing.T) {
	server := start(t, inbound.Times{}, reading)
	for name, test := range map[string]struct {
		body   io.Reader
		status int
		says   string
	}{
		"nothing":              {nil, 200, "0"},
		"little":               {strings.NewReader("text"), 200, "4"},
		"as much as announced": {strings.NewReader(strings.Repeat("x", 3<<20)), 200, "3145728"},
		"not announced":        {io.MultiReader(strings.NewReader(strings.Repeat("x", 3<<20))), 200, "3145728"},
		"as much as it may":    {strings.NewReader(strings.Repeat("x", inbound.MaxBody)), 200, "16777216"},
		"not UTF-8":            {strings.NewReader("\xff"), 400, "INVALID_INPUT"},
		"too long, unsaid":     {io.MultiReader(strings.NewReader(strings.Repeat("x", inbound.MaxBody+1))), 413, "LIMIT_EXCEEDED"},
	} {
		t.Run(name, func(t *testing.T) {
			answer, err := http.Post(server.URL, "text/plain", test.body)
			require.NoError(t, err)
			defer answer.Body.Close()
			text, err := io.ReadAll(answer.Body)
			require.NoError(t, err)
			assert.Equal(t, test.status, answer.StatusCode)
			assert.Equal(t, test.says, strings.TrimSpace(string(text)))
		})
	}
	status, _ := outcome(t, begun(t, server, inbound.MaxBody+1, ""))
	assert.Equal(t, http.StatusRequestEntityTooLarge, status, "nothing of it needs to come")
}

func TestHalfSentBodiesAreGivenUp(t *testing.T) {
	server := start(t, inbound.Times{Pause: 50 * time.Millisecond}, reading)
	status, says := outcome(t, begun(t, server, 100, "half"))
	assert.Equal(t, http.StatusRequestTimeout, status)
	assert.Equal(t, "LIMIT_EXCEEDED", says)
}

func TestBodiesThatTrickleAreGivenUp(t *testing.T) {
	server := start(t, inbound.Times{Pause: time.Minute, Body: 100 * time.Millisecond}, reading)
	conn := begun(t, server, 1<<20, "half")
	go func() {
		for {
			if _, err := conn.Write([]byte("x")); err != nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	status, _ := outcome(t, conn)
	assert.Equal(t, http.StatusRequestTimeout, status)
}

// The server would wait for a body that the handler did not want, and keep the answer for as long.
func TestUnwantedBodiesAreNotAwaited(t *testing.T) {
	server := start(t, inbound.Times{Rest: 50 * time.Millisecond}, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
	})
	conn := begun(t, server, 100, "half")
	status, _ := outcome(t, conn)
	assert.Equal(t, http.StatusUnauthorized, status)
	_, err := conn.Read(make([]byte, 1))
	assert.ErrorIs(t, err, io.EOF, "the connection is closed")
}

// A client that sends all of its body before it reads hears what it was answered, although nobody wanted the body.
func TestWhoeverSendsAnUnwantedBodyHearsTheAnswer(t *testing.T) {
	server := start(t, inbound.Times{}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "5")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	const part, parts = 1 << 20, 12
	conn := begun(t, server, parts*part, "")
	for range parts {
		_, err := conn.Write(make([]byte, part))
		require.NoError(t, err)
		time.Sleep(100 * time.Millisecond)
	}
	status, _ := outcome(t, conn)
	assert.Equal(t, http.StatusServiceUnavailable, status)
}

// Who waits to be told to send a body is not told so for nothing.
func TestAnUnwantedBodyIsNotAskedFor(t *testing.T) {
	server := start(t, inbound.Times{}, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	_, err = fmt.Fprint(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999\r\nExpect: 100-continue\r\n\r\n")
	require.NoError(t, err)
	status, _ := outcome(t, conn)
	assert.Equal(t, http.StatusServiceUnavailable, status)
}

// A deadline that passes while the request is answered would be taken for a client that has left.
func TestNoDeadlineOfTheBodyEndsTheRequest(t *testing.T) {
	const pause = 30 * time.Millisecond
	server := start(t, inbound.Times{Pause: pause}, func(w http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		select {
		case <-r.Context().Done():
			w.WriteHeader(http.StatusInternalServerError)
		case <-time.After(3 * pause):
		}
	})
	conn := begun(t, server, 4, "text")
	status, _ := outcome(t, conn)
	assert.Equal(t, http.StatusOK, status)
}

// heldBody closes its channel once so much was read of it, for which it had to have its room.
type heldBody struct {
	io.ReadCloser
	left int
	held chan struct{}
}

func (b *heldBody) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
	if b.left > 0 && b.left <= n {
		close(b.held)
	}
	b.left -= n
	return n, err
}

func TestLargeBodiesWaitForOneAnother(t *testing.T) {
	const length, part = inbound.MaxBody, 1 << 20
	held := make(chan struct{})
	memory := budget.New(5*inbound.MaxBody, 20*time.Millisecond)
	impatient := startWith(t, memory, inbound.Times{}, func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength == length {
			r.Body = &heldBody{r.Body, part, held}
		}
		reading(w, r)
	})
	first := begun(t, impatient, length, strings.Repeat("x", part))
	<-held
	status, says := outcome(t, begun(t, impatient, part, strings.Repeat("x", part)))
	assert.Equal(t, http.StatusServiceUnavailable, status)
	assert.Equal(t, "UNAVAILABLE", says)

	status, says = outcome(t, begun(t, impatient, 1000, strings.Repeat("x", 1000)))
	assert.Equal(t, http.StatusOK, status, "a small one does not wait")
	assert.Equal(t, "1000", says)

	_, err := io.WriteString(first, strings.Repeat("x", length-part))
	require.NoError(t, err)
	status, says = outcome(t, first)
	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, "16777216", says)
	status, _ = outcome(t, begun(t, impatient, part, strings.Repeat("x", part)))
	assert.Equal(t, http.StatusOK, status, "the room was given back")
}

// What is built of a small body can be large.
func TestHeavyBodiesWaitForOneAnother(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	memory := budget.New(80<<20, 20*time.Millisecond) // of which 60 MiB are for large ones
	server := startWith(t, memory, inbound.Times{}, func(w http.ResponseWriter, r *http.Request) {
		text, _, refused := inbound.ReadText(w, r, inbound.MaxBody)
		if !assert.Nil(t, refused) {
			return
		}
		weight, fault := inbound.Weigh(text)
		if fault != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		if status, fault := inbound.Admit(w, r, weight); fault != nil {
			w.WriteHeader(status)
			return
		}
		entered <- struct{}{}
		<-leave
	})
	objects := func(n int) string { return "[" + strings.Repeat("{},", n) + "{}]" }
	ask := func(text string) net.Conn { return begun(t, server, len(text), text) }
	var waiting []net.Conn
	for _, text := range []string{objects(200_000), objects(5_000)} {
		waiting = append(waiting, ask(text))
		<-entered // a light one as well, when there is no more room
	}
	answer, err := http.ReadResponse(bufio.NewReader(ask(objects(200_000))), nil)
	require.NoError(t, err)
	answer.Body.Close()
	assert.Equal(t, http.StatusServiceUnavailable, answer.StatusCode)
	assert.Equal(t, "5", answer.Header.Get("Retry-After"))
	status, _ := outcome(t, ask(objects(300_000)))
	assert.Equal(t, http.StatusRequestEntityTooLarge, status)
	for range waiting {
		leave <- struct{}{}
	}
	for _, conn := range waiting {
		status, _ := outcome(t, conn)
		assert.Equal(t, http.StatusOK, status)
	}
	last := ask(objects(200_000))
	<-entered
	leave <- struct{}{}
	status, _ = outcome(t, last)
	assert.Equal(t, http.StatusOK, status, "the room was given back")
}

// stuck is the answer of a client that takes none of it; the deadline is for what is left of it.
type stuck struct {
	*httptest.ResponseRecorder
	deadline time.Time
}

func (s *stuck) SetWriteDeadline(deadline time.Time) error {
	s.deadline = deadline
	return nil
}

// An answer keeps as much of the memory as it has bytes, until it is due to be taken.
func TestAnswersHaveTheirTime(t *testing.T) {
	t.Parallel()
	const mb = 1 << 20
	memory, answer := budget.New(16*mb, time.Millisecond), &stuck{ResponseRecorder: httptest.NewRecorder()}
	enter := func(bytes int64) error {
		claim := memory.Claim()
		defer claim.Release()
		return claim.Acquire(t.Context(), bytes)
	}
	inbound.Guard(memory, inbound.DefaultTimes, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.NoError(t, budget.Of(r.Context()).Acquire(r.Context(), 12*mb))
		assert.ErrorIs(t, enter(2*mb), budget.ErrBusy)
		inbound.Answering(r.Context(), w, 5*mb)
		assert.NoError(t, enter(7*mb))
		assert.ErrorIs(t, enter(8*mb), budget.ErrBusy)
	})).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/", nil))
	require.NoError(t, enter(12*mb))
	assert.InDelta(t, 20, time.Until(answer.deadline).Seconds(), 5, "ten seconds, and a second for each half a MiB")
}
