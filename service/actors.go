package service

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"

	"mneme/memory"
	"mneme/store"
)

// Save makes an agent known by name before its first episode, or renames it.
func (g *Agents) Save(ctx context.Context, id, name string) error {
	b := g.boundary(ctx)
	agent := memory.Agent{Key: b.key(memory.KindAgent, "id", id), Name: b.required("name", name)}
	if b.err != nil {
		return b.err
	}
	return fault("the agent", g.saveAgent(ctx, agent))
}

// Get reads one agent; nil where there is none.
func (g *Agents) Get(ctx context.Context, id string) (*memory.Agent, error) {
	agent, err := readByID(ctx, g.tenant, memory.KindAgent, id, reading[memory.Agent](g.store))
	if err == nil && agent == nil {
		asked := calledAgent(&id)
		asked.field = "id"
		err = g.nothingFor(ctx, 0, asked)
	}
	return agent, err
}

// ByKey answers the agents that records name, in the order of the keys. One that was deleted since its
// record was read has no name any more but its key.
func (g *Agents) ByKey(ctx context.Context, keys []string) ([]*memory.Agent, error) {
	agents, err := store.Get[memory.Agent](ctx, g.store, keys)
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

// List lists all agents by key.
func (g *Agents) List(ctx context.Context, input PageInput) (*Page[*memory.Agent], error) {
	return listOf(g.store, "the agent", store.AllAgents{}).page(ctx, input, fingerprint("agents"))
}

// TaskTypes reads the distinct task types of each agent's episodes, sorted, by agent key.
func (g *Agents) TaskTypes(ctx context.Context, keys []string) (map[string][]string, error) {
	sum := store.BudgetOf(ctx).Sum()
	types, err := g.store.TaskTypes(ctx, keys)
	for _, found := range types {
		if err == nil {
			err = sum.Add(len(found))
		}
	}
	return types, fault("the agent", err)
}

// hashBytes is the length of the hash of an input.
const hashBytes = 16

// inputHash is the hash of a clean input. A refused input has none: its hash would need a key, and the key makes the tenant.
func (t *tenant) inputHash(ctx context.Context, b *boundary, clean any) []byte {
	if b.err == nil {
		b.fail(t.keyed(ctx))
	}
	if b.err != nil {
		return nil
	}
	return t.hash(clean)
}

// hash is a keyed hash of a plain value, by the key that keyed loads. The same content sent again has the same hash, and
// nobody without the tenant's key can test guesses at it.
func (t *tenant) hash(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic("service: an input that cannot be encoded: " + err.Error()) // inputs are plain structs
	}
	mac := hmac.New(sha256.New, *t.key.Load())
	mac.Write(text)
	return mac.Sum(nil)[:hashBytes]
}
