package upkeep

import (
	"context"
	"errors"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/consolidation"
	"mneme/memory/summary"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
	"mneme/store"
)

// consolidationAge is how old an episode must be to be summed up; what is younger still changes.
const consolidationAge = 7 * 24 * time.Hour

// The bounds of a consolidation, which reads much and must neither fill the memory nor keep others from writing.
const (
	// consolidatedEpisodes is how many episodes of an agent are read at most, the newest.
	consolidatedEpisodes = 50_000
	// consolidationPart is the number of episodes after which a call ends with the agent it is at; to begin with
	// an agent counts as agentWork of them.
	consolidationPart = 10_000
	agentWork         = 10
	// sourcesPerWrite bounds the links that are written in one transaction, which others wait for.
	sourcesPerWrite = 1000
)

// Consolidation says what a consolidation read and wrote.
type Consolidation struct {
	DryRun              bool     `json:"dryRun"`
	EpisodesRead        int      `json:"episodesRead"`
	ObservationsCreated int      `json:"observationsCreated"` // or that would be, on a dry run
	Patterns            []string `json:"patterns"`
	// LastAgentID is the agent that the call ended with, nil where it read none, and HasMore whether there are
	// others after it.
	LastAgentID *string `json:"lastAgentId,omitempty"`
	HasMore     bool    `json:"hasMore"`
}

// Consolidate sums up what recurs in older episodes as observations about them. What it said before it
// does not say again. It takes agents in the order of their keys, and ends after a part of them where they
// have many episodes; input.AfterAgentID goes on. What it wrote stays written where it is broken off.
func (u *Upkeep) Consolidate(ctx context.Context, input boundary.ConsolidateInput) (*Consolidation, error) {
	ctx = store.Unmetered(ctx)
	dry := memory.ValueOr(input.DryRun, true)
	b := u.t.Question(ctx)
	b.ForReal(ctx, "to consolidate for real", !dry)
	only := b.OptionalKey(memory.KindAgent, "agentId", input.AgentID)
	after := b.OptionalKey(memory.KindAgent, "afterAgentId", input.AfterAgentID)
	b.Require(only == nil || after == nil, "afterAgentId", "goes with all agents; leave it or agentId out")
	if b.Err() != nil {
		return nil, b.Err()
	}
	if only != nil {
		if err := u.t.MustExist(ctx, "agentId", memory.NodeID(memory.KindAgent, *only)); err != nil {
			return nil, err
		}
	}
	c := consolidating{
		Upkeep: u, until: u.t.Clock().Add(-consolidationAge),
		result: &Consolidation{DryRun: dry, Patterns: []string{}},
	}
	if only != nil {
		return c.result, faults.Of("the consolidation", c.agent(ctx, *only))
	}
	return c.result, faults.Of("the consolidation", c.agents(ctx, after))
}

// consolidating is a consolidation under way.
type consolidating struct {
	*Upkeep
	until  time.Time // when the episodes that it reads had begun
	result *Consolidation
}

// agents goes through the agents after one until a part is done.
func (c *consolidating) agents(ctx context.Context, after *string) error {
	page := store.Page{Limit: reading.MaxPage}
	if after != nil {
		page.After = &store.Position{Key: *after}
	}
	for work := 0; ; {
		agents, more, err := store.List(ctx, c.t.Store, store.AllAgents{}, page)
		if err != nil {
			return err
		}
		for i, agent := range agents {
			before := *c.result
			if err := c.agent(ctx, agent.Key); err != nil {
				return err
			}
			work += agentWork + c.result.EpisodesRead - before.EpisodesRead
			wrote := c.t.Writer != nil && c.result.ObservationsCreated > before.ObservationsCreated // a model takes its time
			if work >= consolidationPart || wrote && !c.result.DryRun {
				c.result.HasMore = more || i < len(agents)-1
				return nil
			}
		}
		if !more {
			return nil
		}
		page.After = &store.Position{Key: agents[len(agents)-1].Key}
	}
}

// agent sums up what recurs in the episodes of one.
func (c *consolidating) agent(ctx context.Context, key string) error {
	found, err := c.read(ctx, key)
	if err != nil {
		return err
	}
	c.result.LastAgentID = new(memory.NodeID(memory.KindAgent, key))
	for _, pattern := range found {
		c.result.Patterns = append(c.result.Patterns, pattern.Pattern)
	}
	gone, err := store.GetOne[store.Tombstone](ctx, c.t.Store, *c.result.LastAgentID)
	if err != nil {
		return err
	}
	again := gone != nil
	unsaid, err := c.unsaid(ctx, found, again)
	if err != nil {
		return err
	}
	if c.result.DryRun {
		c.result.ObservationsCreated += len(unsaid)
		return nil
	}
	if err := c.comment(ctx, unsaid); err != nil {
		return err
	}
	created, err := c.record(ctx, unsaid, again)
	c.result.ObservationsCreated += created
	return err
}

