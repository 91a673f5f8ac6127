package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"mneme/memory"
)

// Kinds of what can be damaged beside records. Keys: of a span its trace's and its own, joined; of a relation its type,
// source and target; of a tombstone its bytes in hex digits; of a setting its name in the store.
const (
	KindSpan        memory.Kind = "span"
	KindRelation    memory.Kind = "relation"
	KindTombstone   memory.Kind = "tombstone"
	KindSectionType memory.Kind = "sectionType"
	// The key of a threshold is its judge's, with the type of section where it has one.
	KindJudgeThreshold memory.Kind = "judgeThreshold"
	KindEmbedding      memory.Kind = "embedding" // the key is its episode's
	KindSetting        memory.Kind = "setting"
	KindAccessKey      memory.Kind = "accessKey" // the key is its prefix
)

// Damaged says that a record is there and cannot be read: another program changed it, or bytes of it were lost.
// A call that is about this record alone may return it. One that reads several answers the others, as if this one
// were not there, and tells of it by NoteDamage.
type Damaged struct {
	Kind  memory.Kind
	Key   string
	Cause error
	// InLog says that an event of the log is meant, which came in parts: the episode itself may be sound.
	InLog bool
}

// ID is the global id of the record.
func (d *Damaged) ID() string { return memory.NodeID(d.Kind, d.Key) }

// Error names the record and what is wrong with it. That may repeat what is stored: it is for the log.
func (d *Damaged) Error() string { return fmt.Sprintf("%s cannot be read: %v", d.ID(), d.Cause) }

// Unwrap gives the cause.
func (d *Damaged) Unwrap() error { return d.Cause }

type damageKey struct{}

// WithDamage lets a function hear of the records that reads of a context leave out because they cannot be read. It
// may hear of one more than once, and from several goroutines. Who listened before hears of it too.
func WithDamage(ctx context.Context, hear func(*Damaged)) context.Context {
	outer, _ := ctx.Value(damageKey{}).(func(*Damaged))
	return context.WithValue(ctx, damageKey{}, func(d *Damaged) {
		hear(d)
		if outer != nil {
			outer(d)
		}
	})
}

// WithoutDamage has nobody hear of what cannot be read, for whoever tells of it otherwise.
func WithoutDamage(ctx context.Context) context.Context {
	return context.WithValue(ctx, damageKey{}, func(*Damaged) {})
}

// NoteDamage tells who listens that a read of the context left a record out.
func NoteDamage(ctx context.Context, damaged *Damaged) {
	if hear, listens := ctx.Value(damageKey{}).(func(*Damaged)); listens {
		hear(damaged)
	}
}

// Damage gathers what reads tell of, each record once. The zero value is ready.
type Damage struct {
	mu    sync.Mutex
	found map[string]*Damaged
}

// Note is for WithDamage.
func (d *Damage) Note(damaged *Damaged) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.found == nil {
		d.found = map[string]*Damaged{}
	}
	d.found[damaged.ID()] = damaged
}

// Found are the records, by their ids.
func (d *Damage) Found() []*Damaged {
	d.mu.Lock()
	defer d.mu.Unlock()
	found := slices.Collect(maps.Values(d.found))
	slices.SortFunc(found, func(a, b *Damaged) int { return cmp.Compare(a.ID(), b.ID()) })
	return found
}
