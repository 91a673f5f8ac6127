package importer

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/internal/transfer"
	"mneme/memory"
	"mneme/service/boundary"
	"mneme/store"
)

// What gathers what many requests said is bounded, so that its line in an export can be imported.
func TestNoLineOfAnExportIsTooLong(t *testing.T) {
	t.Parallel()
	for name, said := range map[string]string{
		"nothing": "", "a word": "a", "lines": strings.Repeat("\n", boundary.MaxText/2), "quotes": strings.Repeat("\"", boundary.MaxText/2),
		"what JSON escapes": strings.Repeat("\u2028", boundary.MaxText/6),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := memory.JSONOf(said)
			require.NoError(t, err)
			key := strings.Repeat("\"", 512)
			item := &store.CanvasItem{Canvas: memory.Canvas{Key: key, CanvasType: "t"}}
			action := memory.CanvasAction{ID: key, Action: memory.CanvasUpdate, Metadata: text, At: time.Now()}
			for action.Fits(len(item.Actions), item.Shown()) == nil {
				item.Actions, item.Hashes = append(item.Actions, action), append(item.Hashes, make([]byte, 32))
			}
			_, line, err := transfer.Encode(item)
			require.NoError(t, err)
			require.Less(t, len(line), maxLine)
			require.NotEmpty(t, item.Actions)
		})
	}
}
