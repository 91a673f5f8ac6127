MATCH (t:SectionType)
WHERE t.tenant = $tenant AND t.key IS NOT NULL // for the index
RETURN t.key AS key, t.sections AS sections
