package recording

import (
	"cmp"
	"context"

	"mneme/memory"
	"mneme/service/faults"
	"mneme/service/reading"
	"mneme/service/tenancy"
	"mneme/store"
)

// Agents is who worked, and in which sessions.
type Agents struct{ t *tenancy.Tenant }

// NewAgents are those of a tenant.
func NewAgents(t *tenancy.Tenant) *Agents { return &Agents{t} }

// Save makes an agent known by name before its first episode, or renames it.
func (g *Agents) Save(ctx context.Context, id, name string) error {
	agent, err := g.t.Boundary(ctx).Agent(id, name)
	if err != nil {
		return err
	}
	return faults.Of("the agent", g.saveAgent(ctx, agent))
}

// Get reads one agent; nil where there is none.
func (g *Agents) Get(ctx context.Context, id string) (*memory.Agent, error) {
	agent, err := tenancy.ReadByID(ctx, g.t, memory.KindAgent, id, reading.ByKey[memory.Agent](g.t.Store))
	if err == nil && agent == nil {
		err = g.t.NothingFor(ctx, 0, tenancy.Agents.Called("id", &id))
	}
	return agent, err
}

// ByKey answers the agents that records name, in the order of the keys. One that was deleted since its
// record was read has no name any more but its key.
func (g *Agents) ByKey(ctx context.Context, keys []string) ([]*memory.Agent, error) {
	agents, err := store.Get[memory.Agent](ctx, g.t.Store, keys)
	if err != nil {
		return nil, faults.Of("the agent", err)
	}
	for i, agent := range agents {
		if agent == nil {
			agents[i] = &memory.Agent{Key: keys[i], Name: keys[i]}
		}
	}
	return agents, nil
}

// List lists all agents by key.
func (g *Agents) List(ctx context.Context, input reading.PageInput) (*reading.Page[*memory.Agent], error) {
	return reading.ListOf(g.t.Store, "the agent", store.AllAgents{}).Page(ctx, input, reading.Fingerprint("agents"))
}

// TaskTypes reads the distinct task types of each agent's episodes, sorted, by agent key.
func (g *Agents) TaskTypes(ctx context.Context, keys []string) (map[string][]string, error) {
	types, sum := map[string][]string{}, store.BudgetOf(ctx).Sum()
	all, err := store.All(ctx, g.t.Store, store.TaskTypesOf{Agents: keys})
	for _, found := range all {
		types[found.Agent] = found.Types
		err = cmp.Or(err, sum.Add(len(found.Types)))
	}
	return types, faults.Of("the agent", err)
}

// saveAgent names an agent, unless an import brings one that is forgotten.
func (g *Agents) saveAgent(ctx context.Context, agent memory.Agent) error {
	if _, err := g.t.InputKey(ctx); err != nil {
		return err
	}
	if _, importing := tenancy.ImportOf(ctx); importing {
		return g.t.RestoreOne(ctx, &store.AgentItem{Agent: agent, Rename: true}, []string{agent.ID()})
	}
	return tenancy.ItemOf(store.Record(ctx, g.t.Store, []store.AgentItem{{Agent: agent}}))
}
