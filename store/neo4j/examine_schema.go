package neo4j

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory/prose"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/settings"
)

// defined finds the name in a statement that defines a constraint or an index.
var defined = regexp.MustCompile(`^CREATE (?:\w+ )*(CONSTRAINT|INDEX) (\w+) `)

// index is an index as the server has it.
type index struct {
	name, state string
	populated   float64 // percent
}

// examineIndexes looks for the constraints and indexes, and whether they can be used.
func (b *Backend) examineIndexes(ctx context.Context) ([]store.Finding, error) {
	wanted, lengths, err := b.wantedIndexes(ctx)
	if err != nil {
		return nil, err
	}
	indexes, err := bolt.Read(ctx, b.connection, bolt.Query{Statement: cypher.Named("examine_indexes")}, decodeIndex)
	if err != nil {
		return nil, err
	}
	constraints, err := bolt.Read(ctx, b.connection, bolt.Query{Statement: cypher.Named("examine_constraints")}, bolt.Column[string]("name"))
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	for _, name := range constraints {
		there["CONSTRAINT "+name] = true
	}
	var lame []index
	for _, i := range indexes {
		there["INDEX "+i.name] = true
		ours := slices.Contains(wanted, "INDEX "+i.name) || slices.Contains(wanted, "CONSTRAINT "+i.name)
		if ours && i.state != "ONLINE" {
			lame = append(lame, i)
		}
	}
	missing := slices.DeleteFunc(slices.Clone(wanted), func(name string) bool { return there[name] })
	findings := []store.Finding{}
	if len(missing) > 0 {
		findings = append(findings, store.Finding{
			Fault:  "missing are " + strings.Join(missing, ", "),
			Remedy: "Define them again. Where that fails because two records have one key, delete one of the two first.",
			Mend:   func(ctx context.Context) error { return b.redefine(ctx, lengths) },
		})
	}
	for _, i := range lame {
		findings = append(findings, lameIndex(i, slices.Contains(wanted, "CONSTRAINT "+i.name)))
	}
	if len(findings) == 0 {
		findings = append(findings, store.Finding{Found: fmt.Sprintf("%d constraints and indexes, all of them online", len(wanted))})
	}
	return findings, nil
}

func decodeIndex(row *neo4j.Record) (index, error) {
	f := bolt.FieldsOf(row.AsMap())
	i := index{name: f.Text("name"), state: f.Text("state")}
	if percent := bolt.Optional[float64](f, "populationPercent"); percent != nil {
		i.populated = *percent
	}
	return i, f.Err
}

// wantedIndexes names all that should be defined, as "INDEX name", and the lengths of vectors.
func (b *Backend) wantedIndexes(ctx context.Context) (wanted []string, lengths []int64, err error) {
	statements := definitions()
	if err != nil {
		return nil, nil, err
	}
	for _, text := range statements {
		match := defined.FindStringSubmatch(text)
		if match == nil {
			return nil, nil, fmt.Errorf("neo4j: no name in %q", text)
		}
		wanted = append(wanted, match[1]+" "+match[2])
	}
	lengths, err = bolt.Read(ctx, b.connection, bolt.Query{Statement: cypher.Named("examine_vectors"), Parameters: cypher.Parameters{"most": store.LongestVector}}, bolt.Column[int64]("length"))
	for _, length := range lengths {
		wanted = append(wanted, "INDEX "+settings.VectorIndex(int(length)))
	}
	return wanted, lengths, err
}

// redefine makes what is missing.
func (b *Backend) redefine(ctx context.Context, lengths []int64) error {
	if err := b.define(ctx); err != nil {
		return err
	}
	for _, length := range lengths {
		b.indexed.Delete(int(length))
		if err := b.defineVectors(ctx, int(length)); err != nil {
			return err
		}
	}
	return nil
}

// lameIndex tells of an index that cannot be used.
func lameIndex(i index, constraint bool) store.Finding {
	if i.state == "POPULATING" {
		return store.Finding{
			Fault:  fmt.Sprintf("%s is being built, %.0f%% so far", i.name, i.populated),
			Remedy: "Wait until it is ready: SHOW INDEXES tells.",
		}
	}
	kind := "INDEX"
	if constraint {
		kind = "CONSTRAINT"
	}
	return store.Finding{
		Fault:  fmt.Sprintf("%s is %s", i.name, i.state),
		Remedy: fmt.Sprintf("DROP %s %s; then examine again and let it be defined anew. The server's log tells why.", kind, i.name),
	}
}

