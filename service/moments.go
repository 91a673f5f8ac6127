package service

import (
	"context"

	"mneme/memory"
	"mneme/memory/retrieval"
	"mneme/store"
)

// Moment is a passage of a record that matches what was looked for.
type Moment struct {
	memory.Passage
	Node    memory.Node // its record
	Snippet string      // what it says, at most snippetRunes long, the words that match between "**" and "**"
	Score   float64     // how well it matches, 0 to 1
	Where   string      // in words: "step 14 (cancel_reservation)"
}

// StepName is the name of the step it is of, nil where it is of none.
func (m Moment) StepName() *string {
	if m.Step == "" {
		return nil
	}
	return &m.Step
}

// Inside says whether it is from the run itself: a thought, a step or an entry of the log.
func (m Moment) Inside() bool {
	return m.Part == memory.PartThought || m.Part == memory.PartAction || m.Part == memory.PartEvent
}

// SearchMoments finds passages of records of the given kinds, or of all that have text: with a filter, of those episodes that meet it.
func (g *Retrieval) SearchMoments(ctx context.Context, text string, kinds []string, filter *EpisodeFilter, input PageInput) (*Page[Moment], error) {
	b := g.question(ctx)
	among := store.Among{Kinds: b.searchable("kinds", kinds)}
	query := b.text("query", text)
	if filter != nil {
		among.Kinds, among.Filter = []memory.Kind{memory.KindEpisode}, b.filter(*filter, g.clock())
	}
	if b.err != nil {
		return nil, b.err
	}
	r, err := pageRequest(input, fingerprint("searchMoments", text, kinds, filter), nil)
	if err != nil {
		return nil, err
	}
	matched, err := g.find(ctx, g.store, query, nil, among)
	if err != nil {
		return nil, fault("the search", err)
	}
	from := 0
	if r.page.After != nil {
		from = min(r.page.After.Sequence, len(matched.moments))
	}
	until := min(from+r.page.Limit, len(matched.moments))
	shown, err := g.moments(ctx, query, matched.moments[from:until])
	count := func(context.Context) (int, error) { return len(matched.moments), nil }
	place := from
	return newPage(r, shown, until < len(matched.moments), count, func(m Moment) store.Position {
		place++
		return store.Position{Sequence: place, Key: m.Node.ID()}
	}), err
}

// moments reads the records of moments; those of which it is gone are left out.
func (g *Retrieval) moments(ctx context.Context, text string, found []retrieval.Moment) ([]Moment, error) {
	ids := make([]string, len(found))
	for i, m := range found {
		ids[i] = memory.NodeID(m.Kind, m.Key)
	}
	nodes, err := g.nodesOf(ctx, ids)
	if err != nil {
		return nil, fault("the search", err)
	}
	var shown []Moment
	for i, node := range nodes {
		if node != nil {
			shown = append(shown, momentsOf(text, node, found[i:i+1])...)
		}
	}
	return shown, nil
}
