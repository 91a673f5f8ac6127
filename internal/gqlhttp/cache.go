package gqlhttp

import (
	"context"

	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"
)

// A client sends the same few queries over and over; parsing and validating one costs more than
// answering it. Long ones are not kept, so that nobody can fill the memory with them.
const (
	cachedQueries     = 1000
	longestCachedText = 16 << 10
)

// queryCache keeps the parsed and valid queries that were used last.
type queryCache struct {
	*lru.LRU[*ast.QueryDocument]
}

func newQueryCache() queryCache {
	return queryCache{lru.New[*ast.QueryDocument](cachedQueries)}
}

// Add keeps a query unless it is long.
func (c queryCache) Add(ctx context.Context, query string, parsed *ast.QueryDocument) {
	if len(query) <= longestCachedText {
		c.LRU.Add(ctx, query, parsed)
	}
}
