package memory_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"mneme/memory"
)

// FuzzKeys: a composite key gives its parts back, and an id its kind and key, whatever they hold.
func FuzzKeys(f *testing.F) {
	f.Add("run-1", "a/b", "episode:x")
	f.Add("100%", "%2F\x00", "canvas:")
	f.Add("\uFFFD", "", "session:session:ü")
	f.Fuzz(func(t *testing.T, one, other, id string) {
		if !utf8.ValidString(one) || !utf8.ValidString(other) {
			return
		}
		key := memory.JoinKey(one, other)
		if parts := memory.SplitKey(key); !slices.Equal(parts, []string{one, other}) {
			t.Fatalf("%q and %q become %q become %q", one, other, key, parts)
		}
		if len(key) <= memory.MaxKeyBytes && memory.CheckKey("id", key) != nil {
			t.Fatalf("%q and %q become %q, which is no key", one, other, key)
		}
		if parts := memory.SplitKey(id); len(parts) != strings.Count(id, "/")+1 {
			t.Fatalf("%q comes apart as %q", id, parts)
		}
		kind, key, ok := memory.SplitID(id)
		if ok && (key == "" || memory.NodeID(kind, key) != id || memory.KeyOf(kind, id) != key) {
			t.Fatalf("%q is taken for %s and %q", id, kind, key)
		}
		if err := memory.CheckKey("id", id); id != "" && err == nil {
			kind, key, ok = memory.SplitID(memory.NodeID(memory.KindRun, id))
			if !ok || kind != memory.KindRun || key != id {
				t.Fatalf("the key %q comes back as %s and %q", id, kind, key)
			}
		}
	})
}
