package neo4j

// Options say where a Neo4j is and how to speak to it.
type Options struct {
	// URL is the address: neo4j://host:7687 routes within a cluster and works for a single server too;
	// neo4j+s:// does so over TLS, bolt:// speaks to one server only.
	URL string
	// User and Password authenticate; an empty User goes without.
	User, Password string
	// Database names the database; empty means the user's home database.
	Database string
	// OnQuery, where set, is told the name of every statement as it is sent, once per round trip. It
	// must be safe for concurrent use.
	OnQuery func(name string)
	// OnStatement, where set, is told the name, the text and the parameters of every statement that reads as it
	// is sent, for those who measure the database by itself. It must be safe for concurrent use.
	OnStatement func(name, text string, parameters map[string]any)

	// schema names the version node, so that tests of versions leave a shared server alone.
	schema string
}
