package e2e

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/gqlhttp"
	"mneme/service"
	"mneme/service/events"
)

type heardAlert struct {
	Alert struct {
		Cursor string
		Alert  struct{ Kind, Severity, Subject string }
	}
}

const hearAlerts = `subscription ($kind: AlertKind, $severity: AlertSeverity, $after: String) {
	alert(kind: $kind, severity: $severity, after: $after) { cursor alert { kind severity subject } } }`

// testLiveAlerts subscribes to alerts: what stood before is not told, what rises is told once, and a subscription goes
// on at another server on the store.
func testLiveAlerts(t *testing.T, w *world) {
	execute := func(taskType string, times int) {
		for i := range times {
			w.do(t, "recordExecution", "execution { id }", vars{
				"id": fmt.Sprint(taskType, i), "agentId": "ada", "taskType": taskType, "success": false, "quality": 0.1,
			}, nil)
		}
	}
	execute("before", 1)
	hearing := w.listen(t, hearAlerts, vars{"kind": "NO_GOOD_AGENT"})
	severe := w.listen(t, hearAlerts, vars{"severity": "WARNING"})
	execute("refund", 1)
	var heard heardAlert
	hearing.hear(t, &heard)
	assert.Equal(t, "INFO", heard.Alert.Alert.Severity, "the agent is new to it")
	assert.Equal(t, "task type refund", heard.Alert.Alert.Subject)
	cursor := heard.Alert.Cursor
	hearing.leave()

	execute("booking", 20) // for which it is new no more
	severe.hear(t, &heard)
	assert.Equal(t, "NO_GOOD_AGENT", heard.Alert.Alert.Kind)
	assert.Equal(t, "WARNING", heard.Alert.Alert.Severity)
	assert.Equal(t, "task type booking", heard.Alert.Alert.Subject)

	another := service.New(w.backend, service.WithClock(func() time.Time { return now }))
	t.Cleanup(func() { assert.NoError(t, another.Close(context.Background())) })
	elsewhere := &world{suite: &suite{handler: gqlhttp.NewHandler(another, gqlhttp.Options{}), service: another, backend: w.backend, seen: w.seen}, tenant: w.tenant}
	again := elsewhere.listen(t, hearAlerts, vars{"kind": "NO_GOOD_AGENT", "severity": "WARNING", "after": cursor})
	again.hear(t, &heard)
	assert.Equal(t, "task type booking", heard.Alert.Alert.Subject)
	w.do(t, "recordExecution", "execution { id }", vars{"id": "last", "agentId": "ada", "taskType": "last", "success": true, "quality": 1}, nil)

	refused := w.listen(t, hearAlerts, vars{"after": "nonsense"}).refused(t)
	assert.Equal(t, "INVALID_INPUT", refused.Extensions.Code)
	require.Equal(t, "after", refused.Extensions.Field)
}

// testAlertsByTimeAlone subscribes to alerts while nobody writes: what rises only because time goes by is told too.
func testAlertsByTimeAlone(t *testing.T, w *world) {
	var later atomic.Int64 // how much later than now it is
	svc := service.New(w.backend, func(s *service.Settings) { s.Looks = time.Millisecond }, service.WithClock(func() time.Time { return now.Add(time.Duration(later.Load())) }))
	t.Cleanup(func() { assert.NoError(t, svc.Close(context.Background())) })
	aging := &world{suite: &suite{handler: gqlhttp.NewHandler(svc, gqlhttp.Options{}), service: svc, backend: w.backend, seen: w.seen}, tenant: w.tenant}
	execute := func(taskType string, times, daysAgo int, quality float64) {
		for i := range times {
			aging.do(t, "recordExecution", "execution { id }", vars{
				"id": fmt.Sprint(taskType, daysAgo, i), "agentId": "ada", "taskType": taskType, "success": quality > 0.5, "quality": quality,
				"at": now.AddDate(0, 0, -daysAgo).Format(time.RFC3339),
			}, nil)
		}
	}
	execute("refund", 20, 8, 0) // which weigh a ninth of each of the five below
	execute("refund", 5, 1, 1)  // but in a week from now a half
	execute("booking", 1, 1, 0)
	hearing := aging.listen(t, hearAlerts, vars{"kind": "NO_GOOD_AGENT", "after": events.CursorAt(0)})
	var heard heardAlert
	hearing.hear(t, &heard)
	assert.Equal(t, "task type booking", heard.Alert.Alert.Subject, "the other does not stand")

	later.Store(int64(156 * time.Hour))
	hearing.hear(t, &heard)
	assert.Equal(t, "task type refund", heard.Alert.Alert.Subject)
	assert.Equal(t, "WARNING", heard.Alert.Alert.Severity)
}
