package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// ledger is what clients were told, kept outside of the servers. What was asked for and not answered may or may
// not have happened: it is noted as tried.
type ledger struct {
	mutex sync.Mutex
	// episodes are the acknowledged ones that nobody asked to delete, by key, with what they observed.
	episodes map[string]string
	// deleted are the episodes whose deletion was acknowledged, and what is known of it; forgotten the agents.
	deleted   map[string]string
	forgotten map[string]bool
	// votes are the scores of feedback by episode and key, acknowledged or only tried.
	votes, tried map[string]map[string]float64
	// canvases are the acknowledged actions on canvases, by canvas and action id; traces the acknowledged traces.
	canvases map[string]map[string]bool
	traces   map[string]bool
	verdicts map[string]bool // acknowledged
	logs     map[string]int  // how many events were acknowledged, by run
	// executions are how many of an agent were acknowledged, and asked those that were asked for.
	executions, asked map[string]int
	counts            map[string]int
}

func newLedger() *ledger {
	return &ledger{
		episodes: map[string]string{}, deleted: map[string]string{}, forgotten: map[string]bool{},
		votes: map[string]map[string]float64{}, tried: map[string]map[string]float64{},
		canvases: map[string]map[string]bool{}, traces: map[string]bool{}, verdicts: map[string]bool{}, logs: map[string]int{},
		executions: map[string]int{}, asked: map[string]int{}, counts: map[string]int{},
	}
}

// note changes the ledger.
func (l *ledger) note(change func(*ledger)) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	change(l)
}

func (l *ledger) count(what string) { l.note(func(l *ledger) { l.counts[what]++ }) }

// put sets a value two keys deep.
func put[V any](table map[string]map[string]V, outer, inner string, value V) {
	if table[outer] == nil {
		table[outer] = map[string]V{}
	}
	table[outer][inner] = value
}

func (l *ledger) summary() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	parts := []string{fmt.Sprintf("%d episodes, %d traces, %d verdicts, %d logs in parts, %d deleted, %d agents forgotten", len(l.episodes), len(l.traces), len(l.verdicts), len(l.logs), len(l.deleted), len(l.forgotten))}
	for _, what := range slices.Sorted(maps.Keys(l.counts)) {
		parts = append(parts, fmt.Sprintf("%d %s", l.counts[what], what))
	}
	return strings.Join(parts, ", ")
}
