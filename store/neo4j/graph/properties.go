package graph

import (
	"mneme/store/fields"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// Properties are those of the node of a record of a tenant, of which there is the hash of its input.
func Properties(tenant, key string, inputHash []byte, lists ...fields.List) cypher.Parameters {
	return bolt.Encode(cypher.Parameters{"tenant": tenant, "key": key, "inputHash": HashText(inputHash)}, lists...)
}
