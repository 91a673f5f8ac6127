package neo4j

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Neo4j keeps a plan for each mixture of types and lengths of parameters, so all values go in one.
func TestAllValuesGoInOneParameter(t *testing.T) {
	values := parameters{"tenant": "t", "keys": []string{"a"}, "limit": 3, "agent": nil}
	text, sent := sendable(ownText+"// of $5 or more\nMATCH (e:Episode {tenant: $tenant}) WHERE e.key IN $keys AND ($agent IS NULL OR e.agent=$agent)\n"+
		"WITH collect(e) AS found RETURN found[..$limit]", values)
	require.Equal(t, ownText+"// of $5 or more\nMATCH (e:Episode {tenant: $p.tenant}) WHERE e.key IN $p.keys AND ($p.agent IS NULL OR e.agent=$p.agent)\n"+
		"WITH collect(e) AS found RETURN found[..$p.limit]", text)
	require.Equal(t, parameters{"p": values}, sent)
}
