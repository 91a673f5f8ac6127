package keyring

import (
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"mneme/memory/access"
)

const (
	// knownFor is how long a server goes by what the store said of a key: a revocation elsewhere holds after it.
	knownFor = time.Second
	// maxKnown is how many keys are known at once, those that were used last.
	maxKnown = 4096
)

// known keeps what a store said of keys for a second. Only keys that were presented whole are kept, so wrong ones can
// neither fill it nor drive others out; what is not there is asked for anew, so a new key works at once.
type known struct {
	keys *lru.Cache[string, knownKey]
	any  atomic.Pointer[time.Time] // when it was asked and there were keys
}

type knownKey struct {
	key   *access.Key
	asked time.Time
}

func newKnown() *known {
	keys, err := lru.New[string, knownKey](maxKnown)
	if err != nil {
		panic("keyring: " + err.Error()) // only a size below 1 is an error
	}
	return &known{keys: keys}
}

// key is the key with a prefix, nil where the store must be asked.
func (k *known) key(prefix string) *access.Key {
	kept, ok := k.keys.Get(prefix)
	if !ok || time.Since(kept.asked) >= knownFor {
		return nil
	}
	return kept.key
}

// forget lets the store be asked for everything.
func (k *known) forget() {
	k.keys.Purge()
	k.any.Store(nil)
}

// hasAny says whether there are keys; where it says no, the store must be asked.
func (k *known) hasAny() bool {
	asked := k.any.Load()
	return asked != nil && time.Since(*asked) < knownFor
}
