package main

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/neo4j"
	"mneme/store/sqlite"
)

// conversation is one of the LoCoMo file: what two people wrote one another in many sessions, and questions about it.
type conversation struct {
	ID        string                     `json:"sample_id"`
	Sessions  map[string]json.RawMessage `json:"conversation"`
	Questions []struct {
		Question string   `json:"question"`
		Evidence []string `json:"evidence"`
		Category int      `json:"category"`
	} `json:"qa"`
}

// message is what somebody wrote; its id names its session: D4:12.
type message struct {
	ID      string `json:"dia_id"`
	Speaker string `json:"speaker"`
	Text    string `json:"text"`
	Caption string `json:"blip_caption"` // of a picture that came along
	At      time.Time
}

func (m message) says() string {
	said := m.Speaker + ": " + m.Text
	if m.Caption != "" {
		said += " [a picture of " + m.Caption + "]"
	}
	return said
}

func sessionOf(message string) string {
	session, _, _ := strings.Cut(message, ":")
	return session
}

// adversarial is the category of the questions that the conversation does not answer.
const adversarial = 5

// locomo measures how many messages and sessions that answer LoCoMo's questions are found, beside plain full text.
func locomo(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("locomo", flag.ExitOnError)
	data := flags.String("data", "", "the file data/locomo10.json of github.com/snap-research/LoCoMo")
	kind := flags.String("store", "sqlite", "sqlite, or neo4j as MNEME_TEST_NEO4J names it")
	results := flags.String("results", "bench/LOCOMO.md", "the file to write")
	_ = flags.Parse(args) // ExitOnError
	text, err := os.ReadFile(*data)
	if err != nil {
		return err
	}
	var all []conversation
	if err := json.Unmarshal(text, &all); err != nil {
		return fmt.Errorf("%s: %w", *data, err)
	}
	dir, err := os.MkdirTemp("", "mneme-locomo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	backend, err := openMeasured(ctx, *kind, dir)
	if err != nil {
		return err
	}
	svc := service.New(backend, service.WithLogger(slog.New(slog.DiscardHandler)))
	defer func() { _ = errors.Join(svc.Close(ctx), backend.Close(ctx)) }()
	var ours, plain shares
	for i, c := range all {
		progress("%s, %d of %d", c.ID, i+1, len(all))
		messages, err := c.messages()
		if err != nil {
			return fmt.Errorf("%s: %w", c.ID, err)
		}
		tenant, err := svc.Tenant(access.With(ctx, access.Caller{Tenant: fmt.Sprintf("locomo-%d-%d", time.Now().UnixMilli(), i), Role: access.Admin}))
		if err != nil {
			return err
		}
		if err := record(ctx, tenant, messages); err != nil {
			return err
		}
		table, err := tableOf(ctx, messages)
		if err != nil {
			return err
		}
		for _, q := range c.Questions {
			wanted := evidence(q.Evidence, messages)
			if len(wanted) == 0 || q.Category == adversarial {
				continue
			}
			if err := errors.Join(ours.askMneme(ctx, tenant, q.Question, wanted), plain.askTable(ctx, table, q.Question, wanted)); err != nil {
				return err
			}
		}
		_ = table.Close()
	}
	report := ours.report(plain)
	fmt.Print(report)
	return keepSection(*results, locomoTop, titles[*kind], report)
}

func openMeasured(ctx context.Context, kind, dir string) (store.Backend, error) {
	if kind == "neo4j" {
		return neo4j.Open(ctx, neo4j.Options{
			URL: os.Getenv("MNEME_TEST_NEO4J"), User: os.Getenv("MNEME_TEST_NEO4J_USER"), Password: os.Getenv("MNEME_TEST_NEO4J_PASSWORD"),
		})
	}
	return sqlite.Open(ctx, sqlite.Options{Dir: dir})
}

// messages are those of all sessions, each a minute after the one before it.
func (c conversation) messages() (all []message, err error) {
	for name, text := range c.Sessions {
		var session []message
		if json.Unmarshal(text, &session) != nil { // a date, or who speaks
			continue
		}
		var said string
		if err := json.Unmarshal(c.Sessions[name+"_date_time"], &said); err != nil {
			return nil, fmt.Errorf("the time of %s: %w", name, err)
		}
		at, err := time.Parse("3:04 pm on 2 January, 2006", said)
		if err != nil {
			return nil, err
		}
		for i := range session {
			session[i].At = at.Add(time.Duration(i) * time.Minute)
		}
		all = append(all, session...)
	}
	slices.SortStableFunc(all, func(a, b message) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(sessionOf(a.ID), sessionOf(b.ID)))
	})
	return all, nil
}

// evidence are the messages that a question names and that there are.
func evidence(named []string, messages []message) (wanted []string) {
	for _, m := range messages {
		if slices.Contains(named, m.ID) {
			wanted = append(wanted, m.ID)
		}
	}
	return wanted
}

