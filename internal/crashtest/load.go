package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"
)

// hubs are episodes that all writers react to.
const hubs = 5

// write records until the time is over: each round in one of three ways.
func (t *tenant) write(ctx context.Context, number int) {
	c := t.client(number)
	for round := 0; ctx.Err() == nil; round++ {
		key := fmt.Sprintf("w%d-%d", number, round)
		switch number % 4 {
		case 0, 1:
			c.record(ctx, key, c.throughGraphQL)
			c.findOwn(ctx, key)
			c.show(ctx, key)
			c.judge(ctx, number, round)
			c.run(ctx, key, number)
			c.log(ctx, fmt.Sprintf("log-%d-%d", number, round/partsOfLog), round%partsOfLog)
		case 2:
			c.record(ctx, key, func(ctx context.Context, input values) error { return c.call(ctx, "record_episode", input) })
		default:
			c.trace(ctx, number, round)
		}
		c.react(ctx, key)
		if round%7 == 6 {
			c.drop(ctx, fmt.Sprintf("w%d-%d", number, round-3))
		}
	}
}

func (c *client) throughGraphQL(ctx context.Context, input values) error {
	return c.ask(ctx, `mutation ($input: RecordEpisodeInput!) { recordEpisode(input: $input) { episode { id } } }`, values{"input": input}, nil)
}

// record writes an episode; sent again it is the same one.
func (c *client) record(ctx context.Context, key string, send func(context.Context, values) error) {
	observation := fmt.Sprintf("Customer %s of %s wants a refund for order %d that came too late", key, c.name, c.dice.IntN(1000))
	input := values{
		"id": key, "agentId": fmt.Sprintf("agent-%d", c.dice.IntN(5)), "observation": observation, "taskType": "refund", "outcome": "SUCCESS",
		"startedAt": time.Now().AddDate(0, 0, -10).UTC().Format(time.RFC3339), "sessionId": fmt.Sprintf("session-%d", c.dice.IntN(20)),
	}
	if c.insist(ctx, "record "+key, func() error { return send(ctx, input) }) {
		c.ledger.note(func(l *ledger) { l.episodes[key] = observation })
	}
}

// findOwn looks for what was just acknowledged, at the next server.
func (c *client) findOwn(ctx context.Context, key string) {
	acknowledged := false
	c.ledger.note(func(l *ledger) { _, acknowledged = l.episodes[key] })
	if !acknowledged {
		return
	}
	const query = `query ($id: ID!) { episode(id: $id) { id } }`
	var data struct{ Episode *struct{ ID string } }
	if c.insist(ctx, "look for "+key, func() error { return c.ask(ctx, query, values{"id": key}, &data) }) && data.Episode == nil {
		c.fault("episode %s was acknowledged, and then not found at a server", key)
	}
}

// react gives feedback, mostly on an episode that everyone reacts to.
func (c *client) react(ctx context.Context, own string) {
	episode := fmt.Sprintf("hub-%d", c.dice.IntN(hubs))
	if c.dice.IntN(3) == 0 {
		episode = own
	}
	key, score, form := "vote-"+own, 1.0, "THUMBS_UP"
	if c.dice.IntN(2) == 0 {
		score, form = -1, "THUMBS_DOWN"
	}
	c.ledger.note(func(l *ledger) { put(l.tried, episode, key, score) })
	input := values{"id": key, "episodeId": episode, "type": form, "createdBy": c.name, "at": time.Now().UTC().Format(time.RFC3339)}
	const mutation = `mutation ($input: SubmitFeedbackInput!) { submitFeedback(input: $input) { feedback { id } } }`
	if c.insist(ctx, "feedback "+key, func() error { return c.ask(ctx, mutation, values{"input": input}, nil) }) {
		c.ledger.note(func(l *ledger) { put(l.votes, episode, key, score) })
	}
}

const sectionsOfRun = 10

