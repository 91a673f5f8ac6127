package neo4j

import (
	"context"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
)

// canvasState is a canvas with what the store keeps beside it.
type canvasState struct {
	linking.Canvas
	hashes []string // of the inputs of its actions, "" for those without an id
}

// properties are what the canvas's node holds, but for its link.
func (c *canvasState) properties() parameters {
	return parameters{
		"canvasType": c.CanvasType, "componentType": c.ComponentType, "session": c.SessionKey, "named": c.Named,
		"createdAt":      instant(c.CreatedAt()),
		"actionIds":      texts(c.Actions, func(a memory.CanvasAction) string { return a.ID }),
		"actionKinds":    texts(c.Actions, func(a memory.CanvasAction) string { return string(a.Action) }),
		"actionMetadata": texts(c.Actions, func(a memory.CanvasAction) string { return string(a.Metadata) }),
		"actionTimes":    instants(c.Actions, func(a memory.CanvasAction) time.Time { return a.At }),
		"actionHashes":   c.hashes,
	}
}

// canvas reads a canvas, with the actions up to an instant where one is given.
func (f *fields) canvas(asOf *time.Time) *memory.Canvas {
	c := &memory.Canvas{
		Key: f.key(memory.KindCanvas), EpisodeKey: f.optionalText("episode"), SessionKey: f.optionalText("session"),
		CanvasType: f.text("canvasType"), ComponentType: f.optionalText("componentType"),
	}
	kinds := list[string](f, "actionKinds")
	ids := parallel[string](f, "actionIds", len(kinds))
	metadata := parallel[string](f, "actionMetadata", len(kinds))
	times := parallel[time.Time](f, "actionTimes", len(kinds))
	c.Actions = make([]memory.CanvasAction, 0, len(kinds))
	for i, kind := range kinds {
		if asOf != nil && times[i].After(*asOf) {
			break // actions are in the order of time
		}
		f.check("actionKinds", memory.CheckKeptWord(memory.CanvasActionKind(kind)))
		f.check("actionMetadata", memory.CheckKeptJSON(jsonOf(metadata[i])))
		f.check("actionTimes", memory.CheckKeptTime(times[i]))
		c.Actions = append(c.Actions, memory.CanvasAction{
			ID: ids[i], Action: memory.CanvasActionKind(kind), Metadata: jsonOf(metadata[i]), At: times[i].UTC(),
		})
	}
	return c
}

// canvasState reads a canvas with what the store keeps beside it.
func (f *fields) canvasState() *canvasState {
	c := linking.Canvas{Canvas: *f.canvas(nil), Named: f.optionalText("named")}
	return &canvasState{Canvas: c, hashes: parallel[string](f, "actionHashes", len(c.Actions))}
}

// Canvases reads known canvases; see store.CanvasStore.
func (s *tenantStore) Canvases(ctx context.Context, keys []string) ([]*memory.Canvas, error) {
	return readByKey(ctx, s, named("canvases"), keys, decodeCanvas, func(c *memory.Canvas) string { return c.Key })
}

// readByKey runs a query for records by their keys and gives them in the order of the keys.
func readByKey[T any](
	ctx context.Context, s *tenantStore, reading statement, keys []string, decode decoder[*T], key func(*T) string,
) ([]*T, error) {
	if len(keys) == 0 {
		return []*T{}, nil
	}
	q := s.query(reading, parameters{"keys": setOf(keys...).sorted()})
	found, err := read(ctx, s.backend, q, decode)
	if err != nil {
		return nil, err
	}
	return inOrder(keys, found, key), nil
}

func decodeCanvas(row *neo4j.Record) (*memory.Canvas, error) {
	node, err := column[neo4j.Node]("c")(row)
	if err != nil {
		return nil, err
	}
	f := &fields{node: node}
	return f.canvas(nil), f.err
}

// ownedList is a query for the records of an owner, newest first.
type ownedList struct {
	Owner        string // the property that names the owner
	After, Count bool
}

// ownedParameters are the values of such a query. Limit is one more than asked for, to see whether more follow.
func ownedParameters(owner any, p store.Page) parameters {
	values := parameters{
		"owner": owner, "since": instant(earliest), "until": instant(latest), "limit": p.Limit + 1,
	}
	if p.After != nil {
		values["until"], values["afterKey"] = instant(p.After.At), p.After.Key
	}
	return values
}

func (s *tenantStore) canvasQuery(of store.CanvasesOf, count bool) query {
	owner, form := of.Episode, ownedList{Owner: "episode", After: of.Page.After != nil, Count: count}
	if of.Agent != nil {
		owner, form.Owner = of.Agent, "agent"
	}
	values := ownedParameters(owner, of.Page)
	if of.Since != nil {
		values["since"] = instant(*of.Since)
	}
	return s.query(rendered("list_canvases", form), values)
}

// ListCanvases reads a page of an owner's canvases; see store.CanvasStore.
func (s *tenantStore) ListCanvases(ctx context.Context, of store.CanvasesOf) ([]*memory.Canvas, bool, error) {
	list := func(ctx context.Context, p store.Page) ([]*memory.Canvas, error) {
		of.Page = p
		return read(ctx, s.backend, s.canvasQuery(of, false), decodeCanvas)
	}
	return pageInBytes(ctx, of.Page, list, func(c *memory.Canvas) store.Position {
		return store.Position{At: c.CreatedAt(), Key: c.Key}
	})
}

// CountCanvases counts an owner's canvases; see store.CanvasStore.
func (s *tenantStore) CountCanvases(ctx context.Context, of store.CanvasesOf) (int, error) {
	of.Page = store.Page{}
	return s.count(ctx, s.canvasQuery(of, true))
}
