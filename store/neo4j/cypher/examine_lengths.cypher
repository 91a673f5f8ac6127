// How many vectors of each length the tenants have, by the properties that hold them.
MATCH (e:Episode) WHERE e.tenant IS NOT NULL
UNWIND keys(e) AS name
WITH e.tenant AS tenant, name, count(*) AS vectors WHERE name =~ 'embedding[1-9][0-9]{0,3}'
RETURN tenant, toInteger(substring(name, 9)) AS length, vectors