// read goes through an agent's episodes, the newest first, with what people did and said.
func (c *consolidating) read(ctx context.Context, agent string) ([]consolidation.Finding, error) {
	query := store.EpisodeQuery{
		Filter: store.EpisodeFilter{Agent: &agent, Until: &c.until}, Order: memory.NewestFirst,
		Parts: store.WithCanvases | store.WithFeedback,
	}
	recurrence, read := consolidation.New(agent, c.t.CanvasRules), 0
	for episodes, err := range reading.ListOf(c.t.Store, "the episode", query).Parts(ctx, nil, reading.MaxPage) {
		if err != nil {
			return nil, err
		}
		for _, episode := range episodes {
			recurrence.Add(episode)
		}
		c.result.EpisodesRead += len(episodes)
		if read += len(episodes); read >= consolidatedEpisodes {
			break
		}
	}
	return recurrence.Found(), nil
}

// unsaid are those that no observation says yet, nor has said until it was deleted. Of an agent whose name is used
// again after it was deleted, what was said before that does not count: it went with the agent.
func (u *Upkeep) unsaid(ctx context.Context, found []consolidation.Finding, again bool) ([]consolidation.Finding, error) {
	var unsaid []consolidation.Finding
	for part := range slices.Chunk(found, boundary.MaxList) {
		keys := memory.Mapped(part, func(pattern consolidation.Finding) string { return pattern.Key })
		known, err := store.Get[memory.Observation](ctx, u.t.Store, keys)
		if err != nil {
			return nil, err
		}
		forgotten, err := store.Get[store.Tombstone](ctx, u.t.Store, memory.NodeIDs(memory.KindObservation, keys))
		if err != nil {
			return nil, err
		}
		for i, observation := range known {
			if observation == nil && (again || forgotten[i] == nil) {
				unsaid = append(unsaid, part[i])
			}
		}
	}
	return unsaid, nil
}

// record records what is new, and counts it. What somebody else said in the meantime, perhaps with other words,
// has a key that is taken. What was deleted for good since it was read, or sums up such an episode, is left out; of an
// agent whose name is used again, only the latter.
func (u *Upkeep) record(ctx context.Context, found []consolidation.Finding, again bool) (count int, err error) {
	for len(found) > 0 {
		var records []store.Item
		for links := 0; len(found) > 0 && len(records) < boundary.MaxList && (links == 0 || links+len(found[0].About) <= sourcesPerWrite); found = found[1:] {
			record, err := u.t.Boundary(ctx).Observation(boundary.RecordObservationInput{
				ID: &found[0].Key, Content: found[0].Content, Importance: &found[0].Importance, AboutIDs: found[0].About,
				SessionID: nil, At: nil, UserID: nil, // it is of many
			})
			if err != nil {
				return count, err
			}
			record.Observation.UserID = found[0].UserID
			unless := slices.Clone(record.Observation.About)
			if !again {
				unless = append(unless, record.Observation.ID())
			}
			records = append(records, &store.Guarded{Item: &record, Unless: unless})
			links += len(found[0].About)
		}
		recorded, err := u.t.Store.Restore(ctx, records, false)
		if err != nil {
			return count, err
		}
		for _, one := range recorded {
			switch {
			case one.Err != nil && !errors.Is(one.Err, store.ErrConflict) && !errors.Is(one.Err, store.ErrForgotten):
				return count, one.Err
			case one.Created:
				count++
			}
		}
	}
	return count, nil
}

const patternInstruction = "Below is what recurs in an agent's episodes, and the newest of the episodes that show it. " +
	"Write one or two plain sentences for an agent that meets this again: what these episodes have in common, and what to do. " +
	"Use only what the records say. Do not repeat the counts. No heading, no list."

// comment has the model, if there is one, add to what the rule found, from the newest of the episodes that show it.
func (u *Upkeep) comment(ctx context.Context, found []consolidation.Finding) error {
	if u.t.Writer == nil {
		return nil
	}
	texts := make([]string, len(found))
	for i, pattern := range found {
		episodes, err := u.t.Store.Episodes(ctx, store.EpisodesByKey{Keys: pattern.Episodes, Parts: store.WithFeedback})
		if err != nil {
			return err
		}
		episodes = slices.DeleteFunc(episodes, func(e *memory.Episode) bool { return e == nil }) // deleted meanwhile
		texts[i] = pattern.Content + "\n\n" + summary.Accounts(episodes)
	}
	u.t.Write(ctx, patternInstruction, texts, func(i int, text string) { found[i].Content += "\n" + text })
	return nil
}
