// Lets feedback no longer name canvases.
UNWIND $keys AS key
MATCH (:Canvas {tenant: $tenant, key: key})<-[on:ON]-(f:Feedback)
DELETE on
SET f.canvas = null, f.namedCanvas = null
