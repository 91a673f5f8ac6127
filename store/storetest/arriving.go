package storetest

import (
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"mneme/memory"
)

// arrival is a record of a session, as which it is drawn before it has a name.
type arrival struct {
	index, sort int
	when        time.Time
	length      int  // hours, of episodes; -1 for one recorded at its end, -2 for one with an open end
	on          int  // the canvas that an action or a feedback is of
	open        bool // recorded open, and concluded when it has arrived
	user        *string
}

func drawArrival(random *rapid.T, index int) arrival {
	return arrival{
		index: index, sort: rapid.IntRange(0, 4).Draw(random, "sort"), when: at(60 * rapid.IntRange(0, 40).Draw(random, "hour")),
		length: rapid.IntRange(-2, 9).Draw(random, "length"), on: rapid.IntRange(0, 2).Draw(random, "canvas"),
	}
}

// The keys of the records in a session.
func (a arrival) key(session string) string    { return fmt.Sprintf("%s-%02d", session, a.index) }
func (a arrival) canvas(session string) string { return fmt.Sprintf("%s-c%d", session, a.on) }

// arrive writes records together, each kind in its order.
func (m *tenant) arrive(session string, records []arrival) {
	m.t.Helper()
	var episodes []episodeDraft
	var actions []actionDraft
	var feedback []feedbackDraft
	for _, a := range records {
		switch a.sort {
		case 0, 1:
			d := episode(a.key(session), a.when).in(session)
			switch a.length {
			case -2:
			case -1:
				d = d.told()
			default:
				if a.open {
					d = d.unconcluded()
				} else {
					d = d.until(a.when.Add(time.Duration(a.length) * time.Hour))
				}
			}
			d.Episode.UserID = a.user
			episodes = append(episodes, d)
		case 2:
			actions = append(actions, present(a.canvas(session), a.when).in(session))
			actions[len(actions)-1].User = a.user
		case 3:
			feedback = append(feedback, thumbsUp(a.key(session), a.when).in(session))
			feedback[len(feedback)-1].UserID = a.user
		default:
			feedback = append(feedback, thumbsDown(a.key(session), a.when).onCanvas(a.canvas(session)))
			feedback[len(feedback)-1].UserID = a.user
		}
	}
	m.record(episodes...)
	m.act(actions...)
	m.react(feedback...)
}

// end concludes an episode that was recorded open, with its end.
func (m *tenant) end(session string, a arrival) {
	m.t.Helper()
	c := conclusion(a.key(session), memory.OutcomeSuccess)
	c.EndedAt = new(a.when.Add(time.Duration(a.length) * time.Hour))
	m.NoError(m.ConcludeEpisode(m.ctx(), c))
}

// arrivingInAnyOrder writes the same records in two sessions: one by one as they are drawn, and in another order in
// batches, of which some episodes tell their ends later. The same is linked with the same then, and counted.
func arrivingInAnyOrder(m *tenant, random *rapid.T) {
	drawn := make([]arrival, rapid.IntRange(2, 14).Draw(random, "records"))
	for i := range drawn {
		drawn[i] = drawArrival(random, i)
		m.arrive("s", drawn[i:i+1])
	}
	var open []arrival
	for rest := rapid.Permutation(drawn).Draw(random, "order"); len(rest) > 0; {
		batch := slices.Clone(rest[:rapid.IntRange(1, len(rest)).Draw(random, "batch")])
		rest = rest[len(batch):]
		for i, a := range batch {
			if a.sort < 2 && a.length >= 0 && rapid.Bool().Draw(random, "open") {
				batch[i].open = true
				open = append(open, a)
			}
		}
		m.arrive("t", batch)
		for len(open) > 0 && (len(rest) == 0 || rapid.Bool().Draw(random, "ends")) {
			m.end("t", open[0])
			open = open[1:]
		}
	}
	m.requireAlike(drawn, "s", "t")
}

// requireAlike holds that the same is linked with the same in two sessions, and counted.
func (m *tenant) requireAlike(drawn []arrival, s, t string) {
	m.t.Helper()
	for _, a := range drawn {
		switch a.sort {
		case 0, 1:
			m.Equal(withoutSession(m.episode(a.key(s))), withoutSession(m.episode(a.key(t))))
		case 2:
			m.Equal(indexOf(m.canvas(a.canvas(s)).EpisodeKey), indexOf(m.canvas(a.canvas(t)).EpisodeKey), "canvas %d", a.on)
		default:
			m.Equal(indexOf(m.feedback(a.key(s)).EpisodeKey), indexOf(m.feedback(a.key(t)).EpisodeKey), "feedback %d", a.index)
		}
	}
}

// sessionOfUsers holds that of a session that users share each has what a session alone would have.
func sessionOfUsers(m *tenant, random *rapid.T) {
	drawn, of := make([]arrival, rapid.IntRange(2, 14).Draw(random, "records")), map[string][]arrival{}
	for i := range drawn {
		drawn[i] = drawArrival(random, i)
		user := rapid.SampledFrom([]string{"ann", "bob"}).Draw(random, "user")
		drawn[i].user = &user
		if user == "bob" {
			drawn[i].on += 5
		}
		of[user] = append(of[user], drawn[i])
	}
	for rest := drawn; len(rest) > 0; {
		batch := rest[:rapid.IntRange(1, len(rest)).Draw(random, "batch")]
		rest = rest[len(batch):]
		m.arrive("s", batch)
	}
	for user, records := range of {
		m.arrive(user[:1], records)
		m.requireAlike(records, "s", user[:1])
	}
}

// indexOf is what a key is besides its session.
func indexOf(key *string) string {
	if key == nil {
		return ""
	}
	return (*key)[1:]
}

// withoutSession is what episodes of two sessions have in common.
func withoutSession(e *memory.Episode) [3]float64 {
	return [3]float64{float64(e.CanvasActionCount), float64(e.FeedbackCount), e.FeedbackSum}
}
