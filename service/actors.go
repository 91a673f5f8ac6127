package service

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

// SaveAgent makes an agent known by name before its first episode, or renames it.
func (t *Tenant) SaveAgent(ctx context.Context, id, name string) error {
	b := t.boundary(ctx)
	agent := memory.Agent{Key: b.key(memory.KindAgent, "id", id), Name: b.required("name", name)}
	if b.err != nil {
		return b.err
	}
	return fault("the agent", t.saveAgent(ctx, agent, id))
}

// Agent reads one agent; nil where there is none.
func (t *Tenant) Agent(ctx context.Context, id string) (*memory.Agent, error) {
	b := t.question(ctx)
	key := b.key(memory.KindAgent, "id", id)
	if b.err != nil {
		return nil, b.err
	}
	agents, err := t.store.Agents(ctx, []string{key})
	if err != nil {
		return nil, fault("the agent", err)
	}
	return agents[0], nil
}

// AgentsByKey answers the agents that records name, in the order of the keys. One that was deleted since its
// record was read has no name any more but its key.
func (t *Tenant) AgentsByKey(ctx context.Context, keys []string) ([]*memory.Agent, error) {
	agents, err := t.store.Agents(ctx, keys)
	if err != nil {
		return nil, fault("the agent", err)
	}
	for i, agent := range agents {
		if agent == nil {
			agents[i] = &memory.Agent{Key: keys[i], Name: keys[i]}
		}
	}
	return agents, nil
}

// Agents lists all agents by key.
func (t *Tenant) Agents(ctx context.Context, input PageInput) (*Page[*memory.Agent], error) {
	request, err := pageRequest(input, fingerprint("agents"), nil)
	if err != nil {
		return nil, err
	}
	agents, more, err := t.store.ListAgents(ctx, request.page)
	if err != nil {
		return nil, fault("the agent", err)
	}
	total := func(ctx context.Context) (int, error) {
		count, err := t.store.CountAgents(ctx)
		return count, fault("the agent", err)
	}
	return newPage(request, agents, more, total, func(a *memory.Agent) store.Position {
		return store.Position{Key: a.Key}
	}), nil
}

// AgentTaskTypes reads the distinct task types of each agent's episodes, sorted, by agent key.
func (t *Tenant) AgentTaskTypes(ctx context.Context, keys []string) (map[string][]string, error) {
	sum := store.BudgetOf(ctx).Sum()
	types, err := t.store.TaskTypes(ctx, keys)
	for _, found := range types {
		if err == nil {
			err = sum.Add(len(found))
		}
	}
	return types, fault("the agent", err)
}

// SessionsByKey reads sessions in the order of the keys, nil where there is none.
func (t *Tenant) SessionsByKey(ctx context.Context, keys []string) ([]*memory.Session, error) {
	sessions, err := t.store.Sessions(ctx, keys)
	return sessions, fault("the session", err)
}