// judge records a verdict on a section of a run.
func (c *client) judge(ctx context.Context, number, round int) {
	key := fmt.Sprintf("verdict-%d-%d", number, round)
	if c.insist(ctx, key, func() error {
		return c.verdict(ctx, key, fmt.Sprintf("judged-%d-%d", number, round/sectionsOfRun), fmt.Sprint(round%sectionsOfRun))
	}) {
		c.ledger.note(func(l *ledger) { l.verdicts[key] = true })
	}
}

func (c *client) verdict(ctx context.Context, key, run, section string) error {
	const mutation = `mutation ($input: RecordVerdictInput!) { recordVerdict(input: $input) { verdict { id } } }`
	return c.ask(ctx, mutation, values{"input": values{
		"id": key, "runId": run, "sectionId": section, "sectionType": "poem", "iteration": 0, "status": "APPROVE", "judgeId": "critic of " + c.name, "score": 90,
		"at": time.Now().UTC().Truncate(24 * time.Hour).Format(time.RFC3339),
	}}, nil)
}

// sprint is the type of task that executions are of. No episode is, so that what agents rank by is in the ledger.
const sprint = "sprint"

// run records an execution of one of three agents.
func (c *client) run(ctx context.Context, key string, number int) {
	c.execution(ctx, key, fmt.Sprintf("runner-%s-%d", c.name, number%3))
}

func (c *client) execution(ctx context.Context, key, agent string) {
	input := values{"id": key, "agentId": agent, "taskType": sprint, "success": true, "quality": 0.9, "at": time.Now().UTC().Format(time.RFC3339)}
	const mutation = `mutation ($input: RecordExecutionInput!) { recordExecution(input: $input) { execution { at } } }`
	c.ledger.note(func(l *ledger) { l.asked[agent]++ })
	if c.insist(ctx, "execution "+key, func() error { return c.ask(ctx, mutation, values{"input": input}, nil) }) {
		c.ledger.note(func(l *ledger) { l.executions[agent]++ })
	}
}

// show presents a canvas and closes it.
func (c *client) show(ctx context.Context, episode string) {
	canvas, at := "canvas-"+episode, time.Now().UTC()
	var actions []values
	for i, action := range []string{"PRESENT", "CLOSE"} {
		actions = append(actions, values{
			"id": action, "canvasId": canvas, "episodeId": episode, "canvasType": "charts", "componentType": "line",
			"action": action, "at": at.Add(time.Duration(i) * 3 * time.Second).Format(time.RFC3339),
		})
	}
	const mutation = `mutation ($input: RecordCanvasActionsInput!) { recordCanvasActions(input: $input) { result { errors { code message } } } }`
	var data struct {
		RecordCanvasActions struct {
			Result struct {
				Errors []struct{ Code, Message string }
			}
		}
	}
	if !c.insist(ctx, "canvas "+canvas, func() error { return c.ask(ctx, mutation, values{"input": values{"actions": actions}}, &data) }) {
		return
	}
	for _, refused := range data.RecordCanvasActions.Result.Errors {
		c.fault("canvas %s: %s %s", canvas, refused.Code, refused.Message)
	}
	c.ledger.note(func(l *ledger) {
		for _, action := range actions {
			put(l.canvases, canvas, fmt.Sprint(action["id"]), true)
		}
	})
}

// A log comes in so many parts of so many events.
const partsOfLog, eventsOfPart = 10, 20

