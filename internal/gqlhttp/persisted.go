package gqlhttp

import (
	"context"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"mneme/memory"
	"mneme/memory/access"
)

// codeNotPersisted tells clients of automatic persisted queries to send the text, too. It is their protocol's code.
const codeNotPersisted memory.Code = "PERSISTED_QUERY_NOT_FOUND"

// The bounds of what is kept of persisted queries. A tenant that registers many loses its own, and what another
// tenant's cost can be told by nobody until more tenants ask than are kept.
const (
	// persistedTenants is of how many tenants queries are kept, those that registered or asked last.
	persistedTenants = 32
	// persistedQueries and persistedBytes are how much of one tenant: queries, and bytes of their texts.
	persistedQueries = 1000
	persistedBytes   = 1 << 20
	// longestPersisted is the longest text that is kept, in bytes. A longer one is answered where it is sent.
	longestPersisted = 64 << 10
)

// persisted keeps the texts of automatic persisted queries in memory: for each tenant those that were used last.
type persisted struct {
	mu      sync.Mutex
	tenants *simplelru.LRU[string, *texts]
}

// texts are those of one tenant, by their hash.
type texts struct {
	*simplelru.LRU[string, string]
	bytes int
}

func newPersisted() *persisted {
	tenants, _ := simplelru.NewLRU[string, *texts](persistedTenants, nil) // which fails for sizes below 1 only
	return &persisted{tenants: tenants}
}

// Get answers the text of a hash that the context's tenant registered.
func (p *persisted) Get(ctx context.Context, hash string) (string, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if kept, known := p.tenants.Get(access.Of(ctx).Tenant); known {
		return kept.Get(hash)
	}
	return "", false
}

// Add keeps a text for the context's tenant unless it is long.
func (p *persisted) Add(ctx context.Context, hash, text string) {
	if len(text) > longestPersisted {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	tenant := access.Of(ctx).Tenant
	kept, known := p.tenants.Get(tenant)
	if !known {
		kept = &texts{}
		kept.LRU, _ = simplelru.NewLRU(persistedQueries, func(_, text string) { kept.bytes -= len(text) })
		p.tenants.Add(tenant, kept)
	}
	if _, known := kept.Get(hash); known {
		return
	}
	kept.bytes += len(text)
	kept.Add(hash, text)
	for kept.bytes > persistedBytes {
		kept.RemoveOldest()
	}
}
