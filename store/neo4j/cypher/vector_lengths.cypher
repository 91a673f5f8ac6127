// How many vectors of each length a tenant has, by the properties that hold them.
MATCH (e:Episode {tenant: $tenant}) WHERE e.key IS NOT NULL // for the index
UNWIND keys(e) AS name
WITH name, count(*) AS vectors WHERE name =~ 'embedding[1-9][0-9]{0,3}'
RETURN toInteger(substring(name, 9)) AS length, vectors
