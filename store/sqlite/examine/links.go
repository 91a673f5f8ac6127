package examine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// linkEnds are the kinds that the links of a type lead from and to. The types between concepts are those of
// memory.RelationTypes.
var linkEnds = map[string][]string{
	graph.EdgeRan:       {"agent episode"},
	graph.EdgeInSession: {"episode session", "canvas session", "feedback session", "observation session"},
	graph.EdgePresented: {"episode canvas"},
	graph.EdgeReceived:  {"episode feedback"},
	graph.EdgeCausedBy:  {"episode episode", "concept concept"},
	graph.EdgeMentions:  {"episode concept"},
	graph.EdgeContains:  {"memoir concept"},
	graph.EdgeOn:        {"feedback canvas", "verdict section"},
	graph.EdgeOf:        {"execution learningProfile", "learningProfile agent"},
	graph.EdgeFrom:      {"execution episode"},

	graph.EdgeInRun:       {"section run"},
	graph.EdgeLearnedFrom: {"pattern section"},
}

// wrongIDs are links whose ends are called otherwise than the records there.
const wrongIDs = `FROM edges e JOIN nodes s ON s.id = e.source JOIN nodes t ON t.id = e.target
	WHERE e.source_ref <> s.ref OR e.target_ref <> t.ref`

// links looks at the ids that links repeat, and at the kinds of their ends.
func (e *examiner) links() (diagnosis, error) {
	all, err := e.count(`SELECT count(*) FROM edges`)
	if err != nil {
		return diagnosis{}, err
	}
	misnamed, err := e.count(`SELECT count(*) ` + wrongIDs)
	if err != nil {
		return diagnosis{}, err
	}
	d := diagnosis{found: fmt.Sprintf("%d links", all)}
	if misnamed > 0 {
		d.fault = fmt.Sprintf("%d of %d links repeat other ids than their ends have: walks miss them", misnamed, all)
		d.remedy = "Write the ids of their ends to these links again."
		d.mend = db.Scripts(`CREATE TEMP TABLE misnamed AS SELECT e.source, e.type, e.target_ref, s.ref AS from_ref, t.id AS target, t.ref AS to_ref, e.at `+wrongIDs,
			`DELETE FROM edges WHERE (source, type, target_ref) IN (SELECT source, type, target_ref FROM temp.misnamed)`,
			`INSERT OR IGNORE INTO edges (source, type, target_ref, target, source_ref, at) SELECT source, type, to_ref, target, from_ref, at FROM temp.misnamed`,
			`DROP TABLE temp.misnamed`)
		return d, nil
	}
	err = e.linkKinds(&d)
	return d, err
}

// linkKinds looks for links between records that their type does not link.
func (e *examiner) linkKinds(d *diagnosis) error {
	odd := map[string]int{}
	const read = `SELECT e.type, s.kind || ' ' || t.kind, count(*) FROM edges e JOIN nodes s ON s.id = e.source JOIN nodes t ON t.id = e.target GROUP BY 1, 2`
	err := e.conn.Search(e.ctx, read, func(r *db.Row) error {
		kind, ends := r.Text(), r.Text()
		if may, known := linkEnds[kind]; known && !slices.Contains(may, ends) {
			odd[kind+" from "+strings.ReplaceAll(ends, " ", " to ")] += r.Int()
		}
		return nil
	})
	if err != nil || len(odd) == 0 {
		return err
	}
	d.fault = "links that lead from or to a wrong kind of record: " + strings.Join(slices.Sorted(maps.Keys(odd)), ", ")
	d.remedy = "mneme writes no such links. Remove what did, and put a backup in the place of " + e.path + "."
	return nil
}

// causes looks for causes that began after what they caused, and for cycles of them, which walks bear and nobody else
// can judge: they are told of, and are no fault. A cycle has a link to a cause that did not begin before.
func (e *examiner) causes() (diagnosis, error) {
	const all = ` FROM edges l JOIN episodes effect ON effect.id = l.source JOIN episodes cause ON cause.id = l.target WHERE l.type = 'CAUSED_BY'`
	var late []string
	found, odd := 0, false
	err := e.conn.Search(e.ctx, `SELECT count(*)`+all, func(r *db.Row) error {
		found = r.Int()
		return nil
	})
	if err == nil {
		err = e.conn.Search(e.ctx, `SELECT l.source_ref, l.target_ref, cause.started_at > effect.started_at`+all+
			` AND cause.started_at >= effect.started_at ORDER BY 1, 2`, func(r *db.Row) error {
			odd = true
			if effect, cause := r.Text(), r.Text(); r.Bool() {
				late = append(late, cause+" of "+effect)
			}
			return nil
		})
	}
	d := diagnosis{found: fmt.Sprintf("%d causes of episodes", found)}
	if err != nil || !odd {
		return d, err
	}
	var links [][2]string
	err = e.conn.Search(e.ctx, `SELECT l.source_ref, l.target_ref`+all, func(r *db.Row) error {
		links = append(links, [2]string{r.Text(), r.Text()})
		return nil
	})
	if told := linking.OddCauses(late, links); told != "" {
		d.found = told
	}
	return d, err
}

