package passages

import (
	"encoding/json"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"mneme/memory"
	split "mneme/memory/passages"
	"mneme/store/sqlite/db"
	"mneme/store/vectors"
)

// record is what a record is found by.
type record struct {
	owner
	said    []memory.Passage
	leftOut int // of what it says
}

// reading are statements that read records. The first columns are two nodes that a record belongs to, a text that marks
// it, whose it is of kinds that are of users, and its time.
var reading = map[memory.Kind]struct {
	find string
	say  func(r *db.Row, into *record)
}{
	memory.KindEpisode: {`SELECT e.agent, e.session, e.task_type, coalesce(e.user_id, ''), e.started_at, e.outcome, t.title, t.observation, t.thoughts, t.actions, t.result, t.insight
		FROM episodes e JOIN contents t ON t.episode = e.id WHERE e.id = :id`, sayEpisode},
	memory.KindObservation: {`SELECT session, NULL, NULL, coalesce(user_id, ''), created_at, content FROM observations WHERE id = :id`, func(r *db.Row, into *record) {
		into.said = split.Of(&memory.Observation{CreatedAt: into.at, Content: r.AnyText()})
	}},
	memory.KindConcept: {`SELECT memoir, NULL, NULL, NULL, updated_at, name, content, labels FROM concepts WHERE id = :id`, func(r *db.Row, into *record) {
		into.said = split.Of(&memory.Concept{UpdatedAt: into.at, Name: r.AnyText(), Content: r.AnyText(), Labels: list[string](r)})
	}},
	memory.KindCorrection: {`SELECT NULL, NULL, topic, NULL, created_at, topic, prediction, correction, context FROM corrections WHERE id = :id`, func(r *db.Row, into *record) {
		into.said = split.Of(&memory.Correction{CreatedAt: into.at, Topic: r.AnyText(), Prediction: r.AnyText(), Correction: r.AnyText(), Context: optional(r)})
	}},
	memory.KindFeedback: {`SELECT NULL, NULL, NULL, NULL, created_at, corrections, comment, replaced_at FROM feedback WHERE id = :id`, func(r *db.Row, into *record) {
		var f memory.Feedback
		f.CreatedAt, f.Corrections, f.Comment, f.ReplacedAt = into.at, optional(r), optional(r), r.OptionalTime()
		into.said = split.Of(&f)
	}},
	memory.KindMemoir: {`SELECT NULL, NULL, NULL, NULL, created_at, name, description FROM memoirs WHERE id = :id`, func(r *db.Row, into *record) {
		into.said = split.Of(&memory.Memoir{CreatedAt: into.at, Name: r.AnyText(), Description: optional(r)})
	}},
}

// read reads what a record is found by: of a damaged one, what can be read. A record that is not there has no time.
func read(c *db.Conn, kind memory.Kind, node int64) (*record, error) {
	found := &record{owner: owner{node: node, kind: kind}}
	of := reading[kind]
	_, err := c.One(of.find, func(r *db.Row) {
		found.marks[0], found.marks[1] = MarkNode(r.Integer()), MarkNode(r.Integer())
		if marked := r.AnyText(); marked != "" {
			found.marks[2] = MarkText(marked)
		}
		if user, ok := db.Read[string](r); ok {
			found.marks[3] = MarkText(user)
		}
		found.at = r.AnyTime()
		of.say(r, found)
	}, db.Arg("id", node))
	return found, err
}

func sayEpisode(r *db.Row, into *record) {
	e := memory.Episode{
		StartedAt: into.at, Outcome: memory.Outcome(r.AnyText()), Title: r.AnyText(), Observation: r.AnyText(), Thoughts: list[string](r),
		Actions: list[memory.Action](r), Result: optional(r), Insight: r.AnyText(),
	}
	log, err := eventsOf(r.Conn, into.node)
	if err != nil {
		r.Fail("the log of episode %d: %w", into.node, err)
	}
	into.said, into.leftOut = split.OfEpisode(&e, log)
}

func eventsOf(c *db.Conn, episode int64) (events []memory.Event, err error) {
	const find = `SELECT seq, type, data, at FROM events WHERE episode = :episode ORDER BY seq`
	err = c.Query(find, func(r *db.Row) {
		e := memory.Event{Sequence: r.Int(), Type: r.AnyText()}
		if data, ok := db.Read[string](r); ok {
			e.Data = memory.JSON(data)
		}
		e.At = r.AnyTime()
		events = append(events, e)
	}, db.Arg("episode", episode))
	return events, err
}

func optional(r *db.Row) *string {
	if text, ok := db.Read[string](r); ok {
		return &text
	}
	return nil
}

// list reads what can be read of a list that is kept as JSON.
func list[T any](r *db.Row) (items []T) {
	_ = json.Unmarshal([]byte(r.AnyText()), &items)
	return items
}

// MarkNode is the mark of a node that a record belongs to; 0 for none.
func MarkNode(id int64) uint32 { return uint32(id) }

// MarkText is the mark of a task type, a topic or a user; that of nobody is of an empty text.
func MarkText(text string) uint32 {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(text))
	return max(1, hash.Sum32())
}

// Marked are marks as words of the index. Of a question they are required, of a record all that it has.
func Marked(marks vectors.Marks) []string {
	var words []string
	for i, mark := range marks {
		if mark != 0 {
			words = append(words, string(rune('a'+i))+strconv.FormatUint(uint64(mark), 36))
		}
	}
	return words
}

func marksText(marks vectors.Marks) string { return strings.Join(Marked(marks), " ") }

// idBits are those of an id that number the passages of all kinds; the others tell the kind, so that the index of words
// goes through those of one kind only.
const idBits = 40

// Range is the first and the last id that passages of a kind can have; there are none of other kinds.
func Range(kind memory.Kind) (first, last int64) {
	at := int64(slices.Index(split.Kinds, kind))
	if at < 0 {
		return 1, 0
	}
	return at << idBits, (at+1)<<idBits - 1
}
