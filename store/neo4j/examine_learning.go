package neo4j

import (
	"context"
	"fmt"

	"mneme/store"
)

// examineProfiles looks at what sums up executions.
func (b *Backend) examineProfiles(ctx context.Context) ([]store.Finding, error) {
	miscounted, err := countByTenant(ctx, b, named("examine_profiles"), nil)
	if err != nil {
		return nil, err
	}
	findings := []store.Finding{}
	for _, c := range miscounted {
		findings = append(findings, store.Finding{
			Tenant: c.tenant, Fault: fmt.Sprintf("%d profiles do not sum up their executions", c.counts["faults"]),
			Remedy: "Sum up anew what can be read of their executions.",
			Mend:   func(ctx context.Context) error { return newTenantStore(b, c.tenant).rebuildProfiles(ctx) },
		})
	}
	uncounted, err := countByTenant(ctx, b, named("examine_uncounted"), parameters{"outcomes": graded})
	v := newVerdict()
	for _, c := range uncounted {
		v.add(c.tenant, fmt.Sprintf("%d episodes with a task type and an outcome are in no profile", c.counts["faults"]),
			func(ctx context.Context) error {
				s, err := b.bind(c.tenant)
				if err != nil {
					return err
				}
				return s.learnEpisodes(ctx)
			})
	}
	if len(findings) > 0 && len(v.faults) == 0 {
		return findings, err
	}
	return append(findings, v.findings("each sums up its executions", "Count them.")...), err
}