// owner is a link that a column of its record repeats.
type owner struct {
	table, column, kind, at, edge string
	// owns says that the link comes from the owner; else it leads to it.
	owns bool
	what string // for people
}

// repeatedOwners are all of them.
var repeatedOwners = []owner{
	{"episodes", "agent", "agent", "started_at", graph.EdgeRan, true, "episodes without their agent"},
	{"episodes", "session", "session", "started_at", graph.EdgeInSession, false, "episodes without their session"},
	{"observations", "session", "session", "created_at", graph.EdgeInSession, false, "observations without their session"},
	{"concepts", "memoir", "memoir", "created_at", graph.EdgeContains, true, "concepts without their memoir"},
	{"profiles", "agent", "agent", "latest_at", graph.EdgeOf, false, "profiles without their agent"},
	{"verdicts", "section", "section", "at", graph.EdgeOn, false, "verdicts without their section"},
}

// ends are the columns of edges that hold the owner and the record.
func (o owner) ends() (owner, record string) {
	if o.owns {
		return "source", "target"
	}
	return "target", "source"
}

// missing is the condition for a record x whose link is not there.
func (o owner) missing() string {
	end, record := o.ends()
	return fmt.Sprintf(`x.%s IS NOT NULL AND NOT EXISTS (SELECT 1 FROM edges e WHERE e.%s = x.id AND e.type = '%s' AND e.%s = x.%[1]s)`,
		o.column, record, o.edge, end)
}

// link adds the links that are missing.
func (o owner) link() string {
	source, target := "x.id", "x."+o.column
	if o.owns {
		source, target = target, source
	}
	return fmt.Sprintf(`INSERT OR IGNORE INTO edges (source, type, target_ref, target, source_ref, at)
		SELECT s.id, '%s', t.ref, t.id, s.ref, x.%s FROM %s x JOIN nodes s ON s.id = %s JOIN nodes t ON t.id = %s WHERE %s`,
		o.edge, o.at, o.table, source, target, o.missing())
}

// unlink removes the links that lead from or to another owner than the record's.
func (o owner) unlink() string {
	return `DELETE FROM edges WHERE (source, type, target_ref) IN (` + o.foreign() + `)`
}

func (o owner) foreign() string {
	end, record := o.ends()
	return fmt.Sprintf(`SELECT e.source, e.type, e.target_ref FROM %s x JOIN edges e ON e.%s = x.id AND e.type = '%s' WHERE e.%s IS NOT x.%s`,
		o.table, record, o.edge, end, o.column)
}

// lost finds the records whose column leads to no owner, and the owners that they are linked with.
func (o owner) lost() string {
	end, record := o.ends()
	return fmt.Sprintf(`SELECT x.id, CAST(n.id AS TEXT) FROM %s x JOIN edges e ON e.%s = x.id AND e.type = '%s' JOIN nodes n ON n.id = e.%s AND n.kind = '%s'
		WHERE x.%s IS NOT NULL AND NOT EXISTS (SELECT 1 FROM nodes a WHERE a.id = x.%[6]s AND a.kind = '%[5]s')`, o.table, record, o.edge, end, o.kind, o.column)
}

// owners looks for records that are not linked with what they belong to, or with something else.
func (e *examiner) owners() (diagnosis, error) {
	d := diagnosis{found: "each record is linked with what it belongs to"}
	var lines, mend []string
	for _, o := range repeatedOwners {
		missing, err := e.count(fmt.Sprintf(`SELECT count(*) FROM %s x WHERE %s`, o.table, o.missing()))
		if err != nil {
			return d, err
		}
		foreign, err := e.count(`SELECT count(*) FROM (` + o.foreign() + `)`)
		if err != nil {
			return d, err
		}
		if missing > 0 {
			lines, mend = append(lines, fmt.Sprintf("%d %s", missing, o.what)), append(mend, o.link())
		}
		if foreign > 0 {
			lines, mend = append(lines, fmt.Sprintf("%d with another: %s of %s", foreign, o.edge, o.table)), append(mend, o.unlink())
		}
	}
	if len(lines) > 0 {
		d.found, d.fault = "", strings.Join(lines, ", ")
		d.remedy = "Link these records as their own rows say."
		d.mend = db.Scripts(mend...)
	}
	return d, nil
}

