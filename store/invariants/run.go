package invariants

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store"
)

// Memory is a tenant's memory as a store examines it.
type Memory interface {
	// Count says how often an invariant is broken. It is not known where the store's schema keeps it.
	Count(ctx context.Context, invariant string) (broken int, known bool, err error)
	// Look examines a part as a whole; nothing is found where its invariants are all there is.
	Look(ctx context.Context, part string) (store.Finding, error)
	// Unread is what is told of a part that cannot be examined, unless none can be: then it is an error.
	Unread(err error) (store.Finding, error)
}

// Examine looks at parts of a tenant's memory.
func Examine(ctx context.Context, tenant string, m Memory, parts ...string) (findings []store.Finding, err error) {
	for _, part := range parts {
		found, err := examine(ctx, m, part)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			if found, err = m.Unread(err); err != nil {
				return nil, err
			}
		}
		if found.Tenant, found.Part = tenant, part; found.Found != "" || found.Fault != "" {
			findings = append(findings, found)
		}
	}
	return findings, nil
}

func examine(ctx context.Context, m Memory, part string) (store.Finding, error) {
	finding, err := m.Look(ctx, part)
	if err != nil {
		return finding, err
	}
	var faults []string
	for _, i := range All {
		if i.Part != part || i.Fault == "" {
			continue
		}
		broken, known, err := m.Count(ctx, i.Name)
		if err != nil {
			return finding, err
		}
		if known {
			finding.Found = "as the records say"
		}
		if broken > 0 {
			faults = append(faults, fmt.Sprintf("%d %s", broken, i.Fault))
		}
	}
	if len(faults) > 0 {
		finding = store.Finding{Fault: strings.Join(faults, "; "), Remedy: store.RemedyRebuild}
	}
	return finding, nil
}

// Rebuild mends all that may be broken, by a function that knows the invariants of a store and tells of how many
// records it did, and says where it is.
func Rebuild(ctx context.Context, say func(store.RebuildStep), mend func(invariant string, tell func(done int)) error) error {
	if say == nil {
		say = func(store.RebuildStep) {}
	}
	for _, i := range All {
		if err := ctx.Err(); err != nil {
			return err
		}
		say(store.RebuildStep{Part: i.Part})
		tell := func(done int) { say(store.RebuildStep{Part: i.Part, Done: done}) }
		if err := mend(i.Name, tell); err != nil {
			return fmt.Errorf("%s: %w", i.Part, err)
		}
	}
	return nil
}

// Chosen are those of some ids among what cannot be read, profiles first: executions go, or come back, with them.
func Chosen(found []*store.Damaged, ids []string) []*store.Damaged {
	found = slices.DeleteFunc(found, func(d *store.Damaged) bool { return !slices.Contains(ids, d.ID()) })
	isProfile := func(d *store.Damaged) bool { return d.Kind == memory.KindLearningProfile }
	profiles := slices.DeleteFunc(slices.Clone(found), func(d *store.Damaged) bool { return !isProfile(d) })
	return append(profiles, slices.DeleteFunc(found, isProfile)...)
}
