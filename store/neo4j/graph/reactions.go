package graph

import (
	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// Followers is the feedback that goes where its canvas goes, of some canvases.
func (t Links) Followers(canvases []string) (found []linking.FeedbackLink, err error) {
	err = t.Rows(cypher.Named("followers"), cypher.Parameters{"canvases": canvases}, func(f *bolt.Fields) {
		r := feedbackLinkOf(f)
		r.Canvas = f.Text("canvas")
		found = append(found, r)
	})
	return found, err
}

// feedbackLinkOf reads what the links of a feedback depend on.
func feedbackLinkOf(f *bolt.Fields) linking.FeedbackLink {
	return linking.FeedbackLink{Key: f.Text("key"), User: linking.OrNone(f.OptionalText("user")), Episode: f.OptionalText("episode"), Score: f.Sum("score"), Ended: bolt.Required[bool](f, "ended")}
}

// FeedbackLinks locks feedback and reads its links, by key.
func (t Links) FeedbackLinks(keys []string) (map[string]linking.FeedbackLink, error) {
	found, wanted := map[string]linking.FeedbackLink{}, linking.SetOf(keys...).Sorted()
	if len(wanted) == 0 {
		return found, nil
	}
	err := t.Rows(cypher.Named("feedback_links"), cypher.Parameters{"keys": wanted}, func(f *bolt.Fields) {
		r := feedbackLinkOf(f)
		r.By = memory.Kind(f.Text("way"))
		found[r.Key] = r
	})
	if err == nil && len(found) != len(wanted) {
		return nil, &bolt.Raced{Cause: ErrGone} // some went with its episode after we read of it
	}
	return found, err
}
