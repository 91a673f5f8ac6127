UNWIND $titles AS title
MATCH (c:Concept {tenant: $tenant, memoir: title.memoir, name: title.name})
RETURN c.memoir AS memoir, c.name AS name
