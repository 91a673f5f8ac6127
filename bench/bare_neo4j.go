package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

//go:embed bare.cypher
var bareCypher string

// bareNeo4j asks the whole of an episode in one query, the way the driver's manual recommends.
func bareNeo4j(ctx context.Context, url string) (lookup, func(), error) {
	return askingNeo4j(ctx, url, bareCypher)
}

// emptyNeo4j asks nothing of the database: what is left is the cost of asking at all, once a request.
func emptyNeo4j(ctx context.Context, url string) (lookup, func(), error) {
	return askingNeo4j(ctx, url, "RETURN 1 AS nothing")
}

// askingNeo4j answers with the one record of a statement about a key.
func askingNeo4j(ctx context.Context, url, cypher string) (lookup, func(), error) {
	driver, err := neo4j.NewDriverWithContext(url, neo4j.BasicAuth(os.Getenv("MNEME_NEO4J_USER"), os.Getenv("MNEME_NEO4J_PASSWORD"), ""))
	if err != nil {
		return nil, nil, err
	}
	if err := driver.VerifyConnectivity(ctx); err != nil {
		return nil, nil, err
	}
	find := func(ctx context.Context, key string) (any, error) {
		result, err := neo4j.ExecuteQuery(ctx, driver, cypher, map[string]any{"tenant": "default", "key": key},
			neo4j.EagerResultTransformer, neo4j.ExecuteQueryWithReadersRouting(), neo4j.ExecuteQueryWithDatabase("neo4j"))
		if err != nil {
			return nil, err
		}
		if len(result.Records) != 1 {
			return nil, fmt.Errorf("%d episodes of the key %s", len(result.Records), key)
		}
		return result.Records[0].AsMap(), nil
	}
	return find, func() { _ = driver.Close(context.Background()) }, nil
}

// neo4jVersion asks a server what it is.
func neo4jVersion(ctx context.Context, url string) (string, error) {
	driver, err := neo4j.NewDriverWithContext(url, neo4j.BasicAuth(os.Getenv("MNEME_TEST_NEO4J_USER"), os.Getenv("MNEME_TEST_NEO4J_PASSWORD"), ""))
	if err != nil {
		return "", err
	}
	defer driver.Close(ctx)
	const ask = `CALL dbms.components() YIELD versions, edition RETURN versions[0] + " " + edition AS version`
	result, err := neo4j.ExecuteQuery(ctx, driver, ask, nil, neo4j.EagerResultTransformer)
	if err != nil {
		return "", err
	}
	version, _, err := neo4j.GetRecordValue[string](result.Records[0], "version")
	return version, err
}
