// Package gqlhttp serves the GraphQL schema over HTTP as the GraphQL-over-HTTP specification says, limits
// what a request may cost before any work is done, and maps every error to the codes of package memory.
package gqlhttp

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"mneme/graph/answering"
	"mneme/internal/inbound"
	"mneme/internal/telemetry"
	"mneme/service"
	"mneme/service/keyring"
)

// Options are the limits of the endpoint. A zero value means the default named with each.
type Options struct {
	// Log is where faults of the server are written, with the request id that the client was told; the default is slog's.
	Log *slog.Logger
	// Timeout is how long one request may take; 30 s.
	Timeout time.Duration
	// MaxBodyBytes is the longest body of a request; 16 MiB.
	MaxBodyBytes int64
	// MaxTokens is the most tokens in a query; 1,000. Whatever is sent in variables is not counted.
	MaxTokens int
	// MaxDepth is how deep fields may nest, 1 for a root field; 12.
	MaxDepth int
	// MaxAliases is how many fields may be renamed, or stand in their selection again; 30.
	MaxAliases int
	// MaxRootFields is how many fields one operation may ask of Query or Mutation; 20.
	MaxRootFields int
	// MaxDirectives is how many directives may stand in a query; 20.
	MaxDirectives int
	// MaxComplexity is how many fields an answer may hold by estimate, see cost.go and weights.go; 200,000, which is
	// three pages of 100 episodes with all that can be read along with them.
	MaxComplexity int
	// Budget is what a request may take while it is answered, which no estimate can know: 50,000 records of
	// 64 MiB of texts, 16 MiB of answer, and service.MaxSummed for sums. A single record is answered whatever its size.
	Budget service.Limits
	// Gathering is how long fields of an answer gather what they read together; answering.Gathering.
	Gathering time.Duration
	// Spent, where set, is told what each request took.
	Spent func(service.Limits)
	// Closing ends when the server is about to close, and with it subscriptions; never.
	Closing context.Context //nolint:containedctx // it is the server's, and no request's
	// Keys are those that admins make and revoke; without them that is UNAVAILABLE.
	Keys *keyring.Keyring
	// Live are the times of subscriptions.
	Live LiveTimes
	// Trusted are the only documents that are answered; nil for any.
	Trusted *Trusted
	// Signals measure operations; telemetry.Silent.
	Signals *telemetry.Signals
}

func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	o.MaxBodyBytes = cmp.Or(o.MaxBodyBytes, inbound.MaxBody)
	o.MaxTokens = cmp.Or(o.MaxTokens, 1000)
	o.MaxDepth = cmp.Or(o.MaxDepth, 12)
	o.MaxAliases = cmp.Or(o.MaxAliases, 30)
	o.MaxRootFields = cmp.Or(o.MaxRootFields, 20)
	o.MaxDirectives = cmp.Or(o.MaxDirectives, 20)
	o.MaxComplexity = cmp.Or(o.MaxComplexity, 200_000)
	o.Budget.Records = cmp.Or(o.Budget.Records, 50_000)
	o.Budget.ReadBytes = cmp.Or(o.Budget.ReadBytes, 64<<20)
	o.Budget.AnswerBytes = cmp.Or(o.Budget.AnswerBytes, 16<<20)
	o.Budget.Summed = cmp.Or(o.Budget.Summed, service.MaxSummed)
	o.Gathering = cmp.Or(o.Gathering, answering.Gathering)
	o.Signals = cmp.Or(o.Signals, telemetry.Silent())
	o.Live = o.Live.withDefaults()
	if o.Closing == nil {
		o.Closing = context.Background()
	}
	return o
}
