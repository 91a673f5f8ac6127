package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mneme/internal/mcpserver"
	"mneme/service"
	"mneme/store"
)

// refusing is a store that records no canvas action.
type refusing struct {
	store.Backend
	store.Store
	why error
}

func (r refusing) Tenant(context.Context, string) (store.Store, error) { return r, nil }

func (refusing) Close(context.Context) error { return nil }

func (refusing) InputKey(context.Context) ([]byte, error) { return make([]byte, 32), nil }

func (r refusing) Record(_ context.Context, records any) ([]store.Recorded, error) {
	actions, _ := records.([]store.CanvasActionRecord)
	recorded := make([]store.Recorded, len(actions))
	for i := range recorded {
		recorded[i].Err = r.why
	}
	return recorded, nil
}

// Where the only action is not recorded, the call fails as that did: at a field only where one is at fault, and with
// the cause in the log where that is the server's.
func TestCanvasActionsFailAsTheFirstOfThem(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		why           error
		field, logged string
	}{
		"other content":     {&store.Differs{Field: "canvasType", Has: "docs"}, "actions.0.canvasType", ""},
		"nothing by itself": {store.ErrInvalid, "actions.0", ""},
		"unforeseen":        {errors.New("disk s3cret is on fire"), "", "on fire"},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			a := inMemoryWith(t, service.New(refusing{why: test.why}), mcpserver.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
			result, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: "record_canvas_actions", Arguments: vars{
				"actions": []vars{{"canvasId": "c", "episodeId": "e", "canvasType": "forms", "action": "PRESENT"}},
			}})
			require.NoError(t, err)
			require.True(t, result.IsError)
			var fault struct{ Field, Message string }
			require.NoError(t, json.Unmarshal([]byte(textOf(t, result)), &fault))
			require.Equal(t, test.field, fault.Field, fault.Message)
			require.Contains(t, log.String(), test.logged)
			require.NotContains(t, fault.Message, "s3cret")
		})
	}
}
