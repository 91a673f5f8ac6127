// Counts the sections that are folded into history, by type. Whoever has locked a type may change the
// patterns of it.
UNWIND $rows AS row
MERGE (t:SectionType {tenant: $tenant, key: row.key}) ON CREATE SET t.sections = 0
SET t.tenant = t.tenant
WITH t, row
SET t.sections = {{template "countable.cypher" "t.sections"}} + row.sections
RETURN t.key AS key, t.sections AS sections
