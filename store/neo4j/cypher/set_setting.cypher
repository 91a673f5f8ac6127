MATCH (t:Tenant {key: $tenant})
SET t += $setting
