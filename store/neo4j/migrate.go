package neo4j

import (
	"context"
	"errors"
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// completeGraph gives the links of version 1 the ids of their ends. Those that have them already are left alone,
// so that a migration that was interrupted goes on.
func (b *Backend) completeGraph(ctx context.Context) error {
	kinds := parameters{}
	for kind, label := range labels {
		kinds[label] = string(kind)
	}
	for _, link := range linkTypes {
		if err := b.inBatches(ctx, query{statement: rendered("complete_links", link.Name), parameters: parameters{"kinds": kinds}}); err != nil {
			return err
		}
	}
	return nil
}

// inBatches runs a statement that commits as it goes, for which it may not be in a transaction of ours.
func (b *Backend) inBatches(ctx context.Context, q query) (err error) {
	session := b.session(ctx, neo4j.AccessModeWrite)
	defer func() { err = errors.Join(err, session.Close(context.WithoutCancel(ctx))) }()
	b.noteQuery(q.name)
	text, values := sendable(q.statement, q.parameters)
	result, err := session.Run(ctx, text, values)
	if err == nil {
		_, err = result.Consume(ctx)
	}
	if err != nil {
		return fmt.Errorf("neo4j: %s: %w", q.name, b.fault(ctx, err))
	}
	return nil
}