// log adds a part to the log of a run; sent again it adds nothing. The last part ends it.
func (c *client) log(ctx context.Context, run string, part int) {
	events := make([]values, eventsOfPart)
	for i := range events {
		sequence := part*eventsOfPart + i
		events[i] = values{
			"sequence": sequence, "type": "agent_thought", "data": values{"thought": fmt.Sprintf("Thought %d of %s of %s", sequence, run, c.name)},
			"at": time.Now().UTC().AddDate(0, 0, -1).Truncate(24 * time.Hour).Add(time.Duration(sequence) * time.Second).Format(time.RFC3339),
		}
	}
	if part == partsOfLog-1 {
		events[eventsOfPart-1]["type"] = "workflow_completed"
	}
	input := values{"runId": run, "agentId": "logger", "sessionId": "logs", "append": true, "events": events}
	const mutation = `mutation ($input: CaptureRunInput!) { captureRun(input: $input) { episode { id } } }`
	if c.insist(ctx, "append to "+run, func() error { return c.ask(ctx, mutation, values{"input": input}, nil) }) {
		c.ledger.note(func(l *ledger) { l.logs[run] += eventsOfPart })
	}
}

// trace sends the one span of a trace, as an instrumented agent does.
func (c *client) trace(ctx context.Context, number, round int) {
	key := fmt.Sprintf("%016x%016x", number+1, round+1)
	began := time.Now().Add(-time.Minute)
	span := fmt.Sprintf(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":%q,"spanId":"eee19b7ec3c1b174","name":"invoke_agent tracer-%s",
		"startTimeUnixNano":"%d","endTimeUnixNano":"%d","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"invoke_agent"}}]}]}]}]}`,
		key, c.name, began.UnixNano(), began.Add(time.Second).UnixNano())
	if c.insist(ctx, "trace "+key, func() error {
		_, err := c.post(ctx, "/v1/traces", []byte(span))
		return err
	}) {
		c.ledger.note(func(l *ledger) { l.traces[key] = true })
	}
}

// drop deletes an episode of its own, for good.
func (c *client) drop(ctx context.Context, key string) {
	tried, outcome := 0, "answered"
	c.ledger.note(func(l *ledger) { delete(l.episodes, key) }) // from here on it may be gone, whether that is answered or not
	const mutation = `mutation ($id: ID!) { deleteEpisode(input: {id: $id}) { deletedId } }`
	if c.insist(ctx, "delete "+key, func() error {
		tried++
		err := c.ask(ctx, mutation, values{"id": key}, nil)
		if refused, ok := err.(refusal); ok && refused.code == "NOT_FOUND" { //nolint:errorlint // it is made here, and not wrapped
			outcome = "NOT_FOUND"
			return nil // done at an earlier try, or never recorded, or a trace
		}
		return err
	}) {
		c.ledger.note(func(l *ledger) {
			l.deleted[key] = fmt.Sprintf("%s, %s at try %d", time.Now().UTC().Format(time.RFC3339Nano), outcome, tried)
		})
	}
}

// read asks what agents and people ask. What is answered may be anything but a fault.
func (t *tenant) read(ctx context.Context, number int) {
	c := t.client(100 + number)
	questions := []string{
		`{ recall(input: {situation: "a refund for an order that came late", topK: 5}) { hits { rank episode { id observation canvasIds feedbackIds } } } }`,
		`{ episodes(first: 50, orderBy: FEEDBACK_DESC) { totalCount nodes { id observation aggregateFeedbackScore } } }`,
		`{ search(query: "refund order", first: 20) { nodes { score snippet } } }`,
		`{ rankAgents(taskType: "sprint") { score agent { id } } }`,
		`{ observations(first: 50) { nodes { id content weight } } }`,
		`query ($id: ID!) { episode(id: $id) { observation feedback { nodes { createdBy } } } }`,
	}
	for ctx.Err() == nil {
		question, variables := questions[c.dice.IntN(len(questions))], values(nil)
		if strings.Contains(question, "$id") {
			variables = values{"id": t.other().anyEpisode()}
		}
		c.insist(ctx, question, func() error { return c.ask(ctx, question, variables, nil) })
		c.ledger.count("reads")
	}
}

// anyEpisode is the key of an acknowledged one.
func (t *tenant) anyEpisode() (found string) {
	t.ledger.note(func(l *ledger) {
		for key := range l.episodes {
			found = key
			return
		}
	})
	return cmp.Or(found, "none")
}
