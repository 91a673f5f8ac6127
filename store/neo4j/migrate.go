package neo4j

import (
	"context"
	"errors"
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
)

// completeGraph gives the data of version 1 what version 2 reads: links the ids of their ends, and records
// that have text the token under which a search finds them. What has them already is left alone, so that
// a migration that was interrupted goes on.
func (b *Backend) completeGraph(ctx context.Context) error {
	kinds := parameters{}
	for kind, label := range labels {
		kinds[label] = string(kind)
	}
	for _, link := range linkTypes {
		text, err := expand("complete_links", link.Name)
		if err != nil {
			return err
		}
		if err := b.inBatches(ctx, query{name: "complete_links", text: text, parameters: parameters{"kinds": kinds}}); err != nil {
			return err
		}
	}
	tenants, err := read(ctx, b, query{name: "untold_tenants", text: statement("untold_tenants")}, column[string]("tenant"))
	if err != nil {
		return err
	}
	tokens := parameters{}
	for _, tenant := range tenants {
		tokens[tenant] = parameters{
			labelEpisode:  kindToken(tenant, memory.KindEpisode),
			labelFeedback: kindToken(tenant, memory.KindFeedback),
		}
	}
	return b.inBatches(ctx, query{
		name: "complete_tokens", text: statement("complete_tokens"), parameters: parameters{"tokens": tokens},
	})
}

// inBatches runs a statement that commits as it goes, for which it may not be in a transaction of ours.
func (b *Backend) inBatches(ctx context.Context, q query) (err error) {
	session := b.session(ctx, neo4j.AccessModeWrite)
	defer func() { err = errors.Join(err, session.Close(context.WithoutCancel(ctx))) }()
	b.noteQuery(q.name)
	result, err := session.Run(ctx, q.text, q.parameters)
	if err == nil {
		_, err = result.Consume(ctx)
	}
	if err != nil {
		return fmt.Errorf("neo4j: %s: %w", q.name, b.fault(ctx, err))
	}
	return nil
}
