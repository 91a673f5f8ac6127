package neo4j

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/store"
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
	indexes, err := read(ctx, b, query{statement: named("examine_indexes")}, decodeIndex)
	if err != nil {
		return nil, err
	}
	constraints, err := read(ctx, b, query{statement: named("examine_constraints")}, column[string]("name"))
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
	f := fieldsOf(row.AsMap())
	i := index{name: f.text("name"), state: f.text("state")}
	if percent := optional[float64](f, "populationPercent"); percent != nil {
		i.populated = *percent
	}
	return i, f.err
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
	lengths, err = read(ctx, b, query{statement: named("examine_vectors"), parameters: parameters{"most": longestVector}}, column[int64]("length"))
	for _, length := range lengths {
		wanted = append(wanted, "INDEX "+vectorIndex(int(length)))
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
