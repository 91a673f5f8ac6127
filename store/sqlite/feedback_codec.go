package sqlite

import (
	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
)

// feedbackFields are the columns of feedback.
func feedbackFields(f *memory.Feedback) []column {
	return []column{
		{"type", oneOf(&f.Type)}, {"rating", &f.Rating}, {"score", &f.Score}, {"corrections", &f.Corrections}, {"comment", &f.Comment},
		{"source", oneOf(&f.Source)}, {"execution", &f.AgentExecutionID}, {"created_by", &f.CreatedBy}, {"created_at", &f.CreatedAt},
		{"tokens_before", &f.Receipt.TokensBefore}, {"tokens_after", &f.Receipt.TokensAfter}, {"redactions", listIn(&f.Receipt.Redactions)},
	}
}

// feedbackLinks are what stands in edges: its episode, its canvas and its session.
func feedbackLinks(f *memory.Feedback) []column {
	return []column{{"episode", &f.EpisodeKey}, {"canvas", &f.CanvasKey}, {"session", &f.SessionKey}}
}

// Feedback is f, its node n, the edge from its episode p.
var (
	feedbackColumns   = `SELECT n.key, o.key AS episode, v.key AS canvas, s.key AS session, ` + selected("f", feedbackFields(&memory.Feedback{}))
	feedbackScanner   = scannerOf(feedbackLinks, feedbackFields)
	insertingFeedback = inserting("feedback", feedbackFields(&memory.Feedback{}), "id", "leads_by", "input_hash")
)

const (
	feedbackTables = ` JOIN nodes n ON n.id = f.id
		LEFT JOIN nodes o ON o.id = p.source` + feedbackEnds
	feedbackEnds = `
		LEFT JOIN edges d ON d.source = f.id AND d.type = 'ON'
		LEFT JOIN nodes v ON v.id = d.target
		LEFT JOIN edges i ON i.source = f.id AND i.type = 'IN_SESSION'
		LEFT JOIN nodes s ON s.id = i.target`
	feedbackEdge = ` LEFT JOIN edges p ON p.target = f.id AND p.type = 'RECEIVED'`
)

func readFeedback(r *row) *memory.Feedback {
	f := &memory.Feedback{Key: r.key(memory.KindFeedback)}
	feedbackScanner.scan(f, r)
	r.check(f.Check())
	return f
}

func insertFeedback(c *conn, id int64, record *store.FeedbackRecord) error {
	f := &record.Feedback
	return c.put(insertingFeedback, feedbackFields(f), arg("id", id), arg("leads_by", string(linking.Feedback(f).Kind)),
		arg("input_hash", blob(record.InputHash)))
}
