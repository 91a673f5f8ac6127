UNWIND $titles AS title
MATCH (m:Memoir {tenant: $tenant, name: title.name})
RETURN '' AS memoir, m.name AS name
