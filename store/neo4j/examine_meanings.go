package neo4j

import (
	"context"
	"strings"

	"mneme/store"
	"mneme/store/neo4j/cypher"
)

// examineMeanings counts the vectors that there are and that are due, which is no fault. Whether those that there are say what
// their records do is looked at with the words.
func (b *Backend) examineMeanings(ctx context.Context) ([]store.Finding, error) {
	if !b.vectors {
		return []store.Finding{{Found: store.NoMeaningsText}}, nil
	}
	rows, err := countByTenant(ctx, b, cypher.Rendered("examine_meanings", strings.Join(searchedLabels, "|")), nil)
	if err != nil {
		return nil, err
	}
	var findings []store.Finding
	all := 0
	for _, c := range rows {
		made, due := int(c.counts["made"]), int(c.counts["due"])
		all += made
		if due > 0 {
			findings = append(findings, store.Finding{Tenant: c.tenant, Found: store.MeaningsText(made, due)})
		}
	}
	if len(findings) == 0 {
		findings = append(findings, store.Finding{Found: store.MeaningsText(all, 0)})
	}
	return findings, nil
}
