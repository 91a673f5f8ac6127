CALL dbms.components() YIELD name, versions, edition
RETURN name + ' ' + head(versions) + ' ' + edition AS server