// keptSettings is what a tenant's node keeps, as it is.
type keptSettings struct {
	tenant          string
	inputKey, fixed any
}

func decodeSettings(row *neo4j.Record) (k keptSettings, err error) {
	if k.tenant, err = bolt.Column[string]("tenant")(row); err != nil {
		return k, err
	}
	k.inputKey, _ = row.Get(settings.InputKeyProperty)
	k.fixed, _ = row.Get(settings.VectorLengthProperty)
	return k, nil
}

// examineSettings looks at what tenants keep once.
func (b *Backend) examineSettings(ctx context.Context, of scope) ([]store.Finding, error) {
	tenants, err := bolt.Read(ctx, b.connection, bolt.Query{Statement: cypher.Named("examine_settings")}, decodeSettings)
	if err != nil {
		return nil, err
	}
	vectors := map[string]map[int]int64{}
	if err := b.connection.Each(ctx, bolt.Query{Statement: cypher.Named("examine_lengths")}, func(f *bolt.Fields) {
		tenant := f.Text("tenant")
		if vectors[tenant] == nil {
			vectors[tenant] = map[int]int64{}
		}
		vectors[tenant][f.Integer("length")] = int64(f.Integer("vectors"))
	}); err != nil {
		return nil, err
	}
	var findings []store.Finding
	nodes := map[string]int{}
	for _, k := range tenants {
		nodes[k.tenant]++
	}
	for _, k := range tenants {
		if of != "" && k.tenant != string(of) {
			continue
		}
		if nodes[k.tenant] > 1 {
			findings = append(findings, store.Finding{
				Tenant: k.tenant, Fault: settings.SeveralNodes(nodes[k.tenant]),
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
		findings = append(findings, store.Finding{Found: "those of " + prose.Plural(len(tenants), "tenant") + " can be read"})
	}
	return findings, nil
}

// examineKey looks at the input key; nil where it is one, or where nothing was hashed with it, so that another is made.
func (s *tenantStore) examineKey(ctx context.Context, value any) (*store.Finding, error) {
	if settings.SoundKey(value) != nil {
		return nil, nil
	}
	hashed, err := bolt.Read(ctx, s.Connection, s.Query(settings.HasRecords, nil), bolt.Column[bool]("has"))
	if err != nil || !slices.Contains(hashed, true) {
		return nil, err
	}
	fault, remedy := store.LostKeyText(settings.InputKeyProperty)
	return &store.Finding{Tenant: s.TenantID, Fault: fault, Remedy: remedy, Mend: s.mendKey}, nil
}

func (s *tenantStore) mendKey(ctx context.Context) error {
	return s.write(ctx, func(t *transaction) error {
		_, err := settings.MakeInputKey(t.Transaction)
		return err
	})
}

// examineLength compares the length of vectors that was fixed with that of the vectors; nil where they agree.
func (s *tenantStore) examineLength(fixed any, vectors map[int]int64) *store.Finding {
	length, most := settings.SoundLength(fixed), settings.PrevailingLength(vectors, settings.SoundLength(fixed))
	finding := &store.Finding{Tenant: s.TenantID, Remedy: "Set it as the vectors are.", Mend: s.mendLength}
	switch {
	case fixed == nil && most > 0:
		finding.Fault = "the setting " + settings.VectorLengthProperty + " is gone"
	case fixed != nil && length == 0:
		finding.Fault = "the setting " + settings.VectorLengthProperty + " cannot be read"
	case length != most:
		finding.Fault = fmt.Sprintf("the setting %s is %d, and the vectors have %d numbers", settings.VectorLengthProperty, length, most)
	default:
		return nil
	}
	return finding
}

// mendLength fixes the length that most vectors have.
func (s *tenantStore) mendLength(ctx context.Context) error {
	length, err := s.LengthOfMost(ctx)
	if err != nil {
		return err
	}
	if length == 0 {
		return s.write(ctx, func(t *transaction) error { return settings.Set(t.Transaction, settings.VectorLengthProperty, nil) })
	}
	if err := s.backend.defineVectors(ctx, length); err != nil {
		return err
	}
	return s.write(ctx, func(t *transaction) error { return settings.Set(t.Transaction, settings.VectorLengthProperty, length) })
}
