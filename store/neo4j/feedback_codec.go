package neo4j

import (
	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
)

// feedbackProperties are what a feedback's node holds, but for its links.
func feedbackProperties(tenant string, record *store.FeedbackRecord) parameters {
	f := &record.Feedback
	properties := parameters{
		"tenant": tenant, "key": f.Key, "type": string(f.Type), "rating": f.Rating, "score": f.Score,
		"corrections": f.Corrections, "comment": f.Comment, "source": string(f.Source), "agentExecutionId": f.AgentExecutionID,
		"createdBy": f.CreatedBy, "createdAt": instant(f.CreatedAt), "session": f.SessionKey,
		"way": string(linking.Feedback(f).Kind), "namedCanvas": f.CanvasKey, "inputHash": hashText(record.InputHash),
	}
	giveWords(memory.KindFeedback, properties)
	encodeReceipt(properties, f.Receipt)
	return properties
}

func (f *fields) feedback() *memory.Feedback {
	feedback := &memory.Feedback{
		Key: f.key(memory.KindFeedback), EpisodeKey: f.optionalText("episode"), CanvasKey: f.optionalText("canvas"),
		SessionKey: f.optionalText("session"),
		Reaction: memory.Reaction{
			Type: word[memory.FeedbackType](f, "type"), Rating: f.optionalInteger("rating"), Score: f.number("score"),
			Corrections: f.optionalText("corrections"), Comment: f.optionalText("comment"), Source: word[memory.FeedbackSource](f, "source"),
			AgentExecutionID: f.optionalText("agentExecutionId"), CreatedBy: f.optionalText("createdBy"), CreatedAt: f.instant("createdAt"),
		},
		Receipt: f.receipt(),
	}
	f.check("rating", feedback.Check())
	return feedback
}
