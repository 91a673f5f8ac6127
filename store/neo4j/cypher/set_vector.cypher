MATCH (e:Episode {tenant: $tenant, key: $key})
CALL db.create.setNodeVectorProperty(e, $vectorProperty, $vector)
