package gqlhttp

import (
	"context"

	"github.com/99designs/gqlgen/graphql/handler/lru"

	"mneme/memory"
	"mneme/memory/access"
)

// codeNotPersisted tells clients of automatic persisted queries to send the text, too. It is their protocol's code.
const codeNotPersisted memory.Code = "PERSISTED_QUERY_NOT_FOUND"

const (
	// persistedQueries is of how many automatic persisted queries the texts are kept, those that were used last.
	persistedQueries = 4000
	// longestPersisted is the longest text that is kept, in bytes. A longer one is answered where it is sent.
	longestPersisted = 16 << 10
)

// persisted keeps the texts of automatic persisted queries in memory. A tenant finds its own alone.
type persisted struct{ texts *lru.LRU[string] }

// Get answers the text of a hash that the context's tenant registered.
func (p persisted) Get(ctx context.Context, hash string) (string, bool) {
	return p.texts.Get(ctx, access.Of(ctx).Tenant+" "+hash)
}

// Add keeps a text for the context's tenant unless it is long.
func (p persisted) Add(ctx context.Context, hash, text string) {
	if len(text) <= longestPersisted {
		p.texts.Add(ctx, access.Of(ctx).Tenant+" "+hash, text)
	}
}
