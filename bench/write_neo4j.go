package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/store/neo4j"
)

// neo4jGround makes a tenant for each place, all on one server.
type neo4jGround struct {
	url, user, password, version string
	driver                       driver.DriverWithContext
	tenants                      int
}

func onNeo4jGround(ctx context.Context) (target, error) {
	g := &neo4jGround{url: os.Getenv("MNEME_TEST_NEO4J"), user: os.Getenv("MNEME_TEST_NEO4J_USER"), password: os.Getenv("MNEME_TEST_NEO4J_PASSWORD")}
	if g.url == "" {
		return nil, errors.New("MNEME_TEST_NEO4J names no server; `make bench-write STORE=neo4j` starts one, or run scripts/neo4j.sh up and set what scripts/neo4j.sh env prints")
	}
	var err error
	if g.driver, err = driver.NewDriverWithContext(g.url, driver.BasicAuth(g.user, g.password, "")); err != nil {
		return nil, err
	}
	g.version, err = neo4jVersion(ctx, g.url)
	return g, err
}

func (g *neo4jGround) close() { _ = g.driver.Close(context.Background()) }

func (g *neo4jGround) describe() string { return "Neo4j " + g.version + "." }

func (g *neo4jGround) tenant() string {
	g.tenants++
	return fmt.Sprintf("write-%d-%d", time.Now().UnixMilli(), g.tenants)
}

func (g *neo4jGround) fresh(ctx context.Context, withoutVectors bool) (*place, error) {
	backend, err := neo4j.Open(ctx, neo4j.Options{URL: g.url, User: g.user, Password: g.password, WithoutVectors: withoutVectors})
	if err != nil {
		return nil, err
	}
	tenant := g.tenant()
	return &place{backend: backend, tenant: tenant, remove: func() error {
		ctx := context.WithoutCancel(ctx)
		return errors.Join(backend.Close(ctx), g.remove(ctx, tenant))
	}}, nil
}

// remove deletes a tenant's nodes, so that all measurements begin with the same.
func (g *neo4jGround) remove(ctx context.Context, tenant string) error {
	session := g.driver.NewSession(ctx, driver.SessionConfig{})
	defer session.Close(ctx)
	result, err := session.Run(ctx, `MATCH (n) WHERE n.tenant = $tenant OR n:Tenant AND n.key = $tenant
		CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 1000 ROWS`, map[string]any{"tenant": tenant})
	if err == nil {
		_, err = result.Consume(ctx)
	}
	return err
}

// copiedNode is a node with the part of all transactions that writes it, from 0 on and below 1.
type copiedNode struct {
	label, key string
	properties map[string]any
	share      float64
	of         *copiedNode // the record of a passage, which has no key to find it by
}

// list is the name of the rows of a node.
func (n *copiedNode) list() string {
	if n.of != nil {
		return n.label + "_" + n.of.label
	}
	return n.label
}

type copiedLink struct {
	kind       string // of its type and the labels of its ends
	properties map[string]any
	from, to   *copiedNode
}

type neo4jCopy struct {
	*neo4jGround
	nodes []*copiedNode
	links []copiedLink
	text  string
}

// shared are the labels of nodes that many records have links to. They are there before single records are written.
var shared = []string{"Agent", "Session", "LearningProfile"}

func (g *neo4jGround) ask(ctx context.Context, query string, values map[string]any) ([]*driver.Record, error) {
	result, err := driver.ExecuteQuery(ctx, g.driver, query, values, driver.EagerResultTransformer)
	if err != nil {
		return nil, err
	}
	return result.Records, nil
}

func (g *neo4jGround) copyOf(ctx context.Context, of *place) (bareCopy, error) {
	c := &neo4jCopy{neo4jGround: g}
	tenant := map[string]any{"tenant": of.tenant}
	nodes, err := g.ask(ctx, `MATCH (n) WHERE n.tenant = $tenant RETURN n ORDER BY labels(n)[0], n.key`, tenant)
	if err != nil {
		return nil, err
	}
	byID, counts := map[string]*copiedNode{}, map[string]float64{}
	for _, record := range nodes {
		node, _, err := driver.GetRecordValue[driver.Node](record, "n")
		if err != nil {
			return nil, err
		}
		key, _ := node.Props["key"].(string)
		copied := &copiedNode{label: node.Labels[0], key: key, properties: node.Props, share: counts[node.Labels[0]]}
		counts[copied.label]++
		c.nodes, byID[node.ElementId] = append(c.nodes, copied), copied
	}
	for _, node := range c.nodes {
		node.share /= counts[node.label]
	}
	links, err := g.ask(ctx, `MATCH (n)-[r]->() WHERE n.tenant = $tenant RETURN r`, tenant)
	if err != nil {
		return nil, err
	}
	for _, record := range links {
		link, _, err := driver.GetRecordValue[driver.Relationship](record, "r")
		if err != nil {
			return nil, err
		}
		from, to := byID[link.StartElementId], byID[link.EndElementId]
		if to.label == "Passage" {
			to.of, to.share = from, from.share
			continue
		}
		c.links = append(c.links, copiedLink{
			kind: strings.Join([]string{from.label, link.Type, to.label}, "_"), properties: link.Props, from: from, to: to,
		})
	}
	c.text = c.statement()
	return c, nil
}

