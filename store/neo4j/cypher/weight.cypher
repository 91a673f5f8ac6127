{{- /* What an observation weighs of an importance, read accesses times and last used at a time: the sums,
products and quotients of decay.Policy in their order, so that the bits are the same. */ -}}
CASE
    WHEN importance IN $pinned THEN $base[toStringOrNull(importance)]
    ELSE coalesce($base[toStringOrNull(importance)], $otherBase) /
      {{if .TimeFades}}(1 + CASE WHEN used IS :: ZONED DATETIME NOT NULL AND used.epochMillis < $now THEN ($now - used.epochMillis) / 86400000.0 ELSE 0.0 END
        / ($halfLife * (1 + $perAccess * coalesce(toIntegerOrNull(accesses), 0)))){{else}}(1 + $perAccess * coalesce(toIntegerOrNull(accesses), 0)){{end}}
  END
{{- /* */ -}}
