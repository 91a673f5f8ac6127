package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/gqlhttp"
	"mneme/service"
)

type heardAlert struct {
	Alert struct {
		Cursor string
		Alert  struct{ Kind, Severity, Subject string }
	}
}

const hearAlerts = `subscription ($kind: AlertKind, $severity: AlertSeverity, $after: String) {
	alert(kind: $kind, severity: $severity, after: $after) { cursor alert { kind severity subject } } }`

// testLiveAlerts subscribes to alerts: what stood before is not told, what rises is told once, and a subscription goes on at
// another server on the store.
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
