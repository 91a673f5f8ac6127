UNWIND $rows AS row
MERGE (t:SectionType {tenant: $tenant, key: row.key})
ON CREATE SET t.sections = row.sections
