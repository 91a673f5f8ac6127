{{- /* What an observation n weighs: the sums, products and quotients of memory.DecayPolicy in their order, so
that the bits are the same. */ -}}
CASE
    WHEN n.importance IN $pinned THEN $base[n.importance]
    ELSE coalesce($base[n.importance], $otherBase) /
      {{if .TimeFades}}(1 + CASE WHEN n.usedAt.epochMillis < $now THEN ($now - n.usedAt.epochMillis) / 86400000.0 ELSE 0.0 END
        / ($halfLife * (1 + $perAccess * n.accessCount))){{else}}(1 + $perAccess * n.accessCount){{end}}
  END
{{- /* */ -}}
