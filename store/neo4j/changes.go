package neo4j

import (
	"maps"
	"slices"

	"mneme/memory"
)

// awaited is what a record waits for: a record of a kind, or an episode of a session.
type awaited struct{ kind, key string }

const (
	anEpisode           = "episode"
	anExecution         = "execution"
	aCanvas             = "canvas"
	aConcept            = "concept"
	anAgent             = "agent"
	anEpisodeOfASession = "session"
	theSession          = "session itself"
	theExecution        = "execution itself" // other than what feedback gives the name of
)

// awaitedRecord is what waits for a record itself are kept under.
func awaitedRecord(kind memory.Kind, key string) awaited {
	switch kind {
	case memory.KindSession:
		return awaited{theSession, key}
	case memory.KindExecution:
		return awaited{theExecution, key}
	}
	return awaited{string(kind), key}
}

// record is the kind of the record that is awaited.
func (a awaited) record() memory.Kind {
	switch a.kind {
	case theSession:
		return memory.KindSession
	case theExecution:
		return memory.KindExecution
	}
	return memory.Kind(a.kind)
}

func (a awaited) parameters() parameters { return parameters{"kind": a.kind, "key": a.key} }

// delta is how an episode's aggregates change.
type delta struct {
	canvases, actions int
	sum               float64
	count             int
}

// changes collects what a write does to links, so that each kind of change is one statement.
type changes struct {
	deltas                                         map[string]*delta // by episode
	canvases, feedback, onCanvas, causes, mentions []parameters
	abouts                                         map[aboutKinds][]parameters
	waits                                          map[string][]parameters // by the label of those that wait
	settled                                        map[awaited]struct{}    // what is perhaps not waited for any more
	linkedCanvases, linkedFeedback                 int                     // those that got their first episode
	receivers                                      keySet                  // the episodes that got something
}

func newChanges() *changes {
	return &changes{
		deltas: map[string]*delta{}, abouts: map[aboutKinds][]parameters{}, waits: map[string][]parameters{},
		settled: map[awaited]struct{}{}, receivers: keySet{},
	}
}

func (c *changes) delta(episode string) *delta {
	if c.deltas[episode] == nil {
		c.deltas[episode] = &delta{}
	}
	return c.deltas[episode]
}

// countCanvas moves a canvas with its actions from one episode's counts to another's.
func (c *changes) countCanvas(from *string, before int, to *string, after int) {
	if from != nil {
		d := c.delta(*from)
		d.canvases, d.actions = d.canvases-1, d.actions-before
	}
	if to != nil {
		d := c.delta(*to)
		d.canvases, d.actions = d.canvases+1, d.actions+after
	}
}

// linkCanvas gives a canvas its episode, or none.
func (c *changes) linkCanvas(key string, from, to *string) {
	c.canvases = append(c.canvases, parameters{"key": key, "episode": to})
	if to != nil {
		c.receivers.add(*to)
		if from == nil {
			c.linkedCanvases++
		}
	}
}

// reaction is what the links of a feedback depend on.
type reaction struct {
	key     string
	episode *string
	score   float64
}

// linkFeedback gives a feedback its episode, or none, and moves its score.
func (c *changes) linkFeedback(f reaction, to *string) {
	if equal(f.episode, to) {
		return
	}
	c.feedback = append(c.feedback, parameters{"key": f.key, "episode": to})
	if f.episode != nil {
		from := c.delta(*f.episode)
		from.sum, from.count = from.sum-f.score, from.count-1
	}
	if to != nil {
		into := c.delta(*to)
		into.sum, into.count = into.sum+f.score, into.count+1
		c.receivers.add(*to)
		if f.episode == nil {
			c.linkedFeedback++
		}
	}
}

func (c *changes) putOnCanvas(feedback, canvas string) {
	c.onCanvas = append(c.onCanvas, parameters{"key": feedback, "canvas": canvas})
	c.settle(awaited{aCanvas, canvas})
}

func (c *changes) linkCause(effect, cause string) {
	c.causes = append(c.causes, parameters{"key": effect, "cause": cause})
}

func (c *changes) mention(episode, concept string) {
	c.mentions = append(c.mentions, parameters{"key": episode, "concept": concept})
}

// wait lets a record, named by its label and key, wait.
func (c *changes) wait(label, key string, a awaited) {
	c.waits[label] = append(c.waits[label], parameters{"key": key, "kind": a.kind, "awaited": a.key})
}

func (c *changes) settle(a awaited) { c.settled[a] = struct{}{} }

// apply writes the changes, in one statement for each kind there is.
func (c *changes) apply(t *transaction) error {
	for _, step := range []struct {
		linking statement
		rows    []parameters
	}{
		{named("link_canvases"), c.canvases},
		{named("link_feedback"), c.feedback},
		{named("put_on_canvas"), c.onCanvas},
		{named("link_causes"), c.causes},
		{named("link_mentions"), c.mentions},
	} {
		if len(step.rows) > 0 {
			if err := t.run(step.linking, parameters{"rows": step.rows}, nil); err != nil {
				return err
			}
		}
	}
	if err := c.applyAbouts(t); err != nil {
		return err
	}
	if err := c.applyWaits(t); err != nil {
		return err
	}
	return c.adjust(t)
}

var letWait = rendered("wait", waiterLabels)

func (c *changes) applyWaits(t *transaction) error {
	if len(c.waits) > 0 {
		if err := t.run(letWait, parameters{"waits": c.waits}, nil); err != nil {
			return err
		}
	}
	if len(c.settled) == 0 {
		return nil
	}
	rows := make([]parameters, 0, len(c.settled))
	for a := range c.settled {
		rows = append(rows, a.parameters())
	}
	return t.run(named("settle"), parameters{"awaited": rows}, nil)
}

// adjust brings the aggregates up to date, the episodes in the order in which every writer locks them.
func (c *changes) adjust(t *transaction) error {
	var rows []parameters
	for _, key := range slices.Sorted(maps.Keys(c.deltas)) {
		if d := *c.deltas[key]; d != (delta{}) {
			rows = append(rows, parameters{
				"key": key, "canvases": d.canvases, "actions": d.actions, "sum": d.sum, "count": d.count,
			})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	adjusted, err := rowsOf(t, named("adjust"), parameters{"rows": rows, "unrated": unratedRank}, column[int64]("adjusted"))
	if err == nil && (len(adjusted) != 1 || adjusted[0] != int64(len(rows))) {
		return &raced{cause: errGone} // an episode was deleted after we read of it
	}
	return err
}

func equal[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}
