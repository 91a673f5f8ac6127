{{- /* Keeps the words of an episode e that ranks higher, for its canvases or what people said, in an index of
their own, so that the best of those can be asked for. What is set to what it was costs the index nothing. */ -}}
FOREACH (changed IN CASE WHEN (e.canvasActionCount > 0 OR e.feedbackSum > 0) = (e.boosted IS NULL) THEN [e] ELSE [] END |
  SET changed.boosted = CASE WHEN changed.boosted IS NULL THEN changed.words END)
{{- /* */ -}}