// statement writes nodes of all labels and links of all types by UNWIND, in one round trip.
func (c *neo4jCopy) statement() string {
	var text, passages strings.Builder
	written := map[string]bool{}
	for _, node := range c.nodes {
		list := node.list()
		switch {
		case written[list]:
		case node.of == nil:
			fmt.Fprintf(&text, "CALL () { UNWIND $%[1]s AS row CREATE (n:%[1]s) SET n = row.properties }\n", list)
		default:
			fmt.Fprintf(&passages, "CALL () { UNWIND $%s AS row MATCH (n:%s {tenant: $tenant, key: row.of}) CREATE (n)-[:HAS_PASSAGE]->(p:%s) SET p = row.properties }\n", list, node.of.label, node.label)
		}
		written[list] = true
	}
	text.WriteString(passages.String())
	for _, link := range c.links {
		if written[link.kind] {
			continue
		}
		written[link.kind] = true
		fmt.Fprintf(&text, `CALL () { UNWIND $%s AS row
  MATCH (a:%s {tenant: $tenant, key: row.from}) MATCH (b:%s {tenant: $tenant, key: row.to})
  CREATE (a)-[r:%s]->(b) SET r = row.properties }
`, link.kind, link.from.label, link.to.label, strings.TrimSuffix(strings.TrimPrefix(link.kind, link.from.label+"_"), "_"+link.to.label))
	}
	return text.String() + "FINISH"
}

// write gives each transaction the same part of the nodes of each label, passages with their record, and a link to the
// one that has the later end.
func (c *neo4jCopy) write(ctx context.Context, transactions, writers int) (took, spent time.Duration, err error) {
	tenant := c.tenant()
	defer func() { err = errors.Join(err, c.remove(context.WithoutCancel(ctx), tenant)) }()
	parts := c.parts(tenant, transactions, writers > 1)
	if writers > 1 { // what is shared is there
		if _, err := c.ask(ctx, c.text, parts[transactions]); err != nil {
			return 0, 0, err
		}
	}
	run := 1
	if writers > 1 {
		run = transactions / c.count("Episode") // those of an episode one after the other
	}
	return timedAndSpent(func() error {
		return share(transactions, writers, run, func(part int) error {
			return c.commit(ctx, parts[part])
		})
	})
}

// commit writes a part in an auto-commit transaction, again where it met another: after a moment, since the driver's
// own retries begin with a second's pause.
func (c *neo4jCopy) commit(ctx context.Context, part map[string]any) error {
	session := c.driver.NewSession(ctx, driver.SessionConfig{})
	defer session.Close(ctx)
	for {
		result, err := session.Run(ctx, c.text, part)
		if err == nil {
			_, err = result.Consume(ctx)
		}
		if !driver.IsRetryable(err) {
			return err
		}
		time.Sleep(time.Millisecond)
	}
}

func (c *neo4jCopy) count(label string) int {
	count := 0
	for _, node := range c.nodes {
		if node.label == label {
			count++
		}
	}
	return count
}

// parts are the parameters of each transaction; the last are those of what is shared, where that comes before.
func (c *neo4jCopy) parts(tenant string, transactions int, sharedFirst bool) []map[string]any {
	parts := make([]map[string]any, transactions+1)
	for i := range parts {
		parts[i] = map[string]any{"tenant": tenant}
		for _, node := range c.nodes {
			parts[i][node.list()] = []map[string]any{}
		}
		for _, link := range c.links {
			parts[i][link.kind] = []map[string]any{}
		}
	}
	of := func(node *copiedNode) int {
		if sharedFirst && slices.Contains(shared, node.label) {
			return transactions
		}
		return int(node.share*float64(transactions) + 1e-6) // never just below a whole number
	}
	add := func(part int, name string, row map[string]any) {
		rows, _ := parts[part][name].([]map[string]any)
		parts[part][name] = append(rows, row)
	}
	for _, node := range c.nodes {
		row := map[string]any{"properties": ofTenant(node.properties, tenant)}
		if node.of != nil {
			row["of"] = node.of.key
		}
		add(of(node), node.list(), row)
	}
	for _, link := range c.links {
		part := max(of(link.from)%transactions, of(link.to)%transactions)
		if of(link.from) == transactions && of(link.to) == transactions {
			part = transactions
		}
		add(part, link.kind, map[string]any{"from": link.from.key, "to": link.to.key, "properties": ofTenant(link.properties, tenant)})
	}
	return parts
}

// ofTenant are properties as another tenant's.
func ofTenant(properties map[string]any, tenant string) map[string]any {
	properties = maps.Clone(properties)
	if properties["tenant"] != nil {
		properties["tenant"] = tenant
	}
	return properties
}
