package neo4j

import (
	"context"
	"fmt"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/store"
)

// settings is what a tenant's node keeps, as it is.
type settings struct {
	tenant          string
	inputKey, fixed any
}

func decodeSettings(row *neo4j.Record) (k settings, err error) {
	if k.tenant, err = column[string]("tenant")(row); err != nil {
		return k, err
	}
	k.inputKey, _ = row.Get(settingInputKey)
	k.fixed, _ = row.Get(settingVectorLength)
	return k, nil
}

// examineSettings looks at what tenants keep once.
func (b *Backend) examineSettings(ctx context.Context) ([]store.Finding, error) {
	tenants, err := read(ctx, b, query{statement: named("examine_settings")}, decodeSettings)
	if err != nil {
		return nil, err
	}
	vectors := map[string]map[int]int64{}
	if err := b.each(ctx, query{statement: named("examine_lengths")}, func(f *fields) {
		tenant := f.text("tenant")
		if vectors[tenant] == nil {
			vectors[tenant] = map[int]int64{}
		}
		vectors[tenant][f.integer("length")] = int64(f.integer("vectors"))
	}); err != nil {
		return nil, err
	}
	var findings []store.Finding
	nodes := map[string]int{}
	for _, k := range tenants {
		nodes[k.tenant]++
	}
	for _, k := range tenants {
		if nodes[k.tenant] > 1 {
			findings = append(findings, store.Finding{
				Tenant: k.tenant, Fault: severalNodes(nodes[k.tenant]),
				Remedy: "Another program made them where the constraint mneme_tenant was missing. Delete all but the one with the key of a backup.",
			})
			continue
		}
		s := newTenantStore(b, k.tenant)
		finding, err := s.examineKey(ctx, k.inputKey)
		if err != nil {
			return nil, err
		}
		if finding != nil {
			findings = append(findings, *finding)
		}
		if finding := s.examineLength(k.fixed, vectors[k.tenant]); finding != nil {
			findings = append(findings, *finding)
		}
	}
	if len(findings) == 0 {
		findings = append(findings, store.Finding{Found: fmt.Sprintf("those of %d tenants can be read", len(tenants))})
	}
	return findings, nil
}

// examineKey looks at the input key; nil where it is one, or where nothing was hashed with it, so that another is made.
func (s *tenantStore) examineKey(ctx context.Context, value any) (*store.Finding, error) {
	if soundKey(value) != nil {
		return nil, nil
	}
	hashed, err := read(ctx, s.backend, s.query(hasRecords, nil), column[bool]("has"))
	if err != nil || !slices.Contains(hashed, true) {
		return nil, err
	}
	fault, remedy := store.LostKeyText(settingInputKey)
	return &store.Finding{Tenant: s.tenant, Fault: fault, Remedy: remedy, Mend: s.mendKey}, nil
}

func (s *tenantStore) mendKey(ctx context.Context) error {
	return s.write(ctx, func(t *transaction) error {
		_, err := t.makeInputKey()
		return err
	})
}

// examineLength compares the length of vectors that was fixed with that of the vectors; nil where they agree.
func (s *tenantStore) examineLength(fixed any, vectors map[int]int64) *store.Finding {
	length, most := soundLength(fixed), prevailingLength(vectors, soundLength(fixed))
	finding := &store.Finding{Tenant: s.tenant, Remedy: "Set it as the vectors are.", Mend: s.mendLength}
	switch {
	case fixed == nil && most > 0:
		finding.Fault = "the setting " + settingVectorLength + " is gone"
	case fixed != nil && length == 0:
		finding.Fault = "the setting " + settingVectorLength + " cannot be read"
	case length != most:
		finding.Fault = fmt.Sprintf("the setting %s is %d, and the vectors have %d numbers", settingVectorLength, length, most)
	default:
		return nil
	}
	return finding
}

// mendLength fixes the length that most vectors have.
func (s *tenantStore) mendLength(ctx context.Context) error {
	length, err := s.lengthOfMost(ctx)
	if err != nil {
		return err
	}
	if length == 0 {
		return s.write(ctx, func(t *transaction) error { return t.set(settingVectorLength, nil) })
	}
	if err := s.backend.defineVectors(ctx, length); err != nil {
		return err
	}
	return s.write(ctx, func(t *transaction) error { return t.set(settingVectorLength, length) })
}
