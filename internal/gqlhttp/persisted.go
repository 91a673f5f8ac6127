package gqlhttp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"mneme/memory"
	"mneme/memory/access"
)

// codeNotPersisted is by what clients of automatic persisted queries know that they are to send the text, too. It is
// their protocol's rather than one of the domain's.
const codeNotPersisted memory.Code = "PERSISTED_QUERY_NOT_FOUND"

// errNotPersisted has the text that clients look for, too.
var errNotPersisted = &memory.Error{Code: codeNotPersisted, Message: "PersistedQueryNotFound"}

// named is how a request names its document instead of sending it, or besides: by extensions.persistedQuery, or by
// documentId.
type named struct{ hash, id string }

// documents finds the text that a request means.
type documents struct {
	trusted *Trusted // nil where any document is answered
	kept    *persisted
}

// text is the text of a query that is sent, named, or both; "" where it is neither. Its errors are INVALID_INPUT at what
// names it, PERSISTED_QUERY_NOT_FOUND, and FORBIDDEN where others than trusted documents are not answered.
func (d documents) text(ctx context.Context, query string, name named) (string, *memory.Error) {
	switch {
	case strings.TrimSpace(query) == "" && name == named{}:
		return "", nil
	case d.trusted != nil:
		return d.trusted.text(query, name)
	case name.id != "":
		return "", memory.Invalid("documentId", "names a document, and this server has no list of documents; send the query")
	case name.hash == "":
		return query, nil
	case !hashForm.MatchString(name.hash):
		return "", memory.Invalid("extensions.persistedQuery.sha256Hash", "must be a SHA-256 in 64 lower-case hexadecimal digits")
	}
	tenant := access.Of(ctx).Tenant
	if strings.TrimSpace(query) == "" {
		text, known := d.kept.get(tenant, name.hash)
		if !known {
			return "", errNotPersisted
		}
		return text, nil
	}
	if hashOf(query) != name.hash {
		return "", memory.Invalid("extensions.persistedQuery.sha256Hash", "is not the SHA-256 of the query")
	}
	d.kept.add(tenant, name.hash, query)
	return query, nil
}

var hashForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// persistedHash reads the hash out of a request's extensions, "" where they have none.
func persistedHash(extensions []byte) (string, *memory.Error) {
	if extensions == nil {
		return "", nil
	}
	var sent struct {
		PersistedQuery json.RawMessage `json:"persistedQuery"`
	}
	_ = json.Unmarshal(extensions, &sent) // they were found to be an object
	if sent.PersistedQuery == nil || kindOf(sent.PersistedQuery) == "null" {
		return "", nil
	}
	var query struct {
		Version    *float64 `json:"version"`
		Sha256Hash string   `json:"sha256Hash"`
	}
	switch err := json.Unmarshal(sent.PersistedQuery, &query); {
	case err != nil || query.Sha256Hash == "":
		return "", memory.Invalid("extensions.persistedQuery", `must be an object such as {"version": 1, "sha256Hash": "…"}`)
	case query.Version == nil || *query.Version != 1:
		return "", memory.Invalid("extensions.persistedQuery.version", "must be 1")
	}
	return query.Sha256Hash, nil
}

// The bounds of what is kept of persisted queries. A tenant that registers many loses its own, and what another tenant's
// cost can be told by nobody until more tenants ask than are kept.
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

func (p *persisted) get(tenant, hash string) (string, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if kept, known := p.tenants.Get(tenant); known {
		return kept.Get(hash)
	}
	return "", false
}

func (p *persisted) add(tenant, hash, text string) {
	if len(text) > longestPersisted {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	kept, known := p.tenants.Get(tenant)
	if !known {
		kept = &texts{}
		kept.LRU, _ = simplelru.NewLRU(persistedQueries, func(_, text string) { kept.bytes -= len(text) })
		p.tenants.Add(tenant, kept)
	}
	if kept.Contains(hash) { // the same text, by its hash
		kept.Get(hash)
		return
	}
	kept.bytes += len(text)
	kept.Add(hash, text)
	for kept.bytes > persistedBytes {
		kept.RemoveOldest()
	}
}
