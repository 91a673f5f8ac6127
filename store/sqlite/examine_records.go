package sqlite

import (
	"fmt"

	"mneme/memory"
)

// recordTables hold what the records of each kind say, each of which has a row there; of others their node is all.
var recordTables = map[memory.Kind][]string{
	memory.KindAgent: {"agents"}, memory.KindEpisode: {"episodes", "contents"}, memory.KindCanvas: {"canvases", "canvas_actions"},
	memory.KindFeedback: {"feedback"}, memory.KindMemoir: {"memoirs"}, memory.KindConcept: {"concepts"},
	memory.KindObservation: {"observations"}, memory.KindCorrection: {"corrections"},
	memory.KindExecution: {"executions"}, memory.KindLearningProfile: {"profiles", "windows"}, memory.KindRun: {"runs"},
	memory.KindVerdict: {"verdicts", "verdict_texts"}, memory.KindPattern: {"patterns"},
}

// keyColumns are the keys of the tables that have another than id.
var keyColumns = map[string]string{"contents": "episode", "canvas_actions": "canvas", "windows": "profile", "verdict_texts": "verdict"}

// records counts the nodes. Of which something is gone reading them tells.
func (e *examiner) records() (diagnosis, error) {
	all, err := e.count(`SELECT count(*) FROM nodes`)
	return diagnosis{found: fmt.Sprintf("%d records", all)}, err
}

// The aggregates of an episode x, as they follow from its canvases and its feedback.
const (
	actionsOf   = `(SELECT count(*) FROM edges p JOIN canvas_actions a ON a.canvas = p.target WHERE p.source = x.id AND p.type = 'PRESENTED')`
	scoresOf    = `(SELECT total(f.score) FROM edges r JOIN feedback f ON f.id = r.target WHERE r.source = x.id AND r.type = 'RECEIVED')`
	reactionsOf = `(SELECT count(*) FROM edges r WHERE r.source = x.id AND r.type = 'RECEIVED')`
	agentOf     = `(SELECT o.agent FROM edges p JOIN episodes o ON o.id = p.source WHERE p.target = v.id AND p.type = 'PRESENTED')`

	miscounted = `canvas_action_count <> ` + actionsOf + ` OR feedback_count <> ` + reactionsOf + ` OR feedback_sum <> ` + scoresOf
)

// counters looks at what is counted ahead of reading.
func (e *examiner) counters() (diagnosis, error) {
	episodes, err := e.count(`SELECT count(*) FROM episodes x WHERE ` + miscounted)
	if err != nil {
		return diagnosis{}, err
	}
	canvases, err := e.count(`SELECT count(*) FROM canvases v WHERE v.agent IS NOT ` + agentOf)
	if err != nil {
		return diagnosis{}, err
	}
	d := diagnosis{found: "sums agree with what they are of"}
	if episodes+canvases > 0 {
		d.found = ""
		d.fault = fmt.Sprintf("%d episodes have wrong counts or sums, %d canvases another agent than their episode", episodes, canvases)
		d.remedy = "Count again."
		d.mend = scripts(
			`UPDATE episodes AS x SET canvas_action_count = `+actionsOf+`, feedback_count = `+reactionsOf+`, feedback_sum = `+scoresOf+` WHERE `+miscounted,
			`UPDATE canvases AS v SET agent = `+agentOf+` WHERE v.agent IS NOT `+agentOf)
	}
	return d, nil
}
