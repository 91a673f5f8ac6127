// Feedback that goes where its canvas goes.
MATCH (f:Feedback)
WHERE f.tenant = $tenant AND f.canvas IN $canvases AND f.way = 'canvas'
RETURN f.key AS key, f.canvas AS canvas, f.episode AS episode, f.score AS score
