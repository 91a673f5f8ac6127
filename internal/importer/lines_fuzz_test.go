package importer_test

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/internal/importer"
	"mneme/internal/redact"
	"mneme/memory"
	"mneme/service"
	"mneme/service/servicetest"
	"mneme/store"
)

// full is a store that takes nothing, so that a file is read up to where it would be written.
type full struct {
	store.Backend
	store.Store
}

func (f full) Tenant(context.Context, string) (store.Store, error) { return f, nil }

func (full) InputKey(context.Context) ([]byte, error) { return make([]byte, store.InputKeyBytes), nil }

func (full) Exist(context.Context, []string) ([]bool, error) { return nil, store.ErrUnavailable }

func (full) Restore(context.Context, []store.Item, bool) ([]store.Recorded, error) {
	return nil, store.ErrUnavailable
}

func (full) Get(context.Context, any, []string) (any, error) {
	return nil, store.ErrUnavailable
}

func (full) Record(context.Context, any) ([]store.Recorded, error) { return nil, store.ErrUnavailable }

func (full) LinkConcepts(context.Context, memory.Relation) (memory.Relation, error) {
	return memory.Relation{}, store.ErrUnavailable
}

func (full) CompleteRun(context.Context, store.RunCompletion) (store.CompletedRun, error) {
	return store.CompletedRun{}, store.ErrUnavailable
}

func (full) Close(context.Context) error { return nil }

// inName is the word that no error repeats, in a field's name: one that is not known is named.
var inName = regexp.MustCompile(`QsecretQ[^"]*"\s*:`)

// FuzzLines: whatever is in a file, a faulty line is told with its number and without repeating a value.
func FuzzLines(f *testing.F) {
	for i, format := range importer.Formats {
		f.Add(i, []byte(lines(everyKind)))
		f.Add(i, []byte(`{"QsecretQ":""}`))
		f.Add(i, []byte(`{"kind":"memoir","record":{"name":"0"}}`))
		f.Add(i, []byte(`{"kind":"memoir","reCord":{"nAme":"0"}}`))
		f.Add(i, []byte(`{"kind":"episode","record":{"STARTEDAT":"2026-01-01T00:00:00,5+24:00","TITLE":"QsecretQ"}}`))
		for _, text := range []string{
			`{"runId":"r","agentId":"a","type":"agent_thought","data":{"thought":"x"},"at":"2026-01-01T00:00:00Z"}`,
			`{"kind":"tenant","kept":{"format":1,"inputKey":"AAAA"}}` + "\n" + `{"kind":"agent","kept":{"key":"a","name":"QsecretQ"},"record":{}}`,
			`[{"task_id":1,"reward":1,"info":{"task":{"instruction":"x"}},"traj":[{"role":"user","content":"QsecretQ"}],"trial":0}]`,
			`{"kind":"memoir","record":{"name":"n"}}` + "\n" + `{"kind":"concept","record":{"memoirId":"m","name":"n"}}`,
			"[0,00", "\n\r\n{\"kind\":\"QsecretQ\"}\n{\"kind\":\"episode\",\"record\":{\"at\":\"QsecretQ\"}}\n[[[", "\x1f\x8b\x08", string(format) + "\xff",
		} {
			f.Add(i, []byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, format int, file []byte) {
		svc := servicetest.Bind(t.Context(), t, service.New(full{}, service.WithRedaction(redact.Rules())))
		formats := importer.Formats
		options := importer.Options{Format: formats[(format%len(formats)+len(formats))%len(formats)], KeepGoing: true}
		report, err := importer.Import(t.Context(), svc, bytes.NewReader(file), options)
		if err != nil {
			require.False(t, !inName.Match(file) && strings.Contains(err.Error(), "QsecretQ"), "%q: %v", file, err)
		}
		for _, fault := range report.Faults {
			known, ok := errors.AsType[*memory.Error](fault.Err)
			require.True(t, ok || strings.Contains(fault.Error(), "longer than"), "%q: %v", file, &fault)
			places := bytes.Count(file, []byte("\n")) + 1
			if options.Format == importer.TauBench { // whose runs are numbered
				places = bytes.Count(file, []byte(",")) + 1
			}
			require.True(t, fault.Line > 0 && fault.Line <= places || isPacked(file), "%q: %v", file, &fault)
			require.False(t, !inName.Match(file) && strings.Contains(fault.Error(), "QsecretQ"), "%q: %v", file, &fault)
			require.True(t, known == nil || known.Code != memory.CodeInternal, "%q: %v", file, &fault)
		}
		require.Equal(t, report.Imported[memory.KindSession], report.Records(), "nothing can be written, and a session need not be")
	})
}

func isPacked(file []byte) bool { return bytes.HasPrefix(file, []byte{0x1f, 0x8b}) }