// arrived are the waits for something that is there: w.kind and w.key with the node n that was waited for.
const arrived = `FROM waiting w JOIN nodes n ON
	n.kind = CASE w.kind WHEN 'about' THEN substr(w.key, 1, instr(w.key, ':') - 1) WHEN 'execution' THEN 'episode' ELSE w.kind END
	AND CASE w.kind
		WHEN 'about' THEN n.key = substr(w.key, instr(w.key, ':') + 1)
		WHEN 'execution' THEN n.id IN (SELECT x.episode FROM episode_executions x WHERE x.key = w.key)
		ELSE n.key = w.key END
	WHERE w.kind IN ('episode', 'execution', 'canvas', 'concept', 'about')`

// waiting looks for records that wait for something that is there.
func (e *examiner) waiting() (diagnosis, error) {
	all, err := e.count(`SELECT count(*) FROM waiting`)
	if err != nil {
		return diagnosis{}, err
	}
	late, err := e.count(`SELECT count(DISTINCT w.kind || ' ' || w.key || ' ' || w.node) ` + arrived)
	if err != nil {
		return diagnosis{}, err
	}
	placeable, err := e.count(`SELECT count(*) FROM waiting w JOIN nodes s ON s.kind = 'session' AND s.key = w.key
		WHERE w.kind = 'session' AND EXISTS (SELECT 1 FROM episodes x WHERE x.session = s.id)`)
	if err != nil {
		return diagnosis{}, err
	}
	d := diagnosis{found: fmt.Sprintf("%d wait for a record to come", all)}
	if placeable > 0 {
		d.found += fmt.Sprintf("; a backfill would place %d of them", placeable)
	}
	if late > 0 {
		d.fault = fmt.Sprintf("%d of %d wait for a record that is there", late, all)
		d.remedy = "Link them with what they wait for."
		d.mend = linkAllWaiting
	}
	return d, nil
}

// linkAllWaiting links what waits for records that are there.
func linkAllWaiting(c *db.Conn) error {
	type awaited struct {
		kind memory.Kind
		key  string
	}
	found := map[awaited]bool{}
	err := c.Query(`SELECT DISTINCT w.kind, w.key `+arrived, func(r *db.Row) error {
		found[awaited{memory.Kind(r.Text()), r.Text()}] = true
		return nil
	})
	if err != nil {
		return err
	}
	for a := range found {
		if err := linkWaitingForRecord(c, a.kind, a.key); err != nil {
			return err
		}
	}
	return nil
}

// linkWaitingForRecord links what waits for one record.
func linkWaitingForRecord(c *db.Conn, kind memory.Kind, key string) error {
	switch kind {
	case graph.WaitAbout:
		id, err := graph.FindNode(c, key)
		if err != nil {
			return err
		}
		return graph.LinkWaitingAnnotations(c, id, key)
	case linking.Execution:
		id, err := graph.ExecutedBy(c, key)
		if err != nil {
			return err
		}
		return graph.LinkWaitingFor(c, kind, key, id)
	}
	id, err := graph.NodeID(c, kind, key)
	if err != nil {
		return err
	}
	switch kind {
	case memory.KindConcept:
		return graph.LinkWaitingMentions(c, id, key)
	case memory.KindCanvas:
		return linkWaitingFeedback(c, id, key)
	default:
		return graph.LinkWaitingFor(c, kind, key, id)
	}
}

// linkWaitingFeedback puts feedback on the canvas that it named, whose episode it follows.
func linkWaitingFeedback(c *db.Conn, canvas int64, key string) error {
	waiters, err := graph.WaitersFor(c, memory.KindCanvas, key)
	if err != nil {
		return err
	}
	shown, err := shownAt(c, canvas)
	if err != nil {
		return err
	}
	for _, w := range waiters {
		if err := graph.AddEdge(c, w.Node, graph.EdgeOn, canvas, shown); err != nil {
			return err
		}
	}
	if err := graph.EndWait(c, memory.KindCanvas, key); err != nil {
		return err
	}
	episode, err := graph.SourceOf(c, graph.EdgePresented, canvas)
	if err != nil || episode == 0 {
		return err
	}
	return graph.MoveFollowers(c, canvas, episode)
}

func shownAt(c *db.Conn, canvas int64) (at time.Time, err error) {
	_, err = c.One(`SELECT created_at FROM canvases WHERE id = :id`, func(r *db.Row) { at = r.AnyTime() }, db.Arg("id", canvas))
	return at, err
}
