MATCH (t:SectionType)
WHERE t.tenant = $tenant
RETURN t.key AS key, t.sections AS sections
