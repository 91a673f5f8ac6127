package storetest

import (
	"testing"

	"mneme/memory"
	"mneme/store"
)

func (s suite) judgedLinks(t *testing.T) {
	s.judge(t, "judged work is linked", func(c *court) {
		ids := c.judgeOnce()
		run, section, ruling, pattern := ids[0], ids[1], ids[2], ids[3]
		links := []store.Link{
			{Source: pattern, Target: section, Type: "LEARNED_FROM"}, {Source: section, Target: run, Type: "IN_RUN"},
			{Source: ruling, Target: section, Type: "ON"},
		}
		c.Equal(links, c.between(ids, ids, nil))
		c.Equal([]bool{true, true, true, true, false}, c.exist(append(ids, "run:none")...))
		for _, link := range links {
			of := func(id string, direction store.Direction) []string {
				return c.neighbours(store.AdjacencyQuery{Of: []string{id}, Relations: []string{link.Type}, Direction: direction})
			}
			c.Contains(of(link.Source, store.Out), link.Target, link)
			c.NotContains(of(link.Source, store.In), link.Target, link)
			c.Contains(of(link.Target, store.In), link.Source, link)
		}
	})
	s.judge(t, "what is about judged work waits for it", func(c *court) {
		key := memory.PatternKey(memory.PatternDo, "verse", nil, "glow")
		about := []string{"pattern:" + key, "run:r", "section:r/s", "verdict:v"}
		c.observe(observation("early", at(0)).about(about...))
		c.Empty(c.observation("early").About)
		c.judgeOnce()
		c.Equal(about, c.observation("early").About)
		c.observe(observation("late", at(0)).about(about...))
		c.Equal(about, c.observation("late").About)
	})
	t.Run("tenants know nothing of each other's judged work", func(t *testing.T) {
		backend := s.open(t)
		mine, theirs := courtOf(bind(t, backend, randomTenant())), courtOf(bind(t, backend, randomTenant()))
		ids := mine.judgeOnce()
		theirs.requireModel(newJudgedModel())
		theirs.Equal([]bool{false, false, false, false}, theirs.exist(ids...))
		theirs.ErrorIs(theirs.LabelVerdict(theirs.ctx(), store.VerdictLabel{Verdict: "v"}), store.ErrNotFound)
		_, err := theirs.CompleteRun(theirs.ctx(), store.RunCompletion{Run: "r", At: at(0)})
		theirs.ErrorIs(err, store.ErrNotFound)
		theirs.rule(verdict("v", "r", "s", at(7)).using("glow"))
		theirs.complete("r", 8)
		mine.Equal(at(1), mine.runOf("r").StartedAt)
		mine.Equal(1, mine.learned(store.PatternQuery{})[0].Total)
	})
}

// judgeOnce records the verdict "v" on the section "s" of the run "r", completes it, and gives the ids of the
// run, the section, the verdict and the pattern.
func (c *court) judgeOnce() []string {
	c.t.Helper()
	c.rule(verdict("v", "r", "s", at(1)).using("glow"))
	c.complete("r", 2)
	return judgedIDs()
}

// judgedIDs are the ids that judgeOnce gives.
func judgedIDs() []string {
	pattern := memory.PatternKey(memory.PatternDo, "verse", nil, "glow")
	return []string{"run:r", "section:r/s", "verdict:v", "pattern:" + pattern}
}
