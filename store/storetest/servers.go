package storetest

import (
	"errors"
	"fmt"
	"testing"

	"mneme/memory"
	"mneme/store"
)

// RunServers lets 64 writers go through several servers on one store: what they add up to must be exact wherever it is
// read. The function open gives the backends, each as a process of its own would have it.
func RunServers(t *testing.T, open func(t *testing.T) []store.Backend) {
	backends := open(t)
	id := randomTenant()
	servers := make([]*tenant, len(backends))
	for i, backend := range backends {
		servers[i] = bind(t, backend, id)
	}
	const writers = 64
	var executions []memory.Execution
	drafts := make([]executionDraft, writers)
	for i := range drafts {
		drafts[i] = execution(fmt.Sprintf("x%02d", i), at(i)).by("ada").doing("refund").worth(float64(i%8) / 8)
		executions = append(executions, drafts[i].Execution)
	}
	servers[0].record(episode("e", at(0)).in("s"))
	servers[0].together(writers, func(i int) error {
		m := servers[i%len(servers)]
		return errors.Join(
			m.reactErr(rating(fmt.Sprintf("f%02d", i), 1+i%5, at(i)).on("e")),
			m.actErr(present(fmt.Sprintf("c%02d", i/2), at(i)).of("e").in("s")), // two writers for each
			m.executeErr(drafts[i]),
			m.recordErr(episode("same", at(1)).in("s").by("ada")),
		)
	})
	sum := 0.0
	for i := range writers {
		sum += float64(i%5-2) / 2
	}
	for _, m := range servers {
		e := m.episode("e")
		m.Equal(writers, e.FeedbackCount)
		m.Equal(sum, e.FeedbackSum)
		m.Equal(writers, e.CanvasActionCount)
		m.requireProfile(executions, "ada", "refund", nil)
		m.Len(m.listed(store.EpisodeFilter{Session: new("s")}, memory.NewestFirst), 2)
	}
	requireNoFault(servers[0], backends[0], id)
	serversFind(t, servers)
}
