package sqlite

import (
	"context"
	"encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

func TestGapIsBetweenTheCellsAndTheirList(t *testing.T) {
	page := func(kind byte, cells, content int) []byte {
		p := make([]byte, 512)
		for i := range p {
			p[i] = 'x'
		}
		p[0] = kind
		binary.BigEndian.PutUint16(p[cellCount:], uint16(cells))
		binary.BigEndian.PutUint16(p[contentStart:], uint16(content))
		return p
	}
	for name, test := range map[string]struct {
		page []byte
		want int
	}{
		"leaf of a table":     {page(0x0d, 3, 100), 100 - 8 - 6},
		"leaf of an index":    {page(0x0a, 0, 512), 512 - 8},
		"inner of a table":    {page(0x05, 1, 20), 20 - 12 - 2},
		"inner of an index":   {page(0x02, 4, 20), 0},
		"page of another use": {page(0x00, 1, 100), 0},
		"cells beyond it":     {page(0x0d, 1, 600), 0},
		"more cells than fit": {page(0x0d, 300, 100), 0},
	} {
		assert.Len(t, gap(test.page), test.want, name)
		assert.Equal(t, test.want > 0, blank(test.page), name)
		assert.False(t, blank(test.page), name)
	}
}

// scrubDue says whether the file has the mark of a scrub.
func scrubDue(t *testing.T, tenant *Tenant) bool {
	t.Helper()
	return tenant.number(t, `SELECT count(*) FROM settings WHERE name = 'scrub'`) > 0
}

// What is broken off after its first part, as by a kill, is gone on with.
func TestDeletingAnAgentIsGoneOnWith(t *testing.T) {
	dir := t.TempDir()
	backend := openBackend(t, dir)
	tenant := bindTenant(t, backend)
	recordCrowd(t, tenant, 3, 900)
	_, err := tenant.InputKey(t.Context())
	require.NoError(t, err)
	require.NoError(t, tenant.write(t.Context(), func(c *conn) error {
		if err := markScrub(c); err != nil {
			return err
		}
		if err := markWords(c); err != nil {
			return err
		}
		return buryName(c, "victimzz", false)
	}))
	doomed, err := tenant.belongings(t.Context(), "victimzz")
	require.NoError(t, err)
	require.NoError(t, tenant.write(t.Context(), func(c *conn) error {
		g, err := graves(c)
		require.NoError(t, err)
		episodes, done, err := doomed.buryPart(t.Context(), g)
		assert.Equal(t, 100, episodes)
		assert.False(t, done)
		return err
	}))
	assert.Equal(t, 200, tenant.number(t, `SELECT total FROM profiles p JOIN agents a ON a.id = p.agent WHERE a.name = 'victimzz'`))
	requireWhole(t, examined(t, backend))
	recorded, err := tenant.Restore(t.Context(), []store.Item{&store.AgentItem{Agent: memory.Agent{Key: "victimzz", Name: "again"}}}, false)
	require.NoError(t, err)
	assert.False(t, recorded[0].Created)
	require.NoError(t, backend.Close(t.Context()))

	backend = openBackend(t, dir)
	tenant = bindTenant(t, backend)
	count, err := tenant.DeleteAgent(t.Context(), "victimzz")
	require.NoError(t, err)
	assert.Equal(t, 200, count)
	requireGone(t, dir, []string{"victimzz"})
	assert.Eventually(t, func() bool { return !scrubDue(t, tenant) }, time.Minute, 10*time.Millisecond)
	requireWordsAgree(t, tenant)
	requireWhole(t, examined(t, backend))
}

// A scrub that a killed process left due is made up for by the next that opens the file.
func TestScrubIsMadeUpForByTheNext(t *testing.T) {
	dir := t.TempDir()
	backend := openBackend(t, dir)
	tenant := bindTenant(t, backend)
	recordCrowd(t, tenant, 4, 900)
	doomed, err := tenant.belongings(t.Context(), "victimzz")
	require.NoError(t, err)
	require.NoError(t, tenant.write(t.Context(), func(c *conn) error { // not erase: nothing begins it
		g, err := graves(c)
		for done := false; !done && err == nil; {
			_, done, err = doomed.buryPart(t.Context(), g)
		}
		if err != nil {
			return err
		}
		return markScrub(c)
	}))
	require.NotEmpty(t, traces(t, dir, "victimzz"))
	other := openTenant(t, dir) // stands for another process
	other.number(t, `SELECT 1`)
	requireGone(t, dir, []string{"victimzz"})
	assert.Eventually(t, func() bool { return !scrubDue(t, tenant) }, time.Minute, 10*time.Millisecond)
	requireWordsAgree(t, other)
}

// Closing waits for the scrub, also beside a process that has the file open, but not without end for a reader.
func TestClosingScrubs(t *testing.T) {
	dir := t.TempDir()
	other := openTenant(t, dir)
	recordCrowd(t, other, 5, 900)
	backend := openBackend(t, dir)
	_, err := bindTenant(t, backend).DeleteAgent(t.Context(), "victimzz")
	require.NoError(t, err)
	require.NoError(t, backend.Close(t.Context()))
	assert.Empty(t, traces(t, dir, "victimzz"))
	assert.False(t, scrubDue(t, other))

	require.NoError(t, other.snapshot(t.Context(), func(c *conn) error {
		if err := pingNodes(c); err != nil {
			return err
		}
		backend := openBackend(t, dir)
		if _, err := bindTenant(t, backend).DeleteAgent(context.WithoutCancel(t.Context()), "a"); err != nil {
			return err
		}
		return backend.Close(t.Context())
	}))
	assert.True(t, scrubDue(t, other), "it is left to the others")
}
