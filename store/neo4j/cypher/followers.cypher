// Feedback that goes where its canvas goes.
UNWIND $canvases AS canvas
MATCH (f:Feedback) USING INDEX SEEK f:Feedback(tenant, canvas, createdAt, key)
WHERE f.tenant = $tenant AND f.canvas = canvas AND f.createdAt IS NOT NULL AND f.key IS NOT NULL AND f.way = 'canvas'
RETURN f.key AS key, f.canvas AS canvas, f.episode AS episode, f.score AS score
