{{- /* How near the vector of an episode e is; null where it has none that can be compared. */ -}}
CASE WHEN e[$vectorProperty] IS :: LIST<FLOAT NOT NULL> NOT NULL AND size(e[$vectorProperty]) = size($embedding)
    THEN vector.similarity.cosine(e[$vectorProperty], $embedding) END
{{- /* */ -}}
