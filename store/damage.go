package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"mneme/memory"
)

// Kinds of what is kept and can be damaged, beside those of records. The key of a span is its trace's and its own,
// joined; that of a relation its type, source and target; that of a tombstone its bytes in hex digits; that of a
// setting its name in the store.
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

// mostTold is how many damaged records a finding names.
const mostTold = 20

// StillDamaged are those found now that were found then, in the same way: others may have put the rest right, or were
// writing it.
func StillDamaged(then, now []*Damaged) []*Damaged {
	return slices.DeleteFunc(now, func(d *Damaged) bool {
		return !slices.ContainsFunc(then, func(before *Damaged) bool { return before.Error() == d.Error() })
	})
}

// UnreadableFinding is the Finding about what cannot be read of a tenant, beside so many that can be.
func UnreadableFinding(tenant string, found []*Damaged, others int) Finding {
	finding := Finding{Tenant: tenant, Found: fmt.Sprintf("%d can be read", others)}
	if len(found) == 0 {
		return finding
	}
	for _, damaged := range found {
		finding.Unreadable = append(finding.Unreadable, damaged.ID())
	}
	named := strings.Join(finding.Unreadable[:min(len(found), mostTold)], ", ")
	if len(found) > mostTold {
		named += ", …"
	}
	finding.Fault = fmt.Sprintf("%d cannot be read, and are left out of answers and exports: %s", len(found), named)
	finding.Remedy = "Restore a backup, or delete them one by one: mneme forget --unreadable " + finding.Unreadable[0]
	return finding
}

// Unreadable are those of some ids that are among what was found, profiles first: executions go, or come back, with them.
func Unreadable(found []*Damaged, ids []string) []*Damaged {
	var profiles, others []*Damaged
	for _, damaged := range found {
		switch {
		case !slices.Contains(ids, damaged.ID()):
		case damaged.Kind == memory.KindLearningProfile:
			profiles = append(profiles, damaged)
		default:
			others = append(others, damaged)
		}
	}
	return append(profiles, others...)
}

// LostKey is the Damaged of a tenant's input key, by the name of its setting, and what follows from the loss.
func LostKey(tenant string, lost *Damaged) Finding {
	return Finding{
		Tenant: tenant, Unreadable: []string{lost.ID()},
		Fault: "the setting " + lost.Key + " is gone or cannot be read, and new records are refused. With another key, records sent again are refused as conflicts, " +
			"imports bring back what was forgotten, and earlier exports can be imported only where there are no records",
		Remedy: "Restore a backup, which has the key. Without one, make another key and restart the servers: mneme forget --unreadable " + lost.ID(),
	}
}