// record writes each message as an observation and each session as an episode.
func record(ctx context.Context, tenant *service.Tenant, messages []message) error {
	sessions := map[string]*boundary.RecordEpisodeInput{}
	var notes []boundary.RecordObservationInput
	for _, m := range messages {
		name := sessionOf(m.ID)
		notes = append(notes, boundary.RecordObservationInput{ID: new(m.ID), Content: m.says(), SessionID: &name, At: new(m.At)})
		if sessions[name] == nil {
			sessions[name] = &boundary.RecordEpisodeInput{ID: &name, AgentID: "people", Outcome: new(memory.OutcomeSuccess), StartedAt: new(m.At)}
		}
		sessions[name].Observation += m.says() + "\n"
	}
	for part := range slices.Chunk(notes, 500) {
		if _, err := tenant.Knowledge.RecordObservations(ctx, boundary.RecordObservationsInput{Observations: part}); err != nil {
			return err
		}
	}
	for _, episode := range sessions {
		if _, err := tenant.Episodes.RecordEpisode(ctx, *episode, boundary.Include{}); err != nil {
			return err
		}
	}
	return nil
}

// tableOf is a plain full-text table of the messages.
func tableOf(ctx context.Context, messages []message) (*sql.DB, error) {
	table, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	table.SetMaxOpenConns(1)
	if _, err := table.ExecContext(ctx, `CREATE VIRTUAL TABLE messages USING fts5(id UNINDEXED, says, tokenize = 'porter unicode61')`); err != nil {
		return nil, err
	}
	for _, m := range messages {
		if _, err := table.ExecContext(ctx, `INSERT INTO messages VALUES (?, ?)`, m.ID, m.says()); err != nil {
			return nil, err
		}
	}
	return table, nil
}

// The lengths of the answers in which messages and sessions are counted.
var messagesAt, sessionsAt = []int{10, 20}, []int{5, 10}

// shares adds up which shares of what answers the questions were found.
type shares struct {
	questions          int
	messages, sessions [2]float64
}

// add counts a question by the messages and sessions found, best first.
func (s *shares) add(wanted, messages, sessions []string) {
	s.questions++
	within := make([]string, len(wanted))
	for i, id := range wanted {
		within[i] = sessionOf(id)
	}
	slices.Sort(within)
	for i := range messagesAt {
		s.messages[i] += shareOf(wanted, messages, messagesAt[i])
		s.sessions[i] += shareOf(slices.Compact(slices.Clone(within)), sessions, sessionsAt[i])
	}
}

func shareOf(wanted, found []string, most int) float64 {
	there := 0
	for _, id := range wanted {
		if slices.Contains(found[:min(most, len(found))], id) {
			there++
		}
	}
	return float64(there) / float64(len(wanted))
}

func (s *shares) askMneme(ctx context.Context, tenant *service.Tenant, question string, wanted []string) error {
	found, err := tenant.Retrieval.SearchObservations(ctx, boundary.ObservationSearch{Query: question}, reading.PageInput{First: new(20)})
	if err != nil {
		return err
	}
	recalled, err := tenant.Retrieval.Recall(ctx, boundary.RecallInput{
		Situation: question, TopK: new(10), Ranking: &boundary.RankingInput{TemporalWeight: new(0.0)}, // all sessions are years old
	}, boundary.Include{})
	if err != nil {
		return err
	}
	var messages, sessions []string
	for _, hit := range found.Items {
		messages = append(messages, hit.Observation().Key)
	}
	for _, hit := range recalled.Hits {
		sessions = append(sessions, hit.Episode.Key)
	}
	s.add(wanted, messages, sessions)
	return nil
}

// askTable asks for any of the question's words; a session is found by its best message.
func (s *shares) askTable(ctx context.Context, table *sql.DB, question string, wanted []string) error {
	var words []string
	for _, term := range lexical.Terms(question) {
		words = append(words, `"`+term.Word+`"`)
	}
	rows, err := table.QueryContext(ctx, `SELECT id FROM messages WHERE messages MATCH ? ORDER BY rank LIMIT 200`, strings.Join(words, " OR "))
	if err != nil {
		return err
	}
	defer rows.Close()
	var messages, sessions []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return err
		}
		messages = append(messages, id)
		if session := sessionOf(id); !slices.Contains(sessions, session) {
			sessions = append(sessions, session)
		}
	}
	s.add(wanted, messages, sessions)
	return rows.Err()
}

func (s *shares) row(name string) string {
	of := func(sum float64) string { return fmt.Sprintf("%.3f", sum/float64(max(1, s.questions))) }
	return fmt.Sprintf("| %s | %s | %s | %s | %s |\n", name, of(s.messages[0]), of(s.messages[1]), of(s.sessions[0]), of(s.sessions[1]))
}

const locomoTop = `# Measured on LoCoMo

Ten long conversations of two people ([LoCoMo](https://github.com/snap-research/LoCoMo), Maharana et al., 2024), without the questions of the
adversarial category: the share of the messages that answer a question which is found among the first 10 and 20, and of
the sessions that they are from among the first 5 and 10. Each message is an observation, each session an episode. Variants
of the rules were compared on them; no model took part. Full text is an FTS5 table of the messages, stemmed, in the same run.

    make bench-locomo DATA=locomo10.json
`

func (s *shares) report(plain shares) string {
	return fmt.Sprintf(`| of %d questions | messages @10 | @20 | sessions @5 | @10 |
|---|---|---|---|---|
%s%s`, s.questions, s.row("mneme"), plain.row("full text (FTS5)"))
}
