{{- /* What an observation weighs of an importance, read accesses times and last used at a time: the sums,
products and quotients of memory.DecayPolicy in their order, so that the bits are the same. */ -}}
CASE
    WHEN importance IN $pinned THEN $base[importance]
    ELSE coalesce($base[importance], $otherBase) /
      {{if .TimeFades}}(1 + CASE WHEN used.epochMillis < $now THEN ($now - used.epochMillis) / 86400000.0 ELSE 0.0 END
        / ($halfLife * (1 + $perAccess * accesses))){{else}}(1 + $perAccess * accesses){{end}}
  END
{{- /* */ -}}
