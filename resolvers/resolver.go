// Package resolvers answers the fields of the schema: each converts, calls one method of the service, and
// converts back. The selected fields decide what is read, so that an enriched episode is one read.
package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"mneme/graph"
	"mneme/graph/answering"
	"mneme/schema"
	"mneme/service"
	"mneme/service/keyring"
)

// Resolver answers fields from the tenant that the response is bound to (see answering.With), and those of keys from
// the keys of the deployment.
type Resolver struct{ keys *keyring.Keyring }

// tenant is whose memory a response is made of.
func tenant(ctx context.Context) *service.Tenant { return answering.Tenant(ctx) }

// loaders read what several fields of a response ask for at once.
func loaders(ctx context.Context) *answering.Loaders { return answering.From(ctx) }

// NewSchema is the executable schema. Without keys the fields that deal with them are UNAVAILABLE.
func NewSchema(keys *keyring.Keyring) graphql.ExecutableSchema {
	return graph.NewExecutableSchema(graph.Config{Schema: schema.Load(), Resolvers: &Resolver{keys}})
}

// The resolvers of the types of the schema, which package graph asks for.
type (
	agentRankingResolver    struct{ *Resolver }
	agentResolver           struct{ *Resolver }
	canvasResolver          struct{ *Resolver }
	conceptResolver         struct{ *Resolver }
	correctionResolver      struct{ *Resolver }
	episodeEventResolver    struct{ *Resolver }
	episodeResolver         struct{ *Resolver }
	executionResolver       struct{ *Resolver }
	feedbackEventResolver   struct{ *Resolver }
	feedbackResolver        struct{ *Resolver }
	learningProfileResolver struct{ *Resolver }
	memoirResolver          struct{ *Resolver }
	mutationResolver        struct{ *Resolver }
	observationResolver     struct{ *Resolver }
	queryResolver           struct{ *Resolver }
	rankingEventResolver    struct{ *Resolver }
	recallHitResolver       struct{ *Resolver }
	relationResolver        struct{ *Resolver }
	runResolver             struct{ *Resolver }
	sectionResolver         struct{ *Resolver }
	sessionResolver         struct{ *Resolver }
	subscriptionResolver    struct{ *Resolver }
	verdictEventResolver    struct{ *Resolver }
	verdictResolver         struct{ *Resolver }
)

func (r *Resolver) Agent() graph.AgentResolver                 { return &agentResolver{r} }
func (r *Resolver) AgentRanking() graph.AgentRankingResolver   { return &agentRankingResolver{r} }
func (r *Resolver) Canvas() graph.CanvasResolver               { return &canvasResolver{r} }
func (r *Resolver) Concept() graph.ConceptResolver             { return &conceptResolver{r} }
func (r *Resolver) Correction() graph.CorrectionResolver       { return &correctionResolver{r} }
func (r *Resolver) Episode() graph.EpisodeResolver             { return &episodeResolver{r} }
func (r *Resolver) EpisodeEvent() graph.EpisodeEventResolver   { return &episodeEventResolver{r} }
func (r *Resolver) Execution() graph.ExecutionResolver         { return &executionResolver{r} }
func (r *Resolver) Feedback() graph.FeedbackResolver           { return &feedbackResolver{r} }
func (r *Resolver) FeedbackEvent() graph.FeedbackEventResolver { return &feedbackEventResolver{r} }
func (r *Resolver) LearningProfile() graph.LearningProfileResolver {
	return &learningProfileResolver{r}
}
func (r *Resolver) Memoir() graph.MemoirResolver             { return &memoirResolver{r} }
func (r *Resolver) Mutation() graph.MutationResolver         { return &mutationResolver{r} }
func (r *Resolver) Observation() graph.ObservationResolver   { return &observationResolver{r} }
func (r *Resolver) Query() graph.QueryResolver               { return &queryResolver{r} }
func (r *Resolver) RankingEvent() graph.RankingEventResolver { return &rankingEventResolver{r} }
func (r *Resolver) RecallHit() graph.RecallHitResolver       { return &recallHitResolver{r} }
func (r *Resolver) Relation() graph.RelationResolver         { return &relationResolver{r} }
func (r *Resolver) Run() graph.RunResolver                   { return &runResolver{r} }
func (r *Resolver) Section() graph.SectionResolver           { return &sectionResolver{r} }
func (r *Resolver) Session() graph.SessionResolver           { return &sessionResolver{r} }
func (r *Resolver) Subscription() graph.SubscriptionResolver { return &subscriptionResolver{r} }
func (r *Resolver) Verdict() graph.VerdictResolver           { return &verdictResolver{r} }
func (r *Resolver) VerdictEvent() graph.VerdictEventResolver { return &verdictEventResolver{r} }
